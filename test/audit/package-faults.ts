// What keeps a package from being shipped: its licence, a script at its installation, or a Node that it does not run on.
import { satisfies } from "semver";
import type { ShippedPackage } from "./shipped-packages.js";

/** The oldest Node of package.json, and the first of each later line that the README promises. */
export const NODES = ["20.19.0", "22.12.0", "24.0.0", "26.0.0"];

/** They let anybody use, change and pass on the code, and ask for no more than a notice. */
export const LICENSES = new Set([
  ...["MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "0BSD", "BlueOak-1.0.0", "CC0-1.0"],
  ...["Python-2.0", "PSF-2.0"], // argparse 2 and 3, translated from Python's
]);

/** Empty for a package that may be shipped. */
export function faultsOf({ license, engines, installScripts }: ShippedPackage): string[] {
  const choices = license.replace(/^\((.*)\)$/, "$1").split(" OR ");
  return [
    ...(choices.some((choice) => LICENSES.has(choice)) ? [] : [`licence ${license}`]),
    ...installScripts.map((script) => `runs ${script} when it is installed`),
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
