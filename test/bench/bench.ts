// `npm run bench`: its options, what it writes where, and the exit code.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Command, Option } from "commander";
import { BEGIN, countFailures, END, placeBetweenMarks, toMarkdown, toTerminal } from "./report.js";
import { runBench } from "./run-bench.js";
import { FULL, SECTIONS, type Section, TINY } from "./settings.js";

interface Options {
  only?: Section[];
  tiny?: boolean;
  save?: string;
}

const EXIT = { done: 0, requestsFailed: 1, wrongUsage: 2, internalError: 3 } as const;

const command = new Command("bench")
  .description("Measure the reference server beside others: the same bytes, one machine, one run, in turns.")
  .addOption(new Option("--only <sections...>", "parts of a run").choices(SECTIONS))
  .option("--tiny", "few records and one short turn: shows that the bench works, and nothing about speed")
  .option("--save <folder>", "write results.json, and the tables of README.md, into a folder, which may be new")
  .addHelpText("after", "\nExit codes: 0 done, 1 requests failed, 2 wrong usage, 3 internal error.")
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? EXIT.done : EXIT.wrongUsage));

// So that what ends with this process hears of it; a signal alone would leave the servers behind.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(EXIT.internalError));

process.exitCode = await bench(command.parse().opts<Options>()).catch((error) => {
  process.stderr.write(`internal error: ${error instanceof Error ? error.stack : String(error)}\n`);
  return EXIT.internalError;
});

async function bench({ only, tiny, save }: Options): Promise<number> {
  if (save !== undefined) await mkdir(save, { recursive: true }); // first: else minutes are measured in vain
  const settings = { ...(tiny ? TINY : FULL), ...(only && { sections: only }) };
  const report = await runBench(settings, (step) => process.stderr.write(`${step} …\n`));
  process.stdout.write(toTerminal(report));
  if (save !== undefined) {
    await writeFile(join(save, "results.json"), `${JSON.stringify(report, null, 2)}\n`);
    const readme = join(save, "README.md");
    const before = await readFile(readme, "utf8").catch(() => `# Bench\n\n${BEGIN}\n${END}\n`);
    await writeFile(readme, placeBetweenMarks(before, toMarkdown(report)));
  }
  const failures = countFailures(report);
  if (failures === 0) return EXIT.done;
  process.stderr.write(`${failures} requests did not get 2xx: the figures mean little.\n`);
  return EXIT.requestsFailed;
}
