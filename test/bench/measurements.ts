// What only our server is measured by: one thing at a time, and nothing beside it.
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, watch, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CLI, ROOT } from "../support/command.js";
import { type LoadRequest, load } from "./load.js";
import { type Program, readMemoryMb, startProgram } from "./program.js";
import { type Bench, provideSeed, startReference, withReference } from "./servers.js";
import type { Section } from "./settings.js";
import { createWorkload, execute, MAIN_LIST, toListRequest } from "./workload.js";

export interface Measurement {
  /** Of the bar that it is for. */
  id: string;
  title: string;
  /** NaN where it cannot be measured: memory elsewhere than on Linux. */
  values: readonly number[];
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
const SCAN_QUERIES = ["search=no-such-text", "channels=push&transactionId=no-such-id"];
const SCAN_TIMES = 20;
const CREATION_TIMES = 4;
const MAX_WRITING_MS = 60_000;

/** The lists that read everything, one request at a time. */
async function measureScans(bench: Bench): Promise<Measurement[]> {
  const { settings, onStep } = bench;
  onStep("lists that read everything");
  return withReference(bench, await provideSeed(bench, settings.sizes[2]), async (server) => {
    const measurements: Measurement[] = [];
    for (const query of SCAN_QUERIES) {
      const values = await repeat(settings.repeats * SCAN_TIMES, () => timeList(server, query));
      measurements.push({ id: "scan", title: `list by ${query}`, values });
    }
    return measurements;
  });
}

/** From the process to the end of its first page. */
async function measureStarts(bench: Bench): Promise<Measurement[]> {
  const { settings, folder, onStep } = bench;
  const newFolder = () => mkdtemp(join(folder, "data-"));
  onStep("starts with the demo seed");
  const demo = await repeat(settings.repeats, async () => {
    const data = await newFolder();
    return timeStart(() => startReference(data, "demo"));
  });
  onStep("starts of the mock");
  const mock = await repeat(settings.repeats, () => timeStart(() => startProgram([CLI, "mock", "--port", "0"])));
  const records = settings.sizes[2].toLocaleString("en");
  onStep(`starts with ${records} records`);
  const seed = await provideSeed(bench, settings.sizes[2]);
  const data = await newFolder();
  await timeStart(() => startReference(data, seed)); // stores the seed
  const largest = await repeat(settings.repeats, () => timeStart(() => startReference(data, seed)));
  return [
    { id: "startDemo", title: "start with the demo seed", values: demo },
    { id: "startMock", title: "start of the mock", values: mock },
    { id: "startLargest", title: `start with ${records} stored`, values: largest },
  ];
}

async function timeStart(start: () => Promise<Program>): Promise<number> {
  const started = performance.now();
  const server = await start();
  await timeList(server, "limit=1");
  const elapsedMs = performance.now() - started;
  await server.stop();
  return elapsedMs;
}

/** Resident memory: after the start, and after load by both operations. */
function measureMemory(bench: Bench): Promise<Measurement[]> {
  const { settings, onStep } = bench;
  return forBothSeeds(bench, ({ id, seed, size, title }) => {
    onStep(`memory with ${title}`);
    return withReference(bench, seed, async (server) => {
      const started = await readMemoryMb(server);
      const { lists, updates } = await createWorkload(server.url, size);
      const seconds = settings.seconds * settings.rounds;
      for (const requests of [[lists.get(MAIN_LIST) as LoadRequest], updates])
        await load({ url: server.url, seconds, requests });
      return [
        { id: `memory${id}`, title: `memory with ${title}, after the start`, values: [started] },
        { id: `memory${id}`, title: `memory with ${title}, after load`, values: [await readMemoryMb(server)] },
      ];
    });
  });
}

/** How long the control plane takes for one with the demo seed. */
function measureNewEnvironments(bench: Bench): Promise<Measurement[]> {
  bench.onStep("new environments");
  return withReference(bench, "demo", async ({ url }) => {
    const create = async (durable: boolean) => {
      const headers = { "Content-Type": "application/json" };
      const body = JSON.stringify({ durable });
      const request = { method: "POST", path: "/_control/environments", headers, body } as const;
      const times = await repeat(bench.settings.repeats * CREATION_TIMES + 1, () => timeRequest(url, request));
      return times.slice(1); // the first is cold
    };
    return [
      { id: "newEnvironment", title: "a new environment, in memory", values: await create(false) },
      { id: "newEnvironment", title: "a new environment, on disk", values: await create(true) },
    ];
  });
}

/** How much longer an update takes that arrives when the server begins to write its JSON file anew. */
function measureCompactions(bench: Bench): Promise<Measurement[]> {
  return forBothSeeds(bench, ({ id, seed, size, title: records }) => {
    bench.onStep(`updates while ${records} are written`);
    return withReference(bench, seed, async ({ url }, data) => {
      const { updates } = await createWorkload(url, size);
      let turn = 0;
      const timeUpdate = () => timeRequest(url, updates[turn++ % updates.length] as LoadRequest);
      await timeUpdate(); // warms up; counts for nothing
      const values = await repeat(bench.settings.repeats, async () => {
        const writing = findWriting(data);
        const otherwise = await timeUpdate(); // after it the server idles, and writes
        await writing;
        return Math.max(0, (await timeUpdate()) - otherwise);
      });
      return [{ id: `updateAddedByWriting${id}`, title: `an update while ${records} are written`, values }];
    });
  });
}

/** Resolves when the JSON file is being written, beside its place. */
async function findWriting(data: string): Promise<void> {
  for await (const { filename } of watch(data, { signal: AbortSignal.timeout(MAX_WRITING_MS) }))
    if (filename === "default.json.tmp") return;
}

/** `review` of a change with its page, and `verify` against the reference server. */
async function measureCommands(bench: Bench): Promise<Measurement[]> {
  const { folder, settings, onStep } = bench;
  const contract = join(ROOT, "openapi.yaml");
  const proposal = join(folder, "proposal.yaml");
  const text = await readFile(contract, "utf8");
  await writeFile(proposal, text.replace("minimum: 1, maximum: 50", "minimum: 1, maximum: 49"));
  const review = ["review", "--base", contract, "--contract", proposal, "--html", join(folder, "review.html")];
  onStep("reviews");
  const processor = await repeat(settings.repeats, () => runCommand(review, 1).processorMs);
  onStep("verify");
  const elapsed = await withReference(bench, "demo", ({ url }) =>
    repeat(settings.repeats, () => runCommand(["verify", "--url", url, ...settings.only], 0).elapsedMs),
  );
  return [
    { id: "review", title: "review of a lower maximum, with its page", values: processor },
    { id: "verify", title: "verify against the reference server", values: elapsed },
  ];
}

/** Loaded before the command: prints at its end how long it has kept processors busy. */
const METER = `process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  process.stderr.write(\`\\nprocessor time \${user + system} µs\`);
});`;

function runCommand(args: readonly string[], code: number): { elapsedMs: number; processorMs: number } {
  const started = performance.now();
  const meter = `data:text/javascript,${encodeURIComponent(METER)}`;
  const { status, stderr } = spawnSync(process.execPath, ["--import", meter, CLI, ...args], { encoding: "utf8" });
  const elapsedMs = performance.now() - started;
  const [, microseconds] = /processor time (\d+) µs/.exec(stderr) ?? [];
  if (status !== code || microseconds === undefined)
    throw new Error(`${args[0]} exited with ${status}, expected ${code}: ${stderr}`);
  return { elapsedMs, processorMs: Number(microseconds) / 1000 };
}

interface Stored {
  id: "Demo" | "Largest";
  seed: string;
  size: number;
  title: string;
}

/** With the demo seed, then with the most records. */
async function forBothSeeds(bench: Bench, measure: (stored: Stored) => Promise<Measurement[]>) {
  const size = bench.settings.sizes[2];
  const seed = await provideSeed(bench, size);
  const demo = await measure({ id: "Demo", seed: "demo", size: DEMO_SIZE, title: `${DEMO_SIZE} records` });
  return [...demo, ...(await measure({ id: "Largest", seed, size, title: `${size.toLocaleString("en")} records` }))];
}

function timeList({ url }: Program, query: string): Promise<number> {
  return timeRequest(url, toListRequest(query));
}

async function timeRequest(url: string, request: LoadRequest): Promise<number> {
  const sent = performance.now();
  await execute(url, request);
  return performance.now() - sent;
}

async function repeat<T>(count: number, run: () => T | Promise<T>): Promise<T[]> {
  const results: T[] = [];
  while (results.length < count) results.push(await run());
  return results;
}
