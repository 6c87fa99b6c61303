// What earlier exchanges say about a later one: the replay of a request, and the page after a page. Bounded: the proxy runs long.
import { isDeepStrictEqual } from "node:util";
import { at, type BehaviorCheck, type Exchange, type Page } from "./behavior-check.js";
import type { CitedViolation } from "./report-entry.js";

const MAX_EXCHANGES = 1000;
const REPLAYED_MS = 23 * 3_600_000; // a little less than a response is stored (D-60)
const PAGES_MS = 30_000; // new records move the others

interface Remembered {
  at: number;
  exchange: Exchange;
}

export function createExchangeMemory(): BehaviorCheck {
  const keyed = new Map<string, Remembered>();
  const pages = new Map<string, Remembered>();

  function remember(map: Map<string, Remembered>, key: string, exchange: Exchange): void {
    map.delete(key);
    map.set(key, { at: Date.now(), exchange });
    const [oldest] = map.keys();
    if (map.size > MAX_EXCHANGES && oldest !== undefined) map.delete(oldest);
  }

  return function checkMemory(exchange) {
    const { verdict, headers, method } = exchange;
    if (verdict.rejection !== undefined || headers.prefer !== undefined) return [];
    if (verdict.operation?.id === "updatePreferences") return checkReplay(exchange);
    if (verdict.operation?.id === "listNotifications" && method === "GET") return checkNextPage(exchange);
    return [];
  };

  function checkReplay(exchange: Exchange): CitedViolation[] {
    const { headers, responseHeaders, status, target, sent, received } = exchange;
    const key = String(headers["idempotency-key"] ?? "");
    if (key === "") {
      const isMarked = responseHeaders["idempotency-replay"] !== undefined;
      return isMarked ? [at("header.idempotency-replay", "is sent for a request without a key", "D-61")] : [];
    }
    const place = `${headers.authorization}\n${key}`;
    const before = keyed.get(place);
    if ([401, 409, 429].includes(status) || status >= 500) return []; // not recorded
    const echo = responseHeaders["idempotency-key"]?.[0];
    const wrongEcho = echo === key ? [] : [at("header.idempotency-key", "is not the request's", "D-61")];
    if (!before || Date.now() - before.at > REPLAYED_MS) {
      if (status !== 422) remember(keyed, place, exchange);
      return wrongEcho;
    }
    const first = before.exchange;
    const isSame = first.target === target && JSON.stringify(first.sent) === JSON.stringify(sent);
    if (!isSame) {
      if (status === 422) return [];
      return [at("status", `${status} for a key that was used for another request`, "D-59"), ...wrongEcho];
    }
    const isReplay = responseHeaders["idempotency-replay"]?.[0] === "true";
    // Of requests at the same time, either may have been the first.
    if (!isReplay && first.responseHeaders["idempotency-replay"] === undefined)
      return [at("header.idempotency-replay", "is missing on a repeated request", "D-61"), ...wrongEcho];
    if (first.status !== status) return [at("status", `${status}, the first response had ${first.status}`, "D-61")];
    return isDeepStrictEqual(first.received, received)
      ? wrongEcho
      : [at("body", "differs from the first response", "D-61")];
  }

  function checkNextPage(exchange: Exchange): CitedViolation[] {
    if (exchange.status !== 200 || exchange.received === undefined) return [];
    const { page, hasMore, data } = exchange.received as Page;
    const query = new URLSearchParams(exchange.target.split("?")[1] ?? "");
    query.delete("page");
    query.sort();
    const placeOf = (number: number) => `${exchange.headers.authorization}\n${query}\n${number}`;
    const found = [
      ...compare(pages.get(placeOf(page - 1)), (earlier) => compareToNext(earlier, data)),
      ...compare(pages.get(placeOf(page + 1)), (later) =>
        hasMore || later.data.length === 0 || new Set(later.data.map(({ _id }) => _id)).has(data.at(-1)?._id)
          ? []
          : [at("body.hasMore", `is false, and page ${page + 1} has records`, "D-24")],
      ),
    ];
    const slim = data.map(({ _id, createdAt }) => ({ _id, createdAt })); // a page may have 150 kB
    remember(pages, placeOf(page), { ...exchange, received: { page, hasMore, data: slim } });
    return found;
  }

  function compare(other: Remembered | undefined, check: (page: Page) => CitedViolation[]): CitedViolation[] {
    return other && Date.now() - other.at < PAGES_MS ? check(other.exchange.received as Page) : [];
  }
}

function compareToNext({ page, hasMore, data: earlier }: Page, data: Page["data"]): CitedViolation[] {
  if (hasMore && data.length === 0) return [at("body.data", `is empty, and page ${page} had hasMore`, "D-24")];
  // New records move the last ones of a page to the next, so what was on the page before says nothing.
  const known = new Set(earlier.map(({ _id }) => _id));
  const isMoved = data.some(({ _id }) => known.has(_id));
  if (!hasMore && data.length > 0 && !isMoved)
    return [at("body.data", `has records, and page ${page} had no hasMore`, "D-24")];
  const [first] = data;
  const last = earlier.at(-1);
  const isLater = first && last && !isMoved && `${last.createdAt} ${last._id}` < `${first.createdAt} ${first._id}`;
  return isLater ? [at("body.data.0", `is newer than the records of page ${page}`, "D-25")] : [];
}
