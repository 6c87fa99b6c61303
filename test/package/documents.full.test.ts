// The code in the README and the guides, run: requests, commands, CI jobs; and what the commands print.
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createControl } from "../../src/client/control.js";
import { CLI, ROOT, type Running, run, runToEnd, serve, stop } from "../support/command.js";
import { BLOCKS, blocksOf, readDocument } from "../support/documents.js";
import { buildIfStale } from "../support/fresh-build.js";

const COMMANDS = [...new Set(blocksOf("command").map(({ text }) => text))];
const isServe = (script: string) => / serve\b/.test(script);
const isProxy = (script: string) => / proxy\b/.test(script);

let server: Running & { url: string };
let folder: string;
beforeAll(async () => {
  await buildIfStale();
  server = await serve(["--port", "0", "--ephemeral"]);
  folder = await mkdtemp(join(tmpdir(), "documents-"));
  const contract = await readFile(join(ROOT, "openapi.yaml"), "utf8");
  await copyFile(join(ROOT, "openapi.yaml"), join(folder, "openapi.yaml"));
  const edited = contract.replace("maximum: 50", "maximum: 20").replaceAll("must be <= 50", "must be <= 20");
  await writeFile(join(folder, "proposal.yaml"), edited);
  await addTeamEnvironment();
});
afterAll(async () => {
  if (server) await stop(server);
  if (folder) await rm(folder, { recursive: true });
});

/** What the examples of a team's own server assume of it. */
async function addTeamEnvironment(): Promise<void> {
  const control = createControl({ baseUrl: server.url });
  await control.createEnvironment({ name: "team", apiKey: "team-key", seed: "demo" });
  for (const subscriberId of ["ada", "grace"]) await control.addSubscriber("team", { subscriberId });
  await control.addWorkflow("team", { name: "Welcome", identifier: "welcome", channels: ["email", "in_app"] });
}

const here = (text: string) => text.replaceAll(/http:\/\/127\.0\.0\.1:(4010|8080)/g, server.url);

/** A script of the documents with the built command line instead of npm's, on the servers and branches of this test. */
function toLocal(script: string): string {
  const program = `'${process.execPath}' '${CLI}'`;
  return here(script)
    .replaceAll(/npm run (\w+)(?: --)?/g, `${program} $1`)
    .replaceAll("npx notifications-contract", program)
    .replaceAll(/^npm ci.*$/gm, "")
    .replaceAll(/--base (main|origin\/\S+( \S+ }})?)/g, "--base HEAD");
}

const runs = new Map<string, ReturnType<typeof runToEnd>>();

/** Runs a script; one that stands in the documents several times is run once. */
function runScript(script: string): ReturnType<typeof runToEnd> {
  const local = toLocal(script);
  const env: Record<string, string> = local.includes("--subscriber ada") ? { NC_API_KEY: "team-key" } : {};
  const ended = runs.get(local) ?? runToEnd("bash", ["-ec", local], { cwd: folder, env });
  runs.set(local, ended);
  return ended;
}

describe("the documents", () => {
  const curls = [...new Set(blocksOf("curl").map(({ text }) => text))];
  test.each(curls)("%s", async (line) => {
    const { code, output } = await runToEnd("bash", ["-c", here(line).replace("curl ", "curl -sS ")]);
    expect(code).toBe(0);
    const response = JSON.parse(output);
    const responses = BLOCKS.filter(({ kind }, index) => kind === "response" && BLOCKS[index - 1]?.text === line);
    for (const { text } of responses) expect(isShown(JSON.parse(text), response), `${output} holds ${text}`).toBe(true);
    if (responses.length === 0) expect(response.data.length).toBeGreaterThan(0);
  });

  test("each response is that of the request above it", () => {
    for (const [index, { kind }] of BLOCKS.entries()) {
      if (kind === "response") expect(BLOCKS[index - 1]?.kind).toBe("curl");
    }
  });

  test("every request of the control plane's tour succeeds", async () => {
    const [tour] = blocksOf("control-tour");
    const { code, output } = await runToEnd("bash", [
      "-ec",
      here(tour?.text ?? "").replaceAll("curl -s", "curl -sS --fail-with-body"),
    ]);
    expect(code, output).toBe(0);
    expect(output).toContain('"name":"mine","apiKey":"my-key"');
    expect(output).toContain('"requests":[]');
  });

  test("each `Prefer` of the table of states is applied, by both operations' server", async () => {
    const rows = [...readDocument("docs/front-end.md").matchAll(/^\| .* \| `Prefer: ([^`]+)`/gm)].map(
      ([, value = ""]) => value,
    );
    expect(rows.length).toBeGreaterThan(6);
    for (const prefer of rows) {
      const response = await fetch(`${server.url}/v1/notifications`, {
        headers: { authorization: "ApiKey demo-key", prefer },
      });
      expect(response.headers.get("preference-applied")).toBe(prefer);
      expect(response.status).toBe(Number(/code=(\d+)/.exec(prefer)?.[1] ?? 200));
    }
  });

  test.each(COMMANDS.filter((script) => !isServe(script) && !isProxy(script)))("%s", async (script) => {
    const { code, output } = await runScript(script);
    expect(code, output).toBe(0);
  });

  test.each(COMMANDS.filter(isServe))("%s", async (script) => {
    const running = run("bash", ["-c", `exec ${toLocal(script)}`], { cwd: folder, env: { NC_PORT: "0" } });
    const [, url = ""] = await running.printed(/URL +(http\S+)/);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect(await stop(running)).toBe(0);
  });

  test("the proxy's script exits with 1 when the upstream violates the contract, and with 0 when it does not", async () => {
    const [script = ""] = COMMANDS.filter(isProxy);
    const violating = createServer((_request, response) => void response.end("{}"));
    await new Promise<void>((resolve) => violating.listen(0, "127.0.0.1", resolve));
    const wrongUrl = `http://127.0.0.1:${(violating.address() as AddressInfo).port}`;
    const toScript = (port: number) => {
      const tests = `until curl -sf -o /dev/null -H 'authorization: ApiKey demo-key' http://127.0.0.1:${port}/v1/notifications; do sleep 0.2; done`;
      return script.replace(/^# … .*$/m, tests);
    };
    try {
      const port = await findFreePort();
      const env = { NC_PORT: String(port) };
      const good = await runToEnd("bash", ["-c", toLocal(toScript(port))], { cwd: folder, env });
      expect([good.code, good.output]).toEqual([0, expect.stringContaining("0 in responses")]);
      const wrong = toLocal(toScript(port).replace("http://127.0.0.1:8080", wrongUrl));
      const bad = await runToEnd("bash", ["-c", wrong], { cwd: folder, env });
      expect([bad.code, bad.output]).toEqual([1, expect.stringContaining("✗ response")]);
      expect(await readFile(join(folder, "violations.jsonl"), "utf8")).toContain('"direction":"response"');
    } finally {
      await new Promise((resolve) => violating.close(resolve));
    }
  }, 60_000);

  test.each(blocksOf("ci-job").map(({ document, text }) => [document, text]))(
    "a CI job of %s",
    async (_document, text) => {
      const job = parse(text);
      const scripts: string[] = Array.isArray(job)
        ? job.map(({ run: script }: { run: string }) => script)
        : Object.values<{ script: string[] }>(job).flatMap(({ script }) => script);
      const [install, ...steps] = scripts;
      expect(install).toBe("npm ci");
      expect(steps.length).toBeGreaterThan(0);
      for (const step of steps) {
        if (step.startsWith("gh "))
          await readFile(join(folder, /--body-file (\S+)/.exec(step)?.[1] ?? "")); // no GitHub here
        else if (step.startsWith("cat ")) await readFile(join(folder, step.split(" ")[1] ?? ""));
        else expect(await runScript(step), step).toMatchObject({ code: 0 });
      }
    },
  );

  test("the operations guide lists the options of `serve` as its --help does", async () => {
    const { output } = await runToEnd(process.execPath, [CLI, "serve", "--help"]);
    const options = [...output.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, name]) => name);
    const table = [...readDocument("docs/operations.md").matchAll(/^\| `(--[a-z-]+)` \| `(NC_[A-Z_]+)` \|/gm)];
    expect(table.map(([, name]) => name)).toEqual(options);
    for (const [, option = "", variable = ""] of table) {
      expect(variable).toBe(`NC_${option.slice(2).toUpperCase().replaceAll("-", "_")}`);
      expect(output).toContain(variable);
    }
  });
});

describe("the start message", () => {
  test("has a curl line for each operation that works when pasted", async () => {
    const lines = server.output().match(/curl .*/g) ?? [];
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      const { output } = await runToEnd("bash", ["-c", line.replace("curl ", "curl -sS -w '%{http_code}' ")]);
      expect(output.slice(-3)).toBe("200");
    }
  });
});

describe("the command line", () => {
  test.each([
    ["an unknown option", ["serve", "--prot", "1"], 2, /unknown option '--prot'/],
    ["an unknown command", ["sevre"], 2, /sevre/],
    ["a port that is none", ["serve", "--port", "99999"], 2, /from 0 to 65535/],
    ["an instant that is none", ["serve", "--now", "tomorrow"], 2, /RFC 3339/],
    ["a plan that is none", ["serve", "--plan", "gold"], 2, /free, pro, business, enterprise/],
    [
      "a seed that is none",
      ["serve", "--ephemeral", "--seed", "none"],
      2,
      /there is no such seed. Give one of demo, empty/,
    ],
    ["the built-in key beyond this machine", ["serve", "--host", "0.0.0.0"], 2, /NC_API_KEY/],
    ["a key with a blank", ["serve", "--ephemeral", "--api-key", "a b"], 2, /printable ASCII/],
    ["a day that is none", ["serve", "--now", "2026-02-31T00:00:00Z"], 2, /RFC 3339/],
    [
      "an address of another machine",
      ["serve", "--ephemeral", "--api-key", "own", "--host", "203.0.113.9"],
      2,
      /Cannot listen on 203/,
    ],
    ["a data folder that is a file", ["serve", "--data", "/dev/null"], 2, /\/dev\/null cannot be used/],
    ["help", ["--help"], 0, /reset/],
    ["the version", ["--version"], 0, /^\d+\.\d+\.\d+\n$/],
  ])("%s", async (_title, args, code, message) => {
    const ended = await runToEnd(process.execPath, [CLI, ...args]);
    expect(ended.output).toMatch(message);
    expect(ended.output).not.toContain("    at ");
    expect(ended.code).toBe(code);
  });

  test("a switch's variable can say no, and nothing but yes or no", async () => {
    const args = [CLI, "serve", "--data", "/dev/null"];
    const off = await runToEnd(process.execPath, args, { env: { NC_EPHEMERAL: "false" } });
    expect([off.code, off.output]).toEqual([2, expect.stringContaining("cannot be used")]);
    const other = await runToEnd(process.execPath, args, { env: { NC_EPHEMERAL: "perhaps" } });
    expect([other.code, other.output]).toEqual([2, expect.stringContaining("NC_EPHEMERAL must be one of")]);
  });
});

/** Whether everything shown is in the response; lists may be shown in part. */
function isShown(example: unknown, response: unknown): boolean {
  if (typeof example !== "object" || example === null) return example === response;
  if (typeof response !== "object" || response === null) return false;
  if (Array.isArray(example)) {
    return Array.isArray(response) && example.every((item) => response.some((other) => isShown(item, other)));
  }
  return Object.entries(example).every(([name, value]) => isShown(value, (response as Record<string, unknown>)[name]));
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
