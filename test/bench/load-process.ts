// The process that makes load, with autocannon. Times are taken here: autocannon's own know whole milliseconds alone.
import { once } from "node:events";
import autocannon from "autocannon";
import type { LoadJob, Sample } from "./load.js";
import { quantile } from "./spread.js";

const FOR_EVER_S = 24 * 60 * 60;
const SAMPLE_MS = 50; // how often autocannon looks whether its time is over

process.once("disconnect", () => process.exit());
process.on("message", async (job: LoadJob) => process.send?.(await measure(job)));

async function measure({ url, connections, seconds, requests }: LoadJob): Promise<Sample> {
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
    ignoreResult, // without it there is a promise, and no events
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

function ignoreResult(): void {}
