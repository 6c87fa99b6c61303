import { existsSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { CLI, run } from "../support/command.js";
import { findFreePort } from "../support/listen.js";

const SERVE = ["serve", "--port", "0", "--ephemeral"];
const ESCAPE = "\u001b[";

/** Runs the command line on a terminal of 80 columns. */
function onTerminal(args: readonly string[], env = {}) {
  const command = `stty cols 80; exec "${process.execPath}" "${CLI}" ${args.join(" ")}`;
  const terminal = run("script", ["-qefc", command, "/dev/null"], {
    env: { TERM: "xterm", SHELL: "/bin/bash", ...env },
  });
  onTestFinished(() => void terminal.child.kill());
  return terminal;
}

async function sendRequests(url: string): Promise<void> {
  const headers = { authorization: "ApiKey demo-key", "content-type": "application/json" };
  const send = (path: string, init = {}) => fetch(url + path, { headers, ...init }).then((response) => response.text());
  await send("/v1/notifications?limit=2");
  await send("/v2/subscribers/x/preferences", { method: "PATCH", body: '{"chanels":{}}' });
  await send("/v1/notification");
  await send("/v1/notifications", { method: "PUT" });
  await send("/v1/notifications", { headers: { authorization: "ApiKey another-secret-key" } });
  await send("/v2/subscribers/x/preferences", { method: "PATCH", body: "{" });
}

const LOG = [
  /^\d\d:\d\d:\d\d {2}200 {2}GET {4}\/v1\/notifications\?limit=2 {2}[\d.]+ ms$/m,
  /^\d\d:\d\d:\d\d {2}422 {2}PATCH {2}\/v2\/subscribers\/x\/preferences {2}[\d.]+ ms\r?\n {10}body\.chanels is unknown\. Did you mean channels\?$/m,
  /^ {10}body\.channels is required$/m,
  /404 {2}GET {4}\/v1\/notification {2}[\d.]+ ms\r?\n {10}There is no resource at this path\..* Did you mean GET \/v1\/notifications\?/,
  /405 {2}PUT .*\r?\n {10}PUT is not allowed at this path\./,
  /401 {2}GET .*\r?\n {10}API Key not found\./,
  /400 {2}PATCH .*\r?\n {10}The body is not valid JSON/,
];

describe("serve", () => {
  test.skipIf(!existsSync("/usr/bin/script")).each([
    ["in colour", {}, true],
    ["with NO_COLOR", { NO_COLOR: "1" }, false],
  ])(
    "on a terminal, %s: the console first, short lines, a line for each request with its reasons",
    async (_title, env, isColoured) => {
      const terminal = onTerminal(SERVE, env);
      await terminal.printed(/Ctrl-C stops it/);
      const message = stripVTControlCharacters(terminal.output());
      expect(message).toMatch(/is up\.\s+Console +http:\S+\/console\s+URL /);
      for (const line of message.split(/\r?\n/)) expect(line.length).toBeLessThanOrEqual(80);
      await sendRequests(/URL +(http\S+)/.exec(message)?.[1] ?? "");
      await terminal.printed(/not valid JSON/);
      const text = stripVTControlCharacters(terminal.output()).replaceAll("\r", "");
      for (const pattern of LOG) expect(text).toMatch(pattern);
      expect(text).not.toMatch(/INFO|another-secret-key/);
      expect(terminal.output().includes(ESCAPE)).toBe(isColoured);
    },
  );

  test("in a pipe: plain text, and JSON lines for the log", async () => {
    const server = run(process.execPath, [CLI, ...SERVE]);
    onTestFinished(() => void server.child.kill());
    const [, url = ""] = await server.printed(/URL +(http\S+)/);
    await sendRequests(url);
    await server.printed(/not valid JSON/);
    expect(server.output()).not.toContain(ESCAPE);
    const records = server
      .output()
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line));
    expect(records[1]).toMatchObject({ method: "PATCH", target: "/v2/subscribers/x/preferences", status: 422 });
    expect(records[1].reasons).toHaveLength(2);
  });

  test.skipIf(!existsSync("/dev/full"))(
    "exits with 0 after a signal although its start could not be printed",
    async () => {
      const port = await findFreePort();
      const command = `exec "${process.execPath}" "${CLI}" serve --ephemeral --port ${port} > /dev/full`;
      const server = run("bash", ["-c", command]);
      onTestFinished(() => void server.child.kill());
      const isUp = async () => (await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined))?.ok ?? false;
      while (!(await isUp())) if (server.child.exitCode !== null) expect.unreachable(server.output());
      server.child.kill("SIGTERM");
      expect(await server.ended).toBe(0);
    },
  );
});
