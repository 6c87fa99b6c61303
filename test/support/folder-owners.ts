import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Returns the pids in the lock of a data folder: at most one. */
export async function readOwners(folder: string): Promise<number[]> {
  const names = await readdir(join(folder, ".lock")).catch(() => []);
  return names.filter((name) => /^\d/.test(name)).map((name) => Number.parseInt(name, 10));
}
