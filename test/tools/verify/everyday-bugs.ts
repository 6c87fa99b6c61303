// Everyday mistakes of teams that write Python, C#, Java, Go, JavaScript, PHP, Ruby and SQL, planted in the second
// independent implementation. They were written down before the suite was tried on them, and are no list of what it
// finds.
import { gunzipSync } from "node:zlib";
import { pause, Rejection } from "./backend.js";
import type { Preferences } from "./backend-data.js";
import { around, type Bug, inErrors, inPages, type Json, type Plant, reject, toBugs } from "./plant.js";

const boom = (message: string): never => {
  throw new Error(message);
};
const reading = (change: (body: Json) => Json): Plant =>
  around("parseBody", (original) => (headers, bytes) => change(original(headers, bytes)));
const eachChannel = (change: (value: Json) => Json): Plant =>
  reading((body) => {
    const { channels } = body ?? {};
    if (typeof channels !== "object" || channels === null || Array.isArray(channels)) return body;
    const read = Object.entries(channels).map(([name, value]) => [name, change(value)]);
    return { ...body, channels: Object.fromEntries(read) };
  });
const inTexts = (change: (text: string) => string): Plant =>
  around("parseJson", (original) => (bytes) => original(Buffer.from(change(bytes.toString("latin1")), "latin1")));
/** Runs before the steps of a request. */
const first = (check: (request: Json) => void): Plant =>
  around("respond", (original) => async (request) => {
    check(request);
    return original(request);
  });
const integers = (read: (text: string) => number | undefined): Plant =>
  around("readInteger", (original) => (text) => original(text) ?? read(text));
const toNumber = (text: string) => (Number.isNaN(Number(text)) ? undefined : Math.trunc(Number(text)));
const inQueries = (change: (text: string) => string): Plant =>
  around("readQuery", (original) => (text) => original(change(text)));
const instants = (isRejected: (text: string) => boolean): Plant =>
  around("parseInstant", (original) => (text) => (isRejected(text) ? undefined : original(text)));

const PYTHON = {
  "a search of blanks is none": inQueries((text) => text.replaceAll(/(?<=^|&)search=(%20)+(?=&|$)/g, "")),
  "the first updates of a subscriber at once: one is lost": around(
    "store",
    (original, backend) => async (own: Json, channels, workflow) => {
      if (own.isStored) return original(own, channels, workflow);
      const copy = structuredClone(own);
      await pause(3);
      backend.apply(copy, channels, workflow);
      return void Object.assign(own, copy, { isStored: Object.keys(channels).length > 0 });
    },
  ),
  "UTF-16 is detected": around("parseJson", (original) => (bytes) => {
    const isWide = bytes[1] === 0 || (bytes[0] === 0xff && bytes[1] === 0xfe);
    return original(isWide ? Buffer.from(bytes.toString("utf16le").replace("\ufeff", "")) : bytes);
  }),
  "any text that is not empty is true": eachChannel((value) => (typeof value === "string" ? value !== "" : value)),
  "a default argument keeps the channels of earlier updates": around(
    "apply",
    (original, { memory }) =>
      (own, channels, workflow) => {
        memory.kept = { ...memory.kept, ...channels };
        original(own, memory.kept, workflow);
      },
  ),
  "a lower-case z is no time zone": instants((text) => text.endsWith("z")),
  "more than six digits of a second are 422": instants((text) => /\.\d{7}/.test(text)),
  "a page is read as a float": integers((text) => (/^\d/.test(text) ? toNumber(text) : undefined)),
  "an empty channels is no channels": around("checkUpdate", (original) => (body, headers, query) => {
    const errors = original(body, headers, query);
    const isEmpty = body?.channels && Object.keys(body.channels).length === 0 && body.workflowId !== undefined;
    return isEmpty ? { ...errors, "body.channels": { messages: ["is required"] } } : errors;
  }),
  "a workflowId of null counts as none": reading((body) => {
    if (body?.workflowId !== null) return body;
    const { workflowId: _null, ...rest } = body;
    return rest;
  }),
  "an unknown workflow is a KeyError": around("update", (original) => async (...args) => {
    return original(...args).catch((error) =>
      error.status === 404 && error.body.ctx.workflowId ? boom("KeyError") : reject(error.status),
    );
  }),
  "several values of a filter lose the order": around("list", (original) => (environment, query) => {
    const isSet = (query.get("subscriberIds")?.length ?? 0) > 1;
    const records = isSet ? environment.records.toSorted((a, b) => (a._id < b._id ? -1 : 1)) : environment.records;
    return original({ ...environment, records }, query);
  }),
  "all subscribers without preferences share one dict": around("findPerson", (original) => (environment, id) => {
    const person = original(environment, id);
    const preferences = environment.preferences;
    if (person && preferences.get("lin@corp") && id !== "grace-42")
      preferences.set(id, preferences.get("lin@corp") as Preferences);
    return person;
  }),
  "NaN is a number": inTexts((text) => text.replaceAll(/-?\b(NaN|Infinity)\b/g, "1e999")),
  "workflows are cached by their names alone": around("findWorkflow", (original, { memory }) => (workflows, text) => {
    memory[text] ??= [original(workflows, text)];
    return memory[text][0];
  }),
  "the time of a request is five hours behind": around("isInTime", (original) => (created, after, before) => {
    return original(created, after, before ?? Date.now() - 5 * 3_600_000);
  }),
};

const CSHARP = {
  "global.channels lists all that were ever set": around("show", (original) => (environment, own) => {
    const { global, ...shown } = original(environment, own);
    return { global: { ...global, channels: { ...global.channels, ...own.global } }, ...shown };
  }),
  "%uXXXX is decoded": inQueries((text) =>
    text.replaceAll(/%u([0-9a-f]{4})/gi, (_all, hex) => encodeURIComponent(String.fromCharCode(Number(`0x${hex}`)))),
  ),
  "a text like a date is read as one": reading((body) => {
    const isDate = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(String(body?.workflowId));
    return isDate ? { ...body, workflowId: new Date(body.workflowId).toUTCString() } : body;
  }),
  "undefined is no value": around("parseJson", (original) => (bytes) => {
    return original(Buffer.from(bytes.toString("latin1").replace(/,"\w+":undefined/g, ""), "latin1"));
  }),
  "a dot or blank at the end of a path is dropped": around("respond", (original) => async (request) => {
    request.url = request.url?.replace(/(?<=^[^?]*(notifications|preferences))(\.|%20)+(?=\?|$)/, "") ?? "";
    return original(request);
  }),
  "dates are read as the culture writes them": around("parseInstant", (original) => (text) => {
    return original(text.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, "$3-$1-$2T00:00:00Z"));
  }),
  "commas separate thousands": integers((text) =>
    /^\d{1,3}(,\d{3})+$/.test(text) ? Number(text.replaceAll(",", "")) : undefined,
  ),
  "the environment is a static variable": around("respond", (original, backend) => async (request) => {
    if (request.method !== "GET") return original(request);
    backend.authenticate(request.headers);
    backend.memory.authorization = request.headers.authorization;
    await pause(2);
    request.headers.authorization = backend.memory.authorization;
    return original(request);
  }),
  "the number of a channel is read as the channel": around("isValid", (original) => (name, value) => {
    return original(name, value) || (name === "channels" && /^[0-4]$/.test(value));
  }),
  "a channel is read in any case": inQueries((text) => text.replaceAll(/channels=\w+/gi, (pair) => pair.toLowerCase())),
  "a limit that is no number is the usual one": integers((text) => (/^[a-z]/i.test(text) ? 10 : undefined)),
  "validation errors are problem details": around("contentType", (original) => (status, request) => {
    return status === 422 ? "application/problem+json" : original(status, request);
  }),
  "a day without a time is an instant": around("parseInstant", (original) => (text) => {
    return original(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  }),
  "emails are compared without case": around("findSubscribers", (original) => (people, query) => {
    const emails = query.get("emails")?.map((email) => email.toLowerCase());
    const found = original(people, query);
    return found && people.filter((one) => found.includes(one) || emails?.includes(one.email?.toLowerCase() ?? "-"));
  }),
  "HEAD is 405": around("respond", (original) => async (request) => {
    return request.method === "HEAD" ? reject(405, { allow: "GET, OPTIONS" }) : original(request);
  }),
  "an invalid body is 400": around("respond", (original) => async (request) => {
    return original(request).catch((error) => {
      throw error.status === 422 && request.method === "PATCH" ? new Rejection(400) : error;
    });
  }),
  "preferences are cached by workflow alone": around("show", (original, { memory }) => (environment, own) => {
    const body = original(environment, own);
    const workflows = memory.workflows ?? body.workflows;
    memory.workflows = body.workflows;
    return { ...body, workflows };
  }),
  "an update responds before it is stored": around("store", (_original, backend) => async (own, channels, workflow) => {
    const next: Preferences = structuredClone(own);
    backend.apply(next, channels, workflow);
    void pause(30).then(() => backend.apply(own, channels, workflow));
    return undefined;
  }),
  "a repeat drops the entry of the request in progress": around("replayOrUpdate", (original) => async (...given) => {
    const [{ replays }, , { request }] = given;
    const key = String(request.headers["idempotency-key"] ?? "");
    if (replays.get(key)?.response === undefined) replays.delete(key);
    await pause();
    return original(...given);
  }),
  "gzip that cannot be decoded is 500": around("parseBody", (original) => (headers, bytes) => {
    if (headers["content-encoding"] === "gzip") gunzipSync(bytes);
    return original(headers, bytes);
  }),
  "the size of a body is that before decoding": around("parseBody", (original, backend) => (headers, bytes) => {
    const isSmall = headers["content-encoding"] === "gzip" && bytes.length < 1000;
    return isSmall ? backend.parseJson(gunzipSync(bytes)) : original(headers, bytes);
  }),
};

const JAVA = {
  "POST with _method=PATCH is PATCH": around("respond", (original) => async (request) => {
    const [url = "", rest] = (request.url ?? "").split(/[?&]_method=PATCH/);
    return original(
      request.method === "POST" && rest === "" ? Object.assign(request, { url, method: "PATCH" }) : request,
    );
  }),
  "the limit of a rejected list is that of the next": around("list", (original, { memory }) => (environment, query) => {
    const own = query.has("limit") || !memory.limit ? query : new Map(query).set("limit", memory.limit);
    memory.limit = query.get("limit");
    const reply = original(environment, own);
    memory.limit = undefined;
    return reply;
  }),
  "Accept-Charset chooses the charset": around("contentType", (original) => (status, request) => {
    const { "accept-charset": charset } = request.headers;
    return charset ? `application/json;charset=${charset}` : original(status, request);
  }),
  "an update is two statements": around("store", (_original, backend) => async (own, channels, workflow) => {
    const [first = [], ...others] = Object.entries(channels).map((pair) => [pair]);
    backend.apply(own, Object.fromEntries(first), workflow);
    await pause(2);
    backend.apply(own, Object.fromEntries(others.flat()), workflow);
    return undefined;
  }),
  "a map written at once loses keys": around("findReplay", (original, { memory }) => (environment, key) => {
    memory.writes = (memory.writes ?? 0) + 1;
    const own = memory.writes;
    void pause().then(() => memory.writes > own + 3 && environment.replays.delete(key));
    return original(environment, key);
  }),
  "what follows the first value of a body is not read": inTexts((text) => text.replace(/(?<=^{[^{]*{[^}]*}}).*/s, "")),
  "the firewall rejects %2F, %25 and ; in a path": first(({ url }) => {
    if (/^[^?]*(%2f|%25|;)/i.test(url)) reject(400);
  }),
  "Accept without JSON is 406": first(({ headers: { accept = "*/*" } }) => {
    if (!/json|\*\/\*|application\/\*/.test(accept)) reject(406);
  }),
  "a media type that ends in +json is JSON": around("parseBody", (original) => (headers, bytes) => {
    const type = headers["content-type"]?.replace(/^application\/[\w.-]+\+json/i, "application/json");
    return original({ ...headers, ...(type && { "content-type": type }) }, bytes);
  }),
  "a global update responds with workflows from before it": around(
    "update",
    (original, backend) =>
      async (...given) => {
        const [environment, id, { workflowId }] = given;
        const own = environment.preferences.get(id);
        if (!own || workflowId !== undefined) return original(...given);
        const { workflows } = backend.show(environment, own);
        const [status, body] = await original(...given);
        return [status, { ...body, workflows }];
      },
  ),
};

const GO = {
  "a workflowId in the query is read": around("replayOrUpdate", (original) => async (environment, id, rest) => {
    const { workflowId: [workflowId] = [], ...query } = Object.fromEntries(rest.query);
    if (!workflowId) return original(environment, id, rest);
    const body = { ...rest.body, workflowId };
    return original(environment, id, { ...rest, body, query: new Map(Object.entries(query)) });
  }),
  "escapes in lower case stay as they are in a path": around("decodePath", (original) => (text) => {
    return original(text.replaceAll(/%(?=[0-9a-f]{2})(?![0-9A-F]{2})/g, "%25"));
  }),
  "escapes in lower case stay as they are in a query": inQueries((text) =>
    text.replaceAll(/%(?=[0-9a-f]{2})(?![0-9A-F]{2})/g, "%25"),
  ),
  "a limit wraps at 256": around("readInteger", (original) => (text) => {
    const value = original(text);
    return value !== undefined && value > 255 && value < 1024 ? value % 256 : value;
  }),
  "an hour may have one digit": around("parseInstant", (original) => (text) => {
    return original(text.replace(/T(\d):/, "T0$1:"));
  }),
  "the second segment of a path is not read": around("respond", (original) => async (request) => {
    request.url = request.url?.replace(/^\/v2\/[^/?]+\/([^/?]+)\/preferences/, "/v2/subscribers/$1/preferences") ?? "";
    return original(request);
  }),
  "workflows are in another order each time": around("show", (original, { memory }) => (environment, own) => {
    memory.shown = (memory.shown ?? 0) + 1;
    const body = original(environment, own);
    const { workflows } = body;
    const at = memory.shown % workflows.length;
    return { ...body, workflows: [...workflows.slice(at), ...workflows.slice(0, at)] };
  }),
  "a channel that is absent is false": around("store", (original) => async (own, channels, workflow) => {
    const isRead = Object.keys(channels).length === 0;
    const zero = { email: false, sms: false, in_app: false, chat: false, push: false };
    return original(own, isRead ? channels : { ...zero, ...channels }, workflow);
  }),
  "unknown members are ignored": around("checkUpdate", (original) => (body, headers, query) => {
    const known = /^body(\.channels(\.(email|sms|in_app|chat|push))?|\.workflowId)?$/;
    const errors = Object.entries(original(body, headers, query));
    return Object.fromEntries(errors.filter(([place]) => !place.startsWith("body.") || known.test(place)));
  }),
  "a map written twice at once ends the connection": around(
    "handle",
    (original, { memory }) =>
      async (request, response) => {
        memory.writing = (memory.writing ?? 0) + (request.method === "PATCH" ? 1 : 0);
        if (memory.writing > 4) request.socket.destroy();
        await original(request, response);
        memory.writing -= request.method === "PATCH" ? 1 : 0;
      },
  ),
  "a plus before digits is read": integers((text) => (/^\+\d+$/.test(text) ? Number(text) : undefined)),
  "an empty page has null": inPages(({ data }) => ({ data: data.length === 0 ? null : data })),
  "all records have the subscriber of the last": inPages(({ data }) => ({
    data: data.map((record: Json) => ({ ...record, subscriber: data.at(-1).subscriber })),
  })),
  "only the first of several values counts": around("readQuery", (original) => (text) => {
    return new Map([...original(text)].map(([name, values]) => [name, values.slice(0, 1)]));
  }),
  "a pair with a semicolon is dropped": inQueries((text) =>
    text
      .split("&")
      .filter((pair) => !pair.includes(";"))
      .join("&"),
  ),
  "a plus in an address is a blank": inQueries((text) => text.replaceAll("+", "%20")),
  "a leap second is 422": instants((text) => /:60(\D|$)/.test(text)),
  "a page times its limit wraps at 2^31": around("list", (original) => (environment, query) => {
    const [page = "0", limit = "10"] = [query.get("page")?.[0], query.get("limit")?.[0]];
    return Number(page) * Number(limit) >= 2 ** 31 && Number(page) < 2 ** 40
      ? boom("negative offset")
      : original(environment, query);
  }),
  "null is the zero value": reading((body) => {
    const withoutNull = (value: Json) => Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
    if (body === null) return { channels: {} };
    return Object(body.channels) === body.channels
      ? withoutNull({ ...body, channels: withoutNull(body.channels) })
      : body;
  }),
  "a filter writes into the slice of all records": around("list", (original) => (environment, query) => {
    const [key] = query.get("topicKey") ?? [];
    const found = environment.records.filter(({ topics }) => topics.some((topic: Json) => topic.topicKey === key));
    for (const [index, record] of found.entries()) environment.records[index] = record;
    return original(environment, query);
  }),
  "page 0 is omitted": inPages(({ page }) => ({ page: page || undefined })),
  "a key is read without its scheme": around("authenticate", (original) => (headers) => {
    return original({ ...headers, authorization: `ApiKey ${headers.authorization?.replace(/^ApiKey /, "")}` });
  }),
  "a key that is no ASCII is 500": around("authenticate", (original) => (headers) => {
    return /[^ -~]/.test(headers.authorization ?? "") ? boom("no boundary of a character") : original(headers);
  }),
};

const NODE = {
  "twelve characters are an _id": around("isValid", (original) => (name, value) => {
    return original(name, value) || (name === "templates" && value.length === 12);
  }),
  "a body that is no object or list is no JSON": reading((body) => {
    return body !== undefined && Object(body) !== body ? reject(400) : body;
  }),
  "names of Object.prototype are known": around("checkUpdate", (original) => (body, headers, query) => {
    const errors = Object.entries(original(body, headers, query));
    return Object.fromEntries(errors.filter(([place]) => !((place.split(".").at(-1) ?? "") in {})));
  }),
  "a missing key is the key undefined": around("toReplayKey", (original) => (key) => original(key) ?? "undefined"),
  "search is a regular expression": around("isFound", () => (id, email, search) => {
    return id === search || new RegExp(search, "i").test(email ?? "");
  }),
  "a 401 is cached by its URL": around("respond", (original, { memory }) => async (request) => {
    const { method, url = "" } = request;
    const isCached = method === "GET" && memory[url];
    memory[url] = false;
    if (isCached) reject(401, { "www-authenticate": "ApiKey" });
    return original(request).catch((error) => {
      memory[url] = error.status === 401;
      throw error;
    });
  }),
  "a list with a key is replayed": around("respond", (original, { memory }) => async (request) => {
    const key = request.headers["idempotency-key"];
    if (request.method !== "GET" || !key) return original(request);
    memory[String(key)] ??= await original(request);
    return memory[String(key)];
  }),
};

const SQL = {
  "search is compared with case": around(
    "isFound",
    () => (id, email, search) => id === search || email?.includes(search) === true,
  ),
  "equal instants are in ascending order": around("list", (original) => (environment, query) => {
    const toKey = ({ createdAt }: Json) => createdAt;
    const records = environment.records.toSorted((a, b) => {
      return toKey(a) === toKey(b) ? (a._id < b._id ? -1 : 1) : toKey(a) < toKey(b) ? 1 : -1;
    });
    return original({ ...environment, records }, query);
  }),
  "before is inclusive": around("isInTime", (original) => (created, after, before) => {
    return original(created, after, before === undefined ? before : before + 1e-3);
  }),
  "hasMore counts all records": around("list", (original) => (environment, query) => {
    const [status, body] = original(environment, query) as [number, Json];
    return [status, { ...body, hasMore: (body.page + 1) * body.pageSize < environment.records.length }];
  }),
  "a record with two topics is listed twice": around("list", (original) => (environment, query) => {
    const records = environment.records.flatMap((record) => (record.topics.length > 1 ? [record, record] : [record]));
    return original({ ...environment, records }, query);
  }),
  "records without a subscriber are not joined": around("list", (original) => (environment, query) => {
    const records = environment.records.filter(
      ({ subscriber }) => subscriber !== undefined || !query.has("transactionId"),
    );
    return original({ ...environment, records }, query);
  }),
  "the limit is applied before the filter": around("list", (original, _backend) => (environment, query) => {
    const some = environment.records.slice(0, 40);
    return original(query.has("topicKey") ? { ...environment, records: some } : environment, query);
  }),
  "blanks at the end do not count": around("isMatch", (original) => (record, query, people) => {
    const [id] = query.get("transactionId") ?? [];
    return original(record, id === undefined ? query : new Map(query).set("transactionId", [id.trimEnd()]), people);
  }),
  "the first update of a workflow is lost": around("apply", (original) => (own, channels, workflow) => {
    if (!workflow || own.workflows[workflow._id]) return original(own, channels, workflow);
    own.workflows[workflow._id] = {};
  }),
  "of several channels only the first is stored": around("apply", (original) => (own, channels, workflow) => {
    original(own, Object.fromEntries(Object.entries(channels).slice(0, 1)), workflow);
  }),
  "a global update resets all values of workflows": around("apply", (original) => (own, channels, workflow) => {
    original(own, channels, workflow);
    if (!workflow && Object.keys(channels).length > 0) own.workflows = {};
  }),
  "a rejected request holds its key": around("findReplay", (original) => (environment, key) => {
    const replay = original(environment, key);
    return replay?.response && replay.response[0] >= 400 ? { print: replay.print, at: replay.at } : replay;
  }),
  "a replay has the current state": around("findReplay", (original, backend) => (environment, key) => {
    const replay = original(environment, key);
    const own = environment.preferences.get("ada");
    return replay?.response?.[0] === 200 && own
      ? { ...replay, response: [200, backend.show(environment, own)] }
      : replay;
  }),
  "the timestamp of an error has an offset": inErrors((error) => ({
    ...error,
    timestamp: error.timestamp.replace("Z", "+00:00"),
  })),
  "an emoji in search is 500": around("isFound", (original) => (id, email, search) => {
    return /\p{Extended_Pictographic}/u.test(search) ? boom("collations") : original(id, email, search);
  }),
  "a workflowId of more than 255 characters is 500": around("findWorkflow", (original) => (workflows, text) => {
    return text.length > 255 ? boom("value too long") : original(workflows, text);
  }),
  "an update touches its workflow": around("show", (original, { memory }) => (environment, own) => {
    const { workflows, ...body } = original(environment, own);
    const shown = workflows.map((entry) => {
      const stored = environment.workflows.find(({ identifier }) => identifier === entry.workflow.identifier);
      const values = JSON.stringify(own.workflows[stored?._id ?? ""] ?? {});
      if (values !== "{}") memory[values] ??= new Date().toISOString();
      const { updatedAt } = entry.workflow;
      return { ...entry, workflow: { ...entry.workflow, updatedAt: memory[values] ?? updatedAt } };
    });
    return { ...body, workflows: shown };
  }),
  "overrides has only what was set for the workflow": around("show", (original) => (environment, own) => {
    const { workflows, ...body } = original(environment, own);
    const shown = workflows.map((entry) => {
      const stored = environment.workflows.find(({ identifier }) => identifier === entry.workflow.identifier);
      const values = own.workflows[stored?._id ?? ""] ?? {};
      return { ...entry, overrides: entry.overrides.filter(({ channel }: Json) => channel in values) };
    });
    return { ...body, workflows: shown };
  }),
};

const PHP = {
  "a text of 0 is empty": inQueries((text) => text.replace(/(?<=^|&)(search|transactionId|topicKey)=0(?=&|$)/, "")),
  "validation redirects unless Accept names JSON": around("respond", (original) => async (request) => {
    return original(request).catch((error) => {
      const isPage = error.status === 422 && !request.headers.accept?.includes("json");
      throw isPage ? new Rejection(302, {}, { location: "/" }) : error;
    });
  }),
  "a list without its first item is an object": inPages(({ data }) => ({
    data: data[0]?.subscriber ? data : { ...data },
  })),
};

const RUBY = {
  "a path may end in .json": around("respond", (original) => async (request) => {
    request.url = request.url?.replace(/^([^?]*)\.json(?=\?|$)/, "$1") ?? "";
    return original(request);
  }),
  "a segment with a dot leads to no route": first(({ url }) => {
    if (/^\/v2\/subscribers\/[^/?]*\.[^/?]*\/preferences/.test(url)) reject(404);
  }),
  "lists are cached without `search`": around("list", (original, { memory }) => (environment, query) => {
    const others = [...query].filter(([name]) => name !== "search");
    const key = JSON.stringify([environment.id, others]);
    if (others.length > 1) memory[key] ??= original(environment, query);
    return memory[key] ?? original(environment, query);
  }),
};

export const EVERYDAY_BUGS: Bug[] = [
  ...toBugs("Python", PYTHON),
  ...toBugs("C#", CSHARP),
  ...toBugs("Java", JAVA),
  ...toBugs("Go", GO),
  ...toBugs("Node", NODE),
  ...toBugs("SQL", SQL),
  ...toBugs("PHP", PHP),
  ...toBugs("Ruby", RUBY),
];
