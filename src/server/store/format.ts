// Parses environment files and seeds, and validates them in full.
import { isUtf8 } from "node:buffer";
import type { Contract } from "../../contract/contract.js";
import { mapDefined } from "../../contract/lists.js";
import { findNearestName } from "../../contract/nearest-name.js";
import type { Schema } from "../../contract/schema.js";
import type { Violation } from "../../contract/violation.js";
import { joinNotification } from "../../core/domain/notifications.js";
import { type EnvironmentData, toMemory } from "../../core/domain/state.js";
import { InvalidEnvironmentError } from "../../core/state/environment.js";
import { createEnvironmentState } from "../../core/state/environment-state.js";
import { ENVIRONMENT_FORMAT, ENVIRONMENT_SCHEMA, ENVIRONMENT_VERSION } from "./format/environment-schema.js";
import { findLine, findSyntaxError } from "./format/invalid-line.js";

const MAX_SHOWN = 5;

/** @throws InvalidEnvironmentError for no JSON, another format or version, or records that the contract forbids. */
export function parseEnvironment(bytes: Buffer, path: string, contract: Contract): EnvironmentData {
  const value = parseText(bytes, path);
  assertFormat(value, path);
  const violations = checkNames(contract.schemaOf(ENVIRONMENT_SCHEMA), value, ["environment"]);
  if (violations.length > 0) throw createInvalidError(path, bytes, violations);
  // Validated above.
  const { checksum: _checksum, $schema: _schema, ...data } = value as EnvironmentData & Record<string, unknown>;
  const inRecords = [...findDuplicates(data), ...checkNotifications(data, contract)];
  if (inRecords.length > 0) throw createInvalidError(path, bytes, inRecords);
  return data;
}

/** @throws InvalidEnvironmentError for another format or version. */
export function assertFormat(value: unknown, path: string): asserts value is object {
  const {
    format,
    version,
    extends: seed,
  } = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  if (format !== ENVIRONMENT_FORMAT) {
    const reason = `not an environment: its member "format" must be "${ENVIRONMENT_FORMAT}"`;
    throw new InvalidEnvironmentError(path, 1, reason);
  }
  if (version !== undefined && version !== ENVIRONMENT_VERSION) {
    const reason = `written by another release (version ${version}; this one reads ${ENVIRONMENT_VERSION})`;
    throw new InvalidEnvironmentError(path, 1, reason);
  }
  if (seed !== undefined) {
    const reason = "holds only what differs from another seed. Export it once with release 1.1.0, as a whole";
    throw new InvalidEnvironmentError(path, undefined, reason);
  }
}

const UNIQUE = [
  ["workflows", "_id"],
  ["workflows", "identifier"],
  ["subscribers", "_id"],
  ["subscribers", "subscriberId"],
  ["notifications", "_id"],
  ["preferences", "subscriberId"],
  ["recordedResponses", "key"],
] as const;

/** Ids and names are unique, which a schema cannot express. */
function findDuplicates(data: EnvironmentData): Violation[] {
  return mapDefined(UNIQUE, ([list, member]) => {
    const values = (data[list] as unknown as Record<string, string>[]).map((record) => record[member]);
    const known = new Set<unknown>();
    const index = values.findIndex((value) => known.size === known.add(value).size);
    if (index === -1) return undefined;
    return { location: `environment.${list}.${index}.${member}`, message: `${values[index]} occurs twice` };
  });
}

const NOTIFICATION = { $ref: "openapi.yaml#/components/schemas/Notification" };

/** Validates each notification as responses show it, so that lists are always valid. */
function checkNotifications(data: EnvironmentData, contract: Contract): Violation[] {
  const state = createEnvironmentState(toMemory({ ...data, notifications: [] })); // the records that are joined to them
  const schema = contract.schemaOf(NOTIFICATION);
  return data.notifications.flatMap((stored, index) =>
    checkNames(schema, joinNotification(stored, state), ["environment", "notifications", String(index)]),
  );
}

/** The violations of a value, each unknown name with the one that is nearest. */
function checkNames(schema: Schema, value: unknown, place: readonly string[]): Violation[] {
  return schema.check(value, [...place]).map((violation) => {
    const { location, message, code } = violation;
    if (code !== "additionalProperties") return violation;
    const path = location.split(".").slice(place.length);
    const name = path.pop() ?? "";
    const parent = path.reduce<Schema | undefined>(
      (at, part) => (/^\d+$/.test(part) ? at?.items : at?.member(part)),
      schema,
    );
    const nearest = parent && findNearestName(name, [...parent.members.keys()]);
    return { ...violation, message: `${message}${nearest === undefined ? "" : `. Did you mean ${nearest}?`}` };
  });
}

function createInvalidError(path: string, bytes: Buffer, violations: Violation[]): InvalidEnvironmentError {
  const line = findLine(bytes.toString(), violations[0]?.location ?? "");
  const lines = violations.slice(0, MAX_SHOWN).map(({ location, message }) => `${location} ${message}`);
  const more = violations.length > MAX_SHOWN ? `; and ${violations.length - MAX_SHOWN} more` : "";
  return new InvalidEnvironmentError(path, line, `${lines.join("; ")}${more}`);
}

/** @throws InvalidEnvironmentError */
function parseText(bytes: Buffer, path: string): unknown {
  const text = decode(bytes, path);
  if (text.trim() === "") throw new InvalidEnvironmentError(path, 1, "the file is empty");
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = (error as SyntaxError).message.replaceAll(/\s+/g, " "); // it quotes the file, with line breaks
    throw new InvalidEnvironmentError(path, findSyntaxError(text), `not JSON: ${reason}`);
  }
}

/** Rejects bytes that are not UTF-8: replaced by U+FFFD, they would be lost with the next write. */
function decode(bytes: Buffer, path: string): string {
  const text = bytes.toString("utf8");
  if (!isUtf8(bytes)) {
    const line = text.slice(0, text.indexOf("\uFFFD")).split("\n").length;
    throw new InvalidEnvironmentError(path, line, "not UTF-8");
  }
  if (text.startsWith("\uFEFF")) throw new InvalidEnvironmentError(path, 1, "starts with a byte order mark; remove it");
  return text;
}
