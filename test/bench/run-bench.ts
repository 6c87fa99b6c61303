// A whole run: which servers meet over which requests, then what only the reference server is measured by.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { cpus, loadavg, platform, release, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { ROOT } from "../support/command.js";
import { type Comparison, compare, type Entrant } from "./compare.js";
import { type Contest, EXPRESS, MOCK, PRISM, referenceAt, startContest } from "./contestants.js";
import type { LoadRequest } from "./load.js";
import { type Bench, MEASUREMENTS, type Measurement } from "./measurements.js";
import type { Report } from "./report.js";
import { BUSY_CONNECTIONS, type Settings } from "./settings.js";
import { MAIN_LIST, UNFILTERED, type Workload } from "./workload.js";

const PACKAGES = ["express", "express-openapi-validator", "@stoplight/prism-cli", "autocannon"];

export async function runBench(settings: Settings, onStep: (step: string) => void): Promise<Report> {
  const machine = await describeMachine();
  const folder = await mkdtemp(join(tmpdir(), "notifications-contract-bench-"));
  const bench = { folder, settings, onStep };
  try {
    const comparisons = await runComparisons(bench);
    const measurements: Measurement[] = [];
    for (const [section, measure] of MEASUREMENTS)
      if (settings.sections.includes(section)) measurements.push(...(await measure(bench)));
    return { date: new Date().toISOString(), machine, settings, comparisons, measurements };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Where a run takes place: figures of different machines cannot be compared. */
async function describeMachine(): Promise<string> {
  const [processor] = cpus();
  const versions = await Promise.all(
    PACKAGES.map(async (name) => {
      const { version } = JSON.parse(await readFile(join(ROOT, "node_modules", name, "package.json"), "utf8"));
      return `${name} ${version}`;
    }),
  );
  const model = `${cpus().length} × ${processor?.model.trim() ?? "unknown"}`;
  const system = `${platform()} ${release()}, Node ${process.version}`;
  return [
    `${model}, ${Math.round(totalmem() / 1024 ** 3)} GB, ${system}`,
    `load average ${loadavg()[0]?.toFixed(1)} when it began`,
    versions.join(", "),
  ].join("; ");
}

async function runComparisons(bench: Bench): Promise<Comparison[]> {
  const { sections } = bench.settings;
  if (!sections.includes("list") && !sections.includes("update")) return [];
  const contest = await startContest(bench);
  try {
    const lists = sections.includes("list") ? await compareLists(bench, contest) : [];
    const updates = sections.includes("update") ? await compareUpdates(bench, contest) : [];
    return [...lists, ...updates];
  } finally {
    await contest.stop();
  }
}

/** The main list by servers of all kinds, the unfiltered one by a reference server of each size, the others beside bare Express alone. */
async function compareLists({ settings, onStep }: Bench, contest: Contest): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  const [fewest, listed, most] = settings.sizes.map(referenceAt);
  const titles = [...(contest.contestants[0]?.workload.lists.keys() ?? [])];
  for (const title of titles.filter((title, index) => title === MAIN_LIST || index % settings.everyList === 0)) {
    const isMain = title === MAIN_LIST;
    const others = isMain ? [PRISM, MOCK] : title === UNFILTERED ? [fewest, most] : [];
    const entrants = toEntrants(contest, ({ lists }) => lists.get(title) ?? []);
    const chosen = entrants.filter(({ name }) => [EXPRESS, listed, ...others].includes(name));
    for (const connections of isMain ? settings.connections : [BUSY_CONNECTIONS]) {
      onStep(`list by ${title}, ${connections} connections`);
      comparisons.push(await compare({ title, operation: "list", connections }, chosen, settings));
    }
  }
  return comparisons;
}

/** By all servers. */
async function compareUpdates({ settings, onStep }: Bench, contest: Contest): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  const entrants = toEntrants(contest, ({ updates }) => updates);
  for (const connections of settings.connections) {
    onStep(`update, ${connections} connections`);
    comparisons.push(await compare({ title: "update", operation: "update", connections }, entrants, settings));
  }
  return comparisons;
}

/** Those that have such requests. */
function toEntrants(
  { contestants }: Contest,
  toRequests: (workload: Workload) => readonly LoadRequest[],
): readonly Entrant[] {
  return contestants
    .map((contestant) => ({ ...contestant, requests: toRequests(contestant.workload) }))
    .filter(({ requests }) => requests.length > 0);
}
