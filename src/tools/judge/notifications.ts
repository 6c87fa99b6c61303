// The reference model of listing: which notifications match a query. Written from the contract, not from the server's code.
import type { Notification } from "../../contract/schemas.js";

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
  const members = FILTERS[filter]?.members ?? [];
  return members.flatMap((member) => {
    let places: unknown[] = [{ data: record }];
    for (const name of member.split("."))
      places = places.flatMap((place) => (place as Record<string, unknown>)[name] ?? []);
    return places.map(String);
  });
}

/** These select one set of subscribers together (D-35). */
export const SUBSCRIBER_FILTERS = ["emails", "subscriberIds", "search"];

/** True if a record matches a query (D-30 to D-40). */
export function isMatch(record: Notification, query: Query): boolean {
  const { search, after, before } = query;
  const has = (name: string) => {
    const own = filterValuesOf(record, name);
    const sought = [query[name] ?? []].flat().map(String);
    return sought.some((value) => own.includes(name === "templates" ? value.toLowerCase() : value));
  };
  const email = record.subscriber?.email?.toLowerCase();
  const isInEmail = search !== undefined && email?.includes(String(search).toLowerCase());
  const hasSubscriberFilter = SUBSCRIBER_FILTERS.some((name) => query[name] !== undefined);
  return (
    OTHER_FILTERS.every((name) => query[name] === undefined || has(name)) &&
    (!hasSubscriberFilter || SUBSCRIBER_FILTERS.some(has) || isInEmail === true) &&
    (after === undefined || compareInstants(String(record.createdAt), String(after)) > 0) &&
    (before === undefined || compareInstants(String(record.createdAt), String(before)) < 0)
  );
}

/** True if every implementation finds the same records for a text: how it folds letters beyond ASCII is up to it (D-82). */
export function isSearchable(text: string): boolean {
  return ![...text].some((char) => char > "\u007f" && !(char === char.toLowerCase() && char === char.toUpperCase()));
}

const OTHER_FILTERS = Object.keys(FILTERS).filter((name) => !SUBSCRIBER_FILTERS.includes(name));

/** True if `after` is later than `before` (D-41). */
export function isInverted({ after, before }: Query): boolean {
  return after !== undefined && before !== undefined && compareInstants(String(after), String(before)) > 0;
}

/** True if every implementation reads an instant alike: digits beyond milliseconds may be dropped (D-39). */
export function isWholeMillisecond(instant: unknown): boolean {
  return !/\.\d{3}\d*[1-9]/.test(String(instant));
}

/** Negative if the first is earlier, 0 if they are the same instant, NaN if either is not an instant. */
function compareInstants(first: string, second: string): number {
  return toMilliseconds(first) - toMilliseconds(second);
}

/** Milliseconds since 1970, with a fraction. */
function toMilliseconds(text: string): number {
  const [, time = "", fraction = "", offset = ""] = /^(.{19})(?:\.(\d+))?(.*)$/.exec(text) ?? [];
  const [whole, leap] = time.endsWith(":60") ? [`${time.slice(0, -2)}59`, 1] : [time, 0]; // a leap second counts as the next second
  const seconds = Date.parse(`${whole}${offset}`.toUpperCase()) / 1000 + leap;
  return seconds * 1000 + Number(`.${fraction}0`) * 1000;
}
