// The command that generates a seed file. Its content is decided in generate-seed.ts.
import { openSync, writeFileSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import { createCommand } from "../cli/create-command.js";
import { fail } from "../cli/exit.js";
import { ConfigError, toDate } from "../config.js";
import type { Seed } from "../domain/state.js";
import { toEnvironmentChunks } from "../store/format/environment-text.js";
import { generateSeed } from "./generate-seed.js";
import { DEMO_OPTIONS, type SeedOptions } from "./seed-options.js";

const MAX_RECORDS = 1_000_000;
const STANDARD_OUTPUT = 1;

const toCount = toWholeNumber(MAX_RECORDS);
const command = createCommand("seed")
  .description("Generate a seed: an environment of the product Tidepool. The same options give the same seed.")
  .option("--subscribers <n>", `number of subscribers, 0 to ${MAX_RECORDS}`, toCount, DEMO_OPTIONS.subscribers)
  .option("--notifications <n>", `number of notifications, 0 to ${MAX_RECORDS}`, toCount, DEMO_OPTIONS.notifications)
  .option("--random-seed <n>", "seed of the random data", toWholeNumber(2 ** 32 - 1), DEMO_OPTIONS.randomSeed)
  .option("--as-of <timestamp>", "the present of the seed: its newest record is a minute older", DEMO_OPTIONS.asOf)
  .option("--brief", "only the members that lists need, without jobs and payload: a fifth of the size")
  .option("--throttle", "with steps of type throttle, which clients before @novu/api 1.7.1 do not know")
  .option("--out <file>", "the file to write; default: standard output")
  .addHelpText(
    "after",
    `
Examples:
  $ npm run seed -- --out data/seeds/demo.json
  $ npm run seed -- --subscribers 1000 --notifications 100000 --out large.json
  $ npm run seed -- --subscribers 100000 --notifications 1000000 --brief --out huge.json
  $ npm run --silent seed -- --random-seed 8 | head -5

Exit codes: 0 success, 2 wrong usage, 3 internal error.`,
  );

try {
  const { out, ...options } = command.parse().opts<SeedOptions & { out?: string }>();
  options.asOf = toDate("--as-of", options.asOf).toISOString();
  write(generateSeed(options, createProgress(options.notifications)), out);
} catch (error) {
  fail(error);
}

function write(seed: Seed, out: string | undefined): void {
  try {
    const file = out === undefined ? STANDARD_OUTPUT : openSync(out, "w");
    for (const chunk of toEnvironmentChunks(seed)) writeFileSync(file, chunk);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A reader such as `head` may close the pipe before the end.
    if (code !== "EPIPE") throw new ConfigError(`${message}\nGive --out a file that can be written.`);
  }
}

function toWholeNumber(max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value > max)
      throw new InvalidArgumentError(`It must be a whole number from 0 to ${max}.`);
    return value;
  };
}

/** Prints the progress on standard error, once a second. */
function createProgress(total: number): (done: number) => void {
  let printedAt = Date.now();
  return (done) => {
    if (Date.now() - printedAt < 1_000) return;
    printedAt = Date.now();
    process.stderr.write(`${done} of ${total} notifications\n`);
  };
}
