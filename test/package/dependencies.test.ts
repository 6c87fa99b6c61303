// Everything that is shipped has a licence that allows it, runs nothing when it is installed, and
// runs on every Node that we promise. No network.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { satisfies } from "semver";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { ROOT } from "../support/command.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import { faultsOf, NODES, readShippedPackages, toTable } from "./shipped-packages.js";

test("what is shipped may be shipped", () => {
  const packages = readShippedPackages(ROOT);
  console.info(toTable(packages, { isWhole: process.env.AUDIT_LIST === "all" }));
  expect(
    packages.flatMap((dependency) =>
      faultsOf(dependency).map((fault) => `${dependency.name} ${dependency.version}: ${fault}`),
    ),
  ).toEqual([]);
});

test("it is asked for every Node that package.json promises", () => {
  expect(NODES.filter((node) => !satisfies(node, manifest.engines.node))).toEqual([]);
  expect(satisfies("20.18.3", manifest.engines.node)).toBe(false); // NODES begins with the oldest
});

describe("a package is rejected", () => {
  test.each<[string, object, string[]]>([
    ["that has a licence we do not allow", { license: "GPL-3.0-only" }, ["licence GPL-3.0-only"]],
    ["that has no licence", {}, ["licence none"]],
    [
      "that runs a script",
      { license: "MIT", scripts: { postinstall: "x" } },
      ["runs postinstall when it is installed"],
    ],
    ["that wants a later Node", { license: "MIT", engines: { node: ">=20.20" } }, ["not for Node 20.19.0: >=20.20"]],
    ["but not with a choice of licences", { license: "(GPL-2.0-only OR MIT)" }, []],
    ["but not with a licence in the old form", { licenses: [{ type: "MIT" }] }, []],
    ["but not for its tests", { license: "MIT", scripts: { test: "x" }, engines: { node: "^18 || >=20" } }, []],
  ])("%s", async (_title, installed, faults) => {
    const root = await createTemporaryFolder();
    writeJson(join(root, "package-lock.json"), { packages: { "": {}, "node_modules/it": { version: "1.0.0" } } });
    writeJson(join(root, "node_modules/it/package.json"), { version: "1.0.0", ...installed });
    expect(readShippedPackages(root).flatMap(faultsOf)).toEqual(faults);
  });

  test("that builds itself when it is installed", async () => {
    const root = await createTemporaryFolder();
    writeJson(join(root, "package-lock.json"), { packages: { "node_modules/a/node_modules/@x/it": {} } });
    writeJson(join(root, "node_modules/a/node_modules/@x/it/package.json"), { license: "MIT" });
    writeJson(join(root, "node_modules/a/node_modules/@x/it/binding.gyp"), {});
    const [found] = readShippedPackages(root);
    expect(found).toMatchObject({ name: "@x/it", installScripts: ["node-gyp"] });
  });
});

test("an optional peer is shipped with all that it needs, also where it is installed for development", async () => {
  const root = await createTemporaryFolder();
  const packages = {
    "": { peerDependencies: { peer: "1.0.0" } },
    "node_modules/peer": { dev: true, dependencies: { nested: "1", beside: "1" } },
    "node_modules/peer/node_modules/nested": { dev: true, dependencies: { beside: "1" } },
    "node_modules/beside": { dev: true },
    "node_modules/tool": { dev: true },
  };
  writeJson(join(root, "package-lock.json"), { packages });
  for (const path of Object.keys(packages)) writeJson(join(root, path, "package.json"), { license: "MIT" });
  expect(readShippedPackages(root).map(({ name }) => name)).toEqual(["peer", "nested", "beside"]);
});

test.each([
  ["is not installed", { "node_modules/it": {} }, /it\/package.json is missing/],
  ["is for development alone", { "node_modules/it": { dev: true } }, /ships no package/],
])("the audit fails where the only package %s", async (_title, packages, message) => {
  const root = await createTemporaryFolder();
  writeJson(join(root, "package-lock.json"), { packages });
  expect(() => readShippedPackages(root)).toThrow(message);
});

function writeJson(path: string, value: object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(value));
}
