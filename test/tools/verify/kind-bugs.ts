// Bugs of kinds that the suite once missed: two or more of each, planted in the second independent implementation.
import { type Backend, pause, Rejection, type Reply } from "./backend.js";
import { type Environment, MAIN_KEY, OTHER_KEY, type Person, type Preferences } from "./backend-data.js";
import { around, type Bug, inPages, type Json, type Plant, plantAll, toBugs } from "./plant.js";

const fold = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** Finds subscribers whose ids are equal after a change of both. */
const subscribersBy = (change: (id: string) => string): Plant =>
  around(
    "findPerson",
    () =>
      ({ people }, id) =>
        people.find((one) => change(one.subscriberId) === change(id)),
  );
const workflowsBy = (change: (id: string) => string): Plant =>
  around("findWorkflow", (original) => (workflows, text) => {
    return original(workflows, text) ?? workflows.find(({ identifier }) => change(identifier) === change(text));
  });

const NEAR_IDS = {
  "blanks around a subscriberId are trimmed": subscribersBy((id) => id.trim()),
  "subscriberIds are compared in NFC": subscribersBy((id) => id.normalize("NFC")),
  "subscriberIds are compared without accents": subscribersBy(fold),
  "what follows a NUL in a subscriberId is dropped": subscribersBy((id) => id.replace(/\0.*/s, "")),
  "subscriberIds are read as numbers where they end in digits": subscribersBy((id) => id.replace(/0+(\d+)$/, "$1")),
  "identifiers are compared without accents and case": workflowsBy(fold),
  "identifiers are compared in compatible forms": workflowsBy((id) => id.normalize("NFKC")),
};

/** Runs before the steps of a request. */
const first = (check: (request: Json) => void): Plant =>
  around("respond", (original) => async (request) => {
    check(request);
    return original(request);
  });
/** The same, with the body. */
const firstWithBody = (check: (request: Json, body: string) => void): Plant =>
  around("readBytes", (original) => async (request) => {
    const bytes = await original(request);
    check(request, bytes.toString());
    return bytes;
  });

const SLASHES = {
  "an unencoded slash belongs to the id": first((request) => {
    const [, id, rest] = /^\/v2\/subscribers\/([^?]*)\/preferences(.*)$/.exec(request.url) ?? [];
    if (id !== undefined) request.url = `/v2/subscribers/${id.replaceAll("/", "%2F")}/preferences${rest}`;
  }),
};

const UNSEEN = {
  "an update without channels, a subscriber's first request, is 500": around(
    "store",
    (original) => async (own: Json, channels, workflow) => {
      const isFirst = !own.isKnown && workflow !== undefined && Object.keys(channels).length === 0;
      Object.defineProperty(own, "isKnown", { value: true, configurable: true });
      if (isFirst) throw new Error("no such document");
      return original(own, channels, workflow);
    },
  ),
  "a workflow_id that is a text is read": around("parseBody", (original) => (headers, bytes) => {
    const body = original(headers, bytes);
    if (typeof body?.workflow_id !== "string") return body;
    const { workflow_id: workflowId, ...rest } = body;
    return { ...rest, workflowId };
  }),
  "the first 24 digits of a workflowId are enough": around("findWorkflow", (original) => (workflows, text) => {
    return original(workflows, /^[0-9a-f]{24}[0-9a-f,]/.test(text) ? text.slice(0, 24) : text);
  }),
  "a search for an id ignores blanks around it": around("isFound", (original) => (id, email, search) => {
    return id === search.trim() || original(id, email, search);
  }),
  "a search finds a deleted subscriber by the recipient": around("isMatch", (original) => (record, query, people) => {
    const recipient = people?.find(({ subscriberId }) => subscriberId === record.to.subscriberId);
    const isSearched = recipient !== undefined && query.get("search")?.[0] === recipient.subscriberId;
    return original(
      { ...record, subscriber: record.subscriber ?? (isSearched ? recipient : undefined) },
      query,
      people,
    );
  }),
};

const isMalformed = (text: string) => {
  try {
    decodeURIComponent(text);
    return false;
  } catch {
    return true;
  }
};
const reject = (status: number): never => {
  throw new Rejection(status);
};

const ORDER = {
  "a bad escape in the path is 400 without a key": first(({ url }) => {
    if (isMalformed(url.replace(/\?.*/, ""))) reject(400);
  }),
  "a bad escape in the query is 400 without a key": first(({ url }) => {
    if (isMalformed(url.replace(/^[^?]*/, ""))) reject(400);
  }),
  "an unknown path is 404 without a key": first(({ url }) => {
    if (!/^\/(v1\/notifications|v2\/subscribers\/[^/]*\/preferences)(\?|$)/.test(url)) reject(404);
  }),
  "a large body is 413 before its media type is read": firstWithBody(({ headers }, body) => {
    if (headers.authorization?.includes(MAIN_KEY) && body.length > 102_400) reject(413);
  }),
  "a large body is 413 without a key": firstWithBody((_request, body) => {
    if (body.length > 102_400) reject(413);
  }),
  "a body that is not JSON is 400 before its charset is read": firstWithBody(({ headers, method }, body) => {
    const isKnown = headers.authorization?.includes(MAIN_KEY) && method === "PATCH";
    if (isKnown && headers["content-type"]?.startsWith("application/json") && !/^[{["\d]|true|null/.test(body))
      if (body !== "") reject(400);
  }),
  "a reused key is found before an invalid body": around(
    "replayOrUpdate",
    (original, backend) => async (environment, id, rest) => {
      const replay = backend.findReplay(environment, String(rest.request.headers["idempotency-key"]));
      if (replay && replay.print !== backend.toPrint(id, rest.body))
        throw new Rejection(422, { errors: { "header.idempotency-key": { messages: ["is used"] } } });
      return original(environment, id, rest);
    },
  ),
  "an unknown workflow is 404 before a reused key": around(
    "replayOrUpdate",
    (original, backend) => async (environment, id, rest) => {
      const { workflowId } = rest.body ?? {};
      const isText = typeof workflowId === "string" && workflowId !== "";
      if (isText && !backend.findWorkflow(environment.workflows, workflowId))
        throw new Rejection(404, { ctx: { workflowId } });
      return original(environment, id, rest);
    },
  ),
  "a wrong media type is 415 before an unknown subscriber's path": first(({ method, url, headers }) => {
    const isKnown = headers.authorization?.includes(MAIN_KEY);
    if (isKnown && method === "PATCH" && !url.startsWith("/v2/") && headers["content-type"] === "text/plain")
      reject(415);
  }),
};

const COUNTS = {
  "only the first violation of a query is listed": around("checkQuery", (original) => (query) => {
    return Object.fromEntries(Object.entries(original(query)).slice(0, 1));
  }),
  "ten violations of a body are listed": around("checkUpdate", (original) => (...args) => {
    return Object.fromEntries(Object.entries(original(...args)).slice(0, 10));
  }),
  "all violations of a query are listed": around("list", (original, backend) => (environment, query) => {
    const errors = backend.checkQuery(query);
    if (Object.keys(errors).length > 100) throw new Rejection(422, { errors });
    return original(environment, query);
  }),
};

const valuesAs = (change: (value: unknown) => unknown): Plant =>
  around("toViolation", (original) => (value) => ({ ...original(value), value: change(value) }));
const inContext = (change: (text: string) => string): Plant =>
  around("update", (original) => async (environment, id, body) => {
    return original(environment, id, body).catch((error) => {
      const { ctx } = error.body ?? {};
      if (ctx?.workflowId) ctx.workflowId = change(ctx.workflowId);
      throw error;
    });
  });

const REPEATED = {
  "an error has each value as a text": valuesAs((value) => (value === undefined ? value : String(value))),
  "an error has each value as JSON in a text": valuesAs((value) => JSON.stringify(value)),
  "an error shortens long values": valuesAs((value) => (typeof value === "string" ? value.slice(0, 20) : value)),
  "an error has the unknown workflow in lower case": inContext((text) => text.toLowerCase()),
  "an error has the unknown workflow without blanks": inContext((text) => text.trim()),
  "an error has the unknown workflow escaped for HTML": inContext((text) => text.replaceAll("<", "&lt;")),
};

const reading = (change: (value: Json) => Json): Plant =>
  around("parseBody", (original) => (headers, bytes) => change(original(headers, bytes)));
const eachChannel = (change: (value: Json) => Json): Plant =>
  reading((body) => {
    const { channels } = body ?? {};
    const isRead = typeof channels === "object" && channels !== null && !Array.isArray(channels);
    if (!isRead) return body;
    return {
      ...body,
      channels: Object.fromEntries(Object.entries(channels).map(([name, value]) => [name, change(value)])),
    };
  });
const renaming = (change: (name: string) => string): Plant =>
  reading((body) =>
    body && typeof body === "object" && !Array.isArray(body)
      ? Object.fromEntries(Object.entries(body).map(([name, value]) => [change(name), value]))
      : body,
  );

const LENIENT = {
  "JSON within a text is read": reading((body) => {
    try {
      return typeof body === "string" ? JSON.parse(body) : body;
    } catch {
      return body;
    }
  }),
  "a list of one is its item": reading((body) => (Array.isArray(body) && body.length === 1 ? body[0] : body)),
  "channels within a text are read": reading((body) => {
    try {
      return typeof body?.channels === "string" ? { ...body, channels: JSON.parse(body.channels) } : body;
    } catch {
      return body;
    }
  }),
  "1 and 0 are booleans": around("parseJson", (original) => (bytes) => {
    return original(Buffer.from(bytes.toString().replaceAll(/:\s*1\.0\b/g, ":true")));
  }),
  "yes, on and t are true": eachChannel((value) => (/^(yes|on|t|y)$/i.test(String(value)) ? true : value)),
  "an object with enabled is a boolean": eachChannel((value) => value?.enabled ?? value),
  "workflow_id is read": renaming((name) => (name === "workflow_id" ? "workflowId" : name)),
  "names are read in any case": renaming((name) => {
    return ["channels", "workflowId"].find((one) => one.toLowerCase() === name.toLowerCase()) ?? name;
  }),
  "blanks around names are dropped": renaming((name) => name.trim()),
};

const asType = (isRejected: (type: string) => boolean): Plant =>
  around("parseBody", (original) => (headers, bytes) => {
    return isRejected(headers["content-type"] ?? "") ? reject(415) : original(headers, bytes);
  });

const MEDIA_TYPES = {
  "a quoted charset is rejected": asType((type) => type.includes('"')),
  "a charset in capitals is rejected": asType((type) => /charset=.*[A-Z]/.test(type)),
  "a parameter's name in capitals is rejected": asType((type) => /;.*[A-Z]\w*=/.test(type)),
  "a blank before the semicolon is rejected": asType((type) => / ;/.test(type)),
  "a parameter without a blank before it is rejected": asType((type) => /;\S/.test(type)),
  "a media type that begins like JSON's is accepted": around("parseBody", (original) => (headers, bytes) => {
    const type = headers["content-type"] ?? "";
    return original(
      /^application\/json\W/.test(type) ? { ...headers, "content-type": "application/json" } : headers,
      bytes,
    );
  }),
};

const withKeyOf = (find: (request: Json) => string | undefined): Plant =>
  first((request) => {
    const key = find(request);
    if (key) request.headers.authorization = `ApiKey ${key}`;
  });
const keyOf = ({ headers }: Json) => /^ApiKey (.*)$/.exec(headers.authorization ?? "")?.[1] ?? "";

const KEYS = {
  "the key in the query is accepted": withKeyOf(({ url, headers }) => {
    const query = new URLSearchParams(url.replace(/^[^?]*/, ""));
    return headers.authorization ? undefined : (query.get("api_key") ?? query.get("apiKey") ?? undefined);
  }),
  "the key as access_token in the query is accepted": withKeyOf(({ url, headers }) => {
    const query = new URLSearchParams(url.replace(/^[^?]*/, ""));
    return headers.authorization ? undefined : (query.get("access_token") ?? query.get("token") ?? undefined);
  }),
  "keys are compared without case": withKeyOf((request) => {
    return [MAIN_KEY, OTHER_KEY].find((key) => key.toLowerCase() === keyOf(request).toLowerCase());
  }),
  "the first letters of a key are enough": withKeyOf((request) => {
    return [MAIN_KEY, OTHER_KEY].find((key) => keyOf(request).length >= 8 && key.startsWith(keyOf(request)));
  }),
  "letters behind a key are ignored": withKeyOf((request) => {
    return [MAIN_KEY, OTHER_KEY].find((key) => keyOf(request).startsWith(key));
  }),
  "a key of the same length and end is accepted": withKeyOf((request) => {
    const key = keyOf(request);
    return [MAIN_KEY].find((one) => key.length === one.length && key.slice(-6) === one.slice(-6));
  }),
  "a key with a tab before it is accepted": withKeyOf(
    ({ headers }) => /^ApiKey\t+(.*)$/.exec(headers.authorization)?.[1],
  ),
};

const pages = (change: (text: string) => string | number): Plant =>
  around("readInteger", (original) => (text) => {
    const result = change(text);
    return typeof result === "number" ? result : original(result);
  });
const boom = (message: string): never => {
  throw new Error(message);
};

const LARGE_NUMBERS = {
  "a page beyond 2^63 is 500": pages((text) =>
    /^\d+$/.test(text) && BigInt(text) > 2n ** 63n ? boom("overflow") : text,
  ),
  "a page times its limit beyond 2^63 is 500": pages((text) =>
    /^\d+$/.test(text) && BigInt(text) * 10n > 2n ** 63n ? boom("overflow") : text,
  ),
  "thousands of digits are 500": pages((text) => (text.length > 1000 ? boom("Exceeds the limit of digits") : text)),
  "a page that a double rounds to 2^63 is the first one": pages((text) =>
    /^\d+$/.test(text) && Number(text) >= 2 ** 63 && text.length < 300 ? 0 : text,
  ),
};

const DAY_MS = 86_400_000;
const LIMIT_MS = 9999 * DAY_MS;
const boundsOf = (backend: Json, query: Json): number[] =>
  ["after", "before"].flatMap((name) => backend.bound(query, name) ?? []);

const PLAN = {
  "the plan has no hour of grace": around("checkDates", (original, backend) => (query) => {
    if (boundsOf(backend, query).some((at) => at < backend.now().getTime() - LIMIT_MS)) reject(402);
    original(query);
  }),
  "the plan has a day of grace": around("checkDates", (original, backend) => (query) => {
    const earliest = backend.now().getTime() - LIMIT_MS - DAY_MS;
    if (boundsOf(backend, query).every((at) => at > earliest)) {
      const [after, before] = [backend.bound(query, "after"), backend.bound(query, "before")];
      if (after !== undefined && before !== undefined && after > before) reject(400);
      return;
    }
    original(query);
  }),
  "only after is held to the plan": around("checkDates", (original, backend) => (query) => {
    const before = backend.bound(query, "before") ?? Number.POSITIVE_INFINITY;
    const after = backend.bound(query, "after") ?? 0;
    if (before < backend.now().getTime() - LIMIT_MS && after === 0) return;
    original(query);
  }),
  "without after, only the last day is listed": around("list", (original, backend) => (environment, query) => {
    const isRecent = ({ createdAt }: Json) => Date.parse(createdAt) > backend.now().getTime() - DAY_MS;
    const records = query.has("after") ? environment.records : environment.records.filter(isRecent);
    return original({ ...environment, records }, query);
  }),
};

const peopleBy = (isFound: (person: Person, query: Json) => boolean): Plant =>
  around("findSubscribers", (original) => (people, query) => {
    const found = original(people, query);
    return found && people.filter((person) => found.includes(person) || isFound(person, query));
  });
const recordsBy = (change: (record: Json, query: Json) => Json): Plant =>
  around("isMatch", (original) => (record, query, people) => original(change(record, query), query, people));

const FILTERS = {
  "subscriberIds matches the internal _id": peopleBy(({ _id }, query) => query.get("subscriberIds")?.includes(_id)),
  "subscriberIds matches the address": peopleBy(({ email = "-" }, query) =>
    query.get("subscriberIds")?.includes(email),
  ),
  "emails matches the subscriberId": peopleBy(({ subscriberId }, query) => query.get("emails")?.includes(subscriberId)),
  "search matches part of a subscriberId": peopleBy(({ subscriberId }, query) => {
    const [search] = query.get("search") ?? [];
    return search !== undefined && subscriberId.includes(search);
  }),
  "search matches a subscriberId in other capitals": peopleBy(({ subscriberId }, query) => {
    return query.get("search")?.[0]?.toLowerCase() === subscriberId.toLowerCase();
  }),
  "search matches the internal _id": peopleBy(({ _id }, query) => query.get("search")?.[0] === _id),
  "transactionId matches the record's _id": recordsBy((record, query) => {
    const [id] = query.get("transactionId") ?? [];
    return id === record._id ? { ...record, transactionId: id } : record;
  }),
  "templates matches the record's own _id": recordsBy((record, query) => {
    const ids = query.get("templates") ?? [];
    return ids.includes(record._id) ? { ...record, _templateId: record._id } : record;
  }),
  "channels matches every step, active or not": recordsBy((record) => {
    return record._templateId?.endsWith("7") ? { ...record, channels: [...record.channels, "sms"] } : record;
  }),
  "topicKey matches the beginning of a key": recordsBy((record, query) => {
    const [key = "-"] = query.get("topicKey") ?? [];
    return record.topics.some(({ topicKey }: Json) => topicKey.startsWith(key)) && key.length > 3
      ? { ...record, topics: [{ topicKey: key }] }
      : record;
  }),
};

const isOther = ({ id }: Environment) => id.endsWith("2");
/** Plants a bug that only the second environment shows. */
const ofOther = (change: (page: Json, environment: Environment) => object): Plant =>
  around("list", (original) => (environment, query) => {
    const [status, body] = original(environment, query);
    return [status, isOther(environment) ? { ...body, ...change(body, environment) } : body];
  });

const ENVIRONMENTS = {
  "the records of two keys have one _environmentId": ofOther(({ data }) => ({
    data: data.map((record: Json) => ({ ...record, _environmentId: "65f000000000000000000001" })),
  })),
  "an update with the second key is not stored": around("update", (original) => async (environment, id, body) => {
    return original(environment, id, isOther(environment) ? { ...body, channels: {} } : body);
  }),
  "{} with the second key shows the preferences of the first": around(
    "update",
    (original, { environments }) =>
      async (environment, id, body) => {
        const isRead = isOther(environment) && Object.keys(body.channels).length === 0;
        return original(isRead ? (environments.get(MAIN_KEY) ?? environment) : environment, id, body);
      },
  ),
  "a filter by another key's subscriber finds that one's records": around(
    "list",
    (original, { environments }) =>
      (environment, query) => {
        const owner = [...environments.values()].find(({ people }) =>
          people.some(({ subscriberId }) => query.get("subscriberIds")?.includes(subscriberId)),
        );
        const isForeign =
          owner && !environment.people.some(({ subscriberId }) => query.get("subscriberIds")?.includes(subscriberId));
        return original(isForeign ? owner : environment, query);
      },
  ),
  "an update of a workflow with the second key is stored globally": around(
    "store",
    (original, { environments }) =>
      async (own, channels, workflow) => {
        const other = environments.get(OTHER_KEY);
        const isForeign = other && [...other.preferences.values()].includes(own);
        return original(own, channels, isForeign ? undefined : workflow);
      },
  ),
  "filters are not applied with the second key": around("list", (original) => (environment, query) => {
    const kept = new Map([...query].filter(([name]) => ["page", "limit"].includes(name)));
    return original(environment, isOther(environment) ? kept : query);
  }),
};

const SLUGS = {
  "a slug keeps the capitals of its name": around("slugify", () => (name) => name.replaceAll(/[^A-Za-z0-9]+/g, "-")),
  "a slug does not split camel case": around(
    "slugify",
    () => (name) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-"),
  ),
  "a slug has underscores": around("slugify", (original) => (name) => original(name).replaceAll("-", "_")),
  "a slug is made of the identifier": around("toSlug", (original) => (workflow) => {
    return original({ ...workflow, name: workflow.identifier });
  }),
  "an identifier with _wf_ is taken for a slug": around("findWorkflow", (original) => (workflows, text) => {
    if (!/_wf_[0-9A-Za-z]{16,17}$/.test(text)) return original(workflows, text);
    const { _id } =
      original(
        workflows.map((workflow) => ({ ...workflow, identifier: "" })),
        text,
      ) ?? {};
    return workflows.find((workflow) => workflow._id === _id);
  }),
};

const headersOf = ({ rawHeaders }: Json, name: string): string[] =>
  rawHeaders.filter((_value: string, index: number) => index % 2 === 1 && rawHeaders[index - 1].toLowerCase() === name);
const ofTwoKeys = (choose: (keys: string[]) => string): Plant =>
  first((request) => {
    const keys = headersOf(request, "idempotency-key");
    if (keys.length > 1) request.headers["idempotency-key"] = choose(keys);
  });

const TWO_HEADERS = {
  "the first of two keys counts": ofTwoKeys(([key = ""]) => key),
  "the last of two keys counts": ofTwoKeys((keys) => keys.at(-1) ?? ""),
  "two keys are 400": ofTwoKeys(() => reject(400)),
};

const prints = (change: (body: Json) => unknown): Plant =>
  around("toPrint", (original) => (id, body) => original(id, change(body)));

const REPLAYS = {
  "a request's print has the names of channels alone": prints(({ channels, ...rest }) => ({
    ...rest,
    channels: Object.keys(channels),
  })),
  "a request's print leaves the workflow out": prints(({ channels }) => ({ channels })),
  "a request's print has sorted members": prints(({ channels, ...rest }) => ({
    ...rest,
    channels: Object.fromEntries(Object.entries(channels).toSorted()),
  })),
  "replays are kept for each connection": around("replayOrUpdate", (original) => async (environment, id, rest) => {
    const socket: Json = rest.request.socket;
    socket.replays ??= new Map();
    return original({ ...environment, replays: socket.replays }, id, rest);
  }),
  "only the latest 200 replays are kept": around("findReplay", (original) => (environment, key) => {
    for (const old of [...environment.replays.keys()].slice(0, -200)) environment.replays.delete(old);
    return original(environment, key);
  }),
  "another body is 422 while the first is in progress": around(
    "replayOrUpdate",
    (original, backend) => async (environment, id, rest) => {
      const replay = environment.replays.get(String(rest.request.headers["idempotency-key"]));
      if (replay && replay.print !== backend.toPrint(id, rest.body))
        throw new Rejection(422, { errors: { "header.idempotency-key": { messages: ["is used"] } } });
      return original(environment, id, rest);
    },
  ),
  "a rejected reuse takes effect": around("replayOrUpdate", (original, backend) => async (environment, id, rest) => {
    const replay = environment.replays.get(String(rest.request.headers["idempotency-key"]));
    if (replay?.response && replay.print !== backend.toPrint(id, rest.body))
      await backend.update(environment, id, rest.body);
    return original(environment, id, rest);
  }),
  "a rejected reuse replaces the recorded response": around(
    "replayOrUpdate",
    (original, backend) => async (environment, id, rest) => {
      const key = String(rest.request.headers["idempotency-key"]);
      return original(environment, id, rest).catch((error) => {
        const replay = environment.replays.get(key);
        if (replay?.response && error.status === 422) replay.print = backend.toPrint(id, rest.body);
        throw error;
      });
    },
  ),
};

const rejecting = (isCritical: (text: string, identifier: string) => boolean): Plant =>
  around("update", (original, backend) => async (environment, id, body) => {
    const { workflowId } = body;
    const workflow = workflowId && backend.findWorkflow(environment.workflows, workflowId);
    const isKnown = workflow?.lock === "critical" && !isCritical(workflowId, workflow.identifier);
    const workflows = environment.workflows.map((one) =>
      isKnown && one === workflow ? { ...one, lock: "code" as const } : one,
    );
    return original({ ...environment, workflows }, id, body);
  });

const CRITICAL = {
  "a critical workflow is rejected by its identifier alone": rejecting((text, identifier) => text === identifier),
  "a critical workflow is not rejected by its slug": rejecting((text) => !text.includes("_wf_")),
};

const touched = (backend: Json): Set<unknown> => (backend.memory.touched ??= new Set());

const UNTOUCHED = {
  "before the first update, all channels are off": around("show", (original, backend) => (environment, own) => {
    const body = original(environment, own);
    if (touched(backend).has(own)) return body;
    for (const level of [body.global, ...body.workflows])
      for (const name of Object.keys(level.channels)) level.channels[name] = false;
    return body;
  }),
  "before the first update, the workflows are empty": around("show", (original, backend) => (environment, own) => {
    const body = original(environment, own);
    return touched(backend).has(own) ? body : { ...body, workflows: [] };
  }),
  "the first update of a subscriber is lost": around("apply", (original, backend) => (own, channels, workflow) => {
    if (touched(backend).has(own)) original(own, channels, workflow);
  }),
  "an update changes a third subscriber too": around("update", (original, backend) => async (environment, id, body) => {
    const bystander = environment.preferences.get("lin@corp") as Preferences;
    if (id === "ada") backend.apply(bystander, body.channels);
    return original(environment, id, body);
  }),
  "an update changes all who were never updated": around(
    "store",
    (original, backend) => async (own, channels, workflow) => {
      for (const { preferences } of backend.environments.values())
        for (const other of preferences.values())
          if (!touched(backend).has(other) && other !== own && !workflow) backend.apply(other, channels);
      return original(own, channels, workflow);
    },
  ),
};
const remembering: Plant = around("update", (original, backend) => async (environment, id, body) => {
  const reply = await original(environment, id, body);
  if (Object.keys(body.channels).length > 0) touched(backend).add(environment.preferences.get(id));
  return reply;
});
const withMemory = Object.fromEntries(
  Object.entries(UNTOUCHED).map(([title, plant]) => [
    title,
    (backend: Json) => {
      plant(backend);
      remembering(backend);
    },
  ]),
) as typeof UNTOUCHED;

const TIMES = {
  "after and before are compared as texts": around("checkDates", (original) => (query) => {
    const [[after = ""] = [], [before = ""] = []] = [query.get("after"), query.get("before")];
    if (after !== "" && before !== "") return after.slice(0, 19) > before.slice(0, 19) ? reject(400) : undefined;
    original(query);
  }),
  "offsets are dropped": around("parseInstant", (original) => (text) => {
    return original(text) === undefined ? undefined : original(text.replace(/[+-]\d\d:\d\d$/, "Z"));
  }),
  "negative offsets are read as positive": around("parseInstant", (original) => (text) => {
    return original(text) === undefined ? undefined : original(text.replace(/-(\d\d:\d\d)$/, "+$1"));
  }),
};

const isNobody = (query: Json) => ["emails", "subscriberIds", "search"].some((name) => query.has(name));

const EMPTY_SET = {
  "the page of an empty set has pageSize 0": inEmptySet(() => ({ pageSize: 0 })),
  "the page of an empty set has the usual pageSize": inEmptySet(() => ({ pageSize: 10 })),
  "the page of an empty set has hasMore": inEmptySet(() => ({ hasMore: true })),
};
function inEmptySet(change: () => object): Plant {
  return around("list", (original) => (environment, query) => {
    const [status, body] = original(environment, query) as [number, Json];
    return [status, isNobody(query) && body.data.length === 0 ? { ...body, ...change() } : body] as Reply;
  });
}

/** Bugs that no case detected when they were first planted. */
const LATEST = {
  "a number is a Unix time": around("parseInstant", (original) => (text) => {
    return original(text) ?? (/^\d{10}$/.test(text) ? Number(text) * 1000 : undefined);
  }),
  "an update of a workflow forgets its other channels": around("apply", (original) => (own, channels, workflow) => {
    if (workflow && Object.keys(channels).length > 0) own.workflows[workflow._id] = {};
    original(own, channels, workflow);
  }),
  "the name in a slug is enough": around("findWorkflow", (original) => (workflows, text) => {
    return original(workflows, text) ?? workflows.find(({ name }) => text.startsWith(`${name.toLowerCase()}_wf_`));
  }),
  "a comma separates values of emails": around("readQuery", (original) => (text) => {
    const query = original(text);
    return new Map([...query].map(([name, values]) => [name, name === "emails" ? values.join().split(",") : values]));
  }),
  "a global update removes the workflow values of all": around("apply", (original, { environments }) => {
    return (own, channels, workflow) => {
      const all = [...environments.values()].flatMap(({ preferences }) => [...preferences.values()]);
      const named = Object.keys(channels);
      if (!workflow)
        for (const values of all.flatMap(({ workflows }) => Object.values(workflows)))
          for (const name of named) delete values[name];
      original(own, channels, workflow);
    };
  }),
  "a global update leaves the second workflow": around("apply", (original) => (own, channels, workflow) => {
    const { "65a1b1c20000000000000003": digest } = structuredClone(own.workflows);
    original(own, channels, workflow);
    if (!workflow && digest) own.workflows["65a1b1c20000000000000003"] = digest;
  }),
  "the domain of an address is compared in any case": around("findSubscribers", (original) => (people, query) => {
    const emails = query.get("emails")?.map((email) => email.replace(/@.*/, (domain) => domain.toLowerCase()));
    return original(people, emails ? new Map(query).set("emails", emails) : query);
  }),
  "a full last page has hasMore if there is a before": around("list", (original) => (environment, query) => {
    const [status, body] = original(environment, query) as [number, Json];
    const isFull = query.has("before") && body.data.length === body.pageSize;
    return [status, isFull ? { ...body, hasMore: true } : body];
  }),
  "records are in the order of their _id": inPages(({ data }) => ({
    data: data.toSorted((one: Json, other: Json) => (one._id < other._id ? 1 : -1)),
  })),
  "a fraction is a number of milliseconds": around("parseInstant", (original) => (text) => {
    const read = text.replace(/\.(\d{1,3})(?!\d)/, (_all, digits) => `.${digits.padStart(3, "0")}`);
    return original(text) === undefined ? undefined : original(read);
  }),
  "a number beyond a double is 500": around("parseJson", (original) => (bytes) => {
    return /\de\+?\d{3}/i.test(bytes.toString()) ? boom("OverflowError") : original(bytes);
  }),
  "slugs are compared without case": around("findWorkflow", (original, backend) => (workflows, text) => {
    const isAlike = (slug: string) => slug.toLowerCase() === text.toLowerCase();
    return original(workflows, text) ?? workflows.find((workflow) => isAlike(backend.toSlug(workflow)));
  }),
  "replays are kept for three seconds": around("findReplay", (original) => (environment, key) => {
    const replay = original(environment, key);
    return replay?.response && Date.now() - replay.at > 3000 ? undefined : replay;
  }),
  "what follows a comma in a key is dropped": around("toReplayKey", (original) => (header) => {
    return original(header)?.replace(/,\S.*/, "");
  }),
  "the first update of a subscriber writes into the default of all": (backend: Backend) => {
    for (const { preferences } of backend.environments.values()) {
      const shared = {};
      for (const own of preferences.values()) own.global = shared;
    }
    around("apply", (original) => (own, channels, workflow) => {
      original(own, channels, workflow);
      if (Object.keys(channels).length > 0) own.global = { ...own.global };
    })(backend);
  },
  "characters without weight are ignored": around("findSubscribers", (original) => (people, query) => {
    const ids = query.get("subscriberIds")?.map((id) => id.replaceAll(/\p{Cf}/gu, ""));
    return original(people, ids ? new Map(query).set("subscriberIds", ids) : query);
  }),
  "HEAD needs no key": first((request) => {
    if (request.method === "HEAD") request.headers.authorization = `ApiKey ${MAIN_KEY}`;
  }),
  "a key in progress is locked for all environments": around("replayOrUpdate", (original) => {
    const owners = new Map<unknown, string>();
    return async (...given) => {
      const [{ id }, , { request }] = given;
      const key = request.headers["idempotency-key"];
      if (key === undefined) return original(...given);
      if ((owners.get(key) ?? id) !== id) throw new Rejection(409, {}, { "retry-after": "1" });
      owners.set(key, id);
      return original(...given).finally(() => owners.delete(key));
    };
  }),
  "an unknown name is a pattern of the message": around("checkQuery", (original) => (query) => {
    return [...query.keys()].some((name) => /[{}]/.test(name)) ? boom("no argument 0") : original(query);
  }),
  "a query is checked before the body": around("checkUpdate", (original) => (body, headers, query) => {
    return original(query.size > 0 ? { channels: {} } : body, headers, query);
  }),
  "a header is checked after the body": around("checkUpdate", (original) => (body, headers, query) => {
    const errors = original(body, {}, query);
    return Object.keys(errors).length > 0 ? errors : original(body, headers, query);
  }),
  "lists share one calendar": around("respond", (original, { memory }) => async (request) => {
    const after = /(?<=[?&]after=)[^&]*/;
    memory.after = after.exec(request.url ?? "")?.[0] ?? memory.after;
    await pause(1);
    return original(Object.assign(request, { url: request.url?.replace(after, memory.after) }));
  }),
  "workflow values are removed later": around("apply", (original) => (own, channels, workflow) => {
    if (workflow) return original(own, channels, workflow);
    Object.assign(own.global, channels);
    void pause(30).then(() => original(own, channels));
  }),
  "of many values ten count": around("findSubscribers", (original) => (people, query) => {
    return original(people, new Map([...query].map(([name, values]) => [name, values.slice(0, 10)])));
  }),
  "a semicolon separates values of emails": around("findSubscribers", (original) => (people, query) => {
    const emails = query.get("emails")?.flatMap((text) => text.split(";"));
    return original(people, emails ? new Map(query).set("emails", emails) : query);
  }),
  "no address is the text None": around("isFound", (original) => (id, email = "None", search) => {
    return original(id, email, search);
  }),
  "a replay has its key in lower case": around("replayOrUpdate", (original) => async (...given) => {
    const [status, body, headers = {}] = await original(...given);
    const key = headers["idempotency-key"]?.toLowerCase() ?? "";
    return [status, body, headers["idempotency-replay"] ? { ...headers, "idempotency-key": key } : headers];
  }),
  "a chunked body of another media type is 400": around("parseBody", (original) => (headers, bytes) => {
    const isJson = headers["content-type"]?.startsWith("application/json") ?? false;
    return headers["transfer-encoding"] && !isJson ? reject(400) : original(headers, bytes);
  }),
  "X-HTTP-Method-Override is obeyed": first((request) => {
    if (request.method === "POST") request.method = request.headers["x-http-method-override"] ?? "POST";
  }),
  "X-Rewrite-URL is obeyed": first((request) => {
    request.url = request.headers["x-rewrite-url"] ?? request.url;
  }),
};

/** Counts the updates that are under way. */
const counting: Plant = around("store", (original, { memory }) => async (...args) => {
  memory.busy = (memory.busy ?? 0) + 1;
  return original(...args).finally(() => (memory.busy -= 1));
});

/** Only many requests at once show these. */
export const RACES = {
  "one of 400 overlapping updates is lost": around(
    "store",
    (original, { memory }) =>
      async (own, channels, workflow) => {
        memory.busy = (memory.busy ?? 0) + 1;
        await pause(1);
        if (memory.busy > 1) memory.overlapped = (memory.overlapped ?? 0) + 1;
        memory.busy -= 1;
        return memory.overlapped % 400 === 399 ? undefined : original(own, channels, workflow);
      },
  ),
  "one of 100 lists during an update lacks a record": plantAll(
    counting,
    around("list", (original, { memory }) => (environment, query) => {
      if (memory.busy > 0) memory.lists = (memory.lists ?? 0) + 1;
      const isWrong = memory.busy > 0 && memory.lists % 100 === 99;
      return original(isWrong ? { ...environment, records: environment.records.toSpliced(1, 1) } : environment, query);
    }),
  ),
};

export const KIND_BUGS: Bug[] = [
  ...toBugs("near ids", NEAR_IDS),
  ...toBugs("slashes", SLASHES),
  ...toBugs("unseen", UNSEEN),
  ...toBugs("order", ORDER),
  ...toBugs("counts", COUNTS),
  ...toBugs("repeated", REPEATED),
  ...toBugs("lenient", LENIENT),
  ...toBugs("media types", MEDIA_TYPES),
  ...toBugs("keys", KEYS),
  ...toBugs("large numbers", LARGE_NUMBERS),
  ...toBugs("plan", PLAN),
  ...toBugs("filters", FILTERS),
  ...toBugs("environments", ENVIRONMENTS),
  ...toBugs("slugs", SLUGS),
  ...toBugs("two headers", TWO_HEADERS),
  ...toBugs("replays", REPLAYS),
  ...toBugs("critical", CRITICAL),
  ...toBugs("untouched", withMemory),
  ...toBugs("times", TIMES),
  ...toBugs("empty set", EMPTY_SET),
  ...toBugs("latest", LATEST),
];
