// `npm run bench`: its options, what it writes where, and the exit code.
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { BEGIN, END, placeBetweenMarks, toMarkdown, toTerminal } from "./report/markdown.js";
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
  save?: string;
}

const EXIT = { done: 0, requestsFailed: 1, wrongUsage: 2, internalError: 3 } as const;

const command = new Command("bench")
  .description("Measure the reference server beside others: the same bytes, one machine, one run, in turns.")
  .addOption(new Option("--only <sections>", `of ${SECTIONS.join(", ")}; with commas`).argParser(toSections))
  .option("--sizes <numbers>", `notifications held, and subscribers up to 100,000; default ${FULL.sizes}`, toNumbers)
  .option("--connections <numbers>", `default ${FULL.connections}`, toNumbers)
  .option("--rounds <n>", `turns of each server; default ${FULL.rounds}`, toPositive)
  .option("--seconds <n>", `of a turn; default ${FULL.seconds}`, toPositive)
  .option("--repeats <n>", `of starts and new environments; default ${FULL.repeats}`, toPositive)
  .option(
    "--save <folder>",
    "write the report into a folder, which may be new: results.json, and the tables of its README.md",
  )
  .addHelpText(
    "after",
    `
Exit codes: 0 done, 1 requests failed, 2 wrong usage, 3 internal error.

Examples:
  npm run bench -- --save test/bench
  npm run bench -- --only list,update --sizes 100,100000`,
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
  const { save: folder } = options;
  if (folder !== undefined) await mkdir(folder, { recursive: true }); // first: else minutes are measured in vain
  const report = await runBench(toSettings(options), (step) => process.stderr.write(`${step} …\n`));
  process.stdout.write(toTerminal(report));
  if (folder !== undefined) await save(folder, report);
  const failures = countFailures(report);
  if (failures === 0) return EXIT.done;
  process.stderr.write(`${failures} requests did not get 2xx: the figures mean little.\n`);
  return EXIT.requestsFailed;
}

async function save(folder: string, report: Report): Promise<void> {
  await writeFile(join(folder, "results.json"), `${JSON.stringify(report, null, 2)}\n`);
  const readme = join(folder, "README.md");
  const before = existsSync(readme) ? await readFile(readme, "utf8") : `# Bench\n\n${BEGIN}\n${END}\n`;
  await writeFile(readme, placeBetweenMarks(before, toMarkdown(report)));
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
