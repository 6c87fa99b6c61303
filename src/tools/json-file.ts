// Reads a JSON file that the user names: a config file, a list of exceptions.
import { readFileSync, statSync } from "node:fs";
import { ConfigError } from "../core/options.js";

/** Reading a device such as /dev/zero would not end. A pipe may be the output of a program: `<(…)`. */
export function assertEnds(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats && !stats.isFile() && !stats.isFIFO() && !stats.isDirectory())
    throw new ConfigError(`${path} is neither a file nor a pipe.`);
}

/** @throws ConfigError if the file cannot be read or is not JSON. */
export function readJson(path: string): unknown {
  try {
    assertEnds(path);
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new ConfigError(`${path} cannot be read: ${(error as Error).message}`);
  }
}
