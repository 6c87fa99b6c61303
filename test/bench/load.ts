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
  /** Longer when by then not as many responses have come as there are connections. */
  seconds: number;
  /** Each connection sends these in turn. `[<id>]` in path or header becomes another text each time. */
  requests: readonly LoadRequest[];
}

/** What came back. Rate, times and bytes are of responses with a status 2xx alone. */
export interface Sample {
  responses: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Of a whole response, headers included; the mean. */
  bytes: number;
  /** Responses with another status, broken connections and responses that never came. */
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
      const responded = once(child, "message");
      child.send(job);
      const [sample] = await Promise.race([responded, ended.then(([code]) => fail(`the load ended with ${code}`))]);
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
