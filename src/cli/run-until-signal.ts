// Runs a command that listens until a signal, or until its child command ends, as in `serve -- npx playwright test`.
import type { Command } from "commander";
import type { ChildCommand, ChildOptions } from "./child-command.js";
import { EXIT, fail } from "./command.js";

/** Declares `-- <command…>`. */
export function acceptChildCommand(command: Command): Command {
  const effect = "run this command, then stop and exit with the worse of both exit codes";
  return command.usage("[options] [-- <command...>]").argument("[command...]", effect);
}

// After one Ctrl-C, a program started by npm gets two signals: from the terminal and from npm.
const SAME_PRESS_MS = 1_000;

/**
 * Runs until a signal, then completes the requests in progress and exits. With a child command, passes signals on and
 * ends when the child ends; the exit code is the worse of both.
 * @param announce says that the server is up: after signal handlers are installed, since its reader may send one
 * immediately, and before the child command starts, which may read its output.
 */
export async function runUntilSignal(
  server: { close(): Promise<void>; exitCode?(): number },
  announce: () => void | Promise<void>,
  { command = [], variables = {} }: Partial<ChildOptions> = {},
): Promise<void> {
  let stoppingSince: number | undefined;
  let child: ChildCommand | undefined;
  const stop = (code: number = EXIT.done) => {
    stoppingSince ??= performance.now();
    server.close().then(() => process.exit(Math.max(code, server.exitCode?.() ?? EXIT.done)), fail);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
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
  if (command.length === 0) return;
  const { startChild } = await import("./child-command.js");
  if (stoppingSince === undefined) child = startChild({ command, variables }, stop);
}
