// What an update costs the disk: bytes until its response, and with what is written once the server has nothing to do.
import { setTimeout as pause } from "node:timers/promises";
import { readWrittenBytes } from "../process-facts.js";
import { startReference, withDataFolder } from "../reference.js";
import { provideSeed } from "../seeds.js";
import { BUSY_CONNECTIONS } from "../settings.js";
import { toSpread } from "../spread.js";
import { createWorkload } from "../workload.js";
import { type Bench, LINUX_ONLY, type Measurement } from "./measurement.js";

const IDLE_MS = 3_000; // the file is never older than a second when the server is idle; a large one takes a while

export async function measureWrites(bench: Bench): Promise<Measurement[]> {
  const { sizes } = bench.settings;
  const measurements: Measurement[] = [];
  for (const size of new Set([sizes.at(0) ?? 0, sizes.at(-1) ?? 0])) {
    for (const connections of [1, BUSY_CONNECTIONS]) measurements.push(...(await measureOf(bench, size, connections)));
  }
  return measurements;
}

async function measureOf({ folder, load, settings, onStep }: Bench, size: number, connections: number) {
  const title = `written for an update, ${size.toLocaleString("en")} stored, ${connections} at a time`;
  onStep(title);
  const seed = await provideSeed(size);
  return withDataFolder(folder, measureIn, seed);

  async function measureIn(data: string): Promise<Measurement[]> {
    const server = await startReference(data, seed);
    const { updates } = await createWorkload(server.url, size);
    const before = await readWrittenBytes(server);
    const job = { url: server.url, connections, seconds: settings.seconds, requests: updates };
    const { responses } = await load.measure(job);
    const responded = await readWrittenBytes(server);
    await pause(IDLE_MS);
    const idle = await readWrittenBytes(server);
    await server.stop();
    const each = (bytes: number | undefined) =>
      bytes === undefined || before === undefined ? LINUX_ONLY : { value: toSpread([(bytes - before) / responses]) };
    const common = { section: "writes", unit: "bytes" } as const;
    return [
      { ...common, id: `written${size}By${connections}`, title, ...each(responded) },
      { ...common, id: `writtenIdle${size}By${connections}`, title: `${title}, idle time included`, ...each(idle) },
    ];
  }
}
