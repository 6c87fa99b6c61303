// Reads a JSON file that the user names: a config file, a recorded usage, a coverage.
import { readFileSync } from "node:fs";
import { ConfigError } from "../server/config.js";

/** @throws ConfigError if the file cannot be read or is not JSON. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new ConfigError(`${path} cannot be read: ${(error as Error).message}`);
  }
}
