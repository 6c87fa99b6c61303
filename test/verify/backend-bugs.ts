// Bugs that real backends have, each planted in the second independent implementation by putting one method in the place of
// another. The suite has to detect every one of them.
import { type Backend, CHANNELS, decodeSlug, pause, Rejection } from "./backend.js";
import type { Preferences, Workflow } from "./backend-data.js";
import { PLAIN } from "./plain-bugs.js";
import { around, type Bug, CRAFTED, type Json } from "./plant.js";
import { PROTOCOL } from "./protocol-bugs.js";
import { SECOND_LANGUAGE } from "./second-language-bugs.js";

const UNSEEN = "only the upstream's data, keys or clock show it";

const number = (read: (text: string) => number | undefined) =>
  around("readInteger", (original) => (text) => original(text) ?? read(text));
const ifFinite = (value: number) => (Number.isNaN(value) ? undefined : value);

/** A store that reads, waits and writes back what it has read. */
const rewriting = (isMeant: (workflow?: Workflow) => boolean, ms = 2) =>
  around("store", (original, backend) => async (own, channels, workflow) => {
    if (!isMeant(workflow)) return original(own, channels, workflow);
    const copy: Preferences = structuredClone(own);
    await pause(ms);
    backend.apply(copy, channels, workflow);
    Object.assign(own, copy);
    return undefined;
  });

const CONCURRENCY: Bug[] = [
  ["concurrency", "updates read, wait and write back", rewriting(() => true)],
  ["concurrency", "updates of a workflow read, wait and write back", rewriting((workflow) => workflow !== undefined)],
  ["concurrency", "global updates read, wait and write back", rewriting((workflow) => workflow === undefined)],
  [
    "concurrency",
    "of more than ten updates at once some are lost",
    around("store", (original, backend) => async (...args) => {
      backend.memory.busy = (backend.memory.busy ?? 0) + 1;
      const isLost = backend.memory.busy > 10;
      await pause(3);
      backend.memory.busy -= 1;
      return isLost ? undefined : original(...args);
    }),
    CRAFTED,
  ],
  [
    "concurrency",
    "more than ten at once are 500",
    around("store", (original, backend) => async (...args) => {
      backend.memory.busy = (backend.memory.busy ?? 0) + 1;
      await pause(3);
      const isTooMany = backend.memory.busy > 10;
      backend.memory.busy -= 1;
      if (isTooMany) throw new Error("pool exhausted");
      return original(...args);
    }),
    CRAFTED,
  ],
  [
    "concurrency",
    "the response shows what another update has left out",
    around("store", (_original, backend) => async (own, channels, workflow) => {
      const copy: Preferences = structuredClone(own);
      await pause(1);
      backend.apply(own, channels, workflow);
      return Object.keys(channels).length > 0 && workflow === undefined
        ? backend.show([...backend.environments.values()][0] as never, copy)
        : undefined;
    }),
  ],
  [
    "concurrency",
    "keyed retries in parallel are all executed",
    around("findReplay", (original) => (environment, key) => {
      const replay = original(environment, key);
      return replay?.response ? replay : undefined;
    }),
  ],
  [
    "concurrency",
    "recorded responses live a second",
    around("findReplay", (original, backend) => (environment, key) => {
      const replay = original(environment, key);
      return replay && backend.now().getTime() - replay.at < 1000 ? replay : undefined;
    }),
  ],
  [
    "concurrency",
    "the last three recorded responses are kept",
    around("findReplay", (original) => (environment, key) => {
      const kept = [...environment.replays.keys()].slice(-3);
      return kept.includes(key) ? original(environment, key) : undefined;
    }),
  ],
  [
    "concurrency",
    "the last hundred recorded responses are kept",
    around("findReplay", (original) => (environment, key) => {
      const kept = [...environment.replays.keys()].slice(-100);
      return kept.includes(key) ? original(environment, key) : undefined;
    }),
    CRAFTED,
  ],
  [
    "concurrency",
    "idempotency keys match in any case",
    around("toReplayKey", (original) => (header) => original(header)?.toLowerCase()),
    CRAFTED,
  ],
  [
    "concurrency",
    "idempotency keys are cut at 64 characters",
    around("toReplayKey", (original) => (header) => original(header)?.slice(0, 64)),
    CRAFTED,
  ],
  [
    "concurrency",
    "of a repeated idempotency-key the first counts",
    around("toReplayKey", (original) => (header) => original(header)?.split(", ")[0]),
    CRAFTED,
  ],
  [
    "concurrency",
    "letters other than ASCII are dropped from idempotency keys",
    around("toReplayKey", (original) => (header) => original(header)?.replaceAll(/[^\w-]/g, "")),
    CRAFTED,
  ],
  ["concurrency", "a key with another body is replayed", around("toPrint", () => (subscriberId) => subscriberId)],
  ["concurrency", "a key on another path is replayed", around("toPrint", () => (_id, body) => JSON.stringify(body))],
  [
    "concurrency",
    "two bodies with members in another order are one",
    around("toPrint", () => (id, body) => id + Object.entries(body.channels).sort() + body.workflowId),
  ],
  [
    "concurrency",
    "workflowId is not part of the fingerprint",
    around("toPrint", () => (id, body) => id + JSON.stringify(body.channels)),
  ],
];

const NUMBERS: Bug[] = [
  ["numbers", "1e1 is ten", number((text) => (/^\d+e\d+$/i.test(text) ? Number(text) : undefined)), CRAFTED],
  ["numbers", "+5 is five", number((text) => (/^\+\d+$/.test(text) ? Number(text) : undefined)), CRAFTED],
  ["numbers", "0x10 is sixteen", number((text) => (/^0x/i.test(text) ? ifFinite(Number(text)) : undefined)), CRAFTED],
  [
    "numbers",
    "0b11 and 0o7 are numbers",
    number((text) => (/^0[bo]/i.test(text) ? ifFinite(Number(text)) : undefined)),
    CRAFTED,
  ],
  [
    "numbers",
    "blanks around a number are cut off",
    number((text) => (/^\d+$/.test(text.trim()) ? Number(text) : undefined)),
  ],
  ["numbers", "1.0 is one", number((text) => (/^\d+\.0+$/.test(text) ? Number(text) : undefined))],
  ["numbers", "10.5 is ten", number((text) => (/^\d+\.\d+$/.test(text) ? Math.trunc(Number(text)) : undefined))],
  ["numbers", "a number may be followed by anything", number((text) => ifFinite(Number.parseInt(text, 10)))],
  [
    "numbers",
    "digits of other scripts are read",
    number((text) => (/^\p{Nd}+$/u.test(text) ? Number(text.normalize("NFKC")) : undefined)),
  ],
  [
    "numbers",
    "underscores between digits",
    number((text) => (/^\d+(_\d+)+$/.test(text) ? Number(text.replaceAll("_", "")) : undefined)),
    CRAFTED,
  ],
  [
    "numbers",
    "a comma between thousands",
    number((text) => (/^\d+,\d+$/.test(text) ? Number(text.replace(",", "")) : undefined)),
  ],
  ["numbers", "true is one", number((text) => (text === "true" ? 1 : undefined))],
  [
    "numbers",
    "a page over 2^31 is a 500",
    around("readInteger", (original) => (text) => {
      const value = original(text);
      if ((value ?? 0) >= 2 ** 31) throw new Error("out of range for type integer");
      return value;
    }),
    CRAFTED,
  ],
  [
    "numbers",
    "a page over 2^53 is a 500",
    around("readInteger", (original) => (text) => {
      const value = original(text);
      if ((value ?? 0) > Number.MAX_SAFE_INTEGER) throw new Error("not a safe integer");
      return value;
    }),
    CRAFTED,
  ],
  [
    "numbers",
    "pages wrap at 2^32",
    around("readInteger", (original) => (text) => {
      const value = original(text);
      return value === undefined ? undefined : value % 2 ** 32;
    }),
    CRAFTED,
  ],
  [
    "numbers",
    "a page of 20 digits is the first",
    around("readInteger", (original) => (text) => (text.length >= 20 ? 0 : original(text))),
    CRAFTED,
  ],
];

const EMPTY: Bug[] = [
  ...[
    "channels",
    "templates",
    "emails",
    "subscriberIds",
    "search",
    "transactionId",
    "topicKey",
    "after",
    "before",
    "page",
  ].map(
    (name): Bug => [
      "empty",
      `an empty ${name} matches nothing, or the wrong page`,
      around("list", (original, backend) => (environment, query) => {
        if (!backend.memory.raw?.split("&").some((pair: string) => pair === `${name}=` || pair === name))
          return original(environment, query);
        const [status, body] = original(environment, query) as Json;
        return [status, name === "page" ? { ...body, page: 1 } : { ...body, data: [], hasMore: false }];
      }),
    ],
  ),
  [
    "empty",
    "an empty limit is the default",
    around("readQuery", (original) => (text) => {
      const query = original(text);
      if (query.get("limit")?.[0] === "") query.delete("limit");
      return query;
    }),
  ],
  ...["page", "limit", "search", "transactionId", "topicKey", "after", "before"].map(
    (name): Bug => [
      "empty",
      `of a repeated ${name} the last counts`,
      around("readQuery", (original) => (text) => {
        const query = original(text);
        const values = query.get(name);
        if (values && values.length > 1) query.set(name, values.slice(-1));
        return query;
      }),
    ],
  ),
  [
    "empty",
    "brackets are read",
    around("readQuery", (original) => (text) => original(text.replaceAll(/(\[\d*\]|%5B\d*%5D)=/gi, "="))),
  ],
  [
    "empty",
    "an empty item makes a list match nothing",
    around("readQuery", (original) => (text) => {
      const query = original(text);
      const [, name = ""] = /(?:^|&)(emails|subscriberIds)=(?:&|$)/.exec(text) ?? [];
      if (query.has(name)) query.set(name, ["\u0000nothing"]);
      return query;
    }),
  ],
];

const boom = (message: string): never => {
  throw new Error(message);
};
const failsOnNul = (text: string) => (text.includes("\u0000") ? boom("invalid byte sequence") : text);
const failsOn = (pattern: RegExp) => (text: string) => (pattern.test(text) ? boom("invalid byte sequence") : text);

const inFilters = (change: (text: string) => string) =>
  around("readQuery", (original) => (text) => {
    const query = original(text);
    for (const name of ["search", "transactionId", "topicKey", "subscriberIds", "emails"])
      if (query.has(name)) query.set(name, (query.get(name) ?? []).map(change));
    return query;
  });
const inPaths = (change: (text: string) => string) =>
  around("decodePath", (original) => (text) => change(original(text)));
const inWorkflowIds = (change: (text: string) => string) =>
  around("findWorkflow", (original) => (workflows, text) => original(workflows, change(text)));
const twice = (text: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const TEXT: Bug[] = [
  ["text", "NUL in a filter is 500", inFilters(failsOnNul), CRAFTED],
  ["text", "NUL in a subscriberId is 500", inPaths(failsOnNul), CRAFTED],
  ["text", "NUL in a workflowId is 500", inWorkflowIds(failsOnNul), CRAFTED],
  [
    "text",
    "a lone surrogate in a workflowId is 500",
    inWorkflowIds((text) => (Buffer.from(text).toString() === text ? text : boom("ill-formed"))),
    CRAFTED,
  ],
  ["text", "astral characters in a filter are 500", inFilters(failsOn(/[\u{10000}-\u{10ffff}]/u))],
  ["text", "astral characters in a subscriberId are 500", inPaths(failsOn(/[\u{10000}-\u{10ffff}]/u)), CRAFTED],
  [
    "text",
    "a text of 10 kB in a filter is 500",
    inFilters((text) => (text.length > 5000 ? boom("too long") : text)),
    CRAFTED,
  ],
  [
    "text",
    "a workflowId of 10 kB is 500",
    inWorkflowIds((text) => (text.length > 5000 ? boom("too long") : text)),
    CRAFTED,
  ],
  [
    "text",
    "subscriberIds over 255 characters are 500",
    inPaths((text) => (text.length > 255 ? boom("too long") : text)),
    CRAFTED,
  ],
  ["text", "paths are decoded twice", inPaths(twice), CRAFTED],
  ["text", "filters are decoded twice", inFilters(twice), CRAFTED],
  ["text", "blanks around a subscriberId are cut off", inPaths((text) => text.trim()), UNSEEN],
  ["text", "blanks around a filter are cut off", inFilters((text) => text.trim())],
  ["text", "a BOM is cut off", inPaths((text) => text.replace(/^\ufeff/, "")), CRAFTED],
  ["text", "subscriberIds are normalized", inPaths((text) => text.normalize("NFC")), CRAFTED],
  ["text", "what follows a NUL is cut off", inPaths((text) => text.split("\u0000")[0] ?? ""), CRAFTED],
  [
    "text",
    "search knows LIKE's wildcards",
    around("isFound", (original) => (id, email, search) => original(id, email, search) || like(email, `%${search}%`)),
    CRAFTED,
  ],
  [
    "text",
    "a _ in search stands for any character",
    around(
      "isFound",
      (original) => (id, email, search) =>
        original(id, email, search) || like(email, `%${search.replaceAll("%", "\\%")}%`),
    ),
    CRAFTED,
  ],
  [
    "text",
    "search is a regular expression",
    around("isFound", () => (id, email, search) => id === search || new RegExp(search, "i").test(email ?? "")),
  ],
  [
    "text",
    "search finds the beginning of an address only",
    around(
      "isFound",
      () => (id, email, search) => id === search || email?.toLowerCase().startsWith(search.toLowerCase()) === true,
    ),
  ],
  [
    "text",
    "search finds a part of a subscriberId",
    around("isFound", (original) => (id, email, search) => original(id, email, search) || id.includes(search)),
  ],
  [
    "text",
    "search finds subscriberIds in any case",
    around(
      "isFound",
      (original) => (id, email, search) => original(id, email, search) || id.toLowerCase() === search.toLowerCase(),
    ),
  ],
  [
    "text",
    "search tells capitals apart",
    around("isFound", () => (id, email, search) => id === search || email?.includes(search) === true),
  ],
  [
    "text",
    "search does not look at subscriberIds",
    around("isFound", (original) => (_id, email, search) => original("\u0000", email, search)),
  ],
  [
    "text",
    "emails match in any case",
    around("isEmail", () => (email, wanted) => email.toLowerCase() === wanted.toLowerCase()),
  ],
  [
    "text",
    "the tag after a + in an address is dropped",
    around("isEmail", () => (email, wanted) => email === wanted || email.replace(/\+.*@/, "@") === wanted),
    CRAFTED,
  ],
  [
    "text",
    "subscriberIds match in any case",
    around("isSubscriberId", () => (id, wanted) => id.toLowerCase() === wanted.toLowerCase()),
    CRAFTED,
  ],
  [
    "text",
    "subscriberIds match by their beginning",
    around("isSubscriberId", () => (id, wanted) => id.startsWith(wanted)),
    CRAFTED,
  ],
  [
    "text",
    "transactions match by their beginning",
    around("isTransaction", () => (own, wanted) => own.startsWith(wanted)),
  ],
  [
    "text",
    "transactions match in any case",
    around("isTransaction", () => (own, wanted) => own.toLowerCase() === wanted.toLowerCase()),
    CRAFTED,
  ],
  ["text", "topics match LIKE's wildcards", around("isTopic", () => (own, wanted) => like(own, wanted)), CRAFTED],
  [
    "text",
    "topics match without accents",
    around("isTopic", () => (own, wanted) => own.localeCompare(wanted, "en", { sensitivity: "base" }) === 0),
    CRAFTED,
  ],
  [
    "text",
    "topics are regular expressions",
    around("isTopic", () => (own, wanted) => own === wanted || new RegExp(`^${wanted}$`).test(own)),
    CRAFTED,
  ],
  [
    "text",
    "constructor is a key",
    around(
      "findEnvironment",
      (original, backend) => (key) =>
        original(key) ?? (key in {} ? backend.environments.values().next().value : undefined),
    ),
    CRAFTED,
  ],
  [
    "text",
    "a prefix of the key opens",
    around(
      "findEnvironment",
      (original, backend) => (key) =>
        original(key) ?? [...backend.environments].find(([own]) => key.length > 3 && own.startsWith(key))?.[1],
    ),
    UNSEEN,
  ],
  [
    "text",
    "the key opens in any case",
    around(
      "findEnvironment",
      (original, backend) => (key) =>
        original(key) ?? [...backend.environments].find(([own]) => own.toLowerCase() === key.toLowerCase())?.[1],
    ),
    UNSEEN,
  ],
  [
    "text",
    "the key's first eight characters count",
    around(
      "findEnvironment",
      (_original, backend) => (key) =>
        [...backend.environments].find(([own]) => own.slice(0, 8) === key.slice(0, 8))?.[1],
    ),
    UNSEEN,
  ],
  [
    "text",
    "constructor is a subscriber",
    around(
      "findPerson",
      (original) => (environment, id) => original(environment, id) ?? (id in {} ? environment.people[0] : undefined),
    ),
    CRAFTED,
  ],
  [
    "text",
    "names of Object are channels",
    around("isChannel", (original) => (name, value) => original(name, value) || name in {}),
    CRAFTED,
  ],
  [
    "text",
    "subscribers are found in any case",
    around(
      "findPerson",
      (original) => (environment, id) =>
        original(environment, id) ??
        environment.people.find((one) => one.subscriberId.toLowerCase() === id.toLowerCase()),
    ),
    UNSEEN,
  ],
  [
    "text",
    "subscribers are found by their beginning",
    around(
      "findPerson",
      () =>
        ({ people }, id) =>
          people.find((one) => one.subscriberId.startsWith(id)),
    ),
    UNSEEN,
  ],
  [
    "text",
    "subscribers are found by email",
    around(
      "findPerson",
      (original) => (environment, id) =>
        original(environment, id) ?? environment.people.find(({ email }) => email === id),
    ),
  ],
  [
    "text",
    "subscribers are found by _id",
    around(
      "findPerson",
      (original) => (environment, id) => original(environment, id) ?? environment.people.find(({ _id }) => _id === id),
    ),
  ],
];

function like(text: string | undefined, pattern: string): boolean {
  const escaped = pattern.replaceAll(/\\%|[.*+?^${}()|[\]\\]/g, (char) => (char === "\\%" ? "%" : `\\${char}`));
  return new RegExp(`^${escaped.replaceAll("%", ".*").replaceAll("_", ".")}$`, "is").test(text ?? "");
}

const HTTP: Bug[] = [
  [
    "http",
    "chunked bodies are empty",
    around(
      "readBytes",
      (original) => async (request) => (request.headers["transfer-encoding"] ? Buffer.alloc(0) : original(request)),
    ),
    CRAFTED,
  ],
  [
    "http",
    "bytes that are not UTF-8 are replaced",
    around("parseJson", (original) => (bytes) => original(Buffer.from(bytes.toString()))),
    CRAFTED,
  ],
  [
    "http",
    "a deep body is 500",
    around(
      "parseJson",
      (original) => (bytes) => (bytes.toString().split("{").length > 50 ? boom("stack") : original(bytes)),
    ),
    CRAFTED,
  ],
  ["http", "+json is JSON", around("isMediaType", (original) => (type) => original(type) || type.endsWith("+json"))],
  [
    "http",
    "text/json is JSON",
    around("isMediaType", (original) => (type) => original(type) || type === "text/json"),
    CRAFTED,
  ],
  ["http", "any charset is read", around("isCharset", () => () => true), CRAFTED],
  [
    "http",
    "an Accept without JSON is 406",
    around(
      "authenticate",
      (original) => (headers) => (/^text\/html$|xml/.test(headers.accept ?? "") ? reject(406) : original(headers)),
    ),
  ],
  [
    "http",
    "Accept: text/html gets HTML",
    around(
      "contentType",
      (original) => (status, request) =>
        request.headers.accept?.includes("text/html") ? "text/html" : original(status, request),
    ),
  ],
  ["http", "responses have no charset", around("contentType", () => () => "application/json")],
  [
    "http",
    "errors have no charset",
    around(
      "contentType",
      (original) => (status, request) => (status >= 400 ? "application/json" : original(status, request)),
    ),
  ],
  [
    "http",
    "a slash may follow the list's path",
    around("isListPath", () => (path) => /^\/v1\/notifications\/?$/.test(path)),
  ],
  [
    "http",
    "a slash may follow the preferences' path",
    around("matchUpdatePath", (original) => (path) => original(path.replace(/\/$/, ""))),
  ],
  ["http", "paths match in any case", around("isListPath", () => (path) => path.toLowerCase() === "/v1/notifications")],
  [
    "http",
    "double slashes are one",
    around("isListPath", () => (path) => path.replaceAll(/\/+/g, "/") === "/v1/notifications"),
  ],
  [
    "http",
    "HEAD is 405",
    around(
      "respond",
      (original) => async (request) =>
        request.method === "HEAD" ? reject(405, { allow: "GET, OPTIONS" }) : original(request),
    ),
  ],
  [
    "http",
    "an empty body is an empty update",
    around(
      "parseBody",
      (original) => (headers, bytes) => (bytes.length === 0 ? { channels: {} } : original(headers, bytes)),
    ),
  ],
  [
    "http",
    "bodies over 100,000 bytes are 413",
    around(
      "parseBody",
      (original) => (headers, bytes) => (bytes.length > 100_000 ? reject(413) : original(headers, bytes)),
    ),
    CRAFTED,
  ],
  [
    "http",
    "a long chunked body is read",
    around("readBytes", (original) => async (request) => {
      const bytes = await original(request);
      return request.headers["transfer-encoding"] && bytes.length > 102_400 ? Buffer.from('{"channels":{}}') : bytes;
    }),
    CRAFTED,
  ],
  [
    "http",
    "an error's path has no query",
    around("toError", (original) => (status, request) => ({
      ...original(status, request),
      path: request.url?.split("?")[0],
    })),
  ],
  [
    "http",
    "an error's path is decoded",
    around("toError", (original) => (status, request) => ({
      ...original(status, request),
      path: twice(request.url ?? ""),
    })),
  ],
  [
    "http",
    "errors name their kind",
    around("toError", (original) => (status, request) => ({ ...original(status, request), error: "Bad" })),
  ],
];

function reject(status: number, headers: Record<string, string> = {}): never {
  throw new Rejection(status, {}, headers);
}

const instants = (read: (text: string, original: (text: string) => number | undefined) => number | undefined) =>
  around("parseInstant", (original) => (text) => read(text, original));

const TIME: Bug[] = [
  [
    "time",
    "a leap second is rejected",
    instants((text, read) => (/:60(\D|$)/.test(text) ? undefined : read(text))),
    CRAFTED,
  ],
  [
    "time",
    "a leap second is 500",
    instants((text, read) => (/:60(\D|$)/.test(text) ? boom("invalid date") : read(text))),
    CRAFTED,
  ],
  [
    "time",
    "24:00 is the next day",
    instants((text, read) => read(text) ?? (/T24:00:00/.test(text) ? ifFinite(Date.parse(text)) : undefined)),
  ],
  ["time", "any second may be 60", instants((text, read) => read(text) ?? read(text.replace(":60", ":59"))), CRAFTED],
  [
    "time",
    "offsets over 23 hours are read",
    instants((text, read) => read(text) ?? read(text.replace(/[+-]24:00$/, "Z"))),
    CRAFTED,
  ],
  ["time", "an offset's sign is not looked at", instants((text, read) => read(text.replace(/-(\d\d:\d\d)$/, "+$1")))],
  [
    "time",
    "an offset's minutes are not looked at",
    instants((text, read) =>
      read(text) === undefined
        ? undefined
        : read(text.replace(/:\d\d$/, (end) => (/[+-]\d\d:\d\d$/.test(text) ? ":00" : end))),
    ),
  ],
  [
    "time",
    "below a millisecond is cut off",
    instants((text, read) => {
      const ms = read(text);
      return ms === undefined ? undefined : Math.floor(ms);
    }),
    CRAFTED,
  ],
  [
    "time",
    "below a millisecond is rounded",
    instants((text, read) => {
      const ms = read(text);
      return ms === undefined ? undefined : Math.round(ms);
    }),
    CRAFTED,
  ],
  [
    "time",
    "a second's fraction is cut off",
    instants((text, read) => read(text.replace(/\.\d+/, (all) => (read(text) === undefined ? all : "")))),
  ],
  [
    "time",
    "the year 0000 is rejected",
    instants((text, read) => (text.startsWith("0000") ? undefined : read(text))),
    CRAFTED,
  ],
  [
    "time",
    "the year 0000 is 500",
    instants((text, read) => (text.startsWith("0000") ? boom("date out of range") : read(text))),
    CRAFTED,
  ],
  [
    "time",
    "years up to 0099 are of the 20th century",
    instants((text, read) => read(text.replace(/^00(?=\d\d-)/, "20"))),
    CRAFTED,
  ],
  [
    "time",
    "past the year 9999 is 500",
    instants((text, read) =>
      (read(text) ?? 0) > Date.parse("9999-12-31T23:59:59.999Z") ? boom("date out of range") : read(text),
    ),
    CRAFTED,
  ],
  [
    "time",
    "29 February of every year",
    instants((text, read) => read(text) ?? read(text.replace("-02-29", "-02-28"))),
    CRAFTED,
  ],
  [
    "time",
    "a date alone is read",
    instants((text, read) => read(text) ?? (/^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : undefined)),
  ],
  [
    "time",
    "records of the future are listed",
    around("isInTime", () => (created, after, before) => created > (after ?? 0) && created < (before ?? Infinity)),
    UNSEEN,
  ],
  [
    "time",
    "an error's timestamp is the server's start",
    around("toError", (original, backend) => (status, request) => ({
      ...original(status, request),
      timestamp: new Date(backend.startedAt).toISOString(),
    })),
    UNSEEN,
  ],
  [
    "time",
    "an error's timestamp is an hour late",
    around("toError", (original) => (status, request) => ({
      ...original(status, request),
      timestamp: new Date(Date.now() - 3_600_000).toISOString(),
    })),
    UNSEEN,
  ],
  [
    "time",
    "after is inclusive",
    around(
      "isInTime",
      (original) => (created, after, before) => original(created, after === undefined ? after : after - 1e-3, before),
    ),
  ],
  [
    "time",
    "before is inclusive",
    around(
      "isInTime",
      (original) => (created, after, before) => original(created, after, before === undefined ? before : before + 1e-3),
    ),
  ],
  ["time", "an inverted range is empty", around("checkDates", () => () => {})],
];

const shown = (change: (result: { global: Json; workflows: Json[] }, backend: Backend) => object) =>
  around(
    "show",
    (original, backend) => (environment, own) =>
      change(original(environment, own), backend) as ReturnType<typeof original>,
  );

const LAWS: Bug[] = [
  [
    "laws",
    "inactive workflows are listed",
    around(
      "isListed",
      () =>
        ({ lock }) =>
          lock === undefined,
    ),
  ],
  [
    "laws",
    "critical workflows are listed",
    around(
      "isListed",
      () =>
        ({ isActive, lock }) =>
          isActive && lock !== "code",
    ),
  ],
  [
    "laws",
    "workflows that code locks are listed",
    around(
      "isListed",
      () =>
        ({ isActive, lock }) =>
          isActive && lock !== "critical",
    ),
  ],
  [
    "laws",
    "workflows in the order of their names",
    shown((result) => ({
      ...result,
      workflows: result.workflows.toSorted((one, other) => (one.workflow.name < other.workflow.name ? -1 : 1)),
    })),
  ],
  ["laws", "newest workflow first", shown((result) => ({ ...result, workflows: result.workflows.toReversed() }))],
  [
    "laws",
    "a workflow is found by its name",
    around(
      "findWorkflow",
      (original) => (workflows, text) => original(workflows, text) ?? workflows.find(({ name }) => name === text),
    ),
  ],
  [
    "laws",
    "a workflow is found in any case",
    around(
      "findWorkflow",
      (original) => (workflows, text) =>
        original(workflows, text) ?? workflows.find(({ identifier }) => identifier === text.toLowerCase()),
    ),
  ],
  [
    "laws",
    "a workflow is found by the beginning of its identifier",
    around(
      "findWorkflow",
      (original) => (workflows, text) =>
        original(workflows, text) ?? workflows.find(({ identifier }) => identifier.startsWith(text)),
    ),
    UNSEEN,
  ],
  [
    "laws",
    "a workflow is found by the slug's beginning",
    around(
      "findWorkflow",
      (original) => (workflows, text) =>
        original(workflows, text) ?? workflows.find(({ name }) => name.toLowerCase().replaceAll(" ", "-") === text),
    ),
    UNSEEN,
  ],
  [
    "laws",
    "an unknown subscriber is reported before an unknown workflow",
    around(
      "update",
      (original, backend) => async (environment, id, body) =>
        backend.findPerson(environment, id) ? original(environment, id, body) : reject(404),
    ),
    CRAFTED,
  ],
  [
    "laws",
    "a critical workflow is reported before an unknown subscriber",
    around(
      "update",
      (original, backend) => async (environment, id, body) =>
        backend.findWorkflow(environment.workflows, body.workflowId ?? "")?.lock === "critical"
          ? reject(400)
          : original(environment, id, body),
    ),
    CRAFTED,
  ],
  [
    "laws",
    "the id in a slug is named in place of the slug",
    around(
      "update",
      (original) => (environment, id, body) =>
        original(environment, id, body).catch((error) => {
          const named = decodeSlug(String(body.workflowId));
          throw error.body?.ctx?.workflowId && named ? new Rejection(404, { ctx: { workflowId: named } }) : error;
        }),
    ),
  ],
  [
    "laws",
    "channels without an active step are listed",
    around(
      "channelsOf",
      () =>
        ({ steps }) =>
          CHANNELS.filter((name) => steps.some(([channel]) => channel === name)),
    ),
    UNSEEN,
  ],
  ["laws", "every workflow lists all channels", around("channelsOf", () => () => CHANNELS), UNSEEN],
  [
    "laws",
    "hasMore after every full page",
    around("hasMore", () => (_total, _end, count, pageSize) => count === pageSize),
  ],
  [
    "laws",
    "channels in another order",
    around("channelsOf", (original) => (workflow) => original(workflow).toReversed()),
  ],
  [
    "laws",
    "a global update leaves workflow values",
    around("apply", (original) => (own, channels, workflow) => {
      if (workflow) original(own, channels, workflow);
      else Object.assign(own.global, channels);
    }),
  ],
  [
    "laws",
    "a global update ends all workflow values",
    around("apply", (original) => (own, channels, workflow) => {
      original(own, channels, workflow);
      if (!workflow && Object.keys(channels).length > 0) own.workflows = {};
    }),
  ],
  [
    "laws",
    "a null channel is stored",
    around("isChannel", (original) => (name, value) => original(name, value) || value === null),
  ],
  [
    "laws",
    "equal times in any order",
    around("list", (original) => (environment, query) => {
      const [status, body] = original(environment, query) as Json;
      return [
        status,
        {
          ...body,
          data: body.data.toSorted(
            (one: Json, other: Json) =>
              other.createdAt.localeCompare(one.createdAt) || one._id.localeCompare(other._id),
          ),
        },
      ];
    }),
  ],
];

export const BUGS: Bug[] = [
  ...PLAIN,
  ...CONCURRENCY,
  ...NUMBERS,
  ...EMPTY,
  ...TEXT,
  ...HTTP,
  ...TIME,
  ...LAWS,
  ...PROTOCOL,
  ...SECOND_LANGUAGE,
];
