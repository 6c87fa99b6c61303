// The options of the commands that open or reset environments.
import { Option } from "commander";
import { DEFAULT_CONFIG } from "../config.js";
import { SEED_NAMES } from "../store/seeds/seed.js";

export const seedOption = (description: string) =>
  new Option("--seed <name|file>", `${description}: ${SEED_NAMES.join(", ")}, or the path of a JSON file`)
    .env("NC_SEED")
    .default(DEFAULT_CONFIG.seed);

export const dataOption = () =>
  new Option("--data <folder>", "the folder of the environments").env("NC_DATA").default(DEFAULT_CONFIG.dataFolder);

export const nowOption = (description: string) => new Option("--now <timestamp>", description).env("NC_NOW");
