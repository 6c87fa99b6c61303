// `npm run bench`: its options, what it writes where, and the exit code.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { judge, TOLERANCE } from "./bars.js";
import { placeBetweenMarks, toMarkdown, toTerminal } from "./report/markdown.js";
import { countFailures, type Report } from "./report.js";
import { runBench } from "./run-bench.js";
import { FULL, SECTIONS, type Section, type Settings } from "./settings.js";

interface Options {
  only?: Section[];
  sizes?: number[];
  connections?: number[];
  rounds?: number;
  seconds?: number;
  repeats?: number;
  check?: true;
  from?: string;
  save?: string;
}

const EXIT = { done: 0, checkFailed: 1, wrongUsage: 2, internalError: 3 } as const;

const command = new Command("bench")
  .description("Measure the reference server beside others: the same bytes, one machine, one run, in turns.")
  .addOption(new Option("--only <sections>", `of ${SECTIONS.join(", ")}; with commas`).argParser(toSections))
  .option("--sizes <numbers>", `notifications held, and subscribers up to 100,000; default ${FULL.sizes}`, toNumbers)
  .option("--connections <numbers>", `default ${FULL.connections}`, toNumbers)
  .option("--rounds <n>", `turns of each server; default ${FULL.rounds}`, toPositive)
  .option("--seconds <n>", `of a turn; default ${FULL.seconds}`, toPositive)
  .option("--repeats <n>", `of starts and new environments; default ${FULL.repeats}`, toPositive)
  .option("--check", `end with 1 when a ratio misses its bar by more than ${TOLERANCE * 100} %, or was not measured`)
  .option("--save <folder>", "write the report into a folder: results.json, and the tables of its README.md")
  .option("--from <file>", "measure nothing: show or save the report of a results.json")
  .addHelpText(
    "after",
    `
Exit codes: 0 done, 1 requests failed or (with --check) a ratio was missed or not measured, 2 wrong usage, 3 internal error.

Examples:
  npm run bench -- --save test/bench
  npm run bench -- --only list,update --sizes 100,100000 --check
  npm run bench -- --from test/bench/results.json --save test/bench`,
  )
  .showHelpAfterError("(--help shows the options)")
  .exitOverride();

// So that what ends with this process hears of it; a signal alone would leave the servers behind.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(EXIT.internalError));

process.exitCode = await main();

async function main(): Promise<number> {
  try {
    return await bench(command.parse().opts<Options>());
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.wrongUsage;
    process.stderr.write(`internal error: ${error instanceof Error ? error.stack : String(error)}\n`);
    return EXIT.internalError;
  }
}

async function bench(options: Options): Promise<number> {
  const onStep = (step: string) => process.stderr.write(`${step} …\n`);
  const report = options.from ? await loadReport(options.from) : await runBench(toSettings(options), onStep);
  process.stdout.write(toTerminal(report));
  if (options.save !== undefined) await save(options.save, report);
  const failures = countFailures(report);
  if (failures > 0) process.stderr.write(`${failures} requests did not get 2xx: the figures mean little.\n`);
  const hasPassed = !options.check || check(report);
  return failures > 0 || !hasPassed ? EXIT.checkFailed : EXIT.done;
}

/** Whether no ratio is far off. What was not measured is not good, and no measurement at all is no check. */
function check(report: Report): boolean {
  const ratios = judge(report).filter(({ isRatio }) => isRatio);
  const faults = ratios.flatMap(({ bar, wanted, measured, where, isFarOff, isMissing }) => {
    if (isMissing) return [`not measured: ${bar}, wanted ${wanted}`];
    return isFarOff ? [`missed: ${bar}: ${measured}, wanted ${wanted} (${where})`] : [];
  });
  const isVoid = ratios.every(({ outcome }) => outcome === "not measured");
  if (isVoid && faults.length === 0)
    faults.push("nothing to check: no ratio was measured (list and update are compared)");
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  return faults.length === 0;
}

async function save(folder: string, report: Report): Promise<void> {
  await writeFile(join(folder, "results.json"), `${JSON.stringify(report, null, 2)}\n`);
  const readme = join(folder, "README.md");
  await writeFile(readme, placeBetweenMarks(await readFile(readme, "utf8"), toMarkdown(report)));
}

function toSettings({ only, sizes, connections, rounds, seconds, repeats }: Options): Settings {
  return {
    sections: only ?? FULL.sections,
    sizes: (sizes ?? FULL.sizes).toSorted((a, b) => a - b),
    connections: connections ?? FULL.connections,
    rounds: rounds ?? FULL.rounds,
    seconds: seconds ?? FULL.seconds,
    repeats: repeats ?? FULL.repeats,
  };
}

async function loadReport(path: string): Promise<Report> {
  return JSON.parse(await readFile(path, "utf8"));
}

function toSections(text: string): Section[] {
  return text.split(",").map((name) => {
    const section = SECTIONS.find((candidate) => candidate === name);
    if (!section) throw new InvalidArgumentError(`There is no ${name}. There are ${SECTIONS.join(", ")}.`);
    return section;
  });
}

function toNumbers(text: string): number[] {
  return text.split(",").map(toWhole);
}

function toWhole(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError("It must be whole numbers from 1, with commas between.");
  return Number(text);
}

function toPositive(text: string): number {
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value))) throw new InvalidArgumentError("It must be a number above 0.");
  return value;
}
