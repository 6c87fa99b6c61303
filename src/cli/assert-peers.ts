// The packages that only `mock`, `review`, `usage` and `/preview` need are optional peer dependencies of this one: whoever installs it for the
// server, the clients or `verify` does not download them. package.json has their versions.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ConfigError } from "../server/config.js";

const require = createRequire(import.meta.url);

const isPrism = (name: string) => name.startsWith("@stoplight/prism-");
const isCompiler = (name: string) => name === "ts-morph";
const isOfFrontEnds = (name: string) => name === "msw";
const NEEDED_BY = {
  mock: isPrism,
  usage: isCompiler,
  review: (name: string) => !isPrism(name) && !isCompiler(name) && !isOfFrontEnds(name),
};

export type CommandWithPeers = keyof typeof NEEDED_BY;

/**
 * To be called before the modules of the command are imported.
 * @throws ConfigError, whose message has the command that installs what the command needs, in the versions that it is tested with.
 */
export function assertPeers(command: CommandWithPeers): void {
  const { peerDependencies, devDependencies } = readManifest();
  const peers = Object.entries(peerDependencies).filter(([name]) => NEEDED_BY[command](name));
  const unfit = peers.flatMap(([name, range]) => describeUnfit(name, range));
  if (unfit.length === 0) return;
  const packages = peers.map(([name]) => `${name}@${devDependencies[name]}`).join(" ");
  throw new ConfigError(
    `\`${command}\` needs packages beside this one: ${unfit.join(", ")}. Install them:\n  ${toInstallCommand()} ${packages}`,
  );
}

/** The install command of the package manager that runs this one: `npm_config_user_agent` names it, as in `pnpm/10.1.0 npm/? node/v24`. */
function toInstallCommand(): string {
  const [name = ""] = (process.env.npm_config_user_agent ?? "").split("/", 1);
  return ["pnpm", "yarn", "bun"].includes(name) ? `${name} add -D` : "npm i -D";
}

/** The versions with which the package is tested are its development dependencies. */
function readManifest(): Record<"peerDependencies" | "devDependencies", Record<string, string>> {
  return JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
}

/** Empty for a package that is installed in a version of the range, as in `^5.12.0` or `^0.12.1`. */
function describeUnfit(name: string, range: string): string[] {
  const version = readVersion(name);
  if (version === undefined) return [`${name} is not installed`];
  const [, lowest = "", fixed = ""] = /^\^((0\.\d+\.|\d+\.).*)$/.exec(range) ?? [];
  const isOlder = version.localeCompare(lowest, "en", { numeric: true }) < 0;
  return version.startsWith(fixed) && !isOlder ? [] : [`${name} is ${version}, not ${range}`];
}

/** Undefined where it is not installed. */
function readVersion(name: string): string | undefined {
  let folder = findEntry(name);
  while (folder && folder !== dirname(folder)) {
    folder = dirname(folder);
    const file = join(folder, "package.json");
    const manifest = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
    if (manifest.name === name) return manifest.version;
  }
  return undefined;
}

function findEntry(name: string): string | undefined {
  try {
    return require.resolve(name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
