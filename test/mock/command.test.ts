// `notifications-contract mock` as a person or a script runs it.
import { readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { CLI, type CommandOptions, type Running, run, runToEnd, signalUntilEnded, stop } from "../support/command.js";
import { buildIfStale } from "../support/fresh-build.js";
import { isAlive, prismsOf } from "../support/process-life.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

beforeAll(buildIfStale, 120_000);

interface RunningCommand extends Running {
  url: string;
  prismPid: number;
}

async function mock(args: string[], options?: CommandOptions): Promise<RunningCommand> {
  const running = run(process.execPath, [CLI, "mock", "--port", "0", ...args], options);
  const [, url = ""] = await running.printed(/URL +(http\S+)/);
  const [, pid] = await running.printed(/Prism is ready \(process (\d+)\)/);
  return { ...running, url, prismPid: Number(pid) };
}

describe("mock", () => {
  test("says where it is and how to ask it; stops without a trace", async () => {
    const running = await mock([]);
    const lines = running.output().match(/curl .*/g) ?? [];
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      const { output } = await runToEnd("bash", ["-c", line.replace("curl ", "curl -sS -w '%{http_code}' ")]);
      expect(output.slice(-3)).toBe("200");
    }
    expect(await stop(running)).toBe(0);
    expect(isAlive(running.prismPid)).toBe(false);
  });

  test("behaves the same under NODE_ENV, and keeps its key to itself", async () => {
    const key = "a-key-that-nobody-sees";
    const running = await mock(["--dynamic", "--seed", "1"], { env: { NODE_ENV: "production", NC_API_KEY: key } });
    const answer = await fetch(`${running.url}/v1/notifications?search=${key}`, {
      headers: { authorization: `ApiKey ${key}` },
    });
    expect(answer.status).toBe(200);
    await running.printed(/GET \/v1\/notifications\?search 200/);
    expect(running.output()).not.toContain(key); // a key of one's own is not even in the welcome
    if (process.platform === "linux") {
      expect(await readFile(`/proc/${running.prismPid}/cmdline`, "utf8")).not.toContain(key);
      expect(await readFile(`/proc/${running.prismPid}/environ`, "utf8")).not.toMatch(/NC_|NODE_ENV/);
    }
    expect(await stop(running)).toBe(0);
  });

  test.each(["SIGKILL", "SIGQUIT"] as const)("ended by %s, it leaves no Prism behind", async (signal) => {
    const running = await mock([]);
    expect(isAlive(running.prismPid)).toBe(true);
    running.child.kill(signal);
    await running.ended;
    await expect.poll(() => isAlive(running.prismPid), { timeout: 20_000 }).toBe(false);
  });

  // A process that is halted can do nothing, ending included (SIGSTOP cannot be handled): it ends once it goes on.
  test("killed while Prism is halted, it leaves a Prism that ends as soon as it goes on", async () => {
    const running = await mock([]);
    process.kill(running.prismPid, "SIGSTOP");
    running.child.kill("SIGKILL");
    await running.ended;
    process.kill(running.prismPid, "SIGCONT");
    await expect.poll(() => isAlive(running.prismPid), { timeout: 20_000 }).toBe(false);
  });

  test("killed before Prism is ready, it leaves no Prism behind", async () => {
    const running = run(process.execPath, [CLI, "mock", "--port", "0"]);
    const children = () => prismsOf(running.child.pid ?? 0);
    await expect.poll(children, { timeout: 20_000, interval: 5 }).toHaveLength(1);
    const [prismPid = 0] = await children();
    running.child.kill("SIGKILL");
    await running.ended;
    await expect.poll(() => isAlive(prismPid), { timeout: 20_000 }).toBe(false);
    expect(running.output()).not.toContain("Prism is ready");
  });

  test("a second signal stops it at once, with Prism", async () => {
    const running = await mock([]);
    const { port } = new URL(running.url);
    const socket = connect(Number(port)); // a request that never ends: the stop waits for it
    await new Promise<void>((resolve) => socket.once("connect", resolve));
    const head = [
      "PATCH /v2/subscribers/ines-moreau/preferences HTTP/1.1",
      "Host: x",
      "Authorization: ApiKey demo-key",
      "Content-Type: application/json",
      "Content-Length: 50",
    ];
    await new Promise((resolve) => socket.write(`${head.join("\r\n")}\r\n\r\n{`, resolve));
    await fetch(`${running.url}/health`);
    running.child.kill("SIGINT");
    await running.printed(/stops at once/);
    await signalUntilEnded(running, "SIGINT");
    expect(await running.ended).toBe(3);
    socket.destroy();
    await expect.poll(() => isAlive(running.prismPid), { timeout: 20_000 }).toBe(false);
  });

  test("a port that is taken is said, and nothing is left running", async () => {
    const first = await mock([]);
    const second = await runToEnd(process.execPath, [CLI, "mock", "--port", new URL(first.url).port]);
    expect(second.output).toMatch(/Port \d+ on 127\.0\.0\.1 is taken by another program/);
    expect(second.code).toBe(2);
    const [, pid] = /process (\d+)/.exec(second.output) ?? [];
    expect(isAlive(Number(pid))).toBe(false);
    expect(await stop(first)).toBe(0);
  });

  test("a broken contract is said with its line", async () => {
    const path = join(await createTemporaryFolder(), "broken.yaml");
    await writeFile(path, "openapi: 3.1.1\ninfo: {title: x\n");
    const ended = await runToEnd(process.execPath, [CLI, "mock", "--port", "0", "--contract", path]);
    expect(ended.output).toMatch(/broken\.yaml:\d+: /);
    expect(ended.output).not.toContain("    at ");
    expect(ended.code).toBe(2);
  });

  test.each([
    ["a seed that is none", ["--dynamic", "--seed", "x"], /whole number/],
    ["a seed without --dynamic", ["--seed", "1"], /give --dynamic too/],
    ["the built-in key beyond this machine", ["--host", "0.0.0.0"], /NC_API_KEY/],
    ["an unknown option", ["--dinamic"], /unknown option/],
  ])("%s is wrong usage", async (_title, args, message) => {
    const ended = await runToEnd(process.execPath, [CLI, "mock", "--port", "0", ...args]);
    expect(ended.output).toMatch(message);
    expect(ended.code).toBe(2);
  });
}, 120_000);
