// The command that makes a seed file. What goes into it is decided in generate-seed.ts.
import { closeSync, openSync, writeFileSync } from "node:fs";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import type { Seed } from "../domain/state.js";
import { toEnvironmentChunks } from "../store/environment-text.js";
import { DEMO_OPTIONS, generateSeed, type SeedOptions, SeedOptionsError } from "./generate-seed.js";

const MOST_RECORDS = 1_000_000;
const EXIT = { ok: 0, wrongUsage: 2, internalError: 3 } as const;

interface CommandOptions extends SeedOptions {
  out?: string;
}

const command = new Command("seed")
  .description("Make a seed: an environment of the product Tidepool, always the same for the same options.")
  .option(
    "--subscribers <n>",
    `how many subscribers, 0 to ${MOST_RECORDS}`,
    toWholeNumber(MOST_RECORDS),
    DEMO_OPTIONS.subscribers,
  )
  .option(
    "--notifications <n>",
    `how many notifications, 0 to ${MOST_RECORDS}`,
    toWholeNumber(MOST_RECORDS),
    DEMO_OPTIONS.notifications,
  )
  .option("--random-seed <n>", "another number, other data", toWholeNumber(2 ** 32 - 1), DEMO_OPTIONS.randomSeed)
  .option("--as-of <instant>", "the present of the seed, RFC 3339 in UTC", toInstant, DEMO_OPTIONS.asOf)
  .option("--brief", "of each notification only what lists are made by, no jobs and no payload: a fifth as long")
  .option("--out <file>", "where to write; without it, standard output")
  .addHelpText(
    "after",
    `
Examples:
  $ npm run seed -- --out data/seeds/demo.json
  $ npm run seed -- --subscribers 1000 --notifications 100000 --out large.json
  $ npm run seed -- --subscribers 100000 --notifications 1000000 --brief --out huge.json
  $ npm run --silent seed -- --random-seed 8 | head -5

Exit codes: 0 done, 2 wrong usage, 3 internal error.`,
  )
  .showHelpAfterError("(--help shows the options)")
  .exitOverride();

process.exitCode = run(process.argv);

function run(argv: string[]): number {
  try {
    const { out, ...options } = command.parse(argv).opts<CommandOptions>();
    write(generateSeed(options, createProgress(options.notifications)), out);
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.wrongUsage;
    if (error instanceof SeedOptionsError || isFileError(error)) {
      const advice = isFileError(error) ? "Give --out a file that can be written." : "(--help shows the options)";
      process.stderr.write(`error: ${error.message}\n${advice}\n`);
      return EXIT.wrongUsage;
    }
    process.stderr.write(`internal error: ${error instanceof Error ? error.stack : String(error)}\n`);
    return EXIT.internalError;
  }
}

function write(seed: Seed, out: string | undefined): void {
  if (out !== undefined) {
    const file = openSync(out, "w");
    try {
      for (const slice of toEnvironmentChunks(seed)) writeFileSync(file, slice);
    } finally {
      closeSync(file);
    }
    return;
  }
  // A reader such as `head` may go before the end; that is no fault.
  process.stdout.on("error", (error) => {
    if (!("code" in error && error.code === "EPIPE")) throw error;
  });
  for (const slice of toEnvironmentChunks(seed)) process.stdout.write(Buffer.from(slice));
}

function toWholeNumber(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value > most)
      throw new InvalidArgumentError(`It must be a whole number from 0 to ${most}.`);
    return value;
  };
}

function toInstant(text: string): string {
  const instant = new Date(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/.test(text) ? text : Number.NaN);
  // A day such as 30 February is moved to a real one; the comparison notices.
  if (Number.isNaN(instant.getTime()) || instant.toISOString().slice(0, 19) !== text.slice(0, 19)) {
    throw new InvalidArgumentError("It must be an RFC 3339 instant in UTC, such as 2026-11-02T09:00:00Z.");
  }
  return instant.toISOString();
}

/** Says on standard error how far it got, once a second, from the first second on. */
function createProgress(total: number): (done: number) => void {
  let saidAt = Date.now();
  return (done) => {
    if (Date.now() - saidAt < 1_000) return;
    saidAt = Date.now();
    process.stderr.write(`${done} of ${total} notifications\n`);
  };
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}
