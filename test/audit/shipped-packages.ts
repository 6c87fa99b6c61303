// The packages that come with this one: what package-lock.json names beside development, as they are installed.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface ShippedPackage {
  name: string;
  version: string;
  /** SPDX; "none" where the package does not say. */
  license: string;
  /** The versions of Node that it says it runs on; `*` where it does not say. */
  engines: string;
  /** What would run when it is installed. */
  installScripts: string[];
}

interface Manifest {
  version?: string;
  license?: string | { type: string };
  /** The form of old packages. */
  licenses?: { type: string }[];
  engines?: { node?: string };
  scripts?: Record<string, string>;
}

interface LockEntry extends Manifest {
  dev?: true;
  optional?: true;
}

const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall"];

/** @throws Error where a package that has to be there is not installed, or nothing is shipped at all. */
export function readShippedPackages(root: string): ShippedPackage[] {
  const lock: { packages: Record<string, LockEntry> } = readJson(join(root, "package-lock.json"));
  const shipped = Object.entries(lock.packages).filter(([path, entry]) => path !== "" && !entry.dev);
  if (shipped.length === 0) throw new Error(`${root} ships no package: is its lock file whole?`);
  return shipped.map(([path, entry]) => toPackage(path, readManifest(join(root, path), entry), join(root, path)));
}

function toPackage(path: string, manifest: Manifest, folder: string): ShippedPackage {
  const { version = "", engines, scripts = {} } = manifest;
  const native = existsSync(join(folder, "binding.gyp")) ? ["node-gyp"] : []; // npm builds it unasked
  return {
    name: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length),
    version,
    license: toLicense(manifest),
    engines: engines?.node ?? "*",
    installScripts: [...INSTALL_SCRIPTS.filter((name) => scripts[name] !== undefined), ...native],
  };
}

function toLicense({ license, licenses }: Manifest): string {
  if (typeof license === "string") return license;
  const types = license ? [license.type] : (licenses ?? []).map(({ type }) => type);
  return types.length === 0 ? "none" : types.join(" OR ");
}

/** A package for another system, which npm leaves out, is known from the lock file alone. */
function readManifest(folder: string, entry: LockEntry): Manifest {
  const path = join(folder, "package.json");
  if (existsSync(path)) return readJson(path);
  if (entry.optional) return entry;
  throw new Error(`${path} is missing. Run npm ci.`);
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, "utf8"));
}
