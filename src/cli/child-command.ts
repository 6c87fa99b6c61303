// A command that runs while a server listens, as in `serve -- npx playwright test`.
import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { normalizeSpawnCommand } from "tinyexec";
import { ConfigError } from "../core/options.js";
import { EXIT } from "./command.js";

export interface ChildCommand {
  /** Sends a signal to the command and to all that it has started. */
  kill(signal: NodeJS.Signals): void;
}

export interface ChildOptions {
  command: readonly string[];
  /** Variables that tell it where the server is. */
  variables: Readonly<Record<string, string | undefined>>;
}

/**
 * Starts a child command without a shell, in its own process group, so that signals also reach the processes that it
 * starts.
 * @param onEnd gets its exit code, or 128 plus the number of the signal that ended it, as in a shell.
 */
export function startChild(options: ChildOptions, onEnd: (code: number) => void): ChildCommand {
  const [file = "", ...args] = options.command;
  if (file.trim() === "")
    throw new ConfigError("There is no command after --. Write one, as in `-- npx playwright test`.");
  const env = { ...process.env, ...options.variables };
  // A process group of Windows would be a second console window, and `npx` is a script there, which only cmd.exe runs.
  const isWindows = process.platform === "win32";
  const normal = normalizeSpawnCommand(file, args, { stdio: "inherit", detached: !isWindows, env });
  const child = spawn(normal.command, normal.args, normal.options);
  child.once("error", ({ message }) => {
    process.stderr.write(
      `Cannot run the command after --: ${message}. Check its name; npx runs those of installed packages.\n`,
    );
    onEnd(EXIT.wrongUsage);
  });
  child.once("exit", (code, signal) => onEnd(code ?? 128 + constants.signals[signal ?? "SIGKILL"]));
  return {
    kill(signal) {
      const isRunning = child.pid !== undefined && child.exitCode === null && child.signalCode === null;
      if (isRunning) killTree(child, signal);
    },
  };
}

function killTree({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (process.platform === "win32") spawn("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore" });
  else process.kill(-Number(pid), signal);
}
