// Bugs of backends in several languages, each planted in the second independent implementation by replacing one method.
// Each represents its kind: the suite must detect all of them.
import { pause } from "./backend.js";
import type { Preferences } from "./backend-data.js";
import { around, type Bug, CRAFTED, inErrors, inPages, type Json, reject, toBugs } from "./plant.js";
import { PROTOCOL } from "./protocol-bugs.js";

const boom = (message: string): never => {
  throw new Error(message);
};

const PLAIN = {
  "oldest first": inPages(({ data }) => ({ data: data.toReversed() })),
  "hasMore is always false": inPages(() => ({ hasMore: false })),
  "pages overlap by a record": around("list", (original) => (environment, query) => {
    const isFirst = (query.get("page")?.[0] ?? "0") === "0";
    const records = environment.records.toSpliced(1, 0, environment.records[1]); // the first is not due
    return original(isFirst ? environment : { ...environment, records }, query);
  }),
  "filters are not applied": around("isMatch", () => () => true),
  "updates of a workflow are stored globally": around("apply", (original) => (own, changes) => original(own, changes)),
  "errors are in another charset": around("contentType", (original) => (status, request) => {
    return status >= 400 ? "application/json; charset=us-ascii" : original(status, request);
  }),
};

const CONCURRENCY = {
  "updates read, wait and write back": around("store", (_original, backend) => async (own, channels, workflow) => {
    const copy: Preferences = structuredClone(own);
    await pause(2);
    backend.apply(copy, channels, workflow);
    Object.assign(own, copy);
    return undefined;
  }),
  "more than ten at once are 500": around("store", (original, { memory }) => async (...args) => {
    memory.busy = (memory.busy ?? 0) + 1;
    const isBusy = memory.busy > 10;
    await pause(3);
    memory.busy -= 1;
    return isBusy ? boom("pool exhausted") : original(...args);
  }),
  "concurrent requests share a variable": around("respond", (original, backend) => async (request) => {
    if (request.method !== "GET") return original(request);
    backend.memory.url = request.url;
    await pause(2);
    return original(Object.assign(request, { url: backend.memory.url }));
  }),
  "keyed retries in parallel are all executed": around("findReplay", (original) => (environment, key) => {
    const replay = original(environment, key);
    return replay?.response ? replay : undefined;
  }),
};

const integers = (read: (text: string) => number | undefined) =>
  around("readInteger", (original) => (text) => original(text) ?? read(text));

const NUMBERS = {
  "digits of other scripts are read": integers((text) => {
    return /^\p{Nd}+$/u.test(text) ? Number(text.normalize("NFKC")) : undefined;
  }),
  "pages wrap at 2^32": around("readInteger", (original) => (text) => {
    const value = original(text);
    return value === undefined ? undefined : value % 2 ** 32;
  }),
};

const inQueries = (change: (text: string) => string) =>
  around("readQuery", (original) => (text) => original(change(text)));

const EMPTY = {
  "an empty search matches nothing": around("list", (original, backend) => (environment, query) => {
    const [status, body] = original(environment, query);
    return [status, /(^|&)search=?(&|$)/.test(backend.memory.raw) ? { ...body, data: [], hasMore: false } : body];
  }),
  "brackets are read": inQueries((text) => text.replaceAll(/(\[\d*\]|%5B\d*%5D)=/gi, "=")),
};

const decoding = (change: (text: string) => string) =>
  around("decodePath", (original) => (text) => original(change(text)));

/** Replaces how `search` finds an address. */
const searching = (isIn: (email: string, search: string) => boolean) =>
  around("isFound", () => (id, email, search) => id === search || isIn(email ?? "", search));

const inTurkish = (text: string) => text.replaceAll("I", "ı").toLowerCase();
const matchesLike = (text: string, pattern: string) =>
  new RegExp(pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("%", ".*"), "is").test(text);

const TEXT = {
  "NUL in a filter is 500": inQueries((text) => (text.includes("%00") ? boom("invalid byte sequence") : text)),
  "paths are decoded twice": decoding((text) => text.replaceAll("%25", "%")),
  "a + in a path is a blank": decoding((text) => text.replaceAll("+", " ")),
  "search knows LIKE's wildcards": searching(matchesLike),
  "letters are folded as in Turkish": searching((email, search) => inTurkish(email).includes(inTurkish(search))),
  "a _topicId is a topic key": around("isMatch", (original) => (record, query, people) => {
    const ids = record.topics.map(({ _topicId }: Json) => ({ topicKey: _topicId }));
    return original({ ...record, topics: [...record.topics, ...ids] }, query, people);
  }),
  "a deleted subscriber is found by the recipient": around("isMatch", (original) => (record, query, people) => {
    const recipient = people?.find(({ subscriberId }) => subscriberId === record.to.subscriberId);
    return original({ ...record, subscriber: record.subscriber ?? recipient }, query, people);
  }),
};

const HTTP = {
  "chunked bodies are empty": around("readBytes", (original) => async (request) => {
    return request.headers["transfer-encoding"] ? Buffer.alloc(0) : original(request);
  }),
  "sizes are counted in characters": around("parseBody", (original) => (headers, bytes) => {
    const isLong = bytes.length > 102_400 && bytes.toString().length <= 102_400;
    return original(headers, isLong ? Buffer.from("{}") : bytes);
  }),
  "a response is cached by its URL alone": around("respond", (original, { memory }) => async (request) => {
    if (request.method !== "GET") return original(request);
    memory.cache ??= new Map<string, unknown>();
    const cached = memory.cache.get(request.url) ?? (await original(request));
    memory.cache.set(request.url, cached);
    return cached;
  }),
  "OPTIONS is 405, and in Allow": around("respond", (original) => async (request) => {
    return request.method === "OPTIONS" ? reject(405, { allow: "GET, HEAD, OPTIONS" }) : original(request);
  }),
};

const TIME = {
  "a leap second is 500": around("parseInstant", (original) => (text) => {
    return /:60(\D|$)/.test(text) ? boom("invalid date") : original(text);
  }),
  "after is inclusive": around("isInTime", (original) => (created, after, before) => {
    return original(created, after === undefined ? after : after - 1e-3, before);
  }),
  "an error's timestamp is the server's start": inErrors((error, { startedAt }) => {
    return { ...error, timestamp: new Date(startedAt).toISOString() };
  }),
};

const LAWS = {
  "critical workflows are listed": around(
    "isListed",
    () =>
      ({ isActive, lock }) =>
        isActive && lock !== "code",
  ),
  "a declared workflow is not listed": around("isListed", (original) => (workflow) => {
    return original(workflow) && !workflow.identifier.startsWith("zebra");
  }),
  "a global update leaves workflow values": around("apply", (original) => (own, channels, workflow) => {
    if (workflow) original(own, channels, workflow);
    else Object.assign(own.global, channels);
  }),
};

export const BUGS: Bug[] = [
  ...toBugs("plain", PLAIN),
  ...toBugs("concurrency", CONCURRENCY, {
    "more than ten at once are 500": CRAFTED,
    "concurrent requests share a variable": CRAFTED,
  }),
  ...toBugs("numbers", NUMBERS, { "pages wrap at 2^32": CRAFTED }),
  ...toBugs("empty", EMPTY),
  ...toBugs("text", TEXT, CRAFTED),
  ...toBugs("http", HTTP, CRAFTED),
  ...toBugs("time", TIME, {
    "a leap second is 500": CRAFTED,
    "an error's timestamp is the server's start": "only the upstream's clock shows it",
  }),
  ...toBugs("laws", LAWS, { "a declared workflow is not listed": CRAFTED }),
  ...PROTOCOL,
];
