// What earlier exchanges say about a later one: the replay of a request, the page after a page, a record that was listed.
// Bounded: the proxy runs long. Tests reset an upstream at any time, so a record that is missing proves nothing by itself:
// such a suspicion is reported once a later response shows that nothing had changed.
import { isDeepStrictEqual } from "node:util";
import type { Query } from "../api/query.js";
import { isMatch } from "../verify/filter-match.js";
import type { Notification } from "../verify/notification.js";
import { at, type BehaviorCheck, type Exchange, type Page } from "./judged-exchange.js";
import { createRecentMap } from "./recent-map.js";
import { createReplayCheck } from "./replay-check.js";
import type { CitedViolation } from "./report-entry.js";

const RECENT_MS = 30_000; // new records move the others
const MAX_RECORDS = 500; // each page is compared with all of them

interface Suspicion {
  exchange: Exchange;
  violation: CitedViolation;
  /** Whether a later page of the same key proves it. */
  isProvenBy(later: Page, query: string): boolean;
}

/** @param readQuery reads the filters in a target. */
export function createExchangeMemory(readQuery: (target: string) => Query["values"]): BehaviorCheck {
  const checkReplay = createReplayCheck();
  const pages = createRecentMap<Page>(RECENT_MS);
  const records = createRecentMap<Notification>(RECENT_MS, MAX_RECORDS);
  const suspicions = createRecentMap<Suspicion>(RECENT_MS);

  return function checkMemory(exchange) {
    const { verdict, headers, method, status, received } = exchange;
    if (verdict.rejection !== undefined || headers.prefer !== undefined) return [];
    if (verdict.operation?.hasBody) return checkReplay(exchange);
    if (method !== "GET" || status !== 200 || received === undefined) return [];
    const own = `${headers.authorization}\n`;
    const query = toSortedQuery(exchange.target);
    const page = toSlimPage(received as Page);
    for (const [key, { exchange: earlier, violation, isProvenBy }] of suspicions.startingWith(own)) {
      if (!isProvenBy(page, query)) continue;
      suspicions.delete(key);
      earlier.report(violation);
    }
    const suspected = [findMissing(exchange, page), findRepeated(own, page, query)].filter((one) => one !== undefined);
    for (const one of suspected)
      suspicions.set(`${own}${exchange.target} ${one.violation.message}`, { ...one, exchange });
    const wrong = checkNeighbors(
      page,
      pages.get(`${own}${query} ${page.page - 1}`),
      pages.get(`${own}${query} ${page.page + 1}`),
    );
    pages.set(`${own}${query} ${page.page}`, page);
    for (const record of page.data) records.set(own + record._id, record);
    return wrong;
  };

  /** A record that is listed before and after a page belongs on it, if its filters and its place say so. */
  function findMissing({ target, headers }: Exchange, page: Page): Omit<Suspicion, "exchange"> | undefined {
    const { page: _page, limit: _limit, ...filters } = readQuery(target);
    const shown = new Set(page.data.map(({ _id }) => _id));
    const [, missing] =
      records
        .startingWith(`${headers.authorization}\n`)
        .find(([, record]) => !shown.has(record._id) && isWithin(page, record) && isMatch(record, filters)) ?? [];
    if (!missing) return undefined;
    const violation = at("body.data", `lacks the record ${missing._id}, which matches and is listed elsewhere`, "D-36");
    return { violation, isProvenBy: ({ data }) => data.some((record) => isDeepStrictEqual(record, missing)) };
  }

  /** New records move the last ones of a page to the next, unless that page is the same afterwards. */
  function findRepeated(own: string, { page, data }: Page, query: string): Omit<Suspicion, "exchange"> | undefined {
    const earlier = pages.get(`${own}${query} ${page - 1}`);
    const repeated = earlier && data.find(({ _id }) => hasRecord(earlier, _id));
    if (!repeated) return undefined;
    const violation = at("body.data", `repeats the record ${repeated._id} of page ${page - 1}`, "D-25");
    return { violation, isProvenBy: (later, itsQuery) => itsQuery === query && isDeepStrictEqual(later, earlier) };
  }
}

function checkNeighbors({ page, hasMore, data }: Page, earlier?: Page, later?: Page): CitedViolation[] {
  const [first] = data;
  const isRepeated = earlier !== undefined && data.some(({ _id }) => hasRecord(earlier, _id));
  const isAfter = hasMore || !later || later.data.length === 0 || hasRecord(later, data.at(-1)?._id);
  return [
    ...(earlier?.hasMore && !first ? [at("body.data", `is empty, and page ${page - 1} had hasMore`, "D-24")] : []),
    ...(earlier && !earlier.hasMore && first && !isRepeated
      ? [at("body.data", `has records, and page ${page - 1} had no hasMore`, "D-24")]
      : []),
    ...(earlier && first && !isRepeated && earlier.data.some((record) => keyOf(record) < keyOf(first))
      ? [at("body.data.0", `is newer than the records of page ${page - 1}`, "D-25")]
      : []),
    ...(isAfter ? [] : [at("body.hasMore", `is false, and page ${page + 1} has records`, "D-24")]),
  ];
}

/** Whether a record's place in the order is on the page. */
function isWithin({ page, hasMore, data }: Page, record: Notification): boolean {
  const [first, last] = [data[0], data.at(-1)];
  if (!first || !last) return page === 0;
  const isBehindStart = page === 0 || keyOf(record) < keyOf(first);
  return isBehindStart && (!hasMore || keyOf(record) > keyOf(last));
}

const keyOf = ({ createdAt, _id }: Notification) => `${createdAt} ${_id}`;
const hasRecord = ({ data }: Page, id: string | undefined) => data.some(({ _id }) => _id === id);

/** With what is compared: a page may have 150 kB. */
function toSlimPage({ data, ...page }: Page): Page {
  const slim = data.map(({ _id, createdAt, channels, _templateId, subscriber, transactionId, topics }) => ({
    ...{ _id, createdAt, channels, _templateId, subscriber, transactionId, topics },
  }));
  return { ...page, data: slim as Page["data"] }; // the members that filters and order are about
}

function toSortedQuery(target: string): string {
  const query = new URLSearchParams(target.split("?")[1] ?? "");
  query.delete("page");
  query.sort();
  return String(query);
}
