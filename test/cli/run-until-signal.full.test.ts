// A listening command ends with a signal, or with its child command. child-command.full.test.ts has whole programs.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { runUntilSignal } from "../../src/cli/run-until-signal.js";
import { run } from "../support/command.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const former = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal)]));

afterEach(() => {
  for (const signal of SIGNALS) for (const listener of addedTo(signal)) process.off(signal, listener);
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test("both signals of one Ctrl-C, from the terminal and npm, stop once; a later one exits immediately", () => {
  vi.useFakeTimers();
  const exit = vi.spyOn(process, "exit").mockImplementation((code) => {
    throw new Error(`exit ${code}`); // exit does not return
  });
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const close = vi.fn(() => new Promise<void>(() => {})); // a request is in progress
  void runUntilSignal({ close }, () => {});
  const [press] = addedTo("SIGINT");
  press?.("SIGINT");
  press?.("SIGINT");
  expect(close).toHaveBeenCalledTimes(1);
  expect(exit).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  expect(() => press?.("SIGINT")).toThrow("exit 3");
});

describe("a child command", () => {
  const node = (script: string, ...args: string[]) => [process.execPath, "-e", script, ...args];

  /** Runs the command beside a server. Settles with the exit code once both have ended. */
  async function start(command: string[], serverExitCode = 0) {
    const exited = new Promise<number>((resolve) => {
      vi.spyOn(process, "exit").mockImplementation((code) => resolve(Number(code)) as never);
    });
    const variables = { NC_URL: "http://example.com" };
    const server = { close: async () => {}, exitCode: () => serverExitCode };
    await runUntilSignal(server, () => {}, { command, variables });
    return exited;
  }

  test.each<[string, string[], serverExitCode: number, code: number]>([
    ["its own", node("process.exit(4)"), 1, 4],
    ["that of the server, if it is worse", node("process.exit(0)"), 1, 1],
    ["of what got its arguments without a shell", node("process.exit(process.argv[1].length)", "$HOME *"), 0, 7],
    ["of what has the variables", node("process.exit(process.env.NC_URL.length)"), 0, 18],
  ])("the exit code is %s", async (_title, command, serverExitCode, code) => {
    expect(await start(command, serverExitCode)).toBe(code);
  });

  test("a missing one is wrong usage, and an empty one is none", async () => {
    const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    expect(await start(["no-such-command"])).toBe(2);
    const message = "Cannot run the command after --: spawn no-such-command ENOENT. Check its name";
    expect(said).toHaveBeenCalledWith(expect.stringContaining(message));
    await expect(start([""])).rejects.toThrow("There is no command after --. Write one");
  });

  test.each(["SIGINT", "SIGHUP"] as const)("%s reaches the whole group", async (signal) => {
    const folder = await createTemporaryFolder();
    const [ready, got] = ["ready", "got"].map((name) => join(folder, name)) as [string, string];
    const handler = `() => { fs.writeFileSync("${got}", ""); process.exit(); }`;
    const grandchild = `process.on("${signal}", ${handler}); fs.writeFileSync("${ready}", ""); setInterval(() => {}, 9)`;
    const script = `trap 'wait; exit 7' ${signal}; "${process.execPath}" -e '${grandchild}' & wait`;
    const exited = start(["bash", "-c", script]);
    await expect.poll(() => existsSync(ready)).toBe(true);
    addedTo(signal)[0]?.(signal);
    expect([await exited, readFileSync(got, "utf8")]).toEqual([7, ""]);
  });
});

test("a signal to npm alone also stops the server that `npm start` has started", async () => {
  const running = run("npm", ["start", "--", "--port", "0", "--ephemeral"]);
  await running.printed(/URL +http/);
  running.child.kill("SIGTERM");
  await running.ended; // once the server has closed its output, too
  expect(running.output()).toContain("Stopping: completing requests in progress.");
});

function addedTo(signal: (typeof SIGNALS)[number]): NodeJS.SignalsListener[] {
  return process.listeners(signal).filter((listener) => !former.get(signal)?.includes(listener));
}
