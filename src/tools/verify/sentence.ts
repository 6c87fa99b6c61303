// Words for what differs: the sentence that a failure begins with, if its case has none of its own.
import { isObject } from "../../contract/json.js";

/** A value: JSON, truncated to a readable length. */
export function shorten(value: unknown, longest = 400): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`;
}

/** Two values, quoted where one is a text and the other is not: `"true"` is not `true`. */
export function formatPair(expected: unknown, actual: unknown, longest?: number): [string, string] {
  const isScalar = (value: unknown) => value !== undefined && !isObject(value) && !Array.isArray(value);
  const isQuoted = isScalar(expected) && isScalar(actual) && typeof expected !== typeof actual;
  const format = (value: unknown) => shorten(isQuoted ? JSON.stringify(value) : value, longest);
  return [format(expected), format(actual)];
}

const LONGEST = 100;
const NAMES: Readonly<Record<string, string>> = { "body.data": "The page", body: "The response" };

/** The subject of a sentence: a place as code, words as they are. */
const nameSubject = (what: string): string =>
  NAMES[what] ?? (what.includes(" ") ? `${capitalize(what)}:` : `\`${what}\``);
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `\`body.hasMore\` is true instead of false.` */
export function formatValues(what: string, expected: unknown, actual: unknown): string {
  const name = nameSubject(what);
  const [wanted, got] = formatPair(expected, actual, LONGEST);
  const verb = name.endsWith(":") ? "" : "is ";
  if (expected === undefined)
    return `${name} ${verb ? "must be absent, and is " : ""}${got}${verb ? "" : ", not none"}.`;
  if (actual !== undefined && actual !== null) return `${name} ${verb}${got} instead of ${wanted}.`;
  return `${name} ${verb}missing${isObject(expected) ? "" : `, and must be ${wanted}`}.`;
}

export type ListDifference = "foreign" | "missing" | "order";

/** How two lists of texts differ. */
export function compareLists(expected: readonly string[], actual: readonly string[]) {
  const missing = expected.find((item) => !actual.includes(item));
  const foreign = actual.find((item) => !expected.includes(item));
  const kind: ListDifference = foreign !== undefined ? "foreign" : missing !== undefined ? "missing" : "order";
  return { kind, missing, foreign };
}

/** Says what a list of texts lacks, and what it has in its place. */
export function formatLists(what: string, expected: readonly string[], actual: readonly string[]): string {
  const { missing, foreign } = compareLists(expected, actual);
  const verb = what.includes(" ") ? "" : "has ";
  if (foreign === undefined)
    return `${nameSubject(what)} ${missing === undefined ? `${verb}another order` : `${verb ? "lacks" : "without"} ${missing}`}.`;
  const reason = missing === undefined ? "which should not be there" : `instead of ${missing}`;
  return `${nameSubject(what)} ${verb}${foreign}${missing === undefined ? "," : ""} ${reason}.`;
}
