// Bugs that real backends have, each planted in the second independent implementation by putting one method in the place of
// another. The suite has to detect every one of them.
import { type Backend, CHANNELS, decodeSlug, pause, Rejection } from "./backend.js";
import type { Person, Preferences, Workflow } from "./backend-data.js";
import { PLAIN } from "./plain-bugs.js";
import {
  around,
  type Bug,
  CRAFTED,
  inErrors,
  inPages,
  inResults,
  type Json,
  type Row,
  reject,
  toBugs,
} from "./plant.js";
import { PROTOCOL } from "./protocol-bugs.js";
import { SECOND_LANGUAGE } from "./second-language-bugs.js";
import { THIRD_LANGUAGE } from "./third-language-bugs.js";

const UNSEEN = "only the upstream's data, keys or clock show it";

const boom = (message: string): never => {
  throw new Error(message);
};

const number = (read: (text: string) => number | undefined) =>
  around("readInteger", (original) => (text) => original(text) ?? read(text));
const inNumbers = (change: (value: number) => number) =>
  around("readInteger", (original) => (text) => withNumber(original(text), change));
const withNumber = (value: number | undefined, change: (value: number) => number) =>
  value === undefined ? undefined : change(value);
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

/** What an update beyond ten at once leads to. */
const whenBusy = (react: () => undefined) =>
  around("store", (original, backend) => async (...args) => {
    backend.memory.busy = (backend.memory.busy ?? 0) + 1;
    const isBusy = backend.memory.busy > 10;
    await pause(3);
    backend.memory.busy -= 1;
    return isBusy ? react() : original(...args);
  });
const keepingReplays = (count: number) =>
  around("findReplay", (original) => (environment, key) => {
    const kept = [...environment.replays.keys()].slice(-count);
    return kept.includes(key) ? original(environment, key) : undefined;
  });
const inKeys = (change: (key: string) => string) =>
  around("toReplayKey", (original) => (header) => {
    const key = original(header);
    return key === undefined ? undefined : change(key);
  });

const CONCURRENCY: Row[] = [
  ["updates read, wait and write back", rewriting(() => true)],
  ["updates of a workflow read, wait and write back", rewriting((workflow) => workflow !== undefined)],
  ["global updates read, wait and write back", rewriting((workflow) => workflow === undefined)],
  ["of more than ten updates at once some are lost", whenBusy(() => undefined), CRAFTED],
  ["more than ten at once are 500", whenBusy(() => boom("pool exhausted")), CRAFTED],
  [
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
    "keyed retries in parallel are all executed",
    around("findReplay", (original) => (environment, key) => {
      const replay = original(environment, key);
      return replay?.response ? replay : undefined;
    }),
  ],
  [
    "recorded responses live a second",
    around("findReplay", (original, backend) => (environment, key) => {
      const replay = original(environment, key);
      return replay && backend.now().getTime() - replay.at < 1000 ? replay : undefined;
    }),
  ],
  ["the last three recorded responses are kept", keepingReplays(3)],
  ["the last hundred recorded responses are kept", keepingReplays(100), CRAFTED],
  ["idempotency keys match in any case", inKeys((key) => key.toLowerCase()), CRAFTED],
  ["idempotency keys are cut at 64 characters", inKeys((key) => key.slice(0, 64)), CRAFTED],
  ["of a repeated idempotency-key the first counts", inKeys((key) => key.replace(/, .*/s, "")), CRAFTED],
  [
    "letters other than ASCII are dropped from idempotency keys",
    inKeys((key) => key.replaceAll(/[^\w-]/g, "")),
    CRAFTED,
  ],
  ["a key with another body is replayed", around("toPrint", () => (subscriberId) => subscriberId)],
  ["a key on another path is replayed", around("toPrint", () => (_id, body) => JSON.stringify(body))],
  [
    "two bodies with members in another order are one",
    around("toPrint", () => (id, body) => id + Object.entries(body.channels).sort() + body.workflowId),
  ],
  [
    "workflowId is not part of the fingerprint",
    around("toPrint", () => (id, body) => id + JSON.stringify(body.channels)),
  ],
];

const NUMBERS: Row[] = [
  ["1e1 is ten", number((text) => (/^\d+e\d+$/i.test(text) ? Number(text) : undefined)), CRAFTED],
  ["+5 is five", number((text) => (/^\+\d+$/.test(text) ? Number(text) : undefined)), CRAFTED],
  ["0x10 is sixteen", number((text) => (/^0x/i.test(text) ? ifFinite(Number(text)) : undefined)), CRAFTED],
  ["0b11 and 0o7 are numbers", number((text) => (/^0[bo]/i.test(text) ? ifFinite(Number(text)) : undefined)), CRAFTED],
  ["blanks around a number are cut off", number((text) => (/^\d+$/.test(text.trim()) ? Number(text) : undefined))],
  ["1.0 is one", number((text) => (/^\d+\.0+$/.test(text) ? Number(text) : undefined))],
  ["10.5 is ten", number((text) => (/^\d+\.\d+$/.test(text) ? Math.trunc(Number(text)) : undefined))],
  ["a number may be followed by anything", number((text) => ifFinite(Number.parseInt(text, 10)))],
  [
    "digits of other scripts are read",
    number((text) => (/^\p{Nd}+$/u.test(text) ? Number(text.normalize("NFKC")) : undefined)),
  ],
  [
    "underscores between digits",
    number((text) => (/^\d+(_\d+)+$/.test(text) ? Number(text.replaceAll("_", "")) : undefined)),
    CRAFTED,
  ],
  ["a comma between thousands", number((text) => (/^\d+,\d+$/.test(text) ? Number(text.replace(",", "")) : undefined))],
  ["true is one", number((text) => (text === "true" ? 1 : undefined))],
  [
    "a page over 2^31 is a 500",
    inNumbers((value) => (value < 2 ** 31 ? value : boom("out of range for type integer"))),
    CRAFTED,
  ],
  ["pages wrap at 2^32", inNumbers((value) => value % 2 ** 32), CRAFTED],
];

const EMPTY: Row[] = [
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
    (name): Row => [
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
    "an empty limit is the default",
    around("readQuery", (original) => (text) => {
      const query = original(text);
      if (query.get("limit")?.[0] === "") query.delete("limit");
      return query;
    }),
  ],
  ...["page", "limit", "search", "transactionId", "topicKey", "after", "before"].map(
    (name): Row => [
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
    "brackets are read",
    around("readQuery", (original) => (text) => original(text.replaceAll(/(\[\d*\]|%5B\d*%5D)=/gi, "="))),
  ],
  [
    "an empty item makes a list match nothing",
    around("readQuery", (original) => (text) => {
      const query = original(text);
      const [, name = ""] = /(?:^|&)(emails|subscriberIds)=(?:&|$)/.exec(text) ?? [];
      if (query.has(name)) query.set(name, ["\u0000nothing"]);
      return query;
    }),
  ],
];

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

const isAlike = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

// What is found as well.
const orFound = (isMeant: Backend["isFound"]) =>
  around(
    "isFound",
    (original) =>
      (...args) =>
        original(...args) || isMeant(...args),
  );
const orOpening = (isMeant: (own: string, key: string) => boolean) =>
  around(
    "findEnvironment",
    (original, { environments }) =>
      (key) =>
        original(key) ?? [...environments].find(([own]) => isMeant(own, key))?.[1],
  );
const orPerson = (isMeant: (person: Person, id: string) => boolean) =>
  around(
    "findPerson",
    (original) => (environment, id) =>
      original(environment, id) ?? environment.people.find((person) => isMeant(person, id)),
  );
const orWorkflow = (isMeant: (workflow: Workflow, text: string) => boolean) =>
  around(
    "findWorkflow",
    (original) => (workflows, text) =>
      original(workflows, text) ?? workflows.find((workflow) => isMeant(workflow, text)),
  );

const TEXT: Row[] = [
  ["NUL in a filter is 500", inFilters(failsOnNul), CRAFTED],
  ["NUL in a subscriberId is 500", inPaths(failsOnNul), CRAFTED],
  ["NUL in a workflowId is 500", inWorkflowIds(failsOnNul), CRAFTED],
  [
    "a lone surrogate in a workflowId is 500",
    inWorkflowIds((text) => (Buffer.from(text).toString() === text ? text : boom("ill-formed"))),
    CRAFTED,
  ],
  ["astral characters in a filter are 500", inFilters(failsOn(/[\u{10000}-\u{10ffff}]/u))],
  ["astral characters in a subscriberId are 500", inPaths(failsOn(/[\u{10000}-\u{10ffff}]/u)), CRAFTED],
  ["a text of 10 kB in a filter is 500", inFilters((text) => (text.length > 5000 ? boom("too long") : text)), CRAFTED],
  ["a workflowId of 10 kB is 500", inWorkflowIds((text) => (text.length > 5000 ? boom("too long") : text)), CRAFTED],
  [
    "subscriberIds over 255 characters are 500",
    inPaths((text) => (text.length > 255 ? boom("too long") : text)),
    CRAFTED,
  ],
  ["paths are decoded twice", inPaths(twice), CRAFTED],
  ["filters are decoded twice", inFilters(twice), CRAFTED],
  ["blanks around a subscriberId are cut off", inPaths((text) => text.trim()), UNSEEN],
  ["blanks around a filter are cut off", inFilters((text) => text.trim())],
  ["a BOM is cut off", inPaths((text) => text.replace(/^\ufeff/, "")), CRAFTED],
  ["subscriberIds are normalized", inPaths((text) => text.normalize("NFC")), CRAFTED],
  ["what follows a NUL is cut off", inPaths((text) => text.split("\u0000")[0] ?? ""), CRAFTED],
  ["search knows LIKE's wildcards", orFound((_id, email, search) => like(email, `%${search}%`)), CRAFTED],
  [
    "a _ in search stands for any character",
    orFound((_id, email, search) => like(email, `%${search.replaceAll("%", "\\%")}%`)),
    CRAFTED,
  ],
  [
    "search is a regular expression",
    around("isFound", () => (id, email, search) => id === search || new RegExp(search, "i").test(email ?? "")),
  ],
  [
    "search finds the beginning of an address only",
    around(
      "isFound",
      () => (id, email, search) => id === search || email?.toLowerCase().startsWith(search.toLowerCase()) === true,
    ),
  ],
  ["search finds a part of a subscriberId", orFound((id, _email, search) => id.includes(search))],
  ["search finds subscriberIds in any case", orFound((id, _email, search) => isAlike(id, search))],
  [
    "search tells capitals apart",
    around("isFound", () => (id, email, search) => id === search || email?.includes(search) === true),
  ],
  [
    "search does not look at subscriberIds",
    around("isFound", (original) => (_id, email, search) => original("\u0000", email, search)),
  ],
  ["emails match in any case", around("isEmail", () => isAlike)],
  [
    "the tag after a + in an address is dropped",
    around("isEmail", () => (email, wanted) => email === wanted || email.replace(/\+.*@/, "@") === wanted),
    CRAFTED,
  ],
  ["subscriberIds match in any case", around("isSubscriberId", () => isAlike), CRAFTED],
  [
    "subscriberIds match by their beginning",
    around("isSubscriberId", () => (id, wanted) => id.startsWith(wanted)),
    CRAFTED,
  ],
  ["transactions match by their beginning", around("isTransaction", () => (own, wanted) => own.startsWith(wanted))],
  ["transactions match in any case", around("isTransaction", () => isAlike), CRAFTED],
  ["topics match LIKE's wildcards", around("isTopic", () => (own, wanted) => like(own, wanted)), CRAFTED],
  [
    "topics match without accents",
    around("isTopic", () => (own, wanted) => own.localeCompare(wanted, "en", { sensitivity: "base" }) === 0),
    CRAFTED,
  ],
  [
    "topics are regular expressions",
    around("isTopic", () => (own, wanted) => own === wanted || new RegExp(`^${wanted}$`).test(own)),
    CRAFTED,
  ],
  ["constructor is a key", orOpening((_own, key) => key in {}), CRAFTED],
  ["what follows the key does not count", orOpening((own, key) => key.startsWith(own)), CRAFTED],
  ["constructor is a subscriber", orPerson((_person, id) => id in {}), CRAFTED],
  [
    "names of Object are channels",
    around("isChannel", (original) => (name, value) => original(name, value) || name in {}),
    CRAFTED,
  ],
  ["subscribers are found in any case", orPerson(({ subscriberId }, id) => isAlike(subscriberId, id)), UNSEEN],
  ["subscribers are found by their beginning", orPerson(({ subscriberId }, id) => subscriberId.startsWith(id)), UNSEEN],
  ["subscribers are found by email", orPerson(({ email }, id) => email === id)],
  ["subscribers are found by _id", orPerson(({ _id }, id) => _id === id)],
];

function like(text: string | undefined, pattern: string): boolean {
  const escaped = pattern.replaceAll(/\\%|[.*+?^${}()|[\]\\]/g, (char) => (char === "\\%" ? "%" : `\\${char}`));
  return new RegExp(`^${escaped.replaceAll("%", ".*").replaceAll("_", ".")}$`, "is").test(text ?? "");
}

/** Changes the media type of responses. */
const inTypes = (change: (type: string, status: number) => string) =>
  around("contentType", (original) => (status, request) => change(original(status, request), status));

const HTTP: Row[] = [
  [
    "chunked bodies are empty",
    around(
      "readBytes",
      (original) => async (request) => (request.headers["transfer-encoding"] ? Buffer.alloc(0) : original(request)),
    ),
    CRAFTED,
  ],
  [
    "bytes that are not UTF-8 are replaced",
    around("parseJson", (original) => (bytes) => original(Buffer.from(bytes.toString()))),
    CRAFTED,
  ],
  [
    "a deep body is 500",
    around(
      "parseJson",
      (original) => (bytes) => (bytes.toString().split("{").length > 50 ? boom("stack") : original(bytes)),
    ),
    CRAFTED,
  ],
  ["+json is JSON", around("isMediaType", (original) => (type) => original(type) || type.endsWith("+json"))],
  ["text/json is JSON", around("isMediaType", (original) => (type) => original(type) || type === "text/json"), CRAFTED],
  ["any charset is read", around("isCharset", () => () => true), CRAFTED],
  [
    "an Accept without JSON is 406",
    around(
      "authenticate",
      (original) => (headers) => (/^text\/html$|xml/.test(headers.accept ?? "") ? reject(406) : original(headers)),
    ),
  ],
  [
    "Accept: text/html gets HTML",
    around(
      "contentType",
      (original) => (status, request) =>
        request.headers.accept?.includes("text/html") ? "text/html" : original(status, request),
    ),
  ],
  ["responses are in another charset", inTypes(() => "application/json; charset=iso-8859-1")],
  ["responses name the charset utf8", inTypes(() => "application/json;charset=utf8")],
  [
    "errors are in another charset",
    inTypes((type, status) => (status >= 400 ? "application/json; charset=us-ascii" : type)),
  ],
  ["a slash may follow the list's path", around("isListPath", () => (path) => /^\/v1\/notifications\/?$/.test(path))],
  [
    "a slash may follow the preferences' path",
    around("matchUpdatePath", (original) => (path) => original(path.replace(/\/$/, ""))),
  ],
  ["paths match in any case", around("isListPath", () => (path) => path.toLowerCase() === "/v1/notifications")],
  [
    "double slashes are one",
    around("isListPath", () => (path) => path.replaceAll(/\/+/g, "/") === "/v1/notifications"),
  ],
  [
    "HEAD is 405",
    around(
      "respond",
      (original) => async (request) =>
        request.method === "HEAD" ? reject(405, { allow: "GET, OPTIONS" }) : original(request),
    ),
  ],
  [
    "an empty body is an empty update",
    around(
      "parseBody",
      (original) => (headers, bytes) => (bytes.length === 0 ? { channels: {} } : original(headers, bytes)),
    ),
  ],
  [
    "bodies over 100,000 bytes are 413",
    around(
      "parseBody",
      (original) => (headers, bytes) => (bytes.length > 100_000 ? reject(413) : original(headers, bytes)),
    ),
    CRAFTED,
  ],
  [
    "a long chunked body is read",
    around("readBytes", (original) => async (request) => {
      const bytes = await original(request);
      return request.headers["transfer-encoding"] && bytes.length > 102_400 ? Buffer.from('{"channels":{}}') : bytes;
    }),
    CRAFTED,
  ],
  ["an error's path has no query", inErrors((error) => ({ ...error, path: error.path.split("?")[0] }))],
  ["an error's path is decoded", inErrors((error) => ({ ...error, path: twice(error.path) }))],
  ["errors name their kind", inErrors((error) => ({ ...error, error: "Bad" }))],
];

const instants = (read: (text: string, original: (text: string) => number | undefined) => number | undefined) =>
  around("parseInstant", (original) => (text) => read(text, original));

const TIME: Row[] = [
  ["a leap second is rejected", instants((text, read) => (/:60(\D|$)/.test(text) ? undefined : read(text))), CRAFTED],
  [
    "a leap second is 500",
    instants((text, read) => (/:60(\D|$)/.test(text) ? boom("invalid date") : read(text))),
    CRAFTED,
  ],
  [
    "24:00 is the next day",
    instants((text, read) => read(text) ?? (/T24:00:00/.test(text) ? ifFinite(Date.parse(text)) : undefined)),
  ],
  ["any second may be 60", instants((text, read) => read(text) ?? read(text.replace(":60", ":59"))), CRAFTED],
  [
    "offsets over 23 hours are read",
    instants((text, read) => read(text) ?? read(text.replace(/[+-]24:00$/, "Z"))),
    CRAFTED,
  ],
  ["an offset's sign is not looked at", instants((text, read) => read(text.replace(/-(\d\d:\d\d)$/, "+$1")))],
  [
    "an offset's minutes are not looked at",
    instants((text, read) =>
      read(text) === undefined
        ? undefined
        : read(text.replace(/:\d\d$/, (end) => (/[+-]\d\d:\d\d$/.test(text) ? ":00" : end))),
    ),
  ],
  [
    "a second's fraction is cut off",
    instants((text, read) => read(text.replace(/\.\d+/, (all) => (read(text) === undefined ? all : "")))),
  ],
  ["the year 0000 is rejected", instants((text, read) => (text.startsWith("0000") ? undefined : read(text))), CRAFTED],
  [
    "the year 0000 is 500",
    instants((text, read) => (text.startsWith("0000") ? boom("date out of range") : read(text))),
    CRAFTED,
  ],
  [
    "years up to 0099 are of the 20th century",
    instants((text, read) => read(text.replace(/^00(?=\d\d-)/, "20"))),
    CRAFTED,
  ],
  [
    "past the year 9999 is 500",
    instants((text, read) =>
      (read(text) ?? 0) > Date.parse("9999-12-31T23:59:59.999Z") ? boom("date out of range") : read(text),
    ),
    CRAFTED,
  ],
  [
    "29 February of every year",
    instants((text, read) => read(text) ?? read(text.replace("-02-29", "-02-28"))),
    CRAFTED,
  ],
  [
    "a date alone is read",
    instants((text, read) => read(text) ?? (/^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : undefined)),
  ],
  [
    "records of the future are listed",
    around("isInTime", () => (created, after, before) => created > (after ?? 0) && created < (before ?? Infinity)),
    UNSEEN,
  ],
  [
    "an error's timestamp is the server's start",
    inErrors((error, { startedAt }) => ({ ...error, timestamp: new Date(startedAt).toISOString() })),
    UNSEEN,
  ],
  [
    "an error's timestamp is an hour late",
    inErrors((error) => ({ ...error, timestamp: new Date(Date.now() - 3_600_000).toISOString() })),
    UNSEEN,
  ],
  [
    "after is inclusive",
    around(
      "isInTime",
      (original) => (created, after, before) => original(created, after === undefined ? after : after - 1e-3, before),
    ),
  ],
  [
    "before is inclusive",
    around(
      "isInTime",
      (original) => (created, after, before) => original(created, after, before === undefined ? before : before + 1e-3),
    ),
  ],
];

const listing = (isListed: Backend["isListed"]) => around("isListed", () => isListed);

const LAWS: Row[] = [
  ["inactive workflows are listed", listing(({ lock }) => lock === undefined)],
  ["critical workflows are listed", listing(({ isActive, lock }) => isActive && lock !== "code")],
  ["workflows that code locks are listed", listing(({ isActive, lock }) => isActive && lock !== "critical")],
  [
    "workflows in the order of their names",
    inResults(({ workflows }) =>
      workflows.sort((one: Json, other: Json) => (one.workflow.name < other.workflow.name ? -1 : 1)),
    ),
  ],
  ["newest workflow first", inResults(({ workflows }) => workflows.reverse())],
  ["a workflow is found by its name", orWorkflow(({ name }, text) => name === text)],
  ["a workflow is found in any case", orWorkflow(({ identifier }, text) => identifier === text.toLowerCase())],
  [
    "a workflow is found by the beginning of its identifier",
    orWorkflow(({ identifier }, text) => identifier.startsWith(text)),
    UNSEEN,
  ],
  [
    "a workflow is found by the slug's beginning",
    orWorkflow(({ name }, text) => name.toLowerCase().replaceAll(" ", "-") === text),
    UNSEEN,
  ],
  [
    "an unknown subscriber is reported before an unknown workflow",
    around(
      "update",
      (original, backend) => async (environment, id, body) =>
        backend.findPerson(environment, id) ? original(environment, id, body) : reject(404),
    ),
    CRAFTED,
  ],
  [
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
    "channels without an active step are listed",
    around(
      "channelsOf",
      () =>
        ({ steps }) =>
          CHANNELS.filter((name) => steps.some(([channel]) => channel === name)),
    ),
    UNSEEN,
  ],
  ["every workflow lists all channels", around("channelsOf", () => () => CHANNELS), UNSEEN],
  ["hasMore after every full page", around("hasMore", () => (_total, _end, count, pageSize) => count === pageSize)],
  ["channels in another order", around("channelsOf", (original) => (workflow) => original(workflow).toReversed())],
  [
    "a global update leaves workflow values",
    around("apply", (original) => (own, channels, workflow) => {
      if (workflow) original(own, channels, workflow);
      else Object.assign(own.global, channels);
    }),
  ],
  [
    "a global update ends all workflow values",
    around("apply", (original) => (own, channels, workflow) => {
      original(own, channels, workflow);
      if (!workflow && Object.keys(channels).length > 0) own.workflows = {};
    }),
  ],
  [
    "a null channel is stored",
    around("isChannel", (original) => (name, value) => original(name, value) || value === null),
  ],
  [
    "equal times in any order",
    inPages(({ data }) => ({
      data: data.toSorted(
        (one: Json, other: Json) => other.createdAt.localeCompare(one.createdAt) || one._id.localeCompare(other._id),
      ),
    })),
  ],
];

export const BUGS: Bug[] = [
  ...PLAIN,
  ...toBugs("concurrency", CONCURRENCY),
  ...toBugs("numbers", NUMBERS),
  ...toBugs("empty", EMPTY),
  ...toBugs("text", TEXT),
  ...toBugs("http", HTTP),
  ...toBugs("time", TIME),
  ...toBugs("laws", LAWS),
  ...PROTOCOL,
  ...SECOND_LANGUAGE,
  ...THIRD_LANGUAGE,
];
