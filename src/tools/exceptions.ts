// Lists of known differences, which `verify` excuses and `review` accepts. The schema of verify.config.json, which may
// have such a list, describes both. And the JSON files that a user names.
import { readFileSync, statSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { findViolations } from "../contract/violation.js";
import { ConfigError } from "../core/options.js";

/** Reading a device such as /dev/zero would not end. A pipe may be the output of a program: `<(…)`. */
function assertEnds(path: string): void {
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

const SCHEMA_PATH = new URL("../../src/tools/verify/verify.config.schema.json", import.meta.url);

/**
 * A difference that is declared by the user, or implied by the kind of target. Its cases still run, to report if it is
 * needed.
 */
export interface Exception {
  /** A clause, a decision, or a part of a case's name. */
  match: string;
  reason: string;
  /** The last day on which it applies: `2026-12-31`. */
  until?: string | undefined;
  /** True if the kind of target implies it; then it may match nothing. */
  isImplied?: boolean;
}

export const isInForce = ({ until }: Exception, today = new Date()): boolean =>
  until === undefined || today.toISOString().slice(0, 10) <= until;

/**
 * Reads a file with a list of `{ "match": …, "reason": …, "until": … }`.
 * @throws ConfigError
 */
export const loadExceptions = (path: string): Exception[] => loadValid(path, "#/properties/exceptions");

/**
 * Reads a JSON file and validates it.
 * @param part the fragment of the schema that the file has to match
 * @throws ConfigError that lists all violations
 */
export function loadValid<T>(path: string, part: string): T {
  const value = readJson(path);
  const schema = { ...JSON.parse(readFileSync(SCHEMA_PATH, "utf8")), $id: "config" };
  const ajv = new Ajv2020({ strict: false, allErrors: true }).addSchema(schema);
  ajvFormats.default(ajv, { mode: "full", formats: ["date"] }); // the fast mode accepts February 31
  const violations = findViolations(ajv.compile({ $ref: `config${part}` }), value, "file");
  if (violations.length === 0) return value as T;
  const lines = violations.map(({ location, message }) => `  ${location} ${message}`);
  throw new ConfigError([`${path} violates its schema:`, ...lines].join("\n"));
}
