// Seeds of a size, multiplied from the demo seed. Large ones take a while: they are made once and kept.
import { existsSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { multiplyDemoSeed } from "../support/large-seed.js";

/** Where everything is that one run leaves for the next. */
export const CACHE_FOLDER = join(tmpdir(), "notifications-contract-bench");

/** The present of every seed; the servers' clocks stand still at it, so that every run lists the same bytes. */
export const AS_OF = "2026-11-02T09:00:00.000Z";

const MAX_SUBSCRIBERS = 100_000;

/** The file of a seed with that many notifications, and as many subscribers up to a hundred thousand. */
export async function provideSeed(size: number): Promise<string> {
  const path = join(CACHE_FOLDER, `multiplied-${size}.json`);
  if (existsSync(path)) return path;
  await mkdir(CACHE_FOLDER, { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, multiplyDemoSeed({ notifications: size, subscribers: Math.min(size, MAX_SUBSCRIBERS) }));
  await rename(unfinished, path);
  return path;
}
