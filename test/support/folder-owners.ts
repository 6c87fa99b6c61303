import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** The pids that a data folder's lock names: one, or none where nobody has it. */
export async function readOwners(folder: string): Promise<number[]> {
  const names = await readdir(join(folder, ".lock")).catch(() => []);
  return names.filter((name) => /^\d/.test(name)).map((name) => Number.parseInt(name, 10));
}
