// Runs a command in this process, which is much cheaper than a child process. Tests of signals, real exit codes and
// pipes need a child (command.ts). A command that listens is stopped when it is up.
import type { Command } from "commander";
import { expect, vi } from "vitest";
import { fail } from "../../src/cli/command.js";
import { createMockCommand } from "../../src/cli/mock-command.js";
import { createProxyCommand } from "../../src/cli/proxy-command.js";
import { createReviewCommand } from "../../src/cli/review-command.js";
import { createExportCommand, createResetCommand } from "../../src/cli/seed-commands.js";
import { createServeCommand } from "../../src/cli/serve-command.js";
import { createVerifyCommand } from "../../src/cli/verify-command.js";

/** All commands by name. */
export const COMMANDS: Readonly<Record<string, () => Command>> = {
  serve: createServeCommand,
  mock: createMockCommand,
  proxy: createProxyCommand,
  verify: createVerifyCommand,
  review: createReviewCommand,
  reset: createResetCommand,
  export: createExportCommand,
};

/** Returns the output of a command's `--help`. */
export async function readHelp(name: string): Promise<string> {
  const { code, stdout } = await runInProcess(COMMANDS[name]?.() ?? expect.unreachable(`no command ${name}`), "--help");
  expect(code).toBe(0);
  return stdout;
}

export interface CommandResult {
  code: number | undefined;
  stdout: string;
  stderr: string;
}

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** @param args the arguments behind the command's name. */
export async function runInProcess(command: Command, ...args: string[]): Promise<CommandResult> {
  const output = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((chunk, ...rest: unknown[]) => {
      output[name] += String(chunk);
      const callback = rest.at(-1);
      if (typeof callback === "function") callback();
      return true;
    }),
  );
  const exit = vi.spyOn(process, "exit").mockImplementation((code) => {
    throw new Exit(Number(code));
  });
  const before = process.exitCode;
  process.exitCode = undefined;
  const others = SIGNALS.map((signal) => [signal, process.listeners(signal)] as const);
  const addedListeners = () =>
    others.flatMap(([signal, known]) =>
      process.listeners(signal).flatMap((listener) => (known.includes(listener) ? [] : [{ signal, listener }])),
    );
  try {
    await command
      .parseAsync(args, { from: "user" })
      .catch((error) => (error instanceof Exit ? Promise.reject(error) : fail(error)));
    const [listening] = addedListeners();
    if (!listening) return { code: process.exitCode, ...output };
    const code = await new Promise<number>((resolve) => {
      exit.mockImplementation(((status: number) => resolve(status)) as typeof process.exit);
      listening.listener(listening.signal);
    });
    return { code, ...output };
  } catch (error) {
    if (error instanceof Exit) return { code: error.code, ...output };
    throw error;
  } finally {
    process.exitCode = before;
    for (const { signal, listener } of addedListeners()) process.off(signal, listener);
    for (const spy of [...spies, exit]) spy.mockRestore();
  }
}

/** Replaces the end of the process. */
class Exit extends Error {
  constructor(readonly code: number) {
    super("exit");
  }
}
