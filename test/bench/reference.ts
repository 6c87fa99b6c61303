// The server under test, as its own command runs it: durable, with its log.
import { existsSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { CLI } from "../support/command.js";
import { type Program, startProgram } from "./program.js";
import { AS_OF } from "./seeds.js";

/** The server on a data folder; a seed's name or file fills a new one. */
export function startReference(folder: string, seed: string): Promise<Program> {
  return startProgram([CLI, "serve", "--port", "0", "--data", folder, "--seed", seed, "--now", AS_OF]);
}

/** A new data folder in which a server has stored the seed. That takes ten seconds for a large one, so that it is done once. */
export async function createDataFolder(above: string, seed: string): Promise<string> {
  const storedSeed = join(above, `stored-${basename(seed)}`);
  if (!existsSync(storedSeed)) await (await startReference(storedSeed, seed)).stop();
  const folder = await mkdtemp(join(above, "data-"));
  await cp(storedSeed, folder, { recursive: true });
  return folder;
}

/** Lends a server on a new data folder with a seed stored in it. */
export async function withReference<T>(
  above: string,
  seed: string,
  use: (server: Program, folder: string) => Promise<T>,
): Promise<T> {
  const folder = await createDataFolder(above, seed);
  const server = await startReference(folder, seed);
  try {
    return await use(server, folder);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true });
  }
}
