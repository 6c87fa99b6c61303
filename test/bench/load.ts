// Load on a server, with autocannon. Times are taken here: autocannon's own are whole milliseconds.
import { once } from "node:events";
import autocannon from "autocannon";
import { CONNECTIONS, median } from "./settings.js";

const FOR_EVER_S = 24 * 60 * 60;
const SAMPLE_MS = 50; // how often autocannon checks whether its time is over

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
  /** Longer if fewer responses than connections have arrived by then. */
  seconds: number;
  /** Each connection sends these in turn. */
  requests: readonly LoadRequest[];
}

/**
 * Number, rate and time of the responses with a status 2xx; `failures` counts others, and responses that never came.
 */
export async function load({ url, seconds, requests }: LoadJob) {
  const times: number[] = [];
  let failures = 0;
  const started = performance.now();
  const run = autocannon(
    {
      url,
      connections: CONNECTIONS,
      duration: FOR_EVER_S, // ended by `stop`
      sampleInt: SAMPLE_MS,
      requests: requests.map((request) => ({ ...request })), // it writes to them
    },
    () => {}, // without it, autocannon returns a promise and emits no events
  );
  run.on("response", (_client, status, _size, ms) => {
    if (status >= 200 && status <= 299) times.push(ms);
    else failures++;
  });
  run.on("reqError", () => failures++);
  const end = () => {
    if (times.length + failures >= CONNECTIONS) run.stop?.();
    else run.once("response", end);
  };
  setTimeout(end, seconds * 1000);
  await once(run, "done");
  const perSecond = (times.length * 1000) / (performance.now() - started);
  return { responses: times.length, perSecond, p50Ms: median(times), failures };
}
