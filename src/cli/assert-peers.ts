// The packages that only `mock`, `review`, `usage` and `/preview` need are optional peer dependencies of this one: whoever installs it
// for the server, the clients or `verify` does not download them. package.json has their versions.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
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

/**
 * To be called before the modules of the command are imported.
 * @throws ConfigError, whose message has the command that installs what the command needs, in the versions that it is tested with.
 */
export function assertPeers(command: keyof typeof NEEDED_BY): void {
  const { peerDependencies, devDependencies } = readManifest();
  const peers = Object.keys(peerDependencies).filter(NEEDED_BY[command]);
  const missing = peers.filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  const packages = peers.map((name) => `${name}@${devDependencies[name]}`).join(" ");
  throw new ConfigError(
    `\`${command}\` needs packages beside this one; missing: ${missing.join(", ")}. Install them:\n  npm i -D ${packages}`,
  );
}

/** The versions with which the package is tested are its development dependencies. */
function readManifest(): Record<"peerDependencies" | "devDependencies", Record<string, string>> {
  return JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
}

function isInstalled(name: string): boolean {
  try {
    require.resolve(name);
    return true;
  } catch {
    return false;
  }
}
