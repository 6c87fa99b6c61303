// Shared by all commands: declaration, options, peer dependencies, output and exit codes. Errors go to stderr.
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { styleText } from "node:util";
import { Command, InvalidArgumentError, Option } from "commander";
import { CONTRACT_PATH } from "../contract/contract-file.js";
import { ContractError } from "../contract/openapi-document.js";
import { NotRegularFileError } from "../contract/regular-file.js";
import { ConfigError } from "../core/options.js";
import { InvalidEnvironmentError } from "../core/state/environment.js";
import { DEFAULT_CONFIG } from "../server/config.js";
import { CannotListenError } from "../server/http/listener.js";
import { makeFolder } from "../server/store/durable-json-file.js";
import { FolderUnusableError } from "../server/store/folder-lock.js";
import { SEED_NAMES } from "../server/store/seed.js";

export const EXIT = { done: 0, checkFailed: 1, wrongUsage: 2, internalError: 3 } as const;

const EXPECTED = [
  ConfigError,
  ContractError,
  InvalidEnvironmentError,
  FolderUnusableError,
  CannotListenError,
  NotRegularFileError,
];

/** Packages such as Prism's use others that they do not declare, which Yarn's Plug'n'Play rejects. */
const PNP_HINT =
  "Under Yarn Plug'n'Play, add the `packageExtensions` of docs/operations.md to .yarnrc.yml, or set " +
  "`nodeLinker: node-modules`.";

/** Returns the text and exit code of an error: its message if the user can fix it, else its stack. */
export function describeError(error: unknown): { text: string; code: number } {
  const { message, stack } = error as Error;
  const isExpected = EXPECTED.some((kind) => error instanceof kind);
  if (isExpected) return { text: `${message}\n`, code: EXIT.wrongUsage };
  if ("pnpCode" in (error as object)) return { text: `${message}\n${PNP_HINT}\n`, code: EXIT.wrongUsage };
  return { text: `internal error: ${stack}\n`, code: EXIT.internalError };
}

export function fail(error: unknown): never {
  const { text, code } = describeError(error);
  process.stderr.write(text);
  process.exit(code);
}

/** Stands for standard output in the place of a file name. */
export const STDOUT = "-";

/**
 * Returns the stream for messages: stderr if one of the results goes to stdout.
 * @throws ConfigError if several results go to stdout.
 */
export function openMessages(paths: readonly (string | undefined)[]): NodeJS.WriteStream {
  const onStdout = paths.filter((path) => path === STDOUT);
  if (onStdout.length > 1)
    throw new ConfigError("Only one result can go to standard output (-): name files for others.");
  return onStdout.length === 1 ? process.stderr : process.stdout;
}

/**
 * Writes a result to a file, creating its folder, or to standard output for `-` or no name.
 * @throws ConfigError if it cannot be written.
 */
export async function writeResult(path: string | undefined, text: string): Promise<void> {
  if (path === undefined || path === STDOUT) return print(process.stdout, text);
  try {
    await makeFolder(dirname(resolve(path)));
    await writeFile(path, text);
  } catch (error) {
    throw new ConfigError(`${path} cannot be written: ${(error as Error).message}. Name another file.`);
  }
}

/** Settles once the text is written, even if the reader has gone, so that the process may exit. */
export function print(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => stream.write(text, () => resolve()));
}

/** True if a stream shows colors, by NO_COLOR, FORCE_COLOR and the terminal. GitHub's logs show them, too. */
export function isColored(stream: NodeJS.WriteStream): boolean {
  const { NO_COLOR, FORCE_COLOR, GITHUB_ACTIONS } = process.env;
  if (GITHUB_ACTIONS === "true" && !NO_COLOR && FORCE_COLOR === undefined) return true;
  return styleText("bold", "x", { stream, validateStream: true }) !== "x";
}

/** Creates a command with our exit codes, and a hint after a wrong usage. */
export function createCommand(name: string): Command {
  return new Command(name)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT.done : EXIT.wrongUsage))
    .showHelpAfterError("(--help lists the options)");
}

interface Manifest {
  version: string;
  peerDependencies: Record<string, string>;
  /** Contains the versions that the package is tested with. */
  devDependencies: Record<string, string>;
}

export function readManifest(): Manifest {
  return JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
}

/**
 * Must be called before the modules of `mock` are imported, which alone needs optional peer dependencies.
 * @throws ConfigError with the command that installs missing packages.
 */
export function assertPeers(): void {
  const { peerDependencies, devDependencies } = readManifest();
  const peers = Object.keys(peerDependencies).filter((name) => name.startsWith("@stoplight/prism-"));
  const missing = peers.filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  const packages = peers.map((name) => `${name}@${devDependencies[name]}`).join(" ");
  throw new ConfigError(
    `\`mock\` needs packages that are not installed: ${missing.join(", ")}. Install them:\n  npm i -D ${packages}`,
  );
}

const require = createRequire(import.meta.url);

function isInstalled(name: string): boolean {
  try {
    require.resolve(name);
    return true;
  } catch {
    return false;
  }
}

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
