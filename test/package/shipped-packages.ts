// The packages that a user installs: the dependencies of this one and its optional peers, each with its own dependencies, as
// package-lock.json names them and as they are installed; and what keeps one from being shipped: its licence, a script at its
// installation, or a Node that it does not run on.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { satisfies } from "semver";

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
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

type Entries = Record<string, LockEntry>;

const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall"];

/** @throws Error where a package that has to be there is not installed, or nothing is shipped at all. */
export function readShippedPackages(root: string): ShippedPackage[] {
  const { packages }: { packages: Entries } = readJson(join(root, "package-lock.json"));
  const peers = findPeers(packages); // in a clone they are development dependencies as well
  const shipped = Object.entries(packages).filter(([path, entry]) => path !== "" && (!entry.dev || peers.has(path)));
  if (shipped.length === 0) throw new Error(`${root} ships no package: is its lock file whole?`);
  return shipped.map(([path, entry]) => toPackage(path, readManifest(join(root, path), entry), join(root, path)));
}

/** The paths of this package's optional peers and of what they need. */
function findPeers(packages: Entries): Set<string> {
  const peers = new Set<string>();
  const add = (dependent: string, names: readonly string[]) => {
    for (const path of names.map((name) => resolve(packages, dependent, name))) {
      if (path === undefined || peers.has(path)) continue;
      peers.add(path);
      add(path, toNeeds(packages[path] ?? {}));
    }
  };
  add("", Object.keys(packages[""]?.peerDependencies ?? {}));
  return peers;
}

function toNeeds({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }: LockEntry): string[] {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** Where Node finds the package: in the dependent's own folder, or in the nearest one above. */
function resolve(packages: Entries, dependent: string, name: string): string | undefined {
  const path = `${dependent}${dependent && "/"}node_modules/${name}`;
  if (packages[path] || dependent === "") return packages[path] && path;
  return resolve(packages, dependent.slice(0, Math.max(0, dependent.lastIndexOf("node_modules/") - 1)), name);
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

/** The oldest Node of package.json, and the first of each later line that the README promises. */
export const NODES = ["20.19.0", "22.12.0", "24.0.0", "26.0.0"];

/** They let anybody use, change and pass on the code, and ask for no more than a notice. */
const LICENSES = new Set([
  ...["MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "0BSD", "BlueOak-1.0.0", "CC0-1.0"],
  ...["Python-2.0", "PSF-2.0"], // argparse 2 and 3, translated from Python's
]);

/** Empty for a package that may be shipped. */
export function faultsOf({ name, license, engines, installScripts }: ShippedPackage): string[] {
  const scripts = name === "msw" ? [] : installScripts; // it copies its worker again, and is a front-end's own
  const choices = license.replace(/^\((.*)\)$/, "$1").split(" OR ");
  return [
    ...(choices.some((choice) => LICENSES.has(choice)) ? [] : [`licence ${license}`]),
    ...scripts.map((script) => `runs ${script} when it is installed`),
    ...NODES.filter((node) => !satisfies(node, engines)).map((node) => `not for Node ${node}: ${engines}`),
  ];
}

/** For people: how many packages each licence has, and with `isWhole` a line for each package. */
export function toTable(packages: readonly ShippedPackage[], { isWhole }: { isWhole: boolean }): string {
  const rows = packages.map(({ name, version, license, engines }) => [
    `${name} ${version}`,
    license,
    `node ${engines}`,
  ]);
  const counts = new Map<string, number>();
  for (const { license } of packages) counts.set(license, (counts.get(license) ?? 0) + 1);
  const lines = [
    ...(isWhole ? rows.toSorted().map(([name = "", ...rest]) => [name.padEnd(60), ...rest].join("  ")) : []),
    ...[...counts].map(([license, count]) => `${String(count).padStart(4)} ${license}`),
  ];
  return lines.join("\n");
}
