// `npm run bench`: its options, the machine, what it writes where, and the exit code.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { cpus, loadavg, platform, release, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { Command, Option } from "commander";
import { ROOT } from "../support/command.js";
import { runComparisons } from "./compare.js";
import { MEASUREMENTS, type Measurement } from "./measurements.js";
import { placeBetweenMarks, type Report, toMarkdown, toTerminal } from "./report.js";
import { FULL, SECTIONS, type Section, type Settings, TINY } from "./settings.js";

interface Options {
  only?: Section[];
  tiny?: boolean;
  save?: string;
}

const EXIT = { done: 0, requestsFailed: 1, wrongUsage: 2, internalError: 3 } as const;
const PACKAGES = ["express", "express-openapi-validator", "@stoplight/prism-cli", "autocannon"];

const command = new Command("bench")
  .description("Measure the reference server beside others: the same bytes, one machine, one run, in turns.")
  .addOption(new Option("--only <sections...>", "parts of a run").choices(SECTIONS))
  .option("--tiny", "few records and one short turn: shows that the bench works, and nothing about speed")
  .option("--save <file>", "write the tables between the marks of a Markdown file")
  .addHelpText("after", "\nExit codes: 0 done, 1 requests failed, 2 wrong usage, 3 internal error.")
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? EXIT.done : EXIT.wrongUsage));

// A signal alone would leave the servers running: they are stopped when this process exits.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(EXIT.internalError));

process.exitCode = await bench(command.parse().opts<Options>()).catch((error) => {
  process.stderr.write(`internal error: ${error instanceof Error ? error.stack : String(error)}\n`);
  return EXIT.internalError;
});

async function bench({ only, tiny, save }: Options): Promise<number> {
  const text = save === undefined ? "" : await readFile(save, "utf8"); // first: else minutes are measured in vain
  const report = await measure({ ...(tiny ? TINY : FULL), ...(only && { sections: only }) });
  process.stdout.write(`${toTerminal(report)}\n`);
  if (save !== undefined) await writeFile(save, placeBetweenMarks(text, toMarkdown(report)));
  const failures = report.comparisons.flatMap(({ rows }) => rows).reduce((sum, row) => sum + row.failures, 0);
  if (failures === 0) return EXIT.done;
  process.stderr.write(`${failures} requests did not get 2xx: the figures mean little.\n`);
  return EXIT.requestsFailed;
}

async function measure(settings: Settings): Promise<Report> {
  const machine = await describeMachine();
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

async function describeMachine(): Promise<string> {
  const versions = await Promise.all(
    PACKAGES.map(async (name) => {
      const { version } = JSON.parse(await readFile(join(ROOT, "node_modules", name, "package.json"), "utf8"));
      return `${name} ${version}`;
    }),
  );
  const model = `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}`;
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GB`;
  const load = `load average ${loadavg()[0]?.toFixed(1)} at the start`;
  return `${model}, ${memory}, ${platform()} ${release()}, Node ${process.version}; ${load}; ${versions.join(", ")}`;
}
