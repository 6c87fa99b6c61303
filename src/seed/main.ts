// The command that generates a seed file. Its content is decided in generate-seed.ts.
import { closeSync, openSync, writeFileSync } from "node:fs";
import { Command, InvalidArgumentError } from "commander";
import { EXIT, fail } from "../cli/exit.js";
import { toDate } from "../config.js";
import type { Seed } from "../domain/state.js";
import { toEnvironmentChunks } from "../store/format/environment-text.js";
import { DEMO_OPTIONS, generateSeed, type SeedOptions, SeedOptionsError } from "./generate-seed.js";

const MAX_RECORDS = 1_000_000;

const toCount = toWholeNumber(MAX_RECORDS);
const command = new Command("seed")
  .description("Generate a seed: an environment of the product Tidepool. The same options give the same seed.")
  .option("--subscribers <n>", `number of subscribers, 0 to ${MAX_RECORDS}`, toCount, DEMO_OPTIONS.subscribers)
  .option("--notifications <n>", `number of notifications, 0 to ${MAX_RECORDS}`, toCount, DEMO_OPTIONS.notifications)
  .option("--random-seed <n>", "seed of the random data", toWholeNumber(2 ** 32 - 1), DEMO_OPTIONS.randomSeed)
  .option(
    "--as-of <timestamp>",
    "the present of the seed: its newest record is a minute older",
    toAsOf,
    DEMO_OPTIONS.asOf,
  )
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
  )
  .showHelpAfterError("(--help shows the options)")
  .exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT.done : EXIT.wrongUsage));

try {
  const { out, ...options } = command.parse().opts<SeedOptions & { out?: string }>();
  write(generateSeed(options, createProgress(options.notifications)), out);
} catch (error) {
  if (error instanceof SeedOptionsError) command.error(`error: ${error.message}`);
  if (isFileError(error)) command.error(`error: ${error.message}\nGive --out a file that can be written.`);
  fail(error);
}

function write(seed: Seed, out: string | undefined): void {
  if (out === undefined) {
    // A reader such as `head` may close the pipe before the end.
    process.stdout.on("error", (error) => {
      if (!("code" in error && error.code === "EPIPE")) throw error;
    });
    for (const chunk of toEnvironmentChunks(seed)) process.stdout.write(Buffer.from(chunk));
    return;
  }
  const file = openSync(out, "w");
  try {
    for (const chunk of toEnvironmentChunks(seed)) writeFileSync(file, chunk);
  } finally {
    closeSync(file);
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

function toAsOf(text: string): string {
  return toDate("--as-of", text).toISOString();
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

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}
