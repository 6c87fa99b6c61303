// How long the lists take that no look-up shortens: a search, and a filter that matches nothing. One request at a time.
import { startReference, withDataFolder } from "../reference.js";
import { provideSeed } from "../seeds.js";
import { toSpread } from "../spread.js";
import { AUTHORIZATION, execute } from "../workload.js";
import type { Bench, Measurement } from "./measurement.js";

const QUERIES = {
  search: "search=no-such-text",
  noMatch: "channels=push&transactionId=no-such-id",
  emptyRange: "before=2000-01-01T00:00:00.000Z",
};
const TIMES = 20;

export async function measureScans({ folder, settings, onStep }: Bench): Promise<Measurement[]> {
  onStep("lists without a look-up");
  const seed = await provideSeed(settings.sizes.at(-1) ?? 0);
  return withDataFolder(
    folder,
    async (data) => {
      const server = await startReference(data, seed);
      const measurements: Measurement[] = [];
      try {
        for (const [id, query] of Object.entries(QUERIES)) {
          const value = toSpread(await timeLists(server.url, query, settings.repeats * TIMES));
          measurements.push({
            section: "list",
            unit: "ms",
            id,
            title: `list by ${query.replace(/=[^&]*/g, "")}`,
            value,
          });
        }
      } finally {
        await server.stop();
      }
      return measurements;
    },
    seed,
  );
}

async function timeLists(url: string, query: string, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < count; run++) {
    const started = performance.now();
    await execute(url, { method: "GET", path: `/v1/notifications?${query}`, headers: AUTHORIZATION });
    times.push(performance.now() - started);
  }
  return times;
}
