// The command that generates a seed file. Its content is decided in generate-seed.ts.
import { openSync, writeFileSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import { createCommand, fail } from "../cli/command.js";
import { ConfigError } from "../config.js";
import type { Seed } from "../domain/state.js";
import { toEnvironmentChunks } from "../store/format/environment-text.js";
import { DEMO_OPTIONS, generateSeed, type SeedOptions } from "./generate-seed.js";

const command = createCommand("seed")
  .description("Generate a seed: an environment of the product Tidepool. The same options give the same seed.")
  .option("--subscribers <n>", "number of subscribers", toWholeNumber, DEMO_OPTIONS.subscribers)
  .option("--notifications <n>", "number of notifications", toWholeNumber, DEMO_OPTIONS.notifications)
  .option("--random-seed <n>", "seed of the random data", toWholeNumber, DEMO_OPTIONS.randomSeed)
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
  const onProgress = (done: number) => process.stderr.write(`${done} of ${options.notifications} notifications\n`);
  write(generateSeed(options, onProgress), out);
} catch (error) {
  fail(error);
}

function write(seed: Seed, out: string | undefined): void {
  try {
    const file = out === undefined ? 1 : openSync(out, "w"); // 1: standard output
    for (const chunk of toEnvironmentChunks(seed)) writeFileSync(file, chunk);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A reader such as `head` may close the pipe before the end.
    if (code !== "EPIPE") throw new ConfigError(`${message}\nGive --out a file that can be written.`);
  }
}

function toWholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It must be a whole number of at most nine digits.");
  return Number(text);
}
