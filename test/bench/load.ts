// Load on a server, with autocannon. The servers are processes of their own, and this one does nothing else meanwhile. Times are
// taken here: autocannon's own know whole milliseconds alone.
import { once } from "node:events";
import autocannon from "autocannon";
import { quantile } from "./spread.js";

const FOR_EVER_S = 24 * 60 * 60;
const SAMPLE_MS = 50; // how often autocannon looks whether its time is over

export interface LoadRequest {
  method: "GET" | "PATCH" | "POST";
  /** Path and query as they go on the wire. */
  path: string;
  headers: Record<string, string>;
  body?: string;
}

interface LoadJob {
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

export async function load({ url, connections, seconds, requests }: LoadJob): Promise<Sample> {
  const times: number[] = [];
  let bytes = 0;
  let failures = 0;
  const started = performance.now();
  const run = autocannon(
    {
      url,
      connections,
      duration: FOR_EVER_S, // it ends by `stop`
      sampleInt: SAMPLE_MS,
      idReplacement: requests.some(({ path, headers }) => [path, ...Object.values(headers)].join().includes("[<id>]")),
      requests: requests.map((request) => ({ ...request })), // it writes to them
    },
    () => {}, // without it there is a promise, and no events
  );
  run.on("response", (_client, status, size, ms) => {
    if (status < 200 || status > 299) {
      failures++;
      return;
    }
    times.push(ms);
    bytes += size;
  });
  run.on("reqError", () => failures++);
  const end = () => {
    if (times.length + failures >= connections) run.stop?.();
    else run.once("response", end);
  };
  setTimeout(end, seconds * 1000);
  await once(run, "done");
  const elapsed = (performance.now() - started) / 1000;
  const sorted = Float64Array.from(times).sort();
  return {
    responses: times.length,
    perSecond: times.length / elapsed,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    bytes: times.length === 0 ? 0 : bytes / times.length,
    failures,
  };
}
