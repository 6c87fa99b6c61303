// How much is installed: packages, and the space that they take on a disk.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

export interface InstalledSize {
  packages: number;
  bytes: number;
}

/** Of the packages at these paths. One that npm has left out, since it is for another system, takes no space. */
export function readInstalledSize(root: string, paths: readonly string[]): InstalledSize {
  const sizes = paths.map((path) => toBytes(join(root, path))).filter((bytes) => bytes > 0);
  return { packages: sizes.length, bytes: sizes.reduce((sum, bytes) => sum + bytes, 0) };
}

/** In blocks, as `du` counts them. Packages within this one are packages of their own. */
function toBytes(path: string): number {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (entry === undefined) return 0;
  const names = entry.isDirectory() ? readdirSync(path).filter((name) => name !== "node_modules") : [];
  return names.reduce((sum, name) => sum + toBytes(join(path, name)), entry.blocks * 512);
}
