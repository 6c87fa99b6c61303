// The memory of a server, as it is in RAM (RSS): after its start, and after load by both operations.

import { readMemoryMb } from "../process-facts.js";
import type { Program } from "../program.js";
import { startReference, withDataFolder } from "../reference.js";
import { provideSeed } from "../seeds.js";
import { BUSY_CONNECTIONS } from "../settings.js";
import { toSpread } from "../spread.js";
import { createWorkload, MAIN_LIST } from "../workload.js";
import { type Bench, DEMO_SIZE, LINUX_ONLY, type Measurement } from "./measurement.js";

export async function measureMemory(bench: Bench): Promise<Measurement[]> {
  const { settings } = bench;
  const largest = settings.sizes.at(-1) ?? 0;
  const seed = await provideSeed(largest);
  const records = `${largest.toLocaleString("en")} records`;
  return [
    ...(await measureWith(bench, { id: "Demo", seed: "demo", size: DEMO_SIZE, title: "the demo seed" })),
    ...(await measureWith(bench, { id: "Largest", seed, size: largest, title: records })),
  ];
}

interface Holding {
  id: string;
  seed: string;
  size: number;
  title: string;
}

function measureWith(bench: Bench, { id, seed, size, title }: Holding): Promise<Measurement[]> {
  const { folder, load, settings, onStep } = bench;
  onStep(`memory with ${title}`);
  return withDataFolder(
    folder,
    async (data) => {
      const server = await startReference(data, seed);
      const started = await readMemory(server);
      const { lists, updates } = await createWorkload(server.url, size);
      const list = lists.get(MAIN_LIST) ?? [];
      for (const requests of [list, updates]) {
        await load.measure({
          url: server.url,
          connections: BUSY_CONNECTIONS,
          seconds: settings.seconds * settings.rounds,
          requests,
        });
      }
      const afterLoad = await readMemory(server);
      await server.stop();
      const common = { section: "memory", unit: "MB" } as const;
      return [
        { ...common, id: `memory${id}Started`, title: `memory with ${title}, after the start`, ...started },
        { ...common, id: `memory${id}`, title: `memory with ${title}, after load`, ...afterLoad },
      ];
    },
    seed,
  );
}

async function readMemory(server: Program): Promise<Pick<Measurement, "value" | "note">> {
  const megabytes = await readMemoryMb(server);
  return megabytes === undefined ? LINUX_ONLY : { value: toSpread([megabytes]) };
}
