// Where a run took place: figures of different machines cannot be compared.
import { readFile } from "node:fs/promises";
import { cpus, loadavg, platform, release, totalmem } from "node:os";
import { join } from "node:path";
import { ROOT } from "../support/command.js";

export interface Machine {
  processor: string;
  memoryGb: number;
  system: string;
  node: string;
  /** By package. */
  versions: Record<string, string>;
  /** Programs that wanted to run when the bench began. */
  loadAverage: number;
}

const PACKAGES = ["express", "express-openapi-validator", "@stoplight/prism-cli", "autocannon"];

export async function readMachine(): Promise<Machine> {
  const [processor] = cpus();
  const versions = await Promise.all(PACKAGES.map(async (name) => [name, await readVersion(name)] as const));
  return {
    processor: `${cpus().length} × ${processor?.model.trim() ?? "unknown"}`,
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    system: `${platform()} ${release()}`,
    node: process.version,
    versions: Object.fromEntries(versions),
    loadAverage: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  };
}

async function readVersion(name: string): Promise<string> {
  return JSON.parse(await readFile(join(ROOT, "node_modules", name, "package.json"), "utf8")).version;
}
