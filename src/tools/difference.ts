// The differences of two values: the places that differ, and two texts cut to the words around one. And a
// long body cut to the item that a report is about, so that the rest stays JSON.
import { isDeepStrictEqual } from "node:util";
import { isObject } from "../contract/json.js";

interface ValueDifference {
  /** `body.data.0._id` */
  place: string;
  /** Its keys below the whole value. */
  path: string[];
  expected: unknown;
  actual: unknown;
}

/** The first place at which two JSON values differ. */
export function findDifference(expected: unknown, actual: unknown, place: string): ValueDifference | undefined {
  const [first] = findDifferences(expected, actual, place);
  return first;
}

/** All places at which two JSON values differ. The order of members does not matter. */
export function* findDifferences(
  expected: unknown,
  actual: unknown,
  place: string,
  path: string[] = [],
): Generator<ValueDifference> {
  if (isDeepStrictEqual(expected, actual)) return;
  if (!isContainer(expected) || !isContainer(actual) || Array.isArray(expected) !== Array.isArray(actual)) {
    yield { place, path, expected, actual };
    return;
  }
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)]))
    yield* findDifferences(expected[key], actual[key], `${place}.${key}`, [...path, key]);
}

export function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** The number of equal characters to keep on either side, in whole words. */
const CONTEXT = 40;
const LIMIT = 160;

/** `“… at most 255 …” → “… at most 512 …”` */
export function formatDifference(before: unknown, after: unknown): string {
  return cutAround(before, after).join(" → ");
}

/** Both texts, quoted. A missing value is `nothing`. */
function cutAround(before: unknown, after: unknown): [string, string] {
  const [one, other] = [splitWords(before), splitWords(after)];
  const start = countEqual(one, other);
  const end = countEqual(one.slice(start).toReversed(), other.slice(start).toReversed());
  const from = start - countContext(one.slice(0, start).toReversed());
  const behind = end - countContext(one.slice(one.length - end));
  const truncate = (words: string[]) => {
    const middle = words.slice(from, words.length - behind);
    return quote([...(from > 0 ? ["… "] : []), ...middle, ...(behind > 0 ? ["…"] : [])]);
  };
  return [truncate(one), truncate(other)];
}

/** Counts the first words that fit into the context. */
function countContext(words: readonly string[]): number {
  const end = words.findIndex((_word, index) => words.slice(0, index + 1).join("").length > CONTEXT);
  return end === -1 ? words.length : end;
}

function countEqual(words: readonly string[], otherWords: readonly string[]): number {
  const end = words.findIndex((word, index) => word !== otherWords[index]);
  return end === -1 ? words.length : end;
}

/** Each word keeps the blank or comma after it. */
function splitWords(value: unknown): string[] {
  const text = typeof value === "string" ? value.trim() : JSON.stringify(value);
  return text?.split(/(?<=[\s,])(?=[^\s,])/) ?? [];
}

function quote(words: readonly string[]): string {
  if (words.length === 0) return "nothing";
  const text = words.join("").replaceAll(/\s*\n\s*/g, " ");
  if (text.length <= LIMIT) return `“${text}”`;
  const end = text.slice(0, LIMIT).search(/[\s,][^\s,]*$/);
  return `“${text.slice(0, end > 0 ? end : LIMIT)}…”`;
}

const LONGEST = 4000;

/** @param path the place that is wrong, below the body: `["data", "0", "createdAt"]`. Its indexes stay valid. */
export function shortenBody(text: string, path: readonly string[] = []): string {
  if (text.length <= LONGEST) return text;
  try {
    const shortened = JSON.stringify(shortenLists(JSON.parse(text), path));
    if (shortened.length <= LONGEST) return shortened;
  } catch {
    // not JSON: only its start is shown
  }
  return text.slice(0, LONGEST);
}

function shortenLists(value: unknown, [name, ...path]: readonly string[]): unknown {
  if (Array.isArray(value)) {
    const kept = Number(name) || 0;
    const items = value.slice(0, kept + 1).map((item, index) => (index === kept ? shortenLists(item, path) : "…"));
    const more = value.length - items.length;
    return more > 0 ? [...items, `… ${more} more`] : items;
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key, shortenLists(member, key === name ? path : [])]);
  return Object.fromEntries(members);
}
