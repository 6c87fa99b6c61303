// A command that listens runs until a signal, completes the requests in progress, and exits.
import { EXIT, fail } from "./exit.js";

// One Ctrl-C in a terminal is two signals to a program that npm has started: the terminal's, and npm passes on its own.
const SAME_PRESS_MS = 1_000;

export function runUntilSignal(server: { close(): Promise<void> }): void {
  let stoppingSince: number | undefined;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      const now = performance.now();
      if (stoppingSince !== undefined) {
        if (now - stoppingSince >= SAME_PRESS_MS) process.exit(EXIT.internalError); // the second time: at once
        return;
      }
      stoppingSince = now;
      process.stderr.write("Stopping: completing requests in progress. Another signal after a second stops at once.\n");
      server.close().then(() => process.exit(EXIT.done), fail);
    });
  }
}
