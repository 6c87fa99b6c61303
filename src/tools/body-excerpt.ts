// A body in a report: long lists are shortened to the item that the report is about, so that the rest stays JSON.
import { isObject } from "../contract/json.js";

const LONGEST = 4000;

/** @param path the place that is wrong, below the body: `["data", "0", "createdAt"]`. Its indexes stay valid. */
export function shortenBody(text: string, path: readonly string[] = [], longest = LONGEST): string {
  if (text.length <= longest) return text;
  try {
    const shortened = JSON.stringify(shortenLists(JSON.parse(text), path));
    if (shortened.length <= longest) return shortened;
  } catch {
    // not JSON: only its start is shown
  }
  return text.slice(0, longest);
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
