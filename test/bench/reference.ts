// The server under test, as its own command runs it: durable, with its log.
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { CLI } from "../support/command.js";
import { type Program, startProgram } from "./program.js";
import { AS_OF } from "./seeds.js";

/** The server on a data folder; a seed's name or file fills a new one. */
export function startReference(folder: string, seed: string, env: Record<string, string> = {}): Promise<Program> {
  return startProgram([CLI, "serve", "--port", "0", "--data", folder, "--seed", seed, "--now", AS_OF], env);
}

/** Lends a new data folder, which is gone afterwards. */
export async function withDataFolder<T>(above: string, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(above, "data-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
