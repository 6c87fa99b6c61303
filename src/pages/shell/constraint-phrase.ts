// The keywords of a schema as phrases: `at most 50`. The docs and the review share them.
import { toList } from "../../contract/lists.js";

const PHRASES: Readonly<Record<string, (value: string) => string>> = {
  type: (value) => `of type ${value}`,
  const: (value) => `always ${value}`,
  enum: (value) => `one of ${value}`,
  format: (value) => `of the format ${value}`,
  pattern: (value) => `matching \`${value}\``,
  minimum: (value) => `at least ${value}`,
  maximum: (value) => `at most ${value}`,
  exclusiveMinimum: (value) => `more than ${value}`,
  exclusiveMaximum: (value) => `less than ${value}`,
  multipleOf: (value) => `a multiple of ${value}`,
  minLength: (value) => (value === "1" ? "not empty" : `at least ${count(value, "character")}`),
  maxLength: (value) => `at most ${count(value, "character")}`,
  minItems: (value) => `at least ${count(value, "item")}`,
  maxItems: (value) => `at most ${count(value, "item")}`,
  uniqueItems: (value) => (value === "true" ? "without duplicates" : "with or without duplicates"),
  minProperties: (value) => `at least ${count(value, "member")}`,
  maxProperties: (value) => `at most ${count(value, "member")}`,
  default: (value) => `${value} by default`,
};

const count = (value: string, noun: string) => `${value} ${noun}${value === "1" ? "" : "s"}`;

/** In the order in which they are shown. */
export const PHRASED_KEYWORDS: readonly string[] = Object.keys(PHRASES);

/**
 * Code is between backticks.
 * @param unit of its numbers: a long time is also said in other units.
 */
export function describeConstraint(keyword: string, value: unknown, unit?: Unit): string {
  const phrase = phraseOf(keyword, value);
  const inUnits = unit !== undefined && typeof value === "number" ? formatDuration(value, unit) : "";
  return inUnits === "" ? phrase : `${phrase} (${inUnits})`;
}

function phraseOf(keyword: string, value: unknown): string {
  const values = toList(value).map((item) => (typeof item === "string" ? item : JSON.stringify(item)));
  const name = keyword === "enum" && values.length === 1 ? "const" : keyword;
  const text = values.join(", ");
  return PHRASES[name]?.(text) ?? `${name} ${text}`;
}

/** In milliseconds. */
const UNITS = { milliseconds: 1, seconds: 1_000 } as const;
type Unit = keyof typeof UNITS;

/** The unit that a name such as `delayMs` or `ttlSeconds` ends in. */
export function unitOf(name: string): Unit | undefined {
  if (/(?:^m|M)illiseconds$|Ms$/.test(name)) return "milliseconds";
  return /(?:^s|S)econds$/.test(name) ? "seconds" : undefined;
}

const DAY_MS = 24 * 3_600_000;
const LONG: readonly (readonly [milliseconds: number, noun: string])[] = [
  [365 * DAY_MS, "year"],
  [DAY_MS, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
  [1_000, "second"],
];

/** `100 years`; empty for a time that is short in its own unit. */
function formatDuration(value: number, unit: Unit): string {
  const milliseconds = value * UNITS[unit];
  const [size, noun] = LONG.find(([least]) => Math.abs(milliseconds) >= least) ?? [];
  if (size === undefined || noun === undefined || size <= UNITS[unit]) return "";
  const rounded = Math.round((milliseconds / size) * 10) / 10;
  return `${rounded} ${noun}${Math.abs(rounded) === 1 ? "" : "s"}`;
}
