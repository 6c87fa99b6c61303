// How long requests wait while the server writes its JSON file anew, beside how long they wait at other times.
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { LoadRequest } from "../load.js";
import { startReference, withDataFolder } from "../reference.js";
import { provideSeed } from "../seeds.js";
import { toSpread } from "../spread.js";
import { ask, createWorkload, MAIN_LIST } from "../workload.js";
import type { Bench, Measurement } from "./measurement.js";

const LOOK_MS = 5;
const QUIET_MS = 1_000; // the server begins to write within half of it

export async function measureFolds({ folder, settings, onStep }: Bench): Promise<Measurement[]> {
  const size = settings.sizes.at(-1) ?? 0;
  const records = `${size.toLocaleString("en")} records`;
  onStep(`waits while ${records} are written`);
  return withDataFolder(folder, async (data) => {
    const server = await startReference(data, await provideSeed(size));
    const { lists, updates } = await createWorkload(server.url, size);
    const measurements: Measurement[] = [];
    for (const [operation, requests] of [
      ["list", lists.get(MAIN_LIST) ?? []],
      ["update", updates],
    ] as const) {
      const rounds: Round[] = [];
      for (let run = 0; run < settings.repeats; run++) {
        rounds.push(await measureRound(createFiles(data), createClient(server.url, requests), updates));
      }
      measurements.push(...toMeasurements(operation, records, rounds));
    }
    await server.stop();
    return measurements;
  });

  async function measureRound(files: Files, client: Client, [trigger]: readonly LoadRequest[]): Promise<Round> {
    await files.quiet();
    const version = await files.version();
    if (trigger) await client.send(trigger);
    await until(async () => files.isBeingWritten() || (await files.version()) !== version);
    const started = performance.now();
    const writingMs = await client.findLongest(async () => (await files.version()) !== version);
    const tookMs = Math.max(performance.now() - started, settings.seconds * 1_000);
    await files.quiet();
    const end = performance.now() + tookMs;
    return { writingMs, otherwiseMs: await client.findLongest(async () => performance.now() > end) };
  }
}

/** The longest waits of one writing, and of as long a time without. */
interface Round {
  writingMs: number;
  otherwiseMs: number;
}

function toMeasurements(operation: "list" | "update", records: string, rounds: readonly Round[]): Measurement[] {
  const common = { section: "fold", unit: "ms" } as const;
  const title = `longest wait for ${operation === "list" ? "a list" : "an update"}`;
  const added = rounds.map(({ writingMs, otherwiseMs }) => Math.max(0, writingMs - otherwiseMs));
  return [
    {
      ...common,
      id: `${operation}WhileWriting`,
      title: `${title} while ${records} are written`,
      value: toSpread(rounds.map(({ writingMs }) => writingMs)),
    },
    {
      ...common,
      id: `${operation}Otherwise`,
      title: `${title} in as long a time without`,
      value: toSpread(rounds.map(({ otherwiseMs }) => otherwiseMs)),
    },
    { ...common, id: `${operation}AddedByWriting`, title: `${title}, added by writing`, value: toSpread(added) },
  ];
}

type Client = ReturnType<typeof createClient>;

/** One connection, on which requests follow each other. */
function createClient(url: string, requests: readonly LoadRequest[]) {
  let turn = 0;
  return {
    send: (request: LoadRequest) => ask(url, request),
    /** Sends requests, at least one, until `isOver`, and tells how long the slowest answer took in milliseconds. */
    async findLongest(isOver: () => Promise<boolean>): Promise<number> {
      let longest = 0;
      do {
        const request = requests[turn++ % requests.length];
        if (!request) throw new Error("there is nothing to ask for");
        const sent = performance.now();
        await ask(url, request);
        longest = Math.max(longest, performance.now() - sent);
      } while (!(await isOver()));
      return longest;
    },
  };
}

type Files = ReturnType<typeof createFiles>;

/** What can be seen of the default environment's files from outside. */
function createFiles(data: string) {
  const journal = join(data, "default.journal");
  const files = {
    /** The JSON file has been written when its journal has been begun anew: as another file. */
    version: async () => (await stat(journal)).ino,
    isBeingWritten: () => existsSync(join(data, "default.json.tmp")),
    async quiet() {
      let version: number | undefined;
      await until(async () => {
        const before = version;
        version = await files.version();
        if (files.isBeingWritten() || version !== before) return false;
        await pause(QUIET_MS);
        return !files.isBeingWritten() && version === (await files.version());
      });
    },
  };
  return files;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(LOOK_MS);
}
