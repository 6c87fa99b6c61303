// `npm run bench`: its options and the machine. Exits with 1 if a request failed.
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, loadavg, platform, release, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { Command, Option } from "commander";
import { runComparisons } from "./compare.js";
import { MEASUREMENTS, type Measurement } from "./measurements.js";
import { type Report, toMarkdown } from "./report.js";
import { FULL, SECTIONS, type Section, type Settings, TINY } from "./settings.js";

interface Options {
  only?: Section[];
  tiny?: boolean;
}

const command = new Command("bench")
  .description("Measure the reference server beside others: the same bytes, one machine, one run, in turns.")
  .addOption(new Option("--only <sections...>", "parts of a run").choices(SECTIONS))
  .option("--tiny", "few records and one short turn: shows that the bench works, and nothing about speed");

// A signal alone would leave the servers running: they are stopped when this process exits.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const { only, tiny } = command.parse().opts<Options>();
const report = await measure({ ...(tiny ? TINY : FULL), ...(only && { sections: only }) });
process.stdout.write(`${toMarkdown(report)}\n`);
const failures = report.comparisons.flatMap(({ rows }) => rows).reduce((sum, row) => sum + row.failures, 0);
if (failures > 0) {
  process.stderr.write(`${failures} requests did not get 2xx: the figures mean little.\n`);
  process.exitCode = 1;
}

async function measure(settings: Settings): Promise<Report> {
  const model = `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}`;
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GB`;
  const load = `load average ${loadavg()[0]?.toFixed(1)} at the start`;
  const machine = `${model}, ${memory}, ${platform()} ${release()}, Node ${process.version}; ${load}`;
  const folder = await mkdtemp(join(tmpdir(), "notifications-contract-bench-"));
  const bench = { folder, settings, onStep: (step: string) => process.stderr.write(`${step} …\n`) };
  try {
    const comparisons = await runComparisons(bench);
    const measurements: Measurement[] = [];
    for (const [section, run] of MEASUREMENTS)
      if (settings.sections.includes(section)) measurements.push(...(await run(bench)));
    return { date: new Date().toISOString(), machine, settings, comparisons, measurements };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
