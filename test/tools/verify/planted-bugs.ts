// The bugs that are planted in the second independent implementation, by what the case that detects them is about. Each
// replaces one method. Teams that write Python, C#, Java, Go, JavaScript, PHP, Ruby and SQL made most of them; others were
// once missed. `verify` must detect all of them, the proxy those of `IN_TRAFFIC`.
import { gunzipSync } from "node:zlib";
import { type Backend, pause, Rejection } from "./backend.js";
import { type Environment, MAIN_KEY, OTHER_KEY, type Person, type Preferences } from "./backend-data.js";
import {
  type Arguments,
  around,
  inErrors,
  inPages,
  type Json,
  type Method,
  type Plant,
  plantAll,
  reject,
} from "./plant.js";

// Any step

const boom = (message = "a bug"): never => {
  throw new Error(message);
};

/** Some arguments of a method lead to an internal error. */
const failing = <Name extends Method>(name: Name, isHit: (...args: Arguments<Name>) => boolean): Plant =>
  around(name, (({ original }: Json, ...args: Arguments<Name>) =>
    isHit(...args) ? boom() : original(...args)) as Json);

/** Runs before the steps of a request. */
const first = (check: (request: Json) => void): Plant =>
  around("respond", async ({ original }, request) => {
    check(request);
    return original(request);
  });

/** Changes the path and query of a request. */
const inUrls = (change: (url: string) => string): Plant =>
  first((request) => {
    request.url = change(request.url);
  });

/** Runs before the steps of a request, with its body. */
const firstWithBody = (check: (request: Json, body: string) => void): Plant =>
  around("readBytes", async ({ original }, request) => {
    const bytes = await original(request);
    check(request, bytes.toString());
    return bytes;
  });

/** Changes an error before it is sent. */
const rethrowing = (change: (error: Json, request: Json) => unknown): Plant =>
  around("respond", async ({ original }, request) => {
    return original(request).catch((error) => {
      throw change(error, request) ?? error;
    });
  });

const isKnown = ({ headers }: Json) => headers.authorization?.includes(MAIN_KEY) === true;

const isMalformed = (text: string) => {
  try {
    decodeURIComponent(text);
    return false;
  } catch {
    return true;
  }
};

// Lists and their queries

const integers = (read: (text: string) => number | undefined) =>
  around("readInteger", ({ original }, text) => original(text) ?? read(text));

const pages = (change: (text: string) => string | number): Plant =>
  around("readInteger", ({ original }, text) => {
    const result = change(text);
    return typeof result === "number" ? result : original(result);
  });

const digitsOf = (text: string) => (/^\d+$/.test(text) ? BigInt(text) : 0n);

const inQueries = (change: (text: string) => string) =>
  around("readQuery", ({ original }, text) => original(change(text)));

/** Changes the values of each parameter. */
const inValues = (change: (values: string[], name: string) => string[]): Plant =>
  around("readQuery", ({ original }, text) => {
    return new Map([...original(text)].map(([name, values]) => [name, change(values, name)]));
  });

/** Changes the values of a parameter as subscribers are searched for. */
const ofSubscribers = (parameter: string, change: (value: string) => string | string[]): Plant =>
  around("findSubscribers", ({ original }, people, query) => {
    const values = query.get(parameter);
    return original(people, values ? new Map(query).set(parameter, values.flatMap(change)) : query);
  });

const valid = (isValid: (name: string, value: string) => boolean): Plant =>
  around("isValid", ({ original }, name, value) => original(name, value) || isValid(name, value));

/** Replaces how `search` finds an address. */
const searching = (isIn: (email: string, search: string) => boolean) =>
  around("isFound", (_, id, email, search) => id === search || isIn(email ?? "", search));

const inTurkish = (text: string) => text.replaceAll("I", "ı").toLowerCase();

const matchesLike = (text: string, pattern: string) =>
  new RegExp(pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("%", ".*"), "is").test(text);

/** Finds further people. */
const peopleBy = (isFound: (person: Person, query: Json) => boolean): Plant =>
  around("findSubscribers", ({ original }, people, query) => {
    const found = original(people, query);
    return found && people.filter((person) => found.includes(person) || isFound(person, query));
  });

/** Changes each record as the filters see it. */
const recordsBy = (change: (record: Json, query: Json, people: Person[]) => Json): Plant =>
  around("isMatch", ({ original }, record, query, people) => {
    return original(change(record, query, people ?? []), query, people);
  });

/** Changes the records of the environment before they are listed. */
const inRecords = (change: (records: Json[], query: Json, backend: Backend) => Json[]): Plant =>
  around("list", ({ original, backend }, environment, query) => {
    return original({ ...environment, records: change(environment.records, query, backend) }, query);
  });

const recipientOf = (record: Json, people: Person[]) =>
  people.find(({ subscriberId }) => subscriberId === record.to.subscriberId);

const inEmptySet = (members: object): Plant =>
  inPages(({ data }, query) => {
    const namesPeople = ["emails", "subscriberIds", "search"].some((name) => query.has(name));
    return namesPeople && data.length === 0 ? members : {};
  });

/** Changes the text of each time that is valid. */
const inTimes = (change: (text: string) => string): Plant =>
  around("parseInstant", ({ original }, text) => (original(text) === undefined ? undefined : original(change(text))));

/** Changes each text that should be a time. */
const asTimes = (change: (text: string) => string): Plant =>
  around("parseInstant", ({ original }, text) => original(change(text)));

const instants = (isRejected: (text: string) => boolean): Plant =>
  around("parseInstant", ({ original }, text) => (isRejected(text) ? undefined : original(text)));

const DAY_MS = 86_400_000;

const LIMIT_MS = 9999 * DAY_MS;

const boundsOf = (backend: Json, query: Json): number[] =>
  ["after", "before"].flatMap((name) => backend.bound(query, name) ?? []);

// Keys and environments

const othersOf = ({ environments }: Backend, own: Environment) =>
  [...environments.values()].filter(({ id }) => id !== own.id);

const isOther = ({ id }: Environment) => id.endsWith("2");

const withKeyOf = (find: (request: Json) => string | null | undefined): Plant =>
  first((request) => {
    const key = find(request);
    if (key) request.headers.authorization = `ApiKey ${key}`;
  });

const keyOf = ({ headers }: Json) => /^ApiKey (.*)$/.exec(headers.authorization ?? "")?.[1] ?? "";

const keysLike = (isAlike: (key: string, sent: string) => boolean): Plant =>
  withKeyOf((request) => [MAIN_KEY, OTHER_KEY].find((key) => isAlike(key, keyOf(request))));

/** Accepts a key in the query. */
const keyIn = (...names: string[]): Plant =>
  withKeyOf(({ url, headers }) => {
    const query = new URLSearchParams(url.replace(/^[^?]*/, ""));
    return headers.authorization ? undefined : names.map((name) => query.get(name)).find(Boolean);
  });

// Updates

const REPLAY = "idempotency-replay";

const decoding = (change: (text: string) => string) =>
  around("decodePath", ({ original }, text) => original(change(text)));

/** The hash code of Java. */
const hash = (text: string) => [...text].reduce((sum, char) => (Math.imul(31, sum) + char.charCodeAt(0)) | 0, 0);

const fold = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** Finds subscribers whose ids are equal after a change of both. */
const subscribersBy = (change: (id: string) => string): Plant =>
  around("findPerson", (_, { people }, id) => people.find((one) => change(one.subscriberId) === change(id)));

/** Finds further workflows. */
const workflowsBy = (isFound: (workflow: Json, text: string, backend: Backend) => boolean): Plant =>
  around("findWorkflow", ({ original, backend }, workflows, text) => {
    return original(workflows, text) ?? workflows.find((workflow) => isFound(workflow, text, backend));
  });

const identifiersBy = (change: (id: string) => string): Plant =>
  workflowsBy(({ identifier }, text) => change(identifier) === change(text));

const valuesAs = (change: (value: unknown) => unknown): Plant =>
  around("toViolation", ({ original }, value) => ({ ...original(value), value: change(value) }));

const inContext = (change: (text: string) => string): Plant =>
  around("update", async ({ original }, environment, id, body) => {
    return original(environment, id, body).catch((error) => {
      const { ctx } = error.body ?? {};
      if (ctx?.workflowId) ctx.workflowId = change(ctx.workflowId);
      throw error;
    });
  });

const inTexts = (change: (text: string) => string): Plant =>
  around("parseJson", ({ original }, bytes) => original(Buffer.from(change(bytes.toString("latin1")), "latin1")));

const reading = (change: (value: Json) => Json): Plant =>
  around("parseBody", ({ original }, headers, bytes) => change(original(headers, bytes)));

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);

const eachChannel = (change: (value: Json) => Json): Plant =>
  reading((body) => {
    if (!isObject(body?.channels)) return body;
    const channels = Object.entries(body.channels).map(([name, value]) => [name, change(value)]);
    return { ...body, channels: Object.fromEntries(channels) };
  });

const renaming = (change: (name: string) => string): Plant =>
  reading((body) => {
    if (!isObject(body)) return body;
    return Object.fromEntries(Object.entries(body).map(([name, value]) => [change(name), value]));
  });

function parseOrKeep(text: Json): Json {
  try {
    return typeof text === "string" ? JSON.parse(text) : text;
  } catch {
    return text;
  }
}

const asType = (isRejected: (type: string) => boolean): Plant =>
  around("parseBody", ({ original }, headers, bytes) => {
    return isRejected(headers["content-type"] ?? "") ? reject(415) : original(headers, bytes);
  });

/** Changes a media type before it is read. */
const withType = (change: (type: string) => string): Plant =>
  around("parseBody", ({ original }, headers, bytes) => {
    const { "content-type": type } = headers;
    return original(type === undefined ? headers : { ...headers, "content-type": change(type) }, bytes);
  });

/** Accepts some violations of an update. */
const accepting = (isAccepted: (place: string) => boolean): Plant =>
  around("checkUpdate", ({ original }, body, headers, query) => {
    return Object.fromEntries(Object.entries(original(body, headers, query)).filter(([place]) => !isAccepted(place)));
  });

/** Of a repeated header, Node joins all values. */
const ofTwoKeys = (choose: (keys: string[]) => string): Plant =>
  first((request) => {
    const keys = request.headersDistinct["idempotency-key"] ?? [];
    if (keys.length > 1) request.headers["idempotency-key"] = choose(keys);
  });

const prints = (change: (body: Json) => unknown): Plant =>
  around("toPrint", ({ original }, id, body) => original(id, change(body)));

/** Runs before an update whose key another request has had, with what is recorded of that. */
const beforeReuse = (check: (replay: Json, update: () => Promise<unknown>) => unknown): Plant =>
  around("replayOrUpdate", async ({ original, backend }, environment, id, rest) => {
    const replay = environment.replays.get(String(rest.request.headers["idempotency-key"]));
    if (replay && replay.print !== backend.toPrint(id, rest.body))
      await check(replay, () => backend.update(environment, id, rest.body));
    return original(environment, id, rest);
  });

const rejectReuse = (): never => {
  throw new Rejection(422, { errors: { "header.idempotency-key": { messages: ["is used"] } } });
};

const withChannels = (change: (channels: Json) => unknown): Plant =>
  prints(({ channels, ...rest }) => ({ ...rest, channels: change(channels) }));

const rejecting = (isCritical: (text: string, identifier: string) => boolean): Plant =>
  around("update", async ({ original, backend }, environment, id, body) => {
    const { workflowId } = body;
    const workflow = workflowId && backend.findWorkflow(environment.workflows, workflowId);
    const isUnlocked = workflow?.lock === "critical" && !isCritical(workflowId, workflow.identifier);
    const workflows = environment.workflows.map((one) => {
      return isUnlocked && one === workflow ? { ...one, lock: "code" as const } : one;
    });
    return original({ ...environment, workflows }, id, body);
  });

/** Changes the preferences of a response. */
const inPreferences = (change: (body: Json, own: Preferences, memory: Json) => Json): Plant =>
  around("show", ({ original, memory }, environment, own) => {
    const body: Json = original(environment, own);
    return { ...body, ...change(body, own, memory) };
  });

/** Changes each workflow of a response, by what is stored for it. */
const inWorkflows = (change: (entry: Json, values: object, memory: Json) => Json): Plant =>
  around("show", ({ original, memory }, environment, own) => {
    const { workflows, ...body } = original(environment, own);
    const changed = workflows.map((entry) => {
      const stored = environment.workflows.find(({ identifier }) => identifier === entry.workflow.identifier);
      return change(entry, own.workflows[stored?._id ?? ""] ?? {}, memory);
    });
    return { ...body, workflows: changed };
  });

/** Replaces how a global update changes what is stored. */
const globally = (apply: (own: Preferences, channels: Json, original: () => void, backend: Backend) => void): Plant =>
  around("apply", ({ original, backend }, own, channels, workflow) => {
    if (workflow) original(own, channels, workflow);
    else apply(own, channels, () => original(own, channels), backend);
  });

const DIGEST = "65a1b1c20000000000000003";

const touched = ({ memory }: Backend): Set<unknown> => (memory.touched ??= new Set());

/** Plants a bug that shows until a subscriber's first update. */
const remembered = (plant: Plant) =>
  plantAll(
    plant,
    around("update", async ({ original, backend }, environment, id, body) => {
      const reply = await original(environment, id, body);
      if (Object.keys(body.channels).length > 0) touched(backend).add(environment.preferences.get(id));
      return reply;
    }),
  );

/** All that is sent while a list waits shares the last value of it. */
const sharing = (share: (request: Json, memory: Json) => () => void): Plant =>
  around("respond", async ({ original, memory }, request) => {
    if (request.method !== "GET") return original(request);
    const read = share(request, memory);
    await pause(2);
    read();
    return original(request);
  });

type Kinds = Readonly<Record<string, Readonly<Record<string, Plant>>>>;

/** Those that the proxy reports in the ordinary traffic of a front-end. */
const IN_TRAFFIC: Kinds = {
  lists: {
    "oldest first": inPages(({ data }) => ({ data: data.toReversed() })),
    "the page of an empty set has pageSize 0": inEmptySet({ pageSize: 0 }),
    "the page of an empty set has hasMore": inEmptySet({ hasMore: true }),
    "records are in the order of their _id": inPages(({ data }) => ({
      data: data.toSorted((a: Json, b: Json) => (a._id < b._id ? 1 : -1)),
    })),
    "an empty page has null": inPages(({ data }) => ({ data: data.length === 0 ? null : data })),
    "a filter writes into the slice of all records": around("list", ({ original }, environment, query) => {
      const [key] = query.get("topicKey") ?? [];
      const found = environment.records.filter(({ topics }) => topics.some((topic: Json) => topic.topicKey === key));
      for (const [index, record] of found.entries()) environment.records[index] = record;
      return original(environment, query);
    }),
    "page 0 is omitted": inPages(({ page }) => ({ page: page || undefined })),
    "equal instants are in ascending order": inRecords((records) =>
      records.toSorted((a, b) => {
        if (a.createdAt === b.createdAt) return a._id < b._id ? -1 : 1;
        return a.createdAt < b.createdAt ? 1 : -1;
      }),
    ),
    "hasMore counts all records": inPages(({ page, pageSize }, _query, { records }) => ({
      hasMore: (page + 1) * pageSize < records.length,
    })),
    "a record with two topics is listed twice": inRecords((records) =>
      records.flatMap((record) => (record.topics.length > 1 ? [record, record] : [record])),
    ),
    "a list without its first item is an object": inPages(({ data }) => ({
      data: data[0]?.subscriber ? data : { ...data },
    })),
  },
  filters: {
    "filters are not applied": around("isMatch", () => true),
    "a deleted subscriber is found by the recipient": recordsBy((record, _query, people) => ({
      ...record,
      subscriber: record.subscriber ?? recipientOf(record, people),
    })),
    "a search for an id ignores blanks around it": around(
      "isFound",
      ({ original }, id, email, search) => id === search.trim() || original(id, email, search),
    ),
    "search matches part of a subscriberId": peopleBy(
      ({ subscriberId }, query) => query.has("search") && subscriberId.includes(query.get("search")[0]),
    ),
    "search matches a subscriberId in other capitals": peopleBy(
      ({ subscriberId }, query) => query.get("search")?.[0]?.toLowerCase() === subscriberId.toLowerCase(),
    ),
    "channels matches every step, active or not": recordsBy((record) => {
      return record._templateId?.endsWith("7") ? { ...record, channels: [...record.channels, "sms"] } : record;
    }),
    "emails are compared without case": peopleBy(({ email = "-" }, query) => {
      return query.get("emails")?.some((sent: string) => sent.toLowerCase() === email.toLowerCase());
    }),
    "an emoji in search is 500": failing("isFound", (_id, _email, search) => /\p{Extended_Pictographic}/u.test(search)),
  },
  queries: {
    "digits of other scripts are read": integers((text) =>
      /^\p{Nd}+$/u.test(text) ? Number(text.normalize("NFKC")) : undefined,
    ),
    "brackets are read": inQueries((text) => text.replaceAll(/(\[\d*\]|%5B\d*%5D)=/gi, "=")),
    "a page is read as a float": integers((text) =>
      /^\d+\.\d+$|^\d+e\d+$/.test(text) ? Math.trunc(Number(text)) : undefined,
    ),
    "commas separate thousands": integers((text) =>
      /^\d{1,3}(,\d{3})+$/.test(text) ? Number(text.replaceAll(",", "")) : undefined,
    ),
    "a limit that is no number is the usual one": integers((text) => (/^[a-z]/i.test(text) ? 10 : undefined)),
    "only the first of several values counts": inValues((values) => values.slice(0, 1)),
  },
  times: {
    "after is inclusive": around("isInTime", ({ original }, created, after, before) => {
      return original(created, after === undefined ? after : after - 1e-3, before);
    }),
    "offsets are dropped": inTimes((text) => text.replace(/[+-]\d\d:\d\d$/, "Z")),
    "negative offsets are read as positive": inTimes((text) => text.replace(/-(\d\d:\d\d)$/, "+$1")),
    "a day without a time is an instant": asTimes((text) =>
      /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text,
    ),
    "before is inclusive": around("isInTime", ({ original }, created, after, before) => {
      return original(created, after, before === undefined ? before : before + 1e-3);
    }),
  },
  errors: {
    "errors are in another charset": around("contentType", ({ original }, status, request) => {
      return status >= 400 ? "application/json; charset=us-ascii" : original(status, request);
    }),
    "errors have no timestamp": inErrors(({ timestamp: _removed, ...error }) => error),
    "an unknown workflow is a KeyError": around("update", async ({ original }, ...args) => {
      return original(...args).catch((error) => {
        return error.status === 404 && error.body.ctx.workflowId ? boom("KeyError") : reject(error.status);
      });
    }),
    "validation errors are problem details": around("contentType", ({ original }, status, request) => {
      return status === 422 ? "application/problem+json" : original(status, request);
    }),
    "an invalid body is 400": rethrowing(({ status }, { method }) =>
      status === 422 && method === "PATCH" ? new Rejection(400) : undefined,
    ),
    "the timestamp of an error has an offset": inErrors((error) => ({
      ...error,
      timestamp: error.timestamp.replace("Z", "+00:00"),
    })),
    "validation redirects unless Accept names JSON": rethrowing(({ status }, { headers }) => {
      return status === 422 && !headers.accept?.includes("json") && new Rejection(302, {}, { location: "/" });
    }),
  },
  "order of errors": {
    "an unknown workflow is 404 before a reused key": around(
      "replayOrUpdate",
      async ({ original, backend }, environment, id, rest) => {
        const { workflowId } = rest.body ?? {};
        const isText = typeof workflowId === "string" && workflowId !== "";
        if (isText && !backend.findWorkflow(environment.workflows, workflowId))
          throw new Rejection(404, { ctx: { workflowId } });
        return original(environment, id, rest);
      },
    ),
  },
  bodies: {
    "yes, on and t are true": eachChannel((value) => (/^(yes|on|t|y)$/i.test(String(value)) ? true : value)),
    "any text that is not empty is true": eachChannel((value) => (typeof value === "string" ? value !== "" : value)),
    "a workflowId of null counts as none": reading((body) => {
      if (body?.workflowId !== null) return body;
      const { workflowId: _null, ...rest } = body;
      return rest;
    }),
    "a media type that ends in +json is JSON": withType((type) =>
      type.replace(/^application\/[\w.-]+\+json/i, "application/json"),
    ),
    "unknown members are ignored": accepting((place) => {
      const known = /^body(\.channels(\.(email|sms|in_app|chat|push))?|\.workflowId)?$/;
      return place.startsWith("body.") && !known.test(place);
    }),
    "null is the zero value": reading((body) => {
      const withoutNull = (value: Json) => Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
      if (body === null) return { channels: {} };
      const isRead = Object(body.channels) === body.channels;
      return isRead ? withoutNull({ ...body, channels: withoutNull(body.channels) }) : body;
    }),
  },
  updates: {
    "a global update leaves workflow values": globally((own, channels) => void Object.assign(own.global, channels)),
    "before the first update, all channels are off": remembered(
      around("show", ({ original, backend }, environment, own) => {
        const body = original(environment, own);
        if (touched(backend).has(own)) return body;
        for (const level of [body.global, ...body.workflows])
          for (const name of Object.keys(level.channels)) level.channels[name] = false;
        return body;
      }),
    ),
    "the first update of a subscriber is lost": remembered(
      around("apply", ({ original, backend }, own, channels, workflow) => {
        if (touched(backend).has(own)) original(own, channels, workflow);
      }),
    ),
    "a global update leaves the second workflow": globally((own, _channels, original) => {
      const { [DIGEST]: digest } = structuredClone(own.workflows);
      original();
      if (digest) own.workflows[DIGEST] = digest;
    }),
    "preferences are cached by workflow alone": inPreferences((body, _own, memory) => {
      const workflows = memory.workflows ?? body.workflows;
      memory.workflows = body.workflows;
      return { workflows };
    }),
    "a global update responds with workflows from before it": around(
      "update",
      async ({ original, backend }, environment, id, body) => {
        const own = environment.preferences.get(id);
        if (!own || body.workflowId !== undefined) return original(environment, id, body);
        const { workflows } = backend.show(environment, own);
        const [status, shown] = await original(environment, id, body);
        return [status, { ...shown, workflows }];
      },
    ),
    "workflows are in another order each time": inPreferences(({ workflows }, _own, memory) => {
      memory.shown = (memory.shown ?? 0) + 1;
      const at = memory.shown % workflows.length;
      return { workflows: [...workflows.slice(at), ...workflows.slice(0, at)] };
    }),
    "the first update of a workflow is lost": around("apply", ({ original }, own, channels, workflow) => {
      if (!workflow || own.workflows[workflow._id]) return original(own, channels, workflow);
      own.workflows[workflow._id] = {};
    }),
    "of several channels only the first is stored": around("apply", ({ original }, own, channels, workflow) => {
      original(own, Object.fromEntries(Object.entries(channels).slice(0, 1)), workflow);
    }),
    "overrides has only what was set for the workflow": inWorkflows((entry, values) => {
      return { ...entry, overrides: entry.overrides.filter(({ channel }: Json) => channel in values) };
    }),
  },
  names: {
    "paths are decoded twice": decoding((text) => text.replaceAll("%25", "%")),
    "the firewall rejects %2F, %25 and ; in a path": first(({ url }) => {
      if (/^[^?]*(%2f|%25|;)/i.test(url)) reject(400);
    }),
  },
  replays: {
    "a missing key is the key undefined": around("toReplayKey", ({ original }, key) => original(key) ?? "undefined"),
  },
  concurrency: {
    "a map written twice at once ends the connection": around(
      "handle",
      async ({ original, memory }, request, response) => {
        memory.writing = (memory.writing ?? 0) + (request.method === "PATCH" ? 1 : 0);
        if (memory.writing > 4) request.socket.destroy();
        await original(request, response);
        memory.writing -= request.method === "PATCH" ? 1 : 0;
      },
    ),
  },
  HTTP: {
    "a response is cached by its URL alone": around("respond", async ({ original, memory }, request) => {
      if (request.method !== "GET") return original(request);
      memory.cache ??= new Map<string, unknown>();
      const cached = memory.cache.get(request.url) ?? (await original(request));
      memory.cache.set(request.url, cached);
      return cached;
    }),
    "HEAD is 405": first(({ method }) => {
      if (method === "HEAD") reject(405, { allow: "GET, OPTIONS" });
    }),
    "Accept without JSON is 406": first(({ headers: { accept = "*/*" } }) => {
      if (!/json|\*\/\*|application\/\*/.test(accept)) reject(406);
    }),
  },
};

/** Those that only tests show. */
const HIDDEN: Kinds = {
  lists: {
    "hasMore is always false": inPages(() => ({ hasMore: false })),
    "pages overlap by a record": inRecords((records, query) => {
      const isFirst = (query.get("page")?.[0] ?? "0") === "0";
      return isFirst ? records : records.toSpliced(1, 0, records[1]); // the first is not due
    }),
    "the page of an empty set has the usual pageSize": inEmptySet({ pageSize: 10 }),
    "a full last page has hasMore if there is a before": inPages(({ data, pageSize }, query) => {
      return query.has("before") && data.length === pageSize ? { hasMore: true } : {};
    }),
    "several values of a filter lose the order": inRecords((records, query) => {
      const isSet = (query.get("subscriberIds")?.length ?? 0) > 1;
      return isSet ? records.toSorted((a, b) => (a._id < b._id ? -1 : 1)) : records;
    }),
    "the limit of a rejected list is that of the next": around("list", ({ original, memory }, environment, query) => {
      const own = query.has("limit") || !memory.limit ? query : new Map(query).set("limit", memory.limit);
      memory.limit = query.get("limit");
      const reply = original(environment, own);
      memory.limit = undefined;
      return reply;
    }),
    "all records have the subscriber of the last": inPages(({ data }) => ({
      data: data.map((record: Json) => ({ ...record, subscriber: data.at(-1).subscriber })),
    })),
    "a page times its limit wraps at 2^31": failing("list", (_environment, query) => {
      const [page, limit] = [Number(query.get("page")?.[0] ?? 0), Number(query.get("limit")?.[0] ?? 10)];
      return page * limit >= 2 ** 31 && page < 2 ** 40;
    }),
    "records without a subscriber are not joined": inRecords((records, query) => {
      return records.filter(({ subscriber }) => subscriber !== undefined || !query.has("transactionId"));
    }),
    "the limit is applied before the filter": inRecords((records, query) => {
      return query.has("topicKey") ? records.slice(0, 40) : records;
    }),
    "lists are cached without `search`": around("list", ({ original, memory }, environment, query) => {
      const others = [...query].filter(([name]) => name !== "search");
      const key = JSON.stringify([environment.id, others]);
      if (others.length > 1) memory[key] ??= original(environment, query);
      return memory[key] ?? original(environment, query);
    }),
  },
  filters: {
    "search knows LIKE's wildcards": searching(matchesLike),
    "letters are folded as in Turkish": searching((email, search) => inTurkish(email).includes(inTurkish(search))),
    "a _topicId is a topic key": recordsBy((record) => {
      const ids = record.topics.map(({ _topicId }: Json) => ({ topicKey: _topicId }));
      return { ...record, topics: [...record.topics, ...ids] };
    }),
    "a search finds a deleted subscriber by the recipient": recordsBy((record, query, people) => {
      const recipient = recipientOf(record, people);
      const isSearched = recipient !== undefined && query.get("search")?.[0] === recipient.subscriberId;
      return { ...record, subscriber: record.subscriber ?? (isSearched ? recipient : undefined) };
    }),
    "subscriberIds matches the internal _id": peopleBy(({ _id }, query) => query.get("subscriberIds")?.includes(_id)),
    "subscriberIds matches the address": peopleBy(({ email = "-" }, query) => {
      return query.get("subscriberIds")?.includes(email);
    }),
    "emails matches the subscriberId": peopleBy(({ subscriberId }, query) =>
      query.get("emails")?.includes(subscriberId),
    ),
    "search matches the internal _id": peopleBy(({ _id }, query) => query.get("search")?.[0] === _id),
    "transactionId matches the record's _id": recordsBy((record, query) => {
      const [id] = query.get("transactionId") ?? [];
      return id === record._id ? { ...record, transactionId: id } : record;
    }),
    "templates matches the record's own _id": recordsBy((record, query) => {
      return query.get("templates")?.includes(record._id) ? { ...record, _templateId: record._id } : record;
    }),
    "topicKey matches the beginning of a key": recordsBy((record, query) => {
      const [key = "-"] = query.get("topicKey") ?? [];
      const isBegin = key.length > 3 && record.topics.some(({ topicKey }: Json) => topicKey.startsWith(key));
      return isBegin ? { ...record, topics: [{ topicKey: key }] } : record;
    }),
    "a comma separates values of emails": inValues((values, name) => {
      return name === "emails" ? values.join().split(",") : values;
    }),
    "the domain of an address is compared in any case": ofSubscribers("emails", (email) =>
      email.replace(/@.*/, (domain) => domain.toLowerCase()),
    ),
    "characters without weight are ignored": ofSubscribers("subscriberIds", (id) => id.replaceAll(/\p{Cf}/gu, "")),
    "of many values ten count": around("findSubscribers", ({ original }, people, query) => {
      return original(people, new Map([...query].map(([name, values]) => [name, values.slice(0, 10)])));
    }),
    "a semicolon separates values of emails": ofSubscribers("emails", (text) => text.split(";")),
    "no address is the text None": around("isFound", ({ original }, id, email = "None", search) => {
      return original(id, email, search);
    }),
    "a search of blanks is none": inQueries((text) => text.replaceAll(/(?<=^|&)search=(%20)+(?=&|$)/g, "")),
    "search is a regular expression": searching((email, search) => new RegExp(search, "i").test(email)),
    "search is compared with case": searching((email, search) => email.includes(search)),
    "blanks at the end do not count": around("isMatch", ({ original }, record, query, people) => {
      const [id] = query.get("transactionId") ?? [];
      return original(record, id === undefined ? query : new Map(query).set("transactionId", [id.trimEnd()]), people);
    }),
    "a text of 0 is empty": inQueries((text) => text.replace(/(?<=^|&)(search|transactionId|topicKey)=0(?=&|$)/, "")),
  },
  queries: {
    "pages wrap at 2^32": around("readInteger", ({ original }, text) => {
      const value = original(text);
      return value === undefined ? undefined : value % 2 ** 32;
    }),
    "an empty search matches nothing": around("list", ({ original, memory }, environment, query) => {
      const [status, body] = original(environment, query);
      return [status, /(^|&)search=?(&|$)/.test(memory.raw) ? { ...body, data: [], hasMore: false } : body];
    }),
    "NUL in a filter is 500": failing("readQuery", (text) => text.includes("%00")),
    "a page beyond 2^63 is 500": failing("readInteger", (text) => digitsOf(text) > 2n ** 63n),
    "a page times its limit beyond 2^63 is 500": failing("readInteger", (text) => digitsOf(text) * 10n > 2n ** 63n),
    "thousands of digits are 500": failing("readInteger", (text) => text.length > 1000),
    "a page that a double rounds to 2^63 is the first one": pages((text) => {
      return /^\d+$/.test(text) && Number(text) >= 2 ** 63 && text.length < 300 ? 0 : text;
    }),
    "an unknown name is a pattern of the message": failing("checkQuery", (query) => {
      return [...query.keys()].some((name) => /[{}]/.test(name));
    }),
    "%uXXXX is decoded": inQueries((text) =>
      text.replaceAll(/%u([0-9a-f]{4})/gi, (_all, hex) => encodeURIComponent(String.fromCharCode(Number(`0x${hex}`)))),
    ),
    "the number of a channel is read as the channel": valid(
      (name, value) => name === "channels" && /^[0-4]$/.test(value),
    ),
    "a channel is read in any case": inQueries((text) => {
      return text.replaceAll(/channels=\w+/gi, (pair) => pair.toLowerCase());
    }),
    "a workflowId in the query is read": around("replayOrUpdate", async ({ original }, environment, id, rest) => {
      const { workflowId: [workflowId] = [], ...query } = Object.fromEntries(rest.query);
      if (!workflowId) return original(environment, id, rest);
      const body = { ...rest.body, workflowId };
      return original(environment, id, { ...rest, body, query: new Map(Object.entries(query)) });
    }),
    "escapes in lower case stay as they are in a query": inQueries((text) => {
      return text.replaceAll(/%(?=[0-9a-f]{2})(?![0-9A-F]{2})/g, "%25");
    }),
    "a limit wraps at 256": around("readInteger", ({ original }, text) => {
      const value = original(text);
      return value !== undefined && value > 255 && value < 1024 ? value % 256 : value;
    }),
    "a plus before digits is read": integers((text) => (/^\+\d+$/.test(text) ? Number(text) : undefined)),
    "a pair with a semicolon is dropped": inQueries((text) => text.replaceAll(/[^&]*;[^&]*/g, "")),
    "a plus in an address is a blank": inQueries((text) => text.replaceAll("+", "%20")),
    "twelve characters are an _id": valid((name, value) => name === "templates" && value.length === 12),
  },
  times: {
    "a leap second is 500": failing("parseInstant", (text) => /:60(\D|$)/.test(text)),
    "after and before are compared as texts": around("checkDates", ({ original }, query) => {
      const [[after = ""] = [], [before = ""] = []] = [query.get("after"), query.get("before")];
      if (after !== "" && before !== "") return after.slice(0, 19) > before.slice(0, 19) ? reject(400) : undefined;
      original(query);
    }),
    "a number is a Unix time": around("parseInstant", ({ original }, text) => {
      return original(text) ?? (/^\d{10}$/.test(text) ? Number(text) * 1000 : undefined);
    }),
    "a fraction is a number of milliseconds": inTimes((text) => {
      return text.replace(/\.(\d{1,3})(?!\d)/, (_all, digits) => `.${digits.padStart(3, "0")}`);
    }),
    "a lower-case z is no time zone": instants((text) => text.endsWith("z")),
    "more than six digits of a second are 422": instants((text) => /\.\d{7}/.test(text)),
    "the time of a request is five hours behind": around("isInTime", ({ original }, created, after, before) => {
      return original(created, after, before ?? Date.now() - 5 * 3_600_000);
    }),
    "dates are read as the culture writes them": asTimes((text) => {
      return text.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, "$3-$1-$2T00:00:00Z");
    }),
    "an hour may have one digit": asTimes((text) => text.replace(/T(\d):/, "T0$1:")),
    "a leap second is 422": instants((text) => /:60(\D|$)/.test(text)),
  },
  plan: {
    "the plan has no hour of grace": around("checkDates", ({ original, backend }, query) => {
      if (boundsOf(backend, query).some((at) => at < backend.now().getTime() - LIMIT_MS)) reject(402);
      original(query);
    }),
    "the plan has a day of grace": around("checkDates", ({ original, backend }, query) => {
      const earliest = backend.now().getTime() - LIMIT_MS - DAY_MS;
      if (boundsOf(backend, query).some((at) => at <= earliest)) return original(query);
      const [after, before] = [backend.bound(query, "after"), backend.bound(query, "before")];
      if (after !== undefined && before !== undefined && after > before) reject(400);
    }),
    "only after is held to the plan": around("checkDates", ({ original, backend }, query) => {
      const before = backend.bound(query, "before") ?? Number.POSITIVE_INFINITY;
      const after = backend.bound(query, "after") ?? 0;
      if (before < backend.now().getTime() - LIMIT_MS && after === 0) return;
      original(query);
    }),
    "without after, only the last day is listed": inRecords((records, query, backend) => {
      const isRecent = ({ createdAt }: Json) => Date.parse(createdAt) > backend.now().getTime() - DAY_MS;
      return query.has("after") ? records : records.filter(isRecent);
    }),
  },
  errors: {
    "an error's timestamp is the server's start": inErrors((error, { startedAt }) => {
      return { ...error, timestamp: new Date(startedAt).toISOString() };
    }),
    "only the first violation of a query is listed": around("checkQuery", ({ original }, query) => {
      return Object.fromEntries(Object.entries(original(query)).slice(0, 1));
    }),
    "ten violations of a body are listed": around("checkUpdate", ({ original }, ...args) => {
      return Object.fromEntries(Object.entries(original(...args)).slice(0, 10));
    }),
    "all violations of a query are listed": around("list", ({ original, backend }, environment, query) => {
      const errors = backend.checkQuery(query);
      if (Object.keys(errors).length > 100) throw new Rejection(422, { errors });
      return original(environment, query);
    }),
    "an error has each value as a text": valuesAs((value) => (value === undefined ? value : String(value))),
    "an error has each value as JSON in a text": valuesAs((value) => JSON.stringify(value)),
    "an error shortens long values": valuesAs((value) => (typeof value === "string" ? value.slice(0, 20) : value)),
    "an error has the unknown workflow in lower case": inContext((text) => text.toLowerCase()),
    "an error has the unknown workflow without blanks": inContext((text) => text.trim()),
    "an error has the unknown workflow escaped for HTML": inContext((text) => text.replaceAll("<", "&lt;")),
  },
  "order of errors": {
    "a bad escape in the path is 400 without a key": first(({ url }) => {
      if (isMalformed(url.replace(/\?.*/, ""))) reject(400);
    }),
    "a bad escape in the query is 400 without a key": first(({ url }) => {
      if (isMalformed(url.replace(/^[^?]*/, ""))) reject(400);
    }),
    "an unknown path is 404 without a key": first(({ url }) => {
      if (!/^\/(v1\/notifications|v2\/subscribers\/[^/]*\/preferences)(\?|$)/.test(url)) reject(404);
    }),
    "a large body is 413 before its media type is read": firstWithBody((request, body) => {
      if (isKnown(request) && body.length > 102_400) reject(413);
    }),
    "a large body is 413 without a key": firstWithBody((_request, body) => {
      if (body.length > 102_400) reject(413);
    }),
    "a body that is not JSON is 400 before its charset is read": firstWithBody((request, body) => {
      const isJson = request.headers["content-type"]?.startsWith("application/json");
      const isRead = isKnown(request) && request.method === "PATCH" && isJson && body !== "";
      if (isRead && !/^[{["\d]|true|null/.test(body)) reject(400);
    }),
    "a reused key is found before an invalid body": beforeReuse(({ response }) => response && rejectReuse()),
    "a wrong media type is 415 before an unknown subscriber's path": first((request) => {
      const isUpdate = request.method === "PATCH" && request.headers["content-type"] === "text/plain";
      if (isKnown(request) && isUpdate && !request.url.startsWith("/v2/")) reject(415);
    }),
  },
  bodies: {
    "chunked bodies are empty": around("readBytes", async ({ original }, request) => {
      return request.headers["transfer-encoding"] ? Buffer.alloc(0) : original(request);
    }),
    "sizes are counted in characters": around("parseBody", ({ original }, headers, bytes) => {
      const isLong = bytes.length > 102_400 && bytes.toString().length <= 102_400;
      return original(headers, isLong ? Buffer.from("{}") : bytes);
    }),
    "comments are skipped": inTexts((text) => text.replaceAll(/\/\*.*?\*\/|^(\/\/|#).*/gms, "")),
    "trailing commas are skipped": inTexts((text) => text.replaceAll(/,\s*([}\]])/g, "$1")),
    "names are read without underscores": inTexts((text) => text.replaceAll(/"in_?app"/gi, '"in_app"')),
    "a workflow_id that is a text is read": reading((body) => {
      if (typeof body?.workflow_id !== "string") return body;
      const { workflow_id: workflowId, ...rest } = body;
      return { ...rest, workflowId };
    }),
    "JSON within a text is read": reading(parseOrKeep),
    "a list of one is its item": reading((body) => (Array.isArray(body) && body.length === 1 ? body[0] : body)),
    "channels within a text are read": reading((body) => {
      return body?.channels ? { ...body, channels: parseOrKeep(body.channels) } : body;
    }),
    "1 and 0 are booleans": inTexts((text) => text.replaceAll(/:\s*1\.0\b/g, ":true")),
    "an object with enabled is a boolean": eachChannel((value) => value?.enabled ?? value),
    "workflow_id is read": renaming((name) => (name === "workflow_id" ? "workflowId" : name)),
    "names are read in any case": renaming((name) => {
      return ["channels", "workflowId"].find((one) => one.toLowerCase() === name.toLowerCase()) ?? name;
    }),
    "blanks around names are dropped": renaming((name) => name.trim()),
    "a number beyond a double is 500": failing("parseJson", (bytes) => /\de\+?\d{3}/i.test(bytes.toString())),
    "a query is checked before the body": around("checkUpdate", ({ original }, body, headers, query) => {
      return original(query.size > 0 ? { channels: {} } : body, headers, query);
    }),
    "a header is checked after the body": around("checkUpdate", ({ original }, body, headers, query) => {
      const errors = original(body, {}, query);
      return Object.keys(errors).length > 0 ? errors : original(body, headers, query);
    }),
    "a chunked body of another media type is 400": around("parseBody", ({ original }, headers, bytes) => {
      const isJson = headers["content-type"]?.startsWith("application/json") ?? false;
      return headers["transfer-encoding"] && !isJson ? reject(400) : original(headers, bytes);
    }),
    "UTF-16 is detected": around("parseJson", ({ original }, bytes) => {
      const isWide = bytes[1] === 0 || (bytes[0] === 0xff && bytes[1] === 0xfe);
      return original(isWide ? Buffer.from(bytes.toString("utf16le").replace("\ufeff", "")) : bytes);
    }),
    "an empty channels is no channels": around("checkUpdate", ({ original }, body, headers, query) => {
      const errors = original(body, headers, query);
      const isEmpty = body?.channels && Object.keys(body.channels).length === 0 && body.workflowId !== undefined;
      return isEmpty ? { ...errors, "body.channels": { messages: ["is required"] } } : errors;
    }),
    "NaN is a number": inTexts((text) => text.replaceAll(/-?\b(NaN|Infinity)\b/g, "1e999")),
    "a text like a date is read as one": reading((body) => {
      const isDate = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(String(body?.workflowId));
      return isDate ? { ...body, workflowId: new Date(body.workflowId).toUTCString() } : body;
    }),
    "undefined is no value": inTexts((text) => text.replace(/,"\w+":undefined/g, "")),
    "gzip that cannot be decoded is 500": around("parseBody", ({ original }, headers, bytes) => {
      if (headers["content-encoding"] === "gzip") gunzipSync(bytes);
      return original(headers, bytes);
    }),
    "the size of a body is that before decoding": around("parseBody", ({ original, backend }, headers, bytes) => {
      const isSmall = headers["content-encoding"] === "gzip" && bytes.length < 1000;
      return isSmall ? backend.parseJson(gunzipSync(bytes)) : original(headers, bytes);
    }),
    "what follows the first value of a body is not read": inTexts((text) => {
      return text.replace(/(?<=^{[^{]*{[^}]*}}).*/s, "");
    }),
    "a body that is no object or list is no JSON": reading((body) => {
      return body !== undefined && Object(body) !== body ? reject(400) : body;
    }),
    "names of Object.prototype are known": accepting((place) => (place.split(".").at(-1) ?? "") in {}),
  },
  "media types": {
    "a quoted charset is rejected": asType((type) => type.includes('"')),
    "a charset in capitals is rejected": asType((type) => /charset=.*[A-Z]/.test(type)),
    "a parameter's name in capitals is rejected": asType((type) => /;.*[A-Z]\w*=/.test(type)),
    "a blank before the semicolon is rejected": asType((type) => / ;/.test(type)),
    "a parameter without a blank before it is rejected": asType((type) => /;\S/.test(type)),
    "a media type that begins like JSON's is accepted": withType((type) => {
      return /^application\/json\W/.test(type) ? "application/json" : type;
    }),
  },
  updates: {
    "updates of a workflow are stored globally": around("apply", ({ original }, own, changes) =>
      original(own, changes),
    ),
    "critical workflows are listed": around("isListed", (_, { isActive, lock }) => isActive && lock !== "code"),
    "a declared workflow is not listed": around("isListed", ({ original }, workflow) => {
      return original(workflow) && !workflow.identifier.startsWith("zebra");
    }),
    "an update without channels, a subscriber's first request, is 500": around(
      "store",
      async ({ original }, own: Json, channels, workflow) => {
        const isFirst = !own.isKnown && workflow !== undefined && Object.keys(channels).length === 0;
        Object.defineProperty(own, "isKnown", { value: true, configurable: true });
        return isFirst ? boom("no such document") : original(own, channels, workflow);
      },
    ),
    "before the first update, the workflows are empty": remembered(
      around("show", ({ original, backend }, environment, own) => {
        const body = original(environment, own);
        return touched(backend).has(own) ? body : { ...body, workflows: [] };
      }),
    ),
    "an update changes a third subscriber too": around(
      "update",
      async ({ original, backend }, environment, id, body) => {
        const bystander = environment.preferences.get("lin@corp") as Preferences;
        if (id === "ada") backend.apply(bystander, body.channels);
        return original(environment, id, body);
      },
    ),
    "an update changes all who were never updated": remembered(
      around("store", async ({ original, backend, environments }, own, channels, workflow) => {
        const all = [...environments.values()].flatMap(({ preferences }) => [...preferences.values()]);
        for (const other of all)
          if (!touched(backend).has(other) && other !== own && !workflow) backend.apply(other, channels);
        return original(own, channels, workflow);
      }),
    ),
    "an update of a workflow forgets its other channels": around("apply", ({ original }, own, channels, workflow) => {
      if (workflow && Object.keys(channels).length > 0) own.workflows[workflow._id] = {};
      original(own, channels, workflow);
    }),
    "a global update removes the workflow values of all": globally((_own, channels, original, { environments }) => {
      const all = [...environments.values()].flatMap(({ preferences }) => [...preferences.values()]);
      for (const values of all.flatMap(({ workflows }) => Object.values(workflows)))
        for (const name of Object.keys(channels)) delete values[name];
      original();
    }),
    "the first update of a subscriber writes into the default of all": (backend) => {
      for (const { preferences } of backend.environments.values()) {
        const shared = {};
        for (const own of preferences.values()) own.global = shared;
      }
      around("apply", ({ original }, own, channels, workflow) => {
        original(own, channels, workflow);
        if (Object.keys(channels).length > 0) own.global = { ...own.global };
      })(backend);
    },
    "workflow values are removed later": globally((own, channels, original) => {
      Object.assign(own.global, channels);
      void pause(30).then(original);
    }),
    "a default argument keeps the channels of earlier updates": around(
      "apply",
      ({ original, memory }, own, channels, workflow) => {
        memory.kept = { ...memory.kept, ...channels };
        original(own, memory.kept, workflow);
      },
    ),
    "all subscribers without preferences share one dict": around("findPerson", ({ original }, environment, id) => {
      const person = original(environment, id);
      const shared = environment.preferences.get("lin@corp");
      if (person && shared && id !== "grace-42") environment.preferences.set(id, shared);
      return person;
    }),
    "global.channels lists all that were ever set": inPreferences(({ global }, own) => {
      return { global: { ...global, channels: { ...global.channels, ...own.global } } };
    }),
    "an update responds before it is stored": around("store", async ({ backend }, own, channels, workflow) => {
      const next: Preferences = structuredClone(own);
      backend.apply(next, channels, workflow);
      void pause(30).then(() => backend.apply(own, channels, workflow));
      return undefined;
    }),
    "a channel that is absent is false": around("store", async ({ original }, own, channels, workflow) => {
      const isRead = Object.keys(channels).length === 0;
      const zero = { email: false, sms: false, in_app: false, chat: false, push: false };
      return original(own, isRead ? channels : { ...zero, ...channels }, workflow);
    }),
    "a global update resets all values of workflows": globally((own, channels, original) => {
      original();
      if (Object.keys(channels).length > 0) own.workflows = {};
    }),
    "an update touches its workflow": inWorkflows((entry, values, memory) => {
      const text = JSON.stringify(values);
      if (text !== "{}") memory[text] ??= new Date().toISOString();
      const { updatedAt } = entry.workflow;
      return { ...entry, workflow: { ...entry.workflow, updatedAt: memory[text] ?? updatedAt } };
    }),
  },
  names: {
    "a + in a path is a blank": decoding((text) => text.replaceAll("+", " ")),
    "blanks around a subscriberId are trimmed": subscribersBy((id) => id.trim()),
    "subscriberIds are compared in NFC": subscribersBy((id) => id.normalize("NFC")),
    "subscriberIds are compared without accents": subscribersBy(fold),
    "what follows a NUL in a subscriberId is dropped": subscribersBy((id) => id.replace(/\0.*/s, "")),
    "subscriberIds are read as numbers where they end in digits": subscribersBy((id) => id.replace(/0+(\d+)$/, "$1")),
    "identifiers are compared without accents and case": identifiersBy(fold),
    "identifiers are compared in compatible forms": identifiersBy((id) => id.normalize("NFKC")),
    "of an id with an unencoded slash, the first segment is read": inUrls((url) => {
      return url.replace(/^(\/v2\/subscribers\/[^/?]+)\/[^/?]+(?=\/preferences)/, "$1");
    }),
    "an unencoded slash belongs to the id": inUrls((url) => {
      const [, id, rest] = /^\/v2\/subscribers\/([^?]*)\/preferences(.*)$/.exec(url) ?? [];
      return id === undefined ? url : `/v2/subscribers/${id.replaceAll("/", "%2F")}/preferences${rest}`;
    }),
    "the first 24 digits of a workflowId are enough": around("findWorkflow", ({ original }, workflows, text) => {
      return original(workflows, /^[0-9a-f]{24}[0-9a-f,]/.test(text) ? text.slice(0, 24) : text);
    }),
    "a critical workflow is rejected by its identifier alone": rejecting((text, identifier) => text === identifier),
    "a critical workflow is not rejected by its slug": rejecting((text) => !text.includes("_wf_")),
    "the name in a slug is enough": workflowsBy(({ name }, text) => text.startsWith(`${name.toLowerCase()}_wf_`)),
    "slugs are compared without case": workflowsBy((workflow, text, backend) => {
      return backend.toSlug(workflow).toLowerCase() === text.toLowerCase();
    }),
    "workflows are cached by their names alone": around("findWorkflow", ({ original, memory }, workflows, text) => {
      memory[text] ??= [original(workflows, text)];
      return memory[text][0];
    }),
    "escapes in lower case stay as they are in a path": decoding((text) => {
      return text.replaceAll(/%(?=[0-9a-f]{2})(?![0-9A-F]{2})/g, "%25");
    }),
    "a workflowId of more than 255 characters is 500": failing("findWorkflow", (_workflows, text) => text.length > 255),
    "a segment with a dot leads to no route": first(({ url }) => {
      if (/^\/v2\/subscribers\/[^/?]*\.[^/?]*\/preferences/.test(url)) reject(404);
    }),
  },
  slugs: {
    "a slug keeps the capitals of its name": around("slugify", (_, name) => name.replaceAll(/[^A-Za-z0-9]+/g, "-")),
    "a slug does not split camel case": around("slugify", (_, name) => {
      return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
    }),
    "a slug has underscores": around("slugify", ({ original }, name) => original(name).replaceAll("-", "_")),
    "a slug is made of the identifier": around("toSlug", ({ original }, workflow) => {
      return original({ ...workflow, name: workflow.identifier });
    }),
    "an identifier with _wf_ is taken for a slug": around("findWorkflow", ({ original }, workflows, text) => {
      if (!/_wf_[0-9A-Za-z]{16,17}$/.test(text)) return original(workflows, text);
      const unnamed = workflows.map((workflow) => ({ ...workflow, identifier: "" }));
      const found = original(unnamed, text);
      return workflows.find(({ _id }) => _id === found?._id);
    }),
  },
  replays: {
    "a replay is not marked": around("replayOrUpdate", async ({ original }, ...args) => {
      const [status, body, { [REPLAY]: _removed, ...headers } = {}] = await original(...args);
      return [status, body, headers];
    }),
    "two environments share their keys": around("findReplay", ({ environments }, _environment, key) => {
      return [...environments.values()].map(({ replays }) => replays.get(key)).find(Boolean);
    }),
    "a key is forgotten when its client leaves": around(
      "handle",
      async ({ original, environments }, request, response) => {
        await original(request, response);
        if (!request.socket.destroyed) return;
        for (const { replays } of environments.values()) replays.delete(String(request.headers["idempotency-key"]));
      },
    ),
    "keys of one hash code are one": around("toReplayKey", ({ original }, header) => {
      const key = original(header);
      return key === undefined ? undefined : String(hash(key));
    }),
    "the first of two keys counts": ofTwoKeys(([key = ""]) => key),
    "the last of two keys counts": ofTwoKeys((keys) => keys.at(-1) ?? ""),
    "two keys are 400": ofTwoKeys(() => reject(400)),
    "a request's print has the names of channels alone": withChannels((channels) => Object.keys(channels)),
    "a request's print leaves the workflow out": prints(({ channels }) => ({ channels })),
    "a request's print has sorted members": withChannels((channels) => {
      return Object.fromEntries(Object.entries(channels).toSorted());
    }),
    "replays are kept for each connection": around("replayOrUpdate", async ({ original }, environment, id, rest) => {
      const socket: Json = rest.request.socket;
      socket.replays ??= new Map();
      return original({ ...environment, replays: socket.replays }, id, rest);
    }),
    "only the latest 200 replays are kept": around("findReplay", ({ original }, environment, key) => {
      for (const old of [...environment.replays.keys()].slice(0, -200)) environment.replays.delete(old);
      return original(environment, key);
    }),
    "another body is 422 while the first is in progress": beforeReuse(({ response }) => response || rejectReuse()),
    "a rejected reuse takes effect": beforeReuse(({ response }, update) => response && update()),
    "a rejected reuse replaces the recorded response": around(
      "replayOrUpdate",
      async ({ original, backend }, environment, id, rest) => {
        const key = String(rest.request.headers["idempotency-key"]);
        return original(environment, id, rest).catch((error) => {
          const replay = environment.replays.get(key);
          if (replay?.response && error.status === 422) replay.print = backend.toPrint(id, rest.body);
          throw error;
        });
      },
    ),
    "replays are kept for three seconds": around("findReplay", ({ original }, environment, key) => {
      const replay = original(environment, key);
      return replay?.response && Date.now() - replay.at > 3000 ? undefined : replay;
    }),
    "what follows a comma in a key is dropped": around("toReplayKey", ({ original }, header) => {
      return original(header)?.replace(/,\S.*/, "");
    }),
    "a key in progress is locked for all environments": around(
      "replayOrUpdate",
      async ({ original, memory }, environment, id, rest) => {
        const key = rest.request.headers["idempotency-key"];
        if (key === undefined) return original(environment, id, rest);
        memory.owners ??= new Map();
        if ((memory.owners.get(key) ?? environment.id) !== environment.id) reject(409, { "retry-after": "1" });
        memory.owners.set(key, environment.id);
        return original(environment, id, rest).finally(() => memory.owners.delete(key));
      },
    ),
    "a replay has its key in lower case": around("replayOrUpdate", async ({ original }, ...args) => {
      const [status, body, headers = {}] = await original(...args);
      const key = headers["idempotency-key"]?.toLowerCase() ?? "";
      return [status, body, headers[REPLAY] ? { ...headers, "idempotency-key": key } : headers];
    }),
    "a repeat drops the entry of the request in progress": around(
      "replayOrUpdate",
      async ({ original }, environment, id, rest) => {
        const key = String(rest.request.headers["idempotency-key"] ?? "");
        if (environment.replays.get(key)?.response === undefined) environment.replays.delete(key);
        await pause();
        return original(environment, id, rest);
      },
    ),
    "a map written at once loses keys": around("findReplay", ({ original, memory }, environment, key) => {
      memory.writes = (memory.writes ?? 0) + 1;
      const own = memory.writes;
      void pause().then(() => memory.writes > own + 3 && environment.replays.delete(key));
      return original(environment, key);
    }),
    "a list with a key is replayed": around("respond", async ({ original, memory }, request) => {
      const key = request.headers["idempotency-key"];
      if (request.method !== "GET" || !key) return original(request);
      memory[String(key)] ??= await original(request);
      return memory[String(key)];
    }),
    "a rejected request holds its key": around("findReplay", ({ original }, environment, key) => {
      const replay = original(environment, key);
      return replay?.response && replay.response[0] >= 400 ? { print: replay.print, at: replay.at } : replay;
    }),
    "a replay has the current state": around("findReplay", ({ original, backend }, environment, key) => {
      const replay = original(environment, key);
      const own = environment.preferences.get("ada");
      if (replay?.response?.[0] !== 200 || !own) return replay;
      return { ...replay, response: [200, backend.show(environment, own)] };
    }),
  },
  keys: {
    "the key in the query is accepted": keyIn("api_key", "apiKey"),
    "the key as access_token in the query is accepted": keyIn("access_token", "token"),
    "keys are compared without case": keysLike((key, sent) => key.toLowerCase() === sent.toLowerCase()),
    "the first letters of a key are enough": keysLike((key, sent) => sent.length >= 8 && key.startsWith(sent)),
    "letters behind a key are ignored": keysLike((key, sent) => sent.startsWith(key)),
    "a key of the same length and end is accepted": keysLike((key, sent) => {
      return key === MAIN_KEY && key.length === sent.length && key.slice(-6) === sent.slice(-6);
    }),
    "a key with a tab before it is accepted": withKeyOf(({ headers }) => {
      return /^ApiKey\t+(.*)$/.exec(headers.authorization)?.[1];
    }),
    "HEAD needs no key": withKeyOf(({ method }) => (method === "HEAD" ? MAIN_KEY : undefined)),
    "a key is read without its scheme": around("authenticate", ({ original }, headers) => {
      return original({ ...headers, authorization: `ApiKey ${headers.authorization?.replace(/^ApiKey /, "")}` });
    }),
    "a key that is no ASCII is 500": failing("authenticate", ({ authorization = "" }) => /[^ -~]/.test(authorization)),
    "a 401 is cached by its URL": around("respond", async ({ original, memory }, request) => {
      const { method, url = "" } = request;
      const isCached = method === "GET" && memory[url];
      memory[url] = false;
      if (isCached) reject(401, { "www-authenticate": "ApiKey" });
      return original(request).catch((error) => {
        memory[url] = error.status === 401;
        throw error;
      });
    }),
  },
  environments: {
    "the key is read from x-api-key": withKeyOf(({ headers }) => headers["x-api-key"] && MAIN_KEY),
    "all environments are one list": around("list", ({ original, backend }, own, query) => {
      const foreign = othersOf(backend, own).flatMap(({ records }) => records);
      const disguised = foreign.map((record) => ({ ...record, _environmentId: own.id }));
      const toOrder = ({ createdAt, _id }: Json) => `${createdAt} ${_id}`;
      const records = [...own.records, ...disguised].sort((one, other) => (toOrder(one) < toOrder(other) ? 1 : -1));
      return original({ ...own, records }, query);
    }),
    "a subscriber of another environment is found": around("update", async ({ original, backend }, own, id, body) => {
      const owner = [own, ...othersOf(backend, own)].find((one) => backend.findPerson(one, id));
      return original(owner ?? own, id, body);
    }),
    "a workflow of another environment is found": around("findWorkflow", ({ original, environments }, own, text) => {
      const all = [...environments.values()].flatMap(({ workflows }) => workflows);
      return original(own, text) ?? all.find(({ _id }) => _id === text);
    }),
    "the records of two keys have one _environmentId": inPages(({ data }) => ({
      data: data.map((record: Json) => ({ ...record, _environmentId: "65f000000000000000000001" })),
    })),
    "an update with the second key is not stored": around("update", async ({ original }, environment, id, body) => {
      return original(environment, id, isOther(environment) ? { ...body, channels: {} } : body);
    }),
    "{} with the second key shows the preferences of the first": around(
      "update",
      async ({ original, environments }, environment, id, body) => {
        const isRead = isOther(environment) && Object.keys(body.channels).length === 0;
        return original(isRead ? (environments.get(MAIN_KEY) ?? environment) : environment, id, body);
      },
    ),
    "a filter by another key's subscriber finds that one's records": around(
      "list",
      ({ original, environments }, environment, query) => {
        const isOf = ({ people }: Environment) =>
          people.some(({ subscriberId }) => query.get("subscriberIds")?.includes(subscriberId));
        return original([environment, ...environments.values()].find(isOf) ?? environment, query);
      },
    ),
    "a search for an address of another key finds that one's records": around(
      "list",
      ({ original, environments }, environment, query) => {
        const [search = "-"] = query.get("search") ?? [];
        const isOf = ({ people }: Environment) => people.some(({ email }) => email === search);
        return original([environment, ...environments.values()].find(isOf) ?? environment, query);
      },
    ),
    "an update of a workflow with the second key is stored globally": around(
      "store",
      async ({ original, environments }, own, channels, workflow) => {
        const isForeign = [...(environments.get(OTHER_KEY)?.preferences.values() ?? [])].includes(own);
        return original(own, channels, isForeign ? undefined : workflow);
      },
    ),
    "filters are not applied with the second key": around("list", ({ original }, environment, query) => {
      const kept = new Map([...query].filter(([name]) => ["page", "limit"].includes(name)));
      return original(environment, isOther(environment) ? kept : query);
    }),
  },
  concurrency: {
    "updates read, wait and write back": around("store", async ({ backend }, own, channels, workflow) => {
      const copy: Preferences = structuredClone(own);
      await pause(2);
      backend.apply(copy, channels, workflow);
      Object.assign(own, copy);
      return undefined;
    }),
    "more than ten at once are 500": around("store", async ({ original, memory }, ...args) => {
      memory.busy = (memory.busy ?? 0) + 1;
      const isBusy = memory.busy > 10;
      await pause(3);
      memory.busy -= 1;
      return isBusy ? boom("pool exhausted") : original(...args);
    }),
    "concurrent requests share a variable": sharing((request, memory) => {
      memory.url = request.url;
      return () => (request.url = memory.url);
    }),
    "keyed retries in parallel are all executed": around("findReplay", ({ original }, environment, key) => {
      const replay = original(environment, key);
      return replay?.response ? replay : undefined;
    }),
    "lists share one calendar": sharing((request, memory) => {
      const after = /(?<=[?&]after=)[^&]*/;
      memory.after = after.exec(request.url)?.[0] ?? memory.after;
      return () => (request.url = request.url.replace(after, memory.after));
    }),
    "the first updates of a subscriber at once: one is lost": around(
      "store",
      async ({ original, backend }, own: Json, channels, workflow) => {
        if (own.isStored) return original(own, channels, workflow);
        const copy = structuredClone(own);
        await pause(3);
        backend.apply(copy, channels, workflow);
        return void Object.assign(own, copy, { isStored: Object.keys(channels).length > 0 });
      },
    ),
    "the environment is a static variable": around("respond", async ({ original, backend, memory }, request) => {
      if (request.method !== "GET") return original(request);
      backend.authenticate(request.headers);
      memory.authorization = request.headers.authorization;
      await pause(2);
      request.headers.authorization = memory.authorization;
      return original(request);
    }),
    "an update is two statements": around("store", async ({ backend }, own, channels, workflow) => {
      const [first = [], ...others] = Object.entries(channels).map((pair) => [pair]);
      backend.apply(own, Object.fromEntries(first), workflow);
      await pause(2);
      backend.apply(own, Object.fromEntries(others.flat()), workflow);
      return undefined;
    }),
  },
  HTTP: {
    "OPTIONS is 405, and in Allow": first(({ method }) => {
      if (method === "OPTIONS") reject(405, { allow: "GET, HEAD, OPTIONS" });
    }),
    "X-HTTP-Method-Override is obeyed": first((request) => {
      if (request.method === "POST") request.method = request.headers["x-http-method-override"] ?? "POST";
    }),
    "X-Rewrite-URL is obeyed": first((request) => {
      request.url = request.headers["x-rewrite-url"] ?? request.url;
    }),
    "a dot or blank at the end of a path is dropped": inUrls((url) => {
      return url.replace(/(?<=^[^?]*(notifications|preferences))(\.|%20)+(?=\?|$)/, "");
    }),
    "POST with _method=PATCH is PATCH": first((request) => {
      const [url, rest] = request.url.split(/[?&]_method=PATCH/);
      if (request.method === "POST" && rest === "") Object.assign(request, { url, method: "PATCH" });
    }),
    "Accept-Charset chooses the charset": around("contentType", ({ original }, status, request) => {
      const { "accept-charset": charset } = request.headers;
      return charset ? `application/json;charset=${charset}` : original(status, request);
    }),
    "the second segment of a path is not read": inUrls((url) => {
      return url.replace(/^\/v2\/[^/?]+\/([^/?]+)\/preferences/, "/v2/subscribers/$1/preferences");
    }),
    "a path may end in .json": inUrls((url) => url.replace(/^([^?]*)\.json(?=\?|$)/, "$1")),
  },
};

export interface Bug {
  kind: string;
  title: string;
  plant: Plant;
  isInTraffic: boolean;
}

const toBugs = (kinds: Kinds, isInTraffic: boolean): Bug[] =>
  Object.entries(kinds).flatMap(([kind, plants]) => {
    return Object.entries(plants).map(([title, plant]) => ({ kind, title, plant, isInTraffic }));
  });

export const BUGS: readonly Bug[] = [...toBugs(IN_TRAFFIC, true), ...toBugs(HIDDEN, false)];

const BY_TITLE = new Map(BUGS.map(({ title, plant }) => [title, plant]));

export function findBug(title: string): Plant {
  const plant = BY_TITLE.get(title);
  if (!plant) throw new Error(`There is no bug "${title}".`);
  return plant;
}

/** Only many requests at once show these. */
export const RACES = {
  "one of 400 overlapping updates is lost": around("store", async ({ original, memory }, own, channels, workflow) => {
    memory.busy = (memory.busy ?? 0) + 1;
    await pause(1);
    if (memory.busy > 1) memory.overlapped = (memory.overlapped ?? 0) + 1;
    memory.busy -= 1;
    return memory.overlapped % 400 === 399 ? undefined : original(own, channels, workflow);
  }),
  "one of 100 lists during an update lacks a record": plantAll(
    around("store", async ({ original, memory }, ...args) => {
      memory.busy = (memory.busy ?? 0) + 1;
      return original(...args).finally(() => (memory.busy -= 1));
    }),
    around("list", ({ original, memory }, environment, query) => {
      if (memory.busy > 0) memory.lists = (memory.lists ?? 0) + 1;
      const isWrong = memory.busy > 0 && memory.lists % 100 === 99;
      return original(isWrong ? { ...environment, records: environment.records.toSpliced(1, 1) } : environment, query);
    }),
  ),
};
