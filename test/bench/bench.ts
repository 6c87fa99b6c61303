// `npm run bench`: its options, what it writes where, and the exit code.
import { readFile, writeFile } from "node:fs/promises";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { judge, TOLERANCE } from "./bars.js";
import { installOtherTools } from "./other-tools.js";
import { toChart } from "./report/chart.js";
import { writeMarkdown } from "./report/markdown.js";
import { toTerminal } from "./report/terminal.js";
import { countFailures, type Report } from "./report.js";
import { runBench } from "./run-bench.js";
import { SeedError } from "./seeds.js";
import { FULL, QUICK, SECTIONS, type Section, type Settings } from "./settings.js";

interface Options {
  quick?: true;
  only?: Section[];
  sizes?: number[];
  brief?: true;
  connections?: number[];
  rounds?: number;
  seconds?: number;
  repeats?: number;
  install?: true;
  check?: true;
  from?: string;
  json?: string;
  markdown?: string;
  chart?: string;
}

const EXIT = { done: 0, checkFailed: 1, wrongUsage: 2, internalError: 3 } as const;

const command = new Command("bench")
  .description("Measure the reference server beside others: the same bytes, one machine, one run, in turns.")
  .option("--quick", "a short run, for a first idea")
  .addOption(new Option("--only <sections>", `of ${SECTIONS.join(", ")}; with commas`).argParser(toSections))
  .option("--sizes <numbers>", `notifications held, and subscribers up to 100,000; default ${FULL.sizes}`, toNumbers)
  .option("--brief", "notifications without jobs and payload: more than 100,000 have to be")
  .option("--connections <numbers>", `default ${FULL.connections}`, toNumbers)
  .option("--rounds <n>", `turns of each server; default ${FULL.rounds}`, toPositive)
  .option("--seconds <n>", `of a turn; default ${FULL.seconds}`, toPositive)
  .option("--repeats <n>", `of starts and new environments; default ${FULL.repeats}`, toPositive)
  .option("--install", "install json-server and Mockoon beside this project, to compare with them as well")
  .option("--check", `end with 1 when a ratio misses its bar by more than ${TOLERANCE * 100} %, or was not measured`)
  .option("--from <file>", "measure nothing: show a report that --json has written")
  .option("--json <file>", "write the report for programs")
  .option("--markdown <file>", "write it as Markdown, between the bench's marks where the file has them")
  .option("--chart <file>", "write the main comparisons as a picture (SVG)")
  .addHelpText(
    "after",
    `
Exit codes: 0 done, 1 requests failed or (with --check) a ratio was missed or not measured, 2 wrong usage, 3 internal error.

Examples:
  npm run bench -- --quick
  npm run bench -- --only list,update --sizes 100,100000 --check
  npm run bench -- --only list,update --sizes 100,1000000 --brief
  npm run bench -- --install --json test/bench/results.json --markdown test/bench/README.md --chart test/bench/results.svg`,
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
    if (error instanceof SeedError) {
      process.stderr.write(`${error.message}\n`);
      return EXIT.wrongUsage;
    }
    process.stderr.write(`internal error: ${error instanceof Error ? error.stack : String(error)}\n`);
    return EXIT.internalError;
  }
}

async function bench(options: Options): Promise<number> {
  if (options.install) await installOtherTools();
  const onStep = (step: string) => process.stderr.write(`${step} …\n`);
  const report = options.from ? await loadReport(options.from) : await runBench(toSettings(options), onStep);
  process.stdout.write(toTerminal(report));
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
  if (options.markdown !== undefined) await writeMarkdown(options.markdown, report);
  if (options.chart !== undefined) await writeFile(options.chart, toChart(report));

  const failures = countFailures(report);
  if (failures > 0) process.stderr.write(`${failures} requests were not answered with 2xx: the figures mean little.\n`);
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

function toSettings({ quick, only, ...given }: Options): Settings {
  const { sizes, connections, rounds, seconds, repeats, sections } = quick ? QUICK : FULL;
  return {
    sections: only ?? sections,
    sizes: (given.sizes ?? sizes).toSorted((a, b) => a - b),
    ...(given.brief && { brief: true }),
    connections: given.connections ?? connections,
    rounds: given.rounds ?? rounds,
    seconds: given.seconds ?? seconds,
    repeats: given.repeats ?? repeats,
  };
}

async function loadReport(path: string): Promise<Report> {
  return JSON.parse(await readFile(path, "utf8"));
}

function toSections(text: string): Section[] {
  return text.split(",").map((name) => {
    const section = SECTIONS.find((known) => known === name);
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
