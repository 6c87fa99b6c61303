// A long load on one server, of all kinds of requests: neither its memory nor its time for a response may drift.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLoad } from "./load.js";
import { type Machine, readMachine } from "./machine.js";
import { readMemoryMb, readProcessorMs } from "./process-facts.js";
import { startReference, withDataFolder } from "./reference.js";
import { provideSeed } from "./seeds.js";
import { BUSY_CONNECTIONS } from "./settings.js";
import { toSpread } from "./spread.js";
import { createWorkload, withKeys } from "./workload.js";

export interface SoakSettings {
  minutes: number;
  /** Subscribers, and as many notifications. */
  size: number;
  /** How long the load runs between two looks at the server. */
  turnSeconds: number;
}

/** One turn of the load, and the server after it. */
export interface SoakPoint {
  /** Since the soak began, at the turn's end. */
  seconds: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Not known on every system. */
  memoryMb?: number;
  processorUs?: number;
  failures: number;
}

export interface SoakReport extends SoakSettings {
  date: string;
  machine: Machine;
  points: SoakPoint[];
}

export type Measured = "memoryMb" | "processorUs" | "p50Ms";

/** How much more there may be of it in the last third than in the third before. Times are also the machine's own. */
export const MAX_DRIFT: Readonly<Record<Measured, number>> = { memoryMb: 1.1, processorUs: 1.25, p50Ms: 1.5 };

export async function runSoak(settings: SoakSettings, onStep: (step: string) => void): Promise<SoakReport> {
  const machine = await readMachine();
  const seed = await provideSeed(settings.size);
  const folder = await mkdtemp(join(tmpdir(), "notifications-contract-soak-"));
  const load = startLoad();
  try {
    const points = await withDataFolder(folder, async (data) => {
      await (await startReference(data, seed)).stop(); // the one that is measured reads its own file, as most do
      const server = await startReference(data, seed);
      const { lists, updates } = await createWorkload(server.url, settings.size);
      const listRequests = [...lists.values()].flat();
      const requests = listRequests.flatMap((list, index) => {
        const update = updates.slice(index % updates.length).slice(0, 1);
        return [list, ...update, ...withKeys(update)];
      });
      const points: SoakPoint[] = [];
      const started = performance.now();
      while (performance.now() - started < settings.minutes * 60_000) {
        const before = await readProcessorMs(server);
        const job = { url: server.url, connections: BUSY_CONNECTIONS, seconds: settings.turnSeconds, requests };
        const { responses, perSecond, p50Ms, p99Ms, failures } = await load.measure(job);
        const after = await readProcessorMs(server);
        const memoryMb = await readMemoryMb(server);
        const seconds = Math.round((performance.now() - started) / 1000);
        points.push({
          ...{ seconds, perSecond, p50Ms, p99Ms, failures },
          ...(memoryMb === undefined ? {} : { memoryMb }),
          ...(before === undefined || after === undefined
            ? {}
            : { processorUs: ((after - before) * 1000) / responses }),
        });
        if (points.length % 12 === 0) onStep(`${seconds} of ${settings.minutes * 60} seconds`);
      }
      await server.stop();
      return points;
    });
    return { date: new Date().toISOString(), machine, ...settings, points };
  } finally {
    await load.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The median of the last third to that of the third before; the first is for warming up. */
export function toDrift({ points }: SoakReport, measured: Measured): number | undefined {
  const values = points.map((point) => point[measured]).filter((value) => value !== undefined);
  const third = Math.floor(values.length / 3);
  if (third === 0) return undefined;
  return toSpread(values.slice(-third)).median / toSpread(values.slice(-2 * third, -third)).median;
}
