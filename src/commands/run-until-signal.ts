// The life of a command that listens: it runs until a signal, answers what is under way, and ends.
import { EXIT, fail } from "./exit.js";

export function runUntilSignal(server: { close(): Promise<void> }): void {
  let isStopping = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(EXIT.internalError); // the second signal: at once
      isStopping = true;
      process.stderr.write("Stopping: answering what is under way. Once more stops at once.\n");
      server.close().then(() => process.exit(EXIT.done), fail);
    });
  }
}
