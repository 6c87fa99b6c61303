// Load on a server, from a process of its own, so that making it costs the server nothing but its share of the machine.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface LoadRequest {
  method: "GET" | "PATCH";
  /** Path and query as they go on the wire. */
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface LoadJob {
  /** As in `http://127.0.0.1:4010`. */
  url: string;
  connections: number;
  /** Longer when by then not as many answers have come as there are connections. */
  seconds: number;
  /** Each connection sends these in turn. `[<id>]` in path or header becomes another text each time. */
  requests: readonly LoadRequest[];
}

/** What came back. Rate, times and bytes are of answers with a status 2xx alone. */
export interface Sample {
  answers: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Of a whole answer, headers included; the mean. */
  bytes: number;
  /** Answers with another status, broken connections and answers that never came. */
  failures: number;
}

export interface Load {
  measure(job: LoadJob): Promise<Sample>;
  stop(): Promise<void>;
}

export function startLoad(): Load {
  const child = fork(fileURLToPath(new URL("load-process.js", import.meta.url)));
  const ended = once(child, "exit");
  return {
    async measure(job) {
      const answered = once(child, "message");
      child.send(job);
      const [sample] = await Promise.race([answered, ended.then(([code]) => fail(`the load ended with ${code}`))]);
      return sample;
    },
    async stop() {
      child.disconnect();
      await ended;
    },
  };
}

function fail(message: string): never {
  throw new Error(message);
}
