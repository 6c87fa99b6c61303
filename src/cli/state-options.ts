// The options of the commands that open or reset environments.
import { InvalidArgumentError, Option } from "commander";
import { DEFAULT_CONFIG } from "../config.js";
import { toInstant } from "../domain/instant.js";
import { SEED_NAMES } from "../store/seed.js";

export const seedOption = () =>
  new Option("--seed <name|file>", `the seed of a new environment: ${SEED_NAMES.join(", ")} or a file`)
    .env("NC_SEED")
    .default(DEFAULT_CONFIG.seed);

export const dataOption = () =>
  new Option("--data <folder>", "the folder of the environments").env("NC_DATA").default(DEFAULT_CONFIG.dataFolder);

export const nowOption = () =>
  new Option("--now <instant>", "freeze the clock at this instant (RFC 3339)").env("NC_NOW").argParser(toDate);

function toDate(text: string): Date {
  try {
    return new Date(toInstant(text));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new InvalidArgumentError("It must be an RFC 3339 timestamp such as 2026-11-02T09:00:00Z.");
  }
}
