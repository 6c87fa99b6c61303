// What is wrong with a request by the contract, and the 422 that says all of it at once, by location (D-49).
import type { Contract } from "../contract/contract.js";
import type { Operation } from "../contract/operations.js";
import { RequestError, type Violation } from "./errors.js";
import type { Query } from "./query.js";

export interface Finding {
  /** Where, part by part: `["body", "channels", "email"]`. */
  path: string[];
  message: string;
  value?: unknown;
}

export const UNKNOWN = "is not known here";

// A body of 100 kB can have ten thousand faults (D-49).
const MOST_SHOWN = 100;
const MOST_TOLD = 10;

/**
 * Finds what is wrong with a query of an operation and yet passes EOV: names that the
 * contract does not have (D-28), and texts that Ajv coerces into an integer although they are no decimal digits (D-29):
 * `1e1`, ` 5`, `Infinity`.
 */
export function createFindOverlooked({ parameters }: Operation): (query: Query) => Finding[] {
  const integers = parameters.filter(({ schema }) => schema.type === "integer").map(({ name }) => name);
  return ({ values, unknown }) => {
    const coerced = integers.filter((name) => isCoerced(values[name]));
    return [
      ...unknown.map((name) => ({ path: ["query", name], message: UNKNOWN })),
      ...coerced.map((name) => ({ path: ["query", name], message: "must be integer", value: values[name] })),
    ];
  };
}

function isCoerced(value: string | string[] | undefined): boolean {
  if (typeof value !== "string" || value === "") return false;
  if (/^-?\d+$/.test(value)) return !Number.isFinite(Number(value)); // Ajv compares no bounds with infinity
  return !(Number(value) % 1) && !Number.isNaN(Number(value));
}

export function toInvalidRequest(findings: Finding[], contract: Contract, operation: Operation): RequestError {
  const violations = new Map<string, Violation>();
  for (const { path, message, value } of findings) {
    const location = toLocation(path);
    if (violations.size >= MOST_SHOWN && !violations.has(location)) continue;
    const { reason, known } = contract.placeOf(operation, path);
    const violation: Violation = violations.get(location) ?? {
      messages: [],
      ...(value === undefined ? {} : { value }),
      ...reason,
    };
    violation.messages.push(known && known.length > 0 ? `${message}; known are ${known.join(", ")}` : message);
    violations.set(location, violation);
  }
  const list = [...violations].map(([location, { messages }]) => `${location} ${messages.join(" and ")}`);
  const message = `${list.slice(0, MOST_TOLD).join(". ")}${list.length > MOST_TOLD ? ". `errors` has more." : ""}`;
  return new RequestError("invalidRequest", message, { violations: Object.fromEntries(violations) });
}

/** `body.channels.email`; a name that has a dot itself is quoted: `query["limit.x"]`. */
export function toLocation([source = "", ...names]: string[]): string {
  return names.reduce((text, name) => text + (name.includes(".") ? `["${name}"]` : `.${name}`), source);
}
