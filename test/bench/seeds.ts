// Seeds of a size, from the project's own generator. Large ones take a while: they are made once and kept.
import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT, runToEnd } from "../support/command.js";

/** Where everything is that one run leaves for the next. */
export const CACHE_FOLDER = join(tmpdir(), "notifications-contract-bench");

/** The present of every seed; the servers' clocks stand still at it, so that every run lists the same bytes. */
export const AS_OF = "2026-11-02T09:00:00.000Z";

/** The generator makes no such seed. */
export class SeedError extends Error {
  override name = "SeedError";
}

const MAX_SUBSCRIBERS = 100_000; // with a million of them the text would be longer than a string in Node can be

/** The file of a seed with that many notifications, and as many subscribers up to a hundred thousand. */
export async function provideSeed(size: number, { brief = false }: { brief?: boolean } = {}): Promise<string> {
  const path = join(CACHE_FOLDER, `seed-${size}${brief ? "-brief" : ""}.json`);
  if (existsSync(path)) return path;
  await mkdir(CACHE_FOLDER, { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  const generator = join(ROOT, "dist/seed/main.js");
  const counts = ["--subscribers", String(Math.min(size, MAX_SUBSCRIBERS)), "--notifications", String(size)];
  const args = [generator, ...counts, ...(brief ? ["--brief"] : []), "--out", unfinished];
  const { code, output } = await runToEnd(process.execPath, args);
  if (code !== 0) throw new SeedError(`There is no seed of ${size.toLocaleString("en")}. ${output.trim()}`);
  await rename(unfinished, path);
  return path;
}
