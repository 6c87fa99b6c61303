// The packages that are installed with this one, and its optional peers, as in package-lock.json: each has a licence
// that requires no more than a notice, runs no script when it is installed, and supports every Node that the README
// promises.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { satisfies } from "semver";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { ROOT } from "../support/command.js";

interface Entry {
  dev?: true;
  license?: string;
  /** The form of old packages. */
  licenses?: { type: string }[];
  engines?: { node?: string };
  hasInstallScript?: true;
}

const LICENSES = ["MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "0BSD", "BlueOak-1.0.0", "Python-2.0"];
/** The oldest Node of package.json, and the first of each later line that the README promises. */
const NODES = ["20.19.0", "22.12.0", "24.0.0", "26.0.0"];

const readJson = <T>(...path: string[]): T => JSON.parse(readFileSync(join(ROOT, ...path), "utf8"));
const peers = new Set(Object.keys(manifest.peerDependencies).map((name) => `node_modules/${name}`));
const { packages } = readJson<{ packages: Record<string, Entry> }>("package-lock.json");
const shipped = Object.entries(packages).filter(([path, { dev }]) => path !== "" && (!dev || peers.has(path)));

test("every installed package is acceptable", () => {
  expect(shipped.length).toBeGreaterThan(100);
  expect(shipped.flatMap(([path, entry]) => objectionsTo(path, entry).map((text) => `${path}: ${text}`))).toEqual([]);
});

test("the optional peers are Prism's two and MSW", () => {
  expect(Object.keys(manifest.peerDependencies)).toEqual(["@stoplight/prism-core", "@stoplight/prism-http", "msw"]);
});

test("the versions of Node begin with the oldest of package.json", () => {
  expect(NODES.filter((node) => !satisfies(node, manifest.engines.node))).toEqual([]);
  expect(satisfies("20.18.3", manifest.engines.node)).toBe(false);
});

test.each<[string, Entry, string[]]>([
  ["a licence that is not allowed", { license: "GPL-3.0-only" }, ["licence GPL-3.0-only"]],
  ["no licence", {}, ["licence none"]],
  ["a script at its installation", { license: "MIT", hasInstallScript: true }, ["runs a script when it is installed"]],
  ["a later Node", { license: "MIT", engines: { node: ">=20.20" } }, ["not for Node 20.19.0"]],
])("a package is rejected with %s", (_title, entry, objections) => {
  expect(objectionsTo("node_modules/none", entry)).toEqual(objections);
});

function objectionsTo(path: string, { engines, hasInstallScript, ...entry }: Entry): string[] {
  const isMsw = path === "node_modules/msw"; // a front-end's own: the script updates its worker
  const manifestPath = join(path, "package.json");
  const old = existsSync(join(ROOT, manifestPath)) ? readJson<Entry>(manifestPath).licenses?.[0]?.type : undefined;
  const license = entry.license ?? old ?? "none";
  return [
    ...(LICENSES.includes(license) ? [] : [`licence ${license}`]),
    ...(hasInstallScript && !isMsw ? ["runs a script when it is installed"] : []),
    ...NODES.filter((node) => !satisfies(node, engines?.node ?? "*")).map((node) => `not for Node ${node}`),
  ];
}
