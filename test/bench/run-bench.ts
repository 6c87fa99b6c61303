// A whole run: the comparisons, then what only the reference server is measured by, one thing at a time.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Comparison } from "./compare.js";
import { startContest } from "./contestants.js";
import { startLoad } from "./load.js";
import { readMachine } from "./machine.js";
import { measureCommands } from "./measure/commands.js";
import { measureCompactions } from "./measure/compactions.js";
import type { Bench, Measurement } from "./measure/measurement.js";
import { measureMemory } from "./measure/memory.js";
import { measureNewEnvironments } from "./measure/new-environments.js";
import { measureScans } from "./measure/scans.js";
import { measureStarts } from "./measure/starts.js";
import type { Report } from "./report.js";
import { compareLists, compareUpdates } from "./scenarios.js";
import { provideSeed } from "./seeds.js";
import type { Section, Settings } from "./settings.js";

const MEASUREMENTS: [Section, (bench: Bench) => Promise<Measurement[]>][] = [
  ["list", measureScans],
  ["start", measureStarts],
  ["memory", measureMemory],
  ["environment", measureNewEnvironments],
  ["compaction", measureCompactions],
  ["commands", measureCommands],
];

export async function runBench(settings: Settings, onStep: (step: string) => void): Promise<Report> {
  const machine = await readMachine();
  const folder = await mkdtemp(join(tmpdir(), "notifications-contract-bench-"));
  const load = startLoad();
  const bench = { folder, load, settings, onStep };
  try {
    for (const size of settings.sizes) {
      onStep(`a seed of ${size.toLocaleString("en")}`);
      await provideSeed(size); // first: one that cannot be made stops the run before anything is measured
    }
    const comparisons = await runComparisons(bench);
    const measurements: Measurement[] = [];
    for (const [section, measure] of MEASUREMENTS) {
      if (settings.sections.includes(section)) measurements.push(...(await measure(bench)));
    }
    return { date: new Date().toISOString(), machine, settings, comparisons, measurements };
  } finally {
    await load.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function runComparisons({ folder, load, settings, onStep }: Bench): Promise<Comparison[]> {
  const { sections } = settings;
  if (!sections.includes("list") && !sections.includes("update")) return [];
  const contest = await startContest(folder, settings, onStep);
  try {
    const lists = sections.includes("list") ? await compareLists(load, contest, settings, onStep) : [];
    const updates = sections.includes("update") ? await compareUpdates(load, contest, settings, onStep) : [];
    return [...lists, ...updates];
  } finally {
    await contest.stop();
  }
}
