// How a request violates the contract, and the 422 that lists every violation by location (D-49).
import type { Contract } from "../contract/contract.js";
import { valueAt } from "../contract/openapi-document.js";
import type { Operation } from "../contract/operations.js";
import { type ErrorEntry, RequestError } from "./errors.js";
import type { Query } from "./query.js";

export interface RequestViolation {
  /** Where, part by part: `["body", "channels", "email"]`. */
  path: string[];
  message: string;
  value?: unknown;
}

const UNKNOWN_NAME = "is unknown";

/** An error of Ajv. */
export interface SchemaError {
  path: string[];
  keyword: string;
  message: string;
}

/** The errors of a schema in our words. `sent` has the values as they were sent. */
export function toViolations(errors: readonly SchemaError[], values: Record<string, unknown>): RequestViolation[] {
  // A pattern beside a format says the same thing once more, and less readably.
  const formats = new Set(errors.flatMap(({ keyword, path }) => (keyword === "format" ? toLocation(path) : [])));
  return errors
    .filter(({ keyword, path }) => keyword !== "pattern" || !formats.has(toLocation(path)))
    .map(({ path, keyword, message }) => ({
      path,
      message: MESSAGES[keyword] ?? message,
      value: valueAt(values, path),
    }));
}

const MESSAGES: Readonly<Record<string, string>> = { required: "is required", additionalProperties: UNKNOWN_NAME };

// A body of 100 kB can have ten thousand violations (D-49).
const MAX_ENTRIES = 100;
const MAX_IN_MESSAGE = 10;

/**
 * Finds the violations of a query that EOV lets pass: unknown names (D-28), and texts that Ajv coerces into an integer
 * although they are not decimal digits (D-29): `1e1`, ` 5`, `Infinity`.
 */
export function createFindCoercions({ parameters }: Operation): (query: Query) => RequestViolation[] {
  const integers = parameters.filter(({ schema }) => schema.type === "integer").map(({ name }) => name);
  return ({ values, unknown }) => {
    const coerced = integers.filter((name) => isCoerced(values[name]));
    return [
      ...unknown.map((name) => ({ path: ["query", name], message: UNKNOWN_NAME })),
      ...coerced.map((name) => ({ path: ["query", name], message: "must be integer", value: values[name] })),
    ];
  };
}

function isCoerced(value: string | string[] | undefined): boolean {
  if (typeof value !== "string" || value === "") return false;
  if (/^-?\d+$/.test(value)) return !Number.isFinite(Number(value)); // Ajv compares no bounds with infinity
  return !(Number(value) % 1) && !Number.isNaN(Number(value));
}

export function toInvalidRequest(
  violations: RequestViolation[],
  contract: Pick<Contract, "findCitation">,
  operation: Operation,
): RequestError {
  const entries = new Map<string, ErrorEntry>();
  for (const { path, message, value } of violations) {
    const location = toLocation(path);
    if (entries.size >= MAX_ENTRIES && !entries.has(location)) continue;
    const { citation, knownNames } = contract.findCitation(operation, path);
    const violation: ErrorEntry = entries.get(location) ?? {
      messages: [],
      ...(value === undefined ? {} : { value }),
      ...citation,
    };
    violation.messages.push(
      knownNames && knownNames.length > 0 ? `${message}; expected one of ${knownNames.join(", ")}` : message,
    );
    entries.set(location, violation);
  }
  const list = [...entries].map(([location, { messages }]) => `${location} ${messages.join(" and ")}`);
  const message = `${list.slice(0, MAX_IN_MESSAGE).join(". ")}${list.length > MAX_IN_MESSAGE ? ". See `errors` for the rest." : ""}`;
  return new RequestError("invalidRequest", message, { violations: Object.fromEntries(entries) });
}

/** `body.channels.email`; a name that has a dot itself is quoted: `query["limit.x"]`. */
export function toLocation([source = "", ...names]: string[]): string {
  return names.reduce((text, name) => text + (name.includes(".") ? `["${name}"]` : `.${name}`), source);
}
