// How long an update waits that comes when the server begins to write its JSON file anew, beside how long one takes otherwise.
import { watch } from "node:fs/promises";
import { startReference, withDataFolder } from "../reference.js";
import { provideSeed } from "../seeds.js";
import { toSpread } from "../spread.js";
import { createWorkload, execute } from "../workload.js";
import { type Bench, DEMO_SIZE, type Measurement } from "./measurement.js";

const MAX_MS = 60_000;

export async function measureCompactions({ folder, settings, onStep }: Bench): Promise<Measurement[]> {
  const largest = settings.sizes.at(-1) ?? 0;
  return [
    ...(await measureWith("Demo", "demo", DEMO_SIZE)),
    ...(await measureWith("Largest", await provideSeed(largest), largest)),
  ];

  function measureWith(id: string, seed: string, size: number): Promise<Measurement[]> {
    const records = `${size.toLocaleString("en")} records`;
    onStep(`waits while ${records} are written`);
    return withDataFolder(folder, measureIn, seed);

    async function measureIn(data: string): Promise<Measurement[]> {
      const server = await startReference(data, seed);
      const { updates } = await createWorkload(server.url, size);
      let turn = 0;
      const timeUpdate = async () => {
        const request = updates[turn++ % updates.length];
        const sent = performance.now();
        if (request) await execute(server.url, request);
        return performance.now() - sent;
      };
      const writing: number[] = [];
      const otherwise: number[] = [];
      await timeUpdate(); // warm; counts for nothing
      for (let run = 0; run < settings.repeats; run++) {
        const begun = findWriting(data);
        otherwise.push(await timeUpdate()); // after it the server idles, and writes
        await begun;
        writing.push(await timeUpdate());
      }
      await server.stop();
      const added = writing.map((ms, run) => Math.max(0, ms - (otherwise[run] ?? 0)));
      const common = { section: "compaction", unit: "ms" } as const;
      const title = `an update while ${records} are written`;
      return [
        { ...common, id: `updateWhileWriting${id}`, title, value: toSpread(writing) },
        { ...common, id: `updateAddedByWriting${id}`, title: `${title}, added by writing`, value: toSpread(added) },
      ];
    }
  }
}

/** Resolves when the JSON file is written anew, which begins beside it. */
async function findWriting(data: string): Promise<void> {
  for await (const { filename } of watch(data, { signal: AbortSignal.timeout(MAX_MS) }))
    if (filename === "default.json.tmp") return;
}
