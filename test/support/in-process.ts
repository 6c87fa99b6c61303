// Runs a command in this process as the command line does, up to its exit: much cheaper than a child process. Signals, real exit
// codes and what goes through pipes need a child (command.ts).
import type { Command } from "commander";
import { vi } from "vitest";
import { fail } from "../../src/cli/command.js";

export interface CommandResult {
  code: number | undefined;
  stdout: string;
  stderr: string;
}

/** @param args what stands behind the command's name. */
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
  try {
    await command
      .parseAsync(args, { from: "user" })
      .catch((error) => (error instanceof Exit ? Promise.reject(error) : fail(error)));
    return { code: process.exitCode, ...output };
  } catch (error) {
    if (error instanceof Exit) return { code: error.code, ...output };
    throw error;
  } finally {
    process.exitCode = before;
    for (const spy of [...spies, exit]) spy.mockRestore();
  }
}

/** Stands for the end of the process. */
class Exit extends Error {
  constructor(readonly code: number) {
    super("exit");
  }
}
