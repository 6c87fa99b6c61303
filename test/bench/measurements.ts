// What only the reference server is measured by: one thing at a time, and nothing beside it.
import { mkdtemp, watch } from "node:fs/promises";
import { join } from "node:path";
import { CLI } from "../support/command.js";
import { measureCommands } from "./commands.js";
import { type LoadRequest, load } from "./load.js";
import { type Program, readMemoryMb, readProcessorMs, startProgram } from "./program.js";
import { provideSeed, startReference, withReference } from "./reference.js";
import { BUSY_CONNECTIONS, type Section, type Settings } from "./settings.js";
import { type Spread, toSpread } from "./spread.js";
import { AUTHORIZATION, createWorkload, execute, MAIN_LIST } from "./workload.js";

export interface Measurement {
  id: string;
  section: Section;
  title: string;
  unit: "ms" | "MB";
  /** Absent where it cannot be measured: elsewhere than on Linux, memory and processor time. */
  value?: Spread;
}

export interface Bench {
  /** A folder of this run's own. */
  folder: string;
  settings: Settings;
  onStep: (step: string) => void;
}

export const MEASUREMENTS: [Section, (bench: Bench) => Promise<Measurement[]>][] = [
  ["list", measureScans],
  ["start", measureStarts],
  ["memory", measureMemory],
  ["environment", measureNewEnvironments],
  ["compaction", measureCompactions],
  ["commands", measureCommands],
];

const DEMO_SIZE = 150;
const SCANS = {
  search: "search=no-such-text",
  noMatch: "channels=push&transactionId=no-such-id",
};
const SCAN_TIMES = 20;
const CREATION_TIMES = 4;
const MAX_WRITING_MS = 60_000;

/** The lists that read everything: a search, and a filter that matches nothing. One request at a time. */
async function measureScans({ folder, settings, onStep }: Bench): Promise<Measurement[]> {
  onStep("lists that read everything");
  const seed = await provideSeed(settings.sizes[2]);
  return withReference(folder, seed, async (server) => {
    const measurements: Measurement[] = [];
    for (const [id, query] of Object.entries(SCANS)) {
      const title = `list by ${query.replace(/=[^&]*/g, "")}`;
      const times = await repeat(settings.repeats * SCAN_TIMES, () => timeList(server, query));
      measurements.push({ section: "list", unit: "ms", id, title, value: toSpread(times) });
    }
    return measurements;
  });
}

/** From the process to the end of its first page. */
async function measureStarts({ settings, folder, onStep }: Bench): Promise<Measurement[]> {
  const { repeats } = settings;
  const newFolder = () => mkdtemp(join(folder, "data-"));
  onStep("starts with the demo seed");
  const demo = await repeat(repeats, async () => {
    const data = await newFolder();
    return timeStart(() => startReference(data, "demo"));
  });
  onStep("starts of the mock");
  const mock = await repeat(repeats, () => timeStart(() => startProgram([CLI, "mock", "--port", "0"])));
  const records = settings.sizes[2].toLocaleString("en");
  onStep(`starts with ${records} records`);
  const seed = await provideSeed(settings.sizes[2]);
  const data = await newFolder();
  const [first, ...later] = await repeat(repeats + 1, () => timeStart(() => startReference(data, seed)));
  return [
    ...toStarts("startDemo", "start with the demo seed", demo),
    ...toStarts("startMock", "start of the mock", mock),
    ...toStarts("startLargest", `start with ${records} stored`, later),
    ...toStarts("firstStartLargest", `first start, from a seed of ${records}`, first ? [first] : []),
  ];
}

interface Start {
  elapsedMs: number;
  /** Less than elapsed where the process waits: for the disk, or for other programs. */
  processorMs: number | undefined;
}

async function timeStart(start: () => Promise<Program>): Promise<Start> {
  const started = performance.now();
  const server = await start();
  await timeList(server, "limit=1");
  const elapsedMs = performance.now() - started;
  const processorMs = await readProcessorMs(server);
  await server.stop();
  return { elapsedMs, processorMs };
}

function toStarts(id: string, title: string, starts: readonly Start[]): Measurement[] {
  const common = { section: "start", unit: "ms" } as const;
  const elapsed = toSpread(starts.map(({ elapsedMs }) => elapsedMs));
  const processor = toMeasured(starts.map(({ processorMs }) => processorMs));
  return [
    { ...common, id, title, value: elapsed },
    { ...common, id: `${id}Processor`, title: `${title}, processor time`, ...processor },
  ];
}

/** As it is in RAM (RSS): after the start, and after load by both operations. */
function measureMemory({ folder, settings, onStep }: Bench): Promise<Measurement[]> {
  return forBothSeeds(settings, ({ id, seed, size, title }) => {
    onStep(`memory with ${title}`);
    return withReference(folder, seed, async (server) => {
      const common = { section: "memory", unit: "MB" } as const;
      const started = toMeasured([await readMemoryMb(server)]);
      const { lists, updates } = await createWorkload(server.url, size);
      const seconds = settings.seconds * settings.rounds;
      for (const requests of [lists.get(MAIN_LIST) ?? [], updates])
        await load({ url: server.url, connections: BUSY_CONNECTIONS, seconds, requests });
      const loaded = toMeasured([await readMemoryMb(server)]);
      return [
        { ...common, id: `memory${id}Started`, title: `memory with ${title}, after the start`, ...started },
        { ...common, id: `memory${id}`, title: `memory with ${title}, after load`, ...loaded },
      ];
    });
  });
}

/** How long the control plane takes for one with the demo seed. */
function measureNewEnvironments({ folder, settings, onStep }: Bench): Promise<Measurement[]> {
  onStep("new environments");
  const common = { section: "environment", unit: "ms" } as const;
  return withReference(folder, "demo", async ({ url }) => {
    const create = async (durable: boolean) => {
      const path = "/_control/environments";
      const headers = { "Content-Type": "application/json" };
      const request = { method: "POST", path, headers, body: JSON.stringify({ durable }) } as const;
      const [, ...times] = await repeat(settings.repeats * CREATION_TIMES + 1, () => timeRequest(url, request)); // the first is cold
      return toSpread(times);
    };
    return [
      { ...common, id: "newEnvironment", title: "a new environment, in memory", value: await create(false) },
      { ...common, id: "newDurableEnvironment", title: "a new environment, on disk", value: await create(true) },
    ];
  });
}

/** How long an update waits that comes when the server begins to write its JSON file anew, beside how long one takes otherwise. */
function measureCompactions({ folder, settings, onStep }: Bench): Promise<Measurement[]> {
  return forBothSeeds(settings, ({ id, seed, size, title: records }) => {
    onStep(`updates while ${records} are written`);
    return withReference(folder, seed, async ({ url }, data) => {
      const { updates } = await createWorkload(url, size);
      let turn = 0;
      const timeUpdate = () => timeRequest(url, updates[turn++ % updates.length] as LoadRequest);
      await timeUpdate(); // warm; counts for nothing
      const pairs = await repeat(settings.repeats, async () => {
        const begun = findWriting(data);
        const otherwise = await timeUpdate(); // after it the server idles, and writes
        await begun;
        return { otherwise, writing: await timeUpdate() };
      });
      const common = { section: "compaction", unit: "ms" } as const;
      const title = `an update while ${records} are written`;
      const whole = toSpread(pairs.map(({ writing }) => writing));
      const added = toSpread(pairs.map(({ writing, otherwise }) => Math.max(0, writing - otherwise)));
      return [
        { ...common, id: `updateWhileWriting${id}`, title, value: whole },
        { ...common, id: `updateAddedByWriting${id}`, title: `${title}, added by writing`, value: added },
      ];
    });
  });
}

/** Resolves when the JSON file is written anew, which begins beside it. */
async function findWriting(data: string): Promise<void> {
  for await (const { filename } of watch(data, { signal: AbortSignal.timeout(MAX_WRITING_MS) }))
    if (filename === "default.json.tmp") return;
}

interface Stored {
  id: string;
  seed: string;
  size: number;
  title: string;
}

/** With the demo seed, then with the most records. */
async function forBothSeeds({ sizes }: Settings, measure: (stored: Stored) => Promise<Measurement[]>) {
  const [, , size] = sizes;
  const seed = await provideSeed(size);
  const demo = await measure({ id: "Demo", seed: "demo", size: DEMO_SIZE, title: `${DEMO_SIZE} records` });
  return [...demo, ...(await measure({ id: "Largest", seed, size, title: `${size.toLocaleString("en")} records` }))];
}

function timeList({ url }: Program, query: string): Promise<number> {
  return timeRequest(url, { method: "GET", path: `/v1/notifications?${query}`, headers: AUTHORIZATION });
}

async function timeRequest(url: string, request: LoadRequest): Promise<number> {
  const sent = performance.now();
  await execute(url, request);
  return performance.now() - sent;
}

async function repeat<T>(count: number, run: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  while (results.length < count) results.push(await run());
  return results;
}

/** Nothing where the system does not tell. */
function toMeasured(values: readonly (number | undefined)[]): Pick<Measurement, "value"> {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? {} : { value: toSpread(known) };
}
