// The reference model of listing: which notifications match a query. Written from the contract, not from the server's
// code.

import type { Notification } from "../../contract/contract-types.js";
import { toList } from "../../contract/lists.js";
import { memoize } from "../../contract/memoize.js";

/** Query parameters as values: `{ channels: ["email"], limit: 5 }`. */
export type Query = Record<string, unknown>;

/** The filters: for each, the decision that defines it, and the members of a page that it compares. */
export const FILTERS: Record<string, { cite: string; members: string[] }> = {
  channels: { cite: "D-30", members: ["data.channels"] },
  templates: { cite: "D-31", members: ["data._templateId"] },
  emails: { cite: "D-32", members: ["data.subscriber.email"] },
  subscriberIds: { cite: "D-33", members: ["data.subscriber.subscriberId"] },
  search: { cite: "D-34", members: ["data.subscriber.email", "data.subscriber.subscriberId"] },
  transactionId: { cite: "D-37", members: ["data.transactionId"] },
  topicKey: { cite: "D-38", members: ["data.topics.topicKey"] },
};

/** A record's values that a filter compares. */
export function filterValuesOf(record: Notification, filter: string): string[] {
  return comparedValuesOf(record)[filter] ?? [];
}

/** The values of a record that filters compare. Cached, since a run compares each record with many queries. */
const comparedValuesOf = memoize(
  (record: Notification): Record<string, string[]> =>
    Object.fromEntries(
      Object.entries(FILTERS).map(([name, { members }]) => [
        name,
        members.flatMap((member) => readValues(record, member)),
      ]),
    ),
);

function readValues(record: Notification, member: string): string[] {
  let places: unknown[] = [{ data: record }];
  for (const name of member.split("."))
    places = places.flatMap((place) => (place as Record<string, unknown>)[name] ?? []);
  return places.map(String);
}

/** These select one set of subscribers together (D-35). */
export const SUBSCRIBER_FILTERS = ["emails", "subscriberIds", "search"];

const COMPARED = new Set(Object.values(FILTERS).flatMap(({ members }) => members));

/** The members that some record has: an optional member that all lack is one that the target does not send (D-11). */
export function membersOf(records: readonly Notification[]): ReadonlySet<string> {
  return new Set([...COMPARED].filter((member) => records.some((record) => readValues(record, member).length > 0)));
}

type Matcher = (record: Notification) => boolean | undefined;

/**
 * Creates the check that a record matches a query (D-30 to D-40); undefined if that depends on a member that it does
 * not show.
 * @param sent the members that the target sends; default: all that filters compare.
 */
export function createIsMatch(query: Query, sent: ReadonlySet<string> = COMPARED): Matcher {
  const names = Object.keys(query).filter((name) => query[name] !== undefined);
  const createAll = (some: string[]) => some.map((name) => createMatcher(name, query[name], sent));
  const ofRecords = createAll(names.filter((name) => !SUBSCRIBER_FILTERS.includes(name)));
  const ofSubscriber = createAll(names.filter((name) => SUBSCRIBER_FILTERS.includes(name)));
  return (record) => {
    let isKnown = true;
    for (const matches of ofRecords) {
      const verdict = matches(record);
      if (verdict === false) return false; // early, since a run compares thousands of queries with all records
      isKnown &&= verdict !== undefined;
    }
    const verdicts = ofSubscriber.map((matches) => matches(record));
    const isWanted = verdicts.length === 0 || verdicts.includes(true);
    if (!isWanted && !verdicts.includes(undefined)) return false;
    return isWanted && isKnown ? true : undefined;
  };
}

/** The same for one parameter of the query. */
function createMatcher(name: string, value: unknown, sent: ReadonlySet<string>): Matcher {
  if (name === "after" || name === "before") {
    const bound = parseMilliseconds(String(value));
    const isWithin = (instant: number) => (name === "after" ? instant > bound : instant < bound);
    return ({ createdAt }) => (createdAt === undefined ? undefined : isWithin(parseMilliseconds(createdAt)));
  }
  const { members } = FILTERS[name] ?? {};
  if (!members) return () => true; // a page, or a parameter that laws do not know
  const isSent = members.every((member) => sent.has(member));
  const sought = toList(value).map((text) => (name === "templates" ? String(text).toLowerCase() : String(text)));
  const part = name === "search" ? sought[0]?.toLowerCase() : undefined;
  return (record) => {
    const values = filterValuesOf(record, name);
    const isEqual = sought.some((text) => values.includes(text));
    if (isEqual || (part !== undefined && record.subscriber?.email?.toLowerCase().includes(part))) return true;
    return isSent ? false : undefined;
  };
}

/**
 * True if every implementation finds the same records for a text: how it folds letters beyond ASCII is up to it (D-82).
 */
export function isSearchable(text: string): boolean {
  return ![...text].some((char) => char > "\u007f" && !(char === char.toLowerCase() && char === char.toUpperCase()));
}

/** True if `after` is later than `before` (D-41). */
export function isInverted({ after, before }: Query): boolean {
  return after !== undefined && before !== undefined && compareInstants(String(after), String(before)) > 0;
}

/**
 * True if a record must be listed before another: newest first, then by descending _id, as far as both have them
 * (D-25).
 */
export function comesBefore(record: Notification, other: Notification): boolean {
  if (record.createdAt === undefined || other.createdAt === undefined) return false;
  const difference = compareInstants(record.createdAt, other.createdAt);
  const isGreater = record._id !== undefined && other._id !== undefined && record._id > other._id;
  return difference > 0 || (difference === 0 && isGreater);
}

/** True if every implementation reads an instant alike: digits beyond milliseconds may be dropped (D-39). */
export function isWholeMillisecond(instant: unknown): boolean {
  return !/\.\d{3}\d*[1-9]/.test(String(instant));
}

/** Negative if the first is earlier, 0 if they are the same instant, NaN if either is not an instant. */
function compareInstants(first: string, second: string): number {
  return parseMilliseconds(first) - parseMilliseconds(second);
}

/** Milliseconds since 1970, with a fraction. */
function parseMilliseconds(text: string): number {
  const [, time = "", fraction = "", offset = ""] = /^(.{19})(?:\.(\d+))?(.*)$/.exec(text) ?? [];
  // A leap second counts as the next second.
  const [whole, leap] = time.endsWith(":60") ? [`${time.slice(0, -2)}59`, 1] : [time, 0];
  const seconds = Date.parse(`${whole}${offset}`.toUpperCase()) / 1000 + leap;
  return seconds * 1000 + Number(`.${fraction}0`) * 1000;
}
