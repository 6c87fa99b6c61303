// What the pages that a client has seen say about the next one. Some of it contradicts at once: page 0 had no hasMore, and page 1
// has records. The rest is a *suspicion*, since tests reset an upstream at any time: what is missing may be gone. It is reported
// once a later page proves that nothing had changed. For example:
//   1. GET ?limit=2         lists the records A and B
//   2. GET ?channels=email  lists A alone, although B is an e-mail, too: a suspicion
//   3. any page that lists B, as it was: a proof, so the second response is reported as lacking B
import { isDeepStrictEqual } from "node:util";
import type { Query } from "../api/check-request.js";
import type { CitedViolation } from "../contract/citation.js";
import type { Notification, NotificationPage } from "../contract/schemas.js";
import { isMatch } from "../oracle/notifications.js";
import { type Exchange, toViolation, toViolations } from "./exchange.js";
import type { Reporter } from "./reporter.js";

const RECENT_MS = 30_000; // new records move the others
const MAX_PAGES = 200; // each page is compared with all of their records

/** A page of a key, with what is compared: a whole one may have 150 kB. */
interface Listing {
  at: number;
  apiKey: string;
  /** Without the number of the page. */
  query: string;
  page: NotificationPage;
}

/** A violation unless the upstream's data have changed. */
interface Suspicion {
  violation: CitedViolation;
  isProvenBy(later: Listing): boolean;
}

/** What a later page proves is reported then. */
export function createCheckPages(reporter: Reporter) {
  let pages: Listing[] = []; // oldest first, as the suspicions
  let suspicions: (Suspicion & { at: number; apiKey: string; exchange: Exchange })[] = [];

  return function checkPages(exchange: Exchange, { page: _page, ...query }: Query["values"]): CitedViolation[] {
    const listing = toListing(exchange, query);
    const { at, apiKey, page } = listing;
    const isRecent = (earlier: { at: number }) => at - earlier.at < RECENT_MS;
    suspicions = suspicions.filter(isRecent).filter((suspicion) => {
      const isProven = suspicion.apiKey === apiKey && suspicion.isProvenBy(listing);
      if (isProven) reporter.report("response", suspicion.exchange, [suspicion.violation]);
      return !isProven;
    });

    pages = pages.filter(isRecent);
    const own = pages.filter((earlier) => earlier.apiKey === apiKey);
    const findPage = (number: number) =>
      own.findLast((earlier) => earlier.query === listing.query && earlier.page.page === number)?.page;
    const before = findPage(page.page - 1);
    const reported = { ...exchange, responseBody: undefined }; // it may have megabytes
    for (const suspicion of [findMissing(page, query, own), before && findRepeated(listing, before)])
      if (suspicion) suspicions = [...suspicions, { ...suspicion, at, apiKey, exchange: reported }].slice(-MAX_PAGES);
    pages = [...pages, listing].slice(-MAX_PAGES);
    return compareNeighbors(page, before, findPage(page.page + 1));
  };
}

function toListing({ headers, responseBody }: Exchange, query: Query["values"]): Listing {
  const { data, ...page } = responseBody as NotificationPage;
  const compared = data.map(({ _id, createdAt, channels, _templateId, subscriber, transactionId, topics }) => ({
    ...{ _id, createdAt, channels, _templateId, subscriber, transactionId, topics }, // what filters and order are about
  }));
  return {
    at: Date.now(),
    apiKey: String(headers.authorization),
    query: JSON.stringify(Object.entries(query).sort()),
    page: { ...page, data: compared as NotificationPage["data"] },
  };
}

/** A record that is listed before and after a page belongs on it, if its filters and its place say so. */
function findMissing(
  page: NotificationPage,
  query: Query["values"],
  earlier: readonly Listing[],
): Suspicion | undefined {
  const { limit: _limit, ...filters } = query;
  const records = new Map(earlier.flatMap(({ page: { data } }) => data.map((record) => [record._id, record])));
  for (const { _id } of page.data) records.delete(_id);
  const missing = [...records.values()].find((record) => isWithin(page, record) && isMatch(record, filters));
  if (!missing) return undefined;
  const message = `lacks the record ${missing._id}, which matches and is listed elsewhere`;
  return {
    violation: toViolation("body.data", message, "D-36"),
    isProvenBy: (later) => later.page.data.some((record) => isDeepStrictEqual(record, missing)),
  };
}

/** New records move the last ones of a page to the next, unless that page is the same afterwards. */
function findRepeated({ query, page }: Listing, before: NotificationPage): Suspicion | undefined {
  const duplicate = page.data.find(({ _id }) => hasRecord(before, _id));
  if (!duplicate) return undefined;
  const message = `repeats the record ${duplicate._id} of page ${before.page}`;
  return {
    violation: toViolation("body.data", message, "D-25"),
    isProvenBy: (later) => later.query === query && isDeepStrictEqual(later.page, before),
  };
}

function compareNeighbors(
  { page, hasMore, data }: NotificationPage,
  before?: NotificationPage,
  after?: NotificationPage,
): CitedViolation[] {
  const [first] = data;
  const isRepeated = before !== undefined && data.some(({ _id }) => hasRecord(before, _id));
  const isAfter = after !== undefined && after.data.length > 0 && !hasRecord(after, data.at(-1)?._id);
  const isNewer = before?.data.some((record) => first && keyOf(record) < keyOf(first));
  const isEndless = before && !before.hasMore && first && !isRepeated;
  return toViolations([
    [before?.hasMore && !first, "body.data", `is empty, and page ${page - 1} had hasMore`, "D-24"],
    [isEndless, "body.data", `has records, and page ${page - 1} had no hasMore`, "D-24"],
    [isNewer && !isRepeated, "body.data.0", `is newer than the records of page ${page - 1}`, "D-25"],
    [isAfter && !hasMore, "body.hasMore", `is false, and page ${page + 1} has records`, "D-24"],
  ]);
}

/** Whether a record's place in the order is on the page. */
function isWithin({ page, hasMore, data }: NotificationPage, record: Notification): boolean {
  const [first, last] = [data[0], data.at(-1)];
  if (!first || !last) return page === 0;
  const isBehindStart = page === 0 || keyOf(record) < keyOf(first);
  return isBehindStart && (!hasMore || keyOf(record) > keyOf(last));
}

const keyOf = ({ createdAt, _id }: Notification) => `${createdAt} ${_id}`;
const hasRecord = ({ data }: NotificationPage, id: string | undefined) => data.some(({ _id }) => _id === id);
