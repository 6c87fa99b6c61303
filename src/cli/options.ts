// Options shared by several commands.
import { InvalidArgumentError, Option } from "commander";
import { CONTRACT_PATH } from "../contract/contract-file.js";
import { DEFAULT_CONFIG } from "../server/config.js";
import { SEED_NAMES } from "../server/store/seed.js";

/** Creates an option that a variable can set, too, such as NC_API_KEY for `--api-key`. */
export function option(flags: string, description: string): Option {
  const created = new Option(flags, description);
  return created.env(variableOf(created));
}

function variableOf(option: Option): string {
  return `NC_${option.name().toUpperCase().replaceAll("-", "_")}`;
}

export const portOption = (port: number) =>
  option("--port <number>", "the port; 0 selects a free one").default(port).argParser(parseNumberFrom(0, 65_535));

export const hostOption = () => option("--host <address>", "the address to listen on").default(DEFAULT_CONFIG.host);

export const apiKeyOption = (description: string) =>
  option("--api-key <key>", description).default(DEFAULT_CONFIG.apiKey);

/** Parses the base URL of a server. */
export function parseUrlOption(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    const remedy = URL.canParse(`http://${text}`) ? ` Did you mean http://${text}?` : "";
    throw new InvalidArgumentError(`It must begin with http:// or https://, as in ${DEFAULT_URL}.${remedy}`);
  }
  if (url.username || url.search || url.hash)
    throw new InvalidArgumentError("It must have no user, query or fragment.");
  return url;
}

/** The text of a base URL, without a slash at its end. */
export function addressOf(url: URL): string {
  return url.href.replace(/\/$/, "");
}

/** The URL of a server started without options. */
export const DEFAULT_URL = `http://${DEFAULT_CONFIG.host}:${DEFAULT_CONFIG.port}`;

export const controlKeyOption = () => option("--control-key <key>", "the server's control key, if it has one");

export const contractOption = (description = "the contract to serve") =>
  option("--contract <file>", `${description}: a file, or a file of a git revision, such as main:openapi.yaml`).default(
    CONTRACT_PATH,
    "this package's",
  );

/** Creates a parser of whole numbers in a range. */
export function parseNumberFrom(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= min && number <= max) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

export const seedOption = (description: string) =>
  option("--seed <name|file>", `${description}: ${SEED_NAMES.join(", ")}, or the path of a JSON file`).default(
    DEFAULT_CONFIG.seed,
  );

export const dataOption = () =>
  option("--data <folder>", "the folder of the environments").default(DEFAULT_CONFIG.dataFolder);

export const nowOption = (description: string) => option("--now <timestamp>", description);

/** Creates a switch whose variable may say no; Commander treats any value as on, even "false". */
export function switchOption(flag: string, description: string): Option {
  const created = new Option(flag, description);
  const variable = variableOf(created);
  const isOff = ["", "0", "false", "no", "off"].includes(process.env[variable]?.toLowerCase() ?? "unset");
  return isOff ? created : created.env(variable);
}
