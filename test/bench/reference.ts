// The server under test, as its own command runs it: durable, with its log; and its seeds, multiplied from the demo seed. Large ones
// take a while: they are made once and kept.
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { CLI } from "../support/command.js";
import { multiplyDemoSeed } from "../support/large-seed.js";
import { type Program, startProgram } from "./program.js";

/** Where everything is that one run leaves for the next. */
const CACHE_FOLDER = join(tmpdir(), "notifications-contract-bench");

/** The present of every seed; the servers' clocks stand still at it, so that every run lists the same bytes. */
const AS_OF = "2026-11-02T09:00:00.000Z";

/** The file of a seed with that many notifications, and as many subscribers. */
export async function provideSeed(size: number): Promise<string> {
  const path = join(CACHE_FOLDER, `multiplied-${size}.json`);
  if (existsSync(path)) return path;
  await mkdir(CACHE_FOLDER, { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, multiplyDemoSeed({ notifications: size, subscribers: size }));
  await rename(unfinished, path);
  return path;
}

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
