// `npm run soak`: its options, what it writes where, and the exit code.
import { writeFile } from "node:fs/promises";
import { Command } from "commander";
import { toSoakChart } from "./report/soak-chart.js";
import { MAX_DRIFT, type Measured, runSoak, toDrift } from "./soak.js";

interface Options {
  minutes: string;
  size: string;
  turn: string;
  json?: string;
  chart?: string;
}

const options = new Command("soak")
  .description("Load the reference server for minutes, and see whether its memory or its times drift.")
  .option("--minutes <n>", "how long", "10")
  .option("--size <n>", "subscribers, and notifications, held", "10000")
  .option("--turn <seconds>", "between two looks at the server", "5")
  .option("--json <file>", "write the report for programs")
  .option("--chart <file>", "write it as a picture (SVG)")
  .addHelpText("after", "\nExit codes: 0 done, 1 requests failed or something drifts.")
  .parse()
  .opts<Options>();

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const settings = { minutes: Number(options.minutes), size: Number(options.size), turnSeconds: Number(options.turn) };
const report = await runSoak(settings, (step) => process.stderr.write(`${step} …\n`));
if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
if (options.chart !== undefined) await writeFile(options.chart, toSoakChart(report));

const failures = report.points.reduce((sum, point) => sum + point.failures, 0);
const drifts = (Object.keys(MAX_DRIFT) as Measured[]).map((measured) => {
  const drift = toDrift(report, measured);
  const isFlat = drift === undefined || drift <= MAX_DRIFT[measured];
  const text = drift === undefined ? "n/a" : `${drift.toFixed(2)} ×`;
  process.stdout.write(`${measured}: ${text}, at most ${MAX_DRIFT[measured]} ×${isFlat ? "" : " (drifts)"}\n`);
  return isFlat;
});
process.stdout.write(`not 2xx: ${failures}\n`);
process.exitCode = failures === 0 && drifts.every((isFlat) => isFlat) ? 0 : 1;
