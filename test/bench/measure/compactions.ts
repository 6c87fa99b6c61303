// How long requests wait while the server writes its JSON file anew, beside how long they wait at other times.
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { LoadRequest } from "../load.js";
import { startReference, withDataFolder } from "../reference.js";
import { provideSeed } from "../seeds.js";
import { toSpread } from "../spread.js";
import { createWorkload, execute, MAIN_LIST } from "../workload.js";
import type { Bench, Measurement } from "./measurement.js";

const LOOK_MS = 5;
const MAX_MS = 60_000;
const QUIET_MS = 1_000; // the server begins to write within half of it

export async function measureCompactions({ folder, settings, onStep }: Bench): Promise<Measurement[]> {
  const size = settings.sizes.at(-1) ?? 0;
  const records = `${size.toLocaleString("en")} records`;
  onStep(`waits while ${records} are written`);
  const seed = await provideSeed(size);
  return withDataFolder(folder, measureIn, seed);

  async function measureIn(data: string): Promise<Measurement[]> {
    const server = await startReference(data, seed);
    const { lists, updates } = await createWorkload(server.url, size);
    const measurements: Measurement[] = [];
    for (const [operation, requests] of [
      ["list", lists.get(MAIN_LIST) ?? []],
      ["update", updates],
    ] as const) {
      const rounds: (Round | undefined)[] = [];
      for (let run = 0; run < settings.repeats; run++) {
        rounds.push(await measureRound(createFiles(data), createClient(server.url, requests), updates));
      }
      measurements.push(...toMeasurements(operation, records, rounds));
    }
    await server.stop();
    return measurements;
  }

  /** Undefined where the file was written before anything could be requested. */
  async function measureRound(files: Files, client: Client, [trigger]: readonly LoadRequest[]) {
    await files.quiet();
    const version = await files.version();
    const isOver = async () => (await files.version()) !== version;
    if (trigger) await client.send(trigger);
    await until(async () => files.isBeingWritten() || (await isOver()));
    if (await isOver()) return undefined;
    const started = performance.now();
    const writingMs = await client.findLongest(isOver);
    const tookMs = performance.now() - started;
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

function toMeasurements(
  operation: "list" | "update",
  records: string,
  rounds: readonly (Round | undefined)[],
): Measurement[] {
  const title = `longest wait for ${operation === "list" ? "a list" : "an update"}`;
  const measured = rounds.filter((round) => round !== undefined);
  const toMeasurement = (id: string, what: string, toMs: (round: Round) => number): Measurement => ({
    section: "compaction",
    unit: "ms",
    id: `${operation}${id}`,
    title: `${title}${what}`,
    ...(measured.length === 0
      ? { note: "written before anything could be requested" }
      : { value: toSpread(measured.map(toMs)) }),
  });
  return [
    toMeasurement("WhileWriting", ` while ${records} are written`, ({ writingMs }) => writingMs),
    toMeasurement("Otherwise", " in as long a time without", ({ otherwiseMs }) => otherwiseMs),
    toMeasurement("AddedByWriting", ", added by writing", ({ writingMs, otherwiseMs }) =>
      Math.max(0, writingMs - otherwiseMs),
    ),
  ];
}

type Client = ReturnType<typeof createClient>;

/** One connection, on which requests follow each other. */
function createClient(url: string, requests: readonly LoadRequest[]) {
  let turn = 0;
  return {
    send: (request: LoadRequest) => execute(url, request),
    /** Sends requests, at least one, until `isOver`, and tells how long the slowest response took in milliseconds. */
    async findLongest(isOver: () => Promise<boolean>): Promise<number> {
      let longest = 0;
      do {
        const request = requests[turn++ % requests.length];
        if (!request) throw new Error("there is no request to send");
        const sent = performance.now();
        await execute(url, request);
        longest = Math.max(longest, performance.now() - sent);
      } while (!(await isOver()));
      return longest;
    },
  };
}

type Files = ReturnType<typeof createFiles>;

/** What can be seen of the default environment's files from outside. */
function createFiles(data: string) {
  const json = join(data, "default.json");
  const files = {
    /** The JSON file is written beside itself: once it is whole, it is another file. */
    version: async () => (await stat(json)).ino,
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
  const end = performance.now() + MAX_MS;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error("the server does not write its file");
    await pause(LOOK_MS);
  }
}
