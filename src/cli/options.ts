// Options that several commands have: those of commands that listen, of commands that open or reset environments, and switches.
import { InvalidArgumentError, Option } from "commander";
import { ConfigError, DEFAULT_CONFIG } from "../config.js";
import { CONTRACT_PATH } from "../contract/contract-file.js";
import { SEED_NAMES } from "../store/seeds/seed.js";

export const portOption = (port: number) =>
  new Option("--port <number>", "0 for a free port").env("NC_PORT").default(port).argParser(toPort);

export const hostOption = () =>
  new Option("--host <address>", "where to listen").env("NC_HOST").default(DEFAULT_CONFIG.host);

export const apiKeyOption = (description: string) =>
  new Option("--api-key <key>", description).env("NC_API_KEY").default(DEFAULT_CONFIG.apiKey);

export const contractOption = (description = "the contract to serve") =>
  new Option("--contract <file>", `${description}: a file, or one of a git revision, as main:openapi.yaml`)
    .env("NC_CONTRACT")
    .default(CONTRACT_PATH, "this package's");

function toPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError("It must be a number from 0 to 65535.");
  return port;
}

export const seedOption = (description: string) =>
  new Option("--seed <name|file>", `${description}: ${SEED_NAMES.join(", ")}, or the path of a JSON file`)
    .env("NC_SEED")
    .default(DEFAULT_CONFIG.seed);

export const dataOption = () =>
  new Option("--data <folder>", "the folder of the environments").env("NC_DATA").default(DEFAULT_CONFIG.dataFolder);

export const nowOption = (description: string) => new Option("--now <timestamp>", description).env("NC_NOW");

// Commander takes any value of a switch's variable for on, "false" included.
const ON = ["1", "true", "yes", "on"];
const OFF = ["", "0", "false", "no", "off"];

/** @throws ConfigError when the variable holds neither. */
export function switchOption(flag: string, description: string, variable: string): Option {
  const value = process.env[variable]?.toLowerCase();
  const option = new Option(flag, description);
  if (value === undefined || ON.includes(value)) return option.env(variable);
  if (OFF.includes(value)) return option;
  throw new ConfigError(
    `${variable} must be one of ${[...ON, ...OFF.slice(1)].join(", ")}, or empty; it is "${value}".`,
  );
}
