// The packages that only `mock`, `review`, `usage`, `/preview` and `/react-query` need are optional peer dependencies of this one: whoever installs it for the
// server, the clients or `verify` does not download them. package.json has their versions.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { ConfigError } from "../config.js";

const require = createRequire(import.meta.url);

const isPrism = (name: string) => name.startsWith("@stoplight/prism-");
const isCompiler = (name: string) => name === "ts-morph";
const isOfFrontEnds = (name: string) => name.startsWith("@tanstack/") || name === "msw";
const NEEDED_BY = {
  mock: isPrism,
  usage: isCompiler,
  review: (name: string) => !isPrism(name) && !isCompiler(name) && !isOfFrontEnds(name),
};

export type CommandWithPeers = keyof typeof NEEDED_BY;

/**
 * To be called before the modules of the command are imported.
 * @throws ConfigError, whose message has the command that installs what the command needs.
 */
export function assertPeers(command: CommandWithPeers): void {
  const peers = Object.entries(readPeers()).filter(([name]) => NEEDED_BY[command](name));
  if (peers.every(([name]) => isInstalled(name))) return;
  const packages = peers.map(([name, version]) => `${name}@${version}`).join(" ");
  throw new ConfigError(
    `\`${command}\` needs packages that are not installed with this one. Install them:\n  ${toInstallCommand()} ${packages}`,
  );
}

/** Of the package manager that runs this command: it says so in `npm_config_user_agent`, as in `pnpm/10.1.0 npm/? node/v24`. */
function toInstallCommand(): string {
  const [name = ""] = (process.env.npm_config_user_agent ?? "").split("/", 1);
  return ["pnpm", "yarn", "bun"].includes(name) ? `${name} add -D` : "npm i -D";
}

function readPeers(): Record<string, string> {
  return JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).peerDependencies;
}

function isInstalled(name: string): boolean {
  try {
    require.resolve(name);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND"; // what else is wrong with it, its import says
  }
}
