// Runs a command that listens until a signal, or until its child command ends, as in `serve -- npx playwright test`.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import type { Command } from "commander";
import { EXIT, fail } from "./command.js";

/** Declares `-- <command…>`. */
export function acceptChildCommand(command: Command): Command {
  const effect = "run this command while listening, then stop and exit with the worse of both exit codes";
  return command.usage("[options] [-- <command...>]").argument("[command...]", effect);
}

// After one Ctrl-C, a program started by npm gets two signals: from the terminal and from npm.
const SAME_PRESS_MS = 1_000;

/**
 * Runs until a signal, then completes the requests in progress and exits. With a child command, passes signals on and ends when
 * the child ends; the exit code is the worse of both.
 * @param announce says that the server is up: after signal handlers are installed, since its reader may send one immediately, and
 * before the child command starts, which may read its output.
 */
export async function runUntilSignal(
  server: { close(): Promise<void>; exitCode?(): number },
  announce: () => void | Promise<void>,
  childCommand: readonly string[] = [],
): Promise<void> {
  let stoppingSince: number | undefined;
  let child: ReturnType<typeof startChild> | undefined;
  const stop = (code: number = EXIT.done) => {
    stoppingSince ??= performance.now();
    server.close().then(() => process.exit(Math.max(code, server.exitCode?.() ?? EXIT.done)), fail);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      const now = performance.now();
      if (stoppingSince !== undefined) {
        if (now - stoppingSince < SAME_PRESS_MS) return;
        child?.kill("SIGKILL");
        process.exit(EXIT.internalError); // the second signal
      }
      stoppingSince = now;
      if (child) return child.kill(signal);
      process.stderr.write("Stopping: completing requests in progress. Another signal after a second stops at once.\n");
      stop();
    });
  }
  await announce();
  if (childCommand.length > 0 && stoppingSince === undefined) child = startChild(childCommand, stop);
}

/**
 * Starts a child command without a shell, in its own process group, so that signals also reach the processes that it starts.
 * @param onEnd gets its exit code, or 128 plus the number of the signal that ended it, as in a shell.
 */
function startChild([file = "", ...args]: readonly string[], onEnd: (code: number) => void) {
  const child = spawn(file, args, { stdio: "inherit", detached: true });
  child.once("error", ({ message }) => {
    process.stderr.write(`The command behind -- cannot be run: ${message}\n`);
    onEnd(EXIT.wrongUsage);
  });
  child.once("exit", (code, signal) => onEnd(code ?? 128 + constants.signals[signal ?? "SIGKILL"]));
  return {
    kill(signal: NodeJS.Signals): void {
      const isRunning = child.pid !== undefined && child.exitCode === null && child.signalCode === null;
      if (isRunning) process.kill(-Number(child.pid), signal);
    },
  };
}
