// Runs a command that listens until a signal, or until its child command ends, as in `serve -- npx playwright test`.
import type { Command } from "commander";
import { ConfigError } from "../core/options.js";
import type { ChildCommand, ChildOptions } from "./child-command.js";
import { EXIT, fail } from "./command.js";

/** Declares `-- <command…>`. */
export function acceptChildCommand(command: Command): Command {
  const effect = "run this command, then stop and exit with the worse of both exit codes";
  return command.usage("[options] [-- <command...>]").argument("[command...]", effect).hook("preAction", assertDashes);
}

/** Rejects what npm leaves of options that stand before its own `--`: of `npm start --port 4020`, the port alone. */
function assertDashes(_command: Command, called: Command): void {
  const [first] = called.args;
  const { rawArgs } = (called.parent ?? called) as Command & { rawArgs: string[] }; // not in the types of Commander
  if (first === undefined || rawArgs.includes("--")) return;
  const remedy = /^\d+$/.test(first)
    ? `Did you mean \`--port ${first}\`? (\`npm start -- --port ${first}\`)`
    : `A command stands after --, as in \`${called.name()} -- npx playwright test\`; options of npm scripts, too.`;
  throw new ConfigError(`Unexpected argument ${first}. ${remedy}`);
}

// After one Ctrl-C, a program started by npm gets two signals: from the terminal and from npm.
const SAME_PRESS_MS = 1_000;

type StopReason = NodeJS.Signals | "an exception";

/** Calls `stop` at the first reason to stop, and `force` at a later one that is not of the same key press. */
export function watchSignals(
  names: readonly NodeJS.Signals[],
  { stop, force }: Record<"stop" | "force", (reason: StopReason) => void>,
) {
  let stoppingSince: number | undefined;
  function handle(reason: StopReason): void {
    const now = performance.now();
    const isFirst = stoppingSince === undefined;
    stoppingSince ??= now;
    if (isFirst) stop(reason);
    else if (now - stoppingSince >= SAME_PRESS_MS) force(reason);
  }
  for (const name of names) process.on(name, handle);
  return {
    handle,
    isStopping: () => stoppingSince !== undefined,
    /** Counts as the first reason. */
    setStopping(): void {
      stoppingSince ??= performance.now();
    },
    close(): void {
      for (const name of names) process.off(name, handle);
    },
  };
}

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
  let child: ChildCommand | undefined;
  const end = (code: number = EXIT.done) => {
    signals.setStopping();
    server.close().then(() => process.exit(Math.max(code, server.exitCode?.() ?? EXIT.done)), fail);
  };
  const signals = watchSignals(["SIGINT", "SIGTERM", "SIGHUP"], {
    stop(signal) {
      if (child) return child.kill(signal as NodeJS.Signals);
      process.stderr.write("Stopping: completing requests in progress. Another signal after a second stops at once.\n");
      end();
    },
    force() {
      child?.kill("SIGKILL");
      process.exit(EXIT.internalError);
    },
  });
  await announce();
  if (command.length === 0) return;
  const { startChild } = await import("./child-command.js");
  if (!signals.isStopping()) child = startChild({ command, variables }, end);
}
