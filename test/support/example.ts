// Copies of the examples of docs/examples, installed as npm would: with links to this package and to those of its
// node_modules.
import { cp, mkdir, readFile, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import { linkCommand, ROOT } from "./command.js";
import { createTemporaryFolder } from "./temporary-folder.js";

export interface ExampleManifest {
  scripts: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

export const toExample = (name: string) => join(ROOT, "docs/examples", name);

export async function readManifest(name: string): Promise<ExampleManifest> {
  return JSON.parse(await readFile(join(toExample(name), "package.json"), "utf8"));
}

/** Returns the folder of the copy, which has what its package.json names, and nothing else. */
export async function copyExample(name: string): Promise<string> {
  const folder = await createTemporaryFolder(afterAll);
  await cp(toExample(name), folder, { recursive: true });
  const { dependencies, devDependencies } = await readManifest(name);
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) await linkPackage(folder, name);
  await linkCommand(folder);
  return folder;
}

export async function linkPackage(folder: string, name: string): Promise<void> {
  const path = join(folder, "node_modules", name);
  await mkdir(dirname(path), { recursive: true });
  await symlink(name === "notifications-contract" ? ROOT : join(ROOT, "node_modules", name), path);
}
