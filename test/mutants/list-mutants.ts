// Servers that list notifications wrongly, each in one way.
import type { Seed } from "../../src/domain/state.js";
import type { Mutant } from "./mutant.js";
import {
  isList,
  onListed,
  onParameter,
  onQuery,
  onRecords,
  onRequest,
  onResponse,
  readPairs,
  withStatus,
} from "./mutate.js";

const FILTERS = [
  "channels",
  "templates",
  "emails",
  "search",
  "subscriberIds",
  "transactionId",
  "topicKey",
  "after",
  "before",
];
const LISTS = ["channels", "templates", "emails", "subscriberIds"];
const ID = "[0-9a-fA-F]{24}";

const emails = ({ subscribers }: Seed) => subscribers.flatMap(({ email = [] }) => email);
const ids = ({ subscribers }: Seed) => subscribers.map(({ subscriberId }) => subscriberId);
const transactions = ({ notifications }: Seed) => notifications.map(({ transactionId }) => transactionId);
const topics = ({ notifications }: Seed) =>
  notifications.flatMap(({ topics = [] }) => topics.map(({ topicKey }) => topicKey));
/** The first existing value that a careless comparison takes for the requested one. */
const taken = (existing: string[], value: string, isTaken: (one: string, value: string) => boolean) =>
  existing.includes(value) ? value : (existing.find((one) => isTaken(one, value)) ?? value);
const ignoringCase = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
const containing = (one: string, other: string) => other !== "" && one.includes(other);
const shifted = (instant: string, ms: number) =>
  Number.isNaN(Date.parse(instant)) ? instant : new Date(Date.parse(instant) + ms).toISOString();
const without = (name: string) => onQuery((pairs) => pairs.filter(([own]) => own !== name));

export const LIST_MUTANTS: Mutant[] = [
  // §4.2, §8: bounds and defaults
  ["§4.2", "limit 51 is accepted", onParameter("limit", (value) => (value === "51" ? "50" : value)), "query.limit"],
  ["§4.2", "limit 50 is rejected", onParameter("limit", (value) => (value === "50" ? "51" : value)), "query.limit"],
  ["§4.2", "limit 0 counts as 1", onParameter("limit", (value) => (value === "0" ? "1" : value)), "query.limit"],
  [
    "D-29",
    "limits that are too large are cut to fit",
    onParameter("limit", (value) => (Number(value) > 50 ? "50" : value)),
    "query.limit",
  ],
  ["D-29", "fractions are cut off", onParameter("limit", (value) => value.replace(/\.5$/, ""))],
  ["D-27", "an empty limit counts as none", onParameter("limit", (value) => (value === "" ? undefined : value))],
  ["D-27", "an empty page is rejected", onParameter("page", (value) => (value === "" ? "-1" : value))],
  [
    "D-27",
    "an empty transactionId is rejected",
    onQuery((pairs) => pairs.map(([name, value]) => [name === "transactionId" && value === "" ? "x" : name, value])),
  ],
  ["§4.2", "page -1 counts as 0", onParameter("page", (value) => (value === "-1" ? "0" : value)), "query.page"],
  [
    "§4.2",
    "pages are counted from 1",
    onParameter("page", (value) => (Number(value) > 0 ? String(Number(value) - 1) : value)),
    "listNotifications › pages",
  ],
  [
    "§8",
    "the default limit is 20",
    onQuery((pairs) => (pairs.some(([name]) => name === "limit") ? pairs : [...pairs, ["limit", "20"]])),
  ],
  [
    "§8",
    "the default page is 1",
    onQuery((pairs) => (pairs.some(([name]) => name === "page") ? pairs : [...pairs, ["page", "1"]])),
  ],
  // How values are written
  [
    "D-28",
    "unknown parameters are ignored",
    onQuery((pairs) => pairs.filter(([name]) => ["page", "limit", ...FILTERS].includes(name))),
  ],
  [
    "D-28",
    "names of parameters are read in any case",
    onQuery((pairs) =>
      pairs.map(([name, value]) => [
        ["page", "limit", ...FILTERS].find((one) => ignoringCase(one, name)) ?? name,
        value,
      ]),
    ),
  ],
  [
    "D-26",
    "brackets are read",
    onQuery((pairs) => pairs.map(([name, value]) => [name.replace("[]", ""), value])),
    "unknown parameter",
  ],
  [
    "D-26",
    "commas are split",
    onQuery((pairs) =>
      pairs.flatMap(([name, value]) =>
        LISTS.includes(name) ? value.split(",").map((one): [string, string] => [name, one]) : [[name, value]],
      ),
    ),
    "query.emails[]",
    "a,b",
    "random",
  ],
  [
    "D-26",
    "a 21st value is ignored",
    onQuery((pairs) =>
      LISTS.reduce(
        (rest, list) =>
          rest.filter(([name]) => name === list).length > 20
            ? rest.filter(([name], index) => name !== list || index < 20)
            : rest,
        pairs,
      ),
    ),
  ],
  [
    "D-26",
    "only 19 values are accepted",
    onQuery((pairs) =>
      pairs.filter(([name]) => name === "emails").length === 20 ? [...pairs, ["emails", "x"]] : pairs,
    ),
    "query.emails",
  ],
  [
    "D-26",
    "a list takes its first value only",
    onQuery((pairs) =>
      pairs.filter(([name], index) => !LISTS.includes(name) || pairs.findIndex(([other]) => other === name) === index),
    ),
  ],
  [
    "D-26",
    "a list takes its last value only",
    onQuery((pairs) =>
      pairs.filter(
        ([name], index) => !LISTS.includes(name) || pairs.findLastIndex(([other]) => other === name) === index,
      ),
    ),
  ],
  [
    "D-37",
    "of repeated values the last wins",
    onQuery((pairs) =>
      pairs.filter(
        ([name], index) => LISTS.includes(name) || pairs.findLastIndex(([other]) => other === name) === index,
      ),
    ),
    "repeated",
  ],
  [
    "D-30",
    "unknown channels are ignored",
    onParameter("channels", (value) =>
      ["in_app", "email", "sms", "chat", "push", ""].includes(value) ? value : undefined,
    ),
  ],
  ["D-30", "channels are read in any case", onParameter("channels", (value) => value.toLowerCase())],
  [
    "D-31",
    "text that is no id matches nothing",
    onParameter("templates", (value) => (new RegExp(`^${ID}$`).test(value) || value === "" ? value : "f".repeat(24))),
  ],
  [
    "D-31",
    "an id is looked for inside the text",
    onParameter("templates", (value) => new RegExp(ID).exec(value)?.[0] ?? value),
  ],
  [
    "D-31",
    "ids in capitals match nothing",
    onParameter("templates", (value) => (/[A-F]/.test(value) ? "f".repeat(24) : value)),
  ],
  [
    "D-50",
    "a broken percent-encoding is 422",
    withStatus(400, 422, (request) => isList(request) && readPairs(request.query) === undefined),
  ],
  [
    "D-50",
    "a broken percent-encoding is read as it stands",
    onRequest((request) => (isList(request) && !readPairs(request.query) ? { query: "" } : {})),
  ],
  // Instants
  ["D-40", "after includes the instant", onParameter("after", (value) => shifted(value, -1))],
  ["D-40", "before includes the instant", onParameter("before", (value) => shifted(value, 1))],
  [
    "D-39",
    "a date alone is read",
    onParameter("after", (value) => (/^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00:00Z` : value)),
  ],
  [
    "D-39",
    "an instant without offset is read as UTC",
    onParameter("after", (value) => (/T[\d:.]+$/.test(value) ? `${value}Z` : value)),
  ],
  ["D-39", "a blank is read for the T", onParameter("before", (value) => value.replace(" ", "T"))],
  ["D-39", "30 February is the second of March", onParameter("after", (value) => value.replace("02-30", "03-02"))],
  [
    "D-39",
    "milliseconds since 1970 are read",
    onParameter("after", (value) => (/^\d+$/.test(value) ? new Date(Number(value)).toISOString() : value)),
  ],
  ["D-39", "the offset is not looked at", onParameter("after", (value) => value.replace(/[+-]\d\d:\d\d$/, "Z"))],
  ["D-39", "below a millisecond is cut off", onParameter("before", (value) => value.replace(/(\.\d{3})\d+/, "$1"))],
  ["D-39", "fractions of a second are rejected", onParameter("after", (value) => value.replace(/\.\d{4,}/, "x"))],
  ["D-39", "t and z in lower case are rejected", onParameter("after", (value) => value.replace("t", "x"))],
  [
    "D-41",
    "an inverted range is an empty page",
    onResponse((response, request) =>
      isList(request) && response.status === 400 && /after/.test(request.query) ? emptyPage(response) : undefined,
    ),
  ],
  [
    "D-41",
    "equal ends are rejected",
    onQuery((pairs) => {
      const { after, before } = Object.fromEntries(pairs);
      return after && after === before
        ? pairs.map(([name, value]) => [name, name === "after" ? shifted(value, 1) : value])
        : pairs;
    }),
  ],
  [
    "D-43",
    "before in the future is rejected",
    onParameter("before", (value) => (Date.parse(value) > Date.now() ? "x" : value)),
  ],
  [
    "D-41",
    "after in the future is rejected",
    onParameter("after", (value) => (Date.parse(value) > Date.now() ? "x" : value)),
  ],
  [
    "D-42",
    "dates before the plan's are cut to fit",
    onParameter("after", (value) => (value < "1995" ? undefined : value)),
    "keeps is 402",
  ],
  [
    "D-42",
    "before may lie before the plan's dates",
    onParameter("before", (value) => (/^1990/.test(value) ? "2020-01-01T00:00:00Z" : value)),
    "keeps is 402",
  ],
  [
    "D-67",
    "a + in emails is a blank",
    onRequest((request) => ({ query: request.query.replaceAll(/(emails=[^&]*)\+/g, "$1%20") })),
  ],
  [
    "D-67",
    "a + in instants is a blank",
    onRequest((request) => ({ query: request.query.replaceAll(/((?:after|before)=[^&]*)\+/g, "$1%20") })),
  ],
  // Filters
  ...FILTERS.map((name): Mutant => ["§4.2", `${name} does not filter`, without(name), name]),
  [
    "D-30",
    "a record matches by its first channel only",
    onListed((page, { query }) => {
      const wanted =
        readPairs(query)
          ?.filter(([name]) => name === "channels")
          .map(([, value]) => value) ?? [];
      if (wanted.some(Boolean))
        page.data = page.data.filter(({ channels }: { channels: string[] }) => wanted.includes(channels[0] ?? ""));
    }),
  ],
  [
    "D-32",
    "emails match in any case",
    onParameter("emails", (value, { seed }) => taken(emails(seed), value, ignoringCase)),
  ],
  ["D-32", "emails match in part", onParameter("emails", (value, { seed }) => taken(emails(seed), value, containing))],
  [
    "D-33",
    "subscriberIds match in any case",
    onParameter("subscriberIds", (value, { seed }) => taken(ids(seed), value, ignoringCase)),
  ],
  [
    "D-33",
    "subscriberIds match in part",
    onParameter("subscriberIds", (value, { seed }) => taken(ids(seed), value, containing)),
  ],
  [
    "D-34",
    "search tells capitals apart",
    onParameter("search", (value, { seed }) =>
      emails(seed).some((email) => containing(email.toLowerCase(), value.toLowerCase()) && !containing(email, value))
        ? "nobody"
        : value,
    ),
  ],
  [
    "D-34",
    "search finds a subscriberId in part",
    onQuery((pairs, { seed }) =>
      pairs.flatMap(([name, value]) =>
        name !== "search" || value === ""
          ? [[name, value]]
          : [
              [name, value],
              ...ids(seed)
                .filter((id) => id.includes(value))
                .slice(0, 10)
                .map((id): [string, string] => ["subscriberIds", id]),
            ],
      ),
    ),
  ],
  ["D-34", "search reads patterns", onParameter("search", (value) => value.replaceAll(/[.*%^]/g, ""))],
  [
    "D-34",
    "search does not find a subscriberId",
    onParameter("search", (value, { seed }) =>
      ids(seed).includes(value) && !emails(seed).some((email) => containing(email, value)) ? "nobody" : value,
    ),
  ],
  [
    "D-37",
    "transactionId matches in part",
    onParameter("transactionId", (value, { seed }) =>
      taken(transactions(seed), value, (one, other) => one.startsWith(other)),
    ),
  ],
  [
    "D-38",
    "topicKey matches in any case",
    onParameter("topicKey", (value, { seed }) => taken(topics(seed), value, ignoringCase)),
  ],
  [
    "D-36",
    "of two filters the first wins",
    onQuery((pairs) =>
      pairs.some(([name]) => name === "channels") ? pairs.filter(([name]) => name !== "templates") : pairs,
    ),
  ],
  [
    "D-36",
    "transactionId and topicKey are joined by OR",
    onQuery((pairs) =>
      pairs.some(([name]) => name === "topicKey") ? pairs.filter(([name]) => name !== "transactionId") : pairs,
    ),
  ],
  [
    "D-36",
    "values of a list are joined by AND",
    onListed((page, { query }) => {
      const wanted =
        readPairs(query)
          ?.filter(([name]) => name === "channels")
          .map(([, value]) => value) ?? [];
      page.data = page.data.filter(({ channels }: { channels: string[] }) =>
        wanted.every((channel) => channel === "" || channels.includes(channel)),
      );
    }),
  ],
  [
    "D-35",
    "subscribers are joined by AND",
    onListed((page, { query }) => {
      const pairs = Object.fromEntries(readPairs(query) ?? []);
      if (pairs.emails && pairs.subscriberIds)
        page.data = page.data.filter(
          ({ subscriber }: { subscriber: { email: string; subscriberId: string } }) =>
            subscriber.email === pairs.emails && subscriber.subscriberId === pairs.subscriberIds,
        );
    }),
  ],
  [
    "D-35",
    "search is joined to emails by AND",
    onListed((page, { query }) => {
      const { search, emails: email } = Object.fromEntries(readPairs(query) ?? []);
      if (search && email)
        page.data = page.data.filter(({ subscriber }: { subscriber: { email: string } }) => subscriber.email === email);
    }),
  ],
  [
    "D-35",
    "the page of an empty set of subscribers is the requested one",
    onListed((page, { query }) => {
      const requested = Object.fromEntries(readPairs(query) ?? []).page;
      if (page.data.length === 0 && requested) page.page = Number(requested);
    }),
  ],
  // Pages and order
  [
    "D-24",
    "hasMore after every full page",
    onListed((page) => {
      page.hasMore = page.data.length === page.pageSize;
    }),
  ],
  [
    "D-24",
    "hasMore is always false",
    onListed((page) => {
      page.hasMore = false;
    }),
  ],
  [
    "D-24",
    "hasMore is true on the last page but one only",
    onListed((page) => {
      page.hasMore = page.hasMore && page.page > 0;
    }),
  ],
  ["D-25", "oldest first within a page", onListed((page) => page.data.reverse())],
  [
    "D-25",
    "of equal times the smaller _id first",
    onListed((page) =>
      page.data.sort(
        (a: { createdAt: string; _id: string }, b: { createdAt: string; _id: string }) =>
          b.createdAt.localeCompare(a.createdAt) || a._id.localeCompare(b._id),
      ),
    ),
  ],
  ["D-23", "pages repeat the record before", onRequestedPage((first) => first - 1)],
  [
    "D-23",
    "a page leaves out its last record",
    onListed((page) => page.data.length === page.pageSize && page.data.pop()),
  ],
  [
    "D-23",
    "pageSize is the number of records",
    onListed((page) => {
      page.pageSize = Math.max(1, page.data.length);
    }),
  ],
  [
    "D-23",
    "page is always 0",
    onListed((page) => {
      page.page = 0;
    }),
    "pages of",
  ],
  [
    "D-23",
    "the page is wrapped in data",
    onResponse((response, request) => {
      if (isList(request) && response.status === 200 && !request.headers.prefer)
        response.body = { data: response.body };
    }),
  ],
  [
    "D-23",
    "there is a total",
    onListed((page) => {
      page.totalCount = page.data.length;
    }),
  ],
  [
    "D-23",
    "an empty page is 404",
    onResponse((response, request) => {
      if (isList(request) && response.body?.data?.length === 0) response.status = 404;
    }),
  ],
  // Records
  [
    "D-11",
    "a required member is missing",
    onRecords((record) => {
      delete record.transactionId;
    }),
  ],
  [
    "D-11",
    "a member that is unknown",
    onRecords((record) => {
      record.__v = 0;
    }),
  ],
  [
    "D-11",
    "an id in capitals",
    onRecords((record) => {
      record._id = record._id.toUpperCase();
    }),
  ],
  [
    "D-11",
    "the provider is free text",
    onRecords((record) => {
      for (const job of record.jobs) job.providerId = "pigeon";
    }),
  ],
  [
    "D-11",
    "a number in place of a text",
    onRecords((record) => {
      for (const job of record.jobs) job.status = 1;
    }),
  ],
  [
    "D-11",
    "another subscriber is joined",
    onRecords((record) => {
      if (record.subscriber) record.subscriber._id = "f".repeat(24);
    }),
  ],
  [
    "D-11",
    "another workflow is joined",
    onRecords((record) => {
      if (record.template) record.template._id = "f".repeat(24);
    }),
  ],
  [
    "D-11",
    "executionDetails newest first",
    onRecords((record) => {
      for (const job of record.jobs) job.executionDetails.reverse();
    }),
  ],
  [
    "D-12",
    "null for a member without a value",
    onRecords((record) => {
      record.subscriber ??= null;
      record._digestedNotificationId ??= null;
    }),
    "D-25",
  ],
  [
    "D-05",
    "timestamps without milliseconds",
    onRecords((record) => {
      record.createdAt = record.createdAt.replace(/\.\d+/, "");
    }),
    "D-25",
  ],
  [
    "D-05",
    "timestamps with an offset",
    onRecords((record) => {
      record.updatedAt = record.updatedAt.replace("Z", "+00:00");
    }),
    "D-25",
  ],
  [
    "D-05",
    "timestamps as numbers",
    onRecords((record) => {
      record.createdAt = Date.parse(record.createdAt);
    }),
    "D-25",
  ],
  [
    "D-44",
    "records of deleted subscribers are hidden",
    onListed((page) => {
      page.data = page.data.filter(({ subscriber }: { subscriber?: unknown }) => subscriber);
    }),
    "example",
  ],
  [
    "D-44",
    "records of deleted workflows are hidden",
    onListed((page) => {
      page.data = page.data.filter(({ template }: { template?: unknown }) => template);
    }),
    "example",
  ],
  [
    "D-46",
    "records name several environments",
    onRecords((record, index) => {
      if (index % 2 === 1) record._environmentId = "f".repeat(24);
    }),
  ],
  [
    "D-72",
    "a body on a list is parsed",
    onResponse((response, request) => {
      if (isList(request) && request.body === "{") response.status = 400;
    }),
  ],
  [
    "D-70",
    "a severity that is unknown",
    onRecords((record) => {
      record.severity = "extreme";
    }),
    "D-23",
  ],
];

function emptyPage(response: { headers: Record<string, string | string[] | undefined> }) {
  return { status: 200, headers: response.headers, body: { page: 0, pageSize: 10, hasMore: false, data: [] } };
}

/** Pages that begin at another record than they should: two true pages are put together. */
function onRequestedPage(toFirst: (first: number) => number): Mutant[2] {
  return async (request, { forward }) => {
    const { page = "0", limit = "10", ...rest } = Object.fromEntries(readPairs(request.query) ?? []);
    const response = await forward(request);
    if (
      !isList(request) ||
      response.status !== 200 ||
      Number(page) < 1 ||
      request.query.includes("=&") ||
      response.body.data.length === 0
    )
      return response;
    const before = toFirst(Number(page) * Number(limit));
    const query = new URLSearchParams({ ...rest, page: String(before), limit: "1" }).toString();
    const { body } = await forward({ ...request, query });
    response.body.data = [...body.data, ...response.body.data].slice(0, Number(limit));
    return response;
  };
}
