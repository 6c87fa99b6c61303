// The server under attack, as a process of its own: what ends it or makes it grow cannot hide in the test's own
// process.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface Measured {
  heapUsed: number;
  external: number;
  rss: number;
  /** Lines of the log that should not be. */
  logFaults: string[];
}

export interface MeasuredServer {
  url: string;
  port: number;
  /** What it holds once garbage is collected. */
  measure(): Promise<Measured>;
  /** How it ended, as long as it should not have. */
  ended(): number | NodeJS.Signals | null;
  close(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL("./measured-server.mjs", import.meta.url));

export async function startMeasuredServer(kind: "server" | "mock", options: object = {}): Promise<MeasuredServer> {
  const child = fork(PROGRAM, [kind, JSON.stringify(options)], { execArgv: ["--expose-gc"] });
  const exited = once(child, "exit").then(([code, signal]) => new Error(`the server ended with ${code ?? signal}`));
  const readNumbers = async () => {
    const message = await Promise.race([once(child, "message"), exited]);
    if (message instanceof Error) throw message;
    return message[0];
  };
  const { url, port } = await readNumbers();
  return {
    url,
    port,
    measure() {
      const measured = readNumbers();
      child.send("measure");
      return measured;
    },
    ended: () => child.exitCode ?? child.signalCode,
    async close() {
      child.disconnect();
      await exited;
    },
  };
}
