// Shared by all commands: declaration, peer dependencies, output and exit codes. Errors go to stderr.
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { styleText } from "node:util";
import { Command } from "commander";
import { ContractError } from "../contract/openapi-document.js";
import { NotRegularFileError } from "../contract/regular-file.js";
import { ConfigError } from "../core/options.js";
import { InvalidEnvironmentError } from "../core/state/environment.js";
import { CannotListenError } from "../server/http/listener.js";
import { makeFolder } from "../server/store/durable-json-file.js";
import { FolderUnusableError } from "../server/store/folder-lock.js";

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
    throw new ConfigError(`${path} cannot be written: ${(error as Error).message}`);
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
