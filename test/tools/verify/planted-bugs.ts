// The bugs that are planted in the second independent implementation, by what the case that detects them is about. Each
// replaces one method. Teams that write Python, C#, Java, Go, JavaScript, PHP, Ruby and SQL made most of them; others were
// once missed. `verify` must detect all of them, the proxy those of `IN_TRAFFIC`.
import { gunzipSync } from "node:zlib";
import { type Backend, pause, Rejection, type Reply } from "./backend.js";
import { type Environment, MAIN_KEY, OTHER_KEY, type Person, type Preferences } from "./backend-data.js";
import { around, inErrors, inPages, type Json, type Plant, plantAll, reject } from "./plant.js";

const boom = (message: string): never => {
  throw new Error(message);
};

const integers = (read: (text: string) => number | undefined) =>
  around("readInteger", (original) => (text) => original(text) ?? read(text));

const inQueries = (change: (text: string) => string) =>
  around("readQuery", (original) => (text) => original(change(text)));

const decoding = (change: (text: string) => string) =>
  around("decodePath", (original) => (text) => original(change(text)));

/** Replaces how `search` finds an address. */
const searching = (isIn: (email: string, search: string) => boolean) =>
  around("isFound", () => (id, email, search) => id === search || isIn(email ?? "", search));

const inTurkish = (text: string) => text.replaceAll("I", "ı").toLowerCase();

const matchesLike = (text: string, pattern: string) =>
  new RegExp(pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("%", ".*"), "is").test(text);

const REPLAY = "idempotency-replay";

const othersOf = ({ environments }: Backend, own: Environment) =>
  [...environments.values()].filter(({ id }) => id !== own.id);

/** Changes a response, also one that is thrown. */
const onReply = (change: (reply: Reply) => Reply) =>
  around("respond", (original) => async (request) => {
    const reply = await original(request).catch((error): Reply => {
      if (error instanceof Rejection) return [error.status, error.body, error.headers];
      throw error;
    });
    const [status, body, headers = {}] = change(reply);
    if (status >= 400) throw new Rejection(status, body, headers);
    return [status, body, headers];
  });

/** The hash code of Java. */
const hash = (text: string) => [...text].reduce((sum, char) => (Math.imul(31, sum) + char.charCodeAt(0)) | 0, 0);

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

const isMalformed = (text: string) => {
  try {
    decodeURIComponent(text);
    return false;
  } catch {
    return true;
  }
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

const asType = (isRejected: (type: string) => boolean): Plant =>
  around("parseBody", (original) => (headers, bytes) => {
    return isRejected(headers["content-type"] ?? "") ? reject(415) : original(headers, bytes);
  });

const withKeyOf = (find: (request: Json) => string | undefined): Plant =>
  first((request) => {
    const key = find(request);
    if (key) request.headers.authorization = `ApiKey ${key}`;
  });

const keyOf = ({ headers }: Json) => /^ApiKey (.*)$/.exec(headers.authorization ?? "")?.[1] ?? "";

const pages = (change: (text: string) => string | number): Plant =>
  around("readInteger", (original) => (text) => {
    const result = change(text);
    return typeof result === "number" ? result : original(result);
  });

const DAY_MS = 86_400_000;

const LIMIT_MS = 9999 * DAY_MS;

const boundsOf = (backend: Json, query: Json): number[] =>
  ["after", "before"].flatMap((name) => backend.bound(query, name) ?? []);

const peopleBy = (isFound: (person: Person, query: Json) => boolean): Plant =>
  around("findSubscribers", (original) => (people, query) => {
    const found = original(people, query);
    return found && people.filter((person) => found.includes(person) || isFound(person, query));
  });

const recordsBy = (change: (record: Json, query: Json) => Json): Plant =>
  around("isMatch", (original) => (record, query, people) => original(change(record, query), query, people));

const isOther = ({ id }: Environment) => id.endsWith("2");

/** Plants a bug that only the second environment shows. */
const ofOther = (change: (page: Json, environment: Environment) => object): Plant =>
  around("list", (original) => (environment, query) => {
    const [status, body] = original(environment, query);
    return [status, isOther(environment) ? { ...body, ...change(body, environment) } : body];
  });

const headersOf = ({ rawHeaders }: Json, name: string): string[] =>
  rawHeaders.filter((_value: string, index: number) => index % 2 === 1 && rawHeaders[index - 1].toLowerCase() === name);

const ofTwoKeys = (choose: (keys: string[]) => string): Plant =>
  first((request) => {
    const keys = headersOf(request, "idempotency-key");
    if (keys.length > 1) request.headers["idempotency-key"] = choose(keys);
  });

const prints = (change: (body: Json) => unknown): Plant =>
  around("toPrint", (original) => (id, body) => original(id, change(body)));

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

const touched = (backend: Json): Set<unknown> => (backend.memory.touched ??= new Set());

const remembering: Plant = around("update", (original, backend) => async (environment, id, body) => {
  const reply = await original(environment, id, body);
  if (Object.keys(body.channels).length > 0) touched(backend).add(environment.preferences.get(id));
  return reply;
});

const isNobody = (query: Json) => ["emails", "subscriberIds", "search"].some((name) => query.has(name));

function inEmptySet(change: () => object): Plant {
  return around("list", (original) => (environment, query) => {
    const [status, body] = original(environment, query) as [number, Json];
    return [status, isNobody(query) && body.data.length === 0 ? { ...body, ...change() } : body] as Reply;
  });
}

/** Counts the updates that are under way. */
const counting: Plant = around("store", (original, { memory }) => async (...args) => {
  memory.busy = (memory.busy ?? 0) + 1;
  return original(...args).finally(() => (memory.busy -= 1));
});

const inTexts = (change: (text: string) => string): Plant =>
  around("parseJson", (original) => (bytes) => original(Buffer.from(change(bytes.toString("latin1")), "latin1")));

const toNumber = (text: string) => (Number.isNaN(Number(text)) ? undefined : Math.trunc(Number(text)));

const instants = (isRejected: (text: string) => boolean): Plant =>
  around("parseInstant", (original) => (text) => (isRejected(text) ? undefined : original(text)));

/** Plants a bug that shows until a subscriber's first update. */
const remembered = (plant: Plant) => plantAll(plant, remembering);

const PLANTED: Readonly<Record<string, Readonly<Record<string, Plant>>>> = {
  lists: {
    "oldest first": inPages(({ data }) => ({ data: data.toReversed() })),
    "hasMore is always false": inPages(() => ({ hasMore: false })),
    "pages overlap by a record": around("list", (original) => (environment, query) => {
      const isFirst = (query.get("page")?.[0] ?? "0") === "0";
      const records = environment.records.toSpliced(1, 0, environment.records[1]); // the first is not due
      return original(isFirst ? environment : { ...environment, records }, query);
    }),
    "the page of an empty set has pageSize 0": inEmptySet(() => ({ pageSize: 0 })),
    "the page of an empty set has the usual pageSize": inEmptySet(() => ({ pageSize: 10 })),
    "the page of an empty set has hasMore": inEmptySet(() => ({ hasMore: true })),
    "a full last page has hasMore if there is a before": around("list", (original) => (environment, query) => {
      const [status, body] = original(environment, query) as [number, Json];
      const isFull = query.has("before") && body.data.length === body.pageSize;
      return [status, isFull ? { ...body, hasMore: true } : body];
    }),
    "records are in the order of their _id": inPages(({ data }) => ({
      data: data.toSorted((one: Json, other: Json) => (one._id < other._id ? 1 : -1)),
    })),
    "several values of a filter lose the order": around("list", (original) => (environment, query) => {
      const isSet = (query.get("subscriberIds")?.length ?? 0) > 1;
      const records = isSet ? environment.records.toSorted((a, b) => (a._id < b._id ? -1 : 1)) : environment.records;
      return original({ ...environment, records }, query);
    }),
    "the limit of a rejected list is that of the next": around(
      "list",
      (original, { memory }) =>
        (environment, query) => {
          const own = query.has("limit") || !memory.limit ? query : new Map(query).set("limit", memory.limit);
          memory.limit = query.get("limit");
          const reply = original(environment, own);
          memory.limit = undefined;
          return reply;
        },
    ),
    "an empty page has null": inPages(({ data }) => ({ data: data.length === 0 ? null : data })),
    "all records have the subscriber of the last": inPages(({ data }) => ({
      data: data.map((record: Json) => ({ ...record, subscriber: data.at(-1).subscriber })),
    })),
    "a page times its limit wraps at 2^31": around("list", (original) => (environment, query) => {
      const [page = "0", limit = "10"] = [query.get("page")?.[0], query.get("limit")?.[0]];
      return Number(page) * Number(limit) >= 2 ** 31 && Number(page) < 2 ** 40
        ? boom("negative offset")
        : original(environment, query);
    }),
    "a filter writes into the slice of all records": around("list", (original) => (environment, query) => {
      const [key] = query.get("topicKey") ?? [];
      const found = environment.records.filter(({ topics }) => topics.some((topic: Json) => topic.topicKey === key));
      for (const [index, record] of found.entries()) environment.records[index] = record;
      return original(environment, query);
    }),
    "page 0 is omitted": inPages(({ page }) => ({ page: page || undefined })),
    "equal instants are in ascending order": around("list", (original) => (environment, query) => {
      const toKey = ({ createdAt }: Json) => createdAt;
      const records = environment.records.toSorted((a, b) => {
        return toKey(a) === toKey(b) ? (a._id < b._id ? -1 : 1) : toKey(a) < toKey(b) ? 1 : -1;
      });
      return original({ ...environment, records }, query);
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
    "a list without its first item is an object": inPages(({ data }) => ({
      data: data[0]?.subscriber ? data : { ...data },
    })),
    "lists are cached without `search`": around("list", (original, { memory }) => (environment, query) => {
      const others = [...query].filter(([name]) => name !== "search");
      const key = JSON.stringify([environment.id, others]);
      if (others.length > 1) memory[key] ??= original(environment, query);
      return memory[key] ?? original(environment, query);
    }),
  },
  filters: {
    "filters are not applied": around("isMatch", () => () => true),
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
    "subscriberIds matches the internal _id": peopleBy(({ _id }, query) => query.get("subscriberIds")?.includes(_id)),
    "subscriberIds matches the address": peopleBy(({ email = "-" }, query) =>
      query.get("subscriberIds")?.includes(email),
    ),
    "emails matches the subscriberId": peopleBy(({ subscriberId }, query) =>
      query.get("emails")?.includes(subscriberId),
    ),
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
    "a comma separates values of emails": around("readQuery", (original) => (text) => {
      const query = original(text);
      return new Map([...query].map(([name, values]) => [name, name === "emails" ? values.join().split(",") : values]));
    }),
    "the domain of an address is compared in any case": around("findSubscribers", (original) => (people, query) => {
      const emails = query.get("emails")?.map((email) => email.replace(/@.*/, (domain) => domain.toLowerCase()));
      return original(people, emails ? new Map(query).set("emails", emails) : query);
    }),
    "characters without weight are ignored": around("findSubscribers", (original) => (people, query) => {
      const ids = query.get("subscriberIds")?.map((id) => id.replaceAll(/\p{Cf}/gu, ""));
      return original(people, ids ? new Map(query).set("subscriberIds", ids) : query);
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
    "a search of blanks is none": inQueries((text) => text.replaceAll(/(?<=^|&)search=(%20)+(?=&|$)/g, "")),
    "emails are compared without case": around("findSubscribers", (original) => (people, query) => {
      const emails = query.get("emails")?.map((email) => email.toLowerCase());
      const found = original(people, query);
      return found && people.filter((one) => found.includes(one) || emails?.includes(one.email?.toLowerCase() ?? "-"));
    }),
    "search is a regular expression": around("isFound", () => (id, email, search) => {
      return id === search || new RegExp(search, "i").test(email ?? "");
    }),
    "search is compared with case": around(
      "isFound",
      () => (id, email, search) => id === search || email?.includes(search) === true,
    ),
    "blanks at the end do not count": around("isMatch", (original) => (record, query, people) => {
      const [id] = query.get("transactionId") ?? [];
      return original(record, id === undefined ? query : new Map(query).set("transactionId", [id.trimEnd()]), people);
    }),
    "an emoji in search is 500": around("isFound", (original) => (id, email, search) => {
      return /\p{Extended_Pictographic}/u.test(search) ? boom("collations") : original(id, email, search);
    }),
    "a text of 0 is empty": inQueries((text) => text.replace(/(?<=^|&)(search|transactionId|topicKey)=0(?=&|$)/, "")),
  },
  queries: {
    "digits of other scripts are read": integers((text) => {
      return /^\p{Nd}+$/u.test(text) ? Number(text.normalize("NFKC")) : undefined;
    }),
    "pages wrap at 2^32": around("readInteger", (original) => (text) => {
      const value = original(text);
      return value === undefined ? undefined : value % 2 ** 32;
    }),
    "an empty search matches nothing": around("list", (original, backend) => (environment, query) => {
      const [status, body] = original(environment, query);
      return [status, /(^|&)search=?(&|$)/.test(backend.memory.raw) ? { ...body, data: [], hasMore: false } : body];
    }),
    "brackets are read": inQueries((text) => text.replaceAll(/(\[\d*\]|%5B\d*%5D)=/gi, "=")),
    "NUL in a filter is 500": inQueries((text) => (text.includes("%00") ? boom("invalid byte sequence") : text)),
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
    "an unknown name is a pattern of the message": around("checkQuery", (original) => (query) => {
      return [...query.keys()].some((name) => /[{}]/.test(name)) ? boom("no argument 0") : original(query);
    }),
    "a page is read as a float": integers((text) => (/^\d/.test(text) ? toNumber(text) : undefined)),
    "%uXXXX is decoded": inQueries((text) =>
      text.replaceAll(/%u([0-9a-f]{4})/gi, (_all, hex) => encodeURIComponent(String.fromCharCode(Number(`0x${hex}`)))),
    ),
    "commas separate thousands": integers((text) =>
      /^\d{1,3}(,\d{3})+$/.test(text) ? Number(text.replaceAll(",", "")) : undefined,
    ),
    "the number of a channel is read as the channel": around("isValid", (original) => (name, value) => {
      return original(name, value) || (name === "channels" && /^[0-4]$/.test(value));
    }),
    "a channel is read in any case": inQueries((text) =>
      text.replaceAll(/channels=\w+/gi, (pair) => pair.toLowerCase()),
    ),
    "a limit that is no number is the usual one": integers((text) => (/^[a-z]/i.test(text) ? 10 : undefined)),
    "a workflowId in the query is read": around("replayOrUpdate", (original) => async (environment, id, rest) => {
      const { workflowId: [workflowId] = [], ...query } = Object.fromEntries(rest.query);
      if (!workflowId) return original(environment, id, rest);
      const body = { ...rest.body, workflowId };
      return original(environment, id, { ...rest, body, query: new Map(Object.entries(query)) });
    }),
    "escapes in lower case stay as they are in a query": inQueries((text) =>
      text.replaceAll(/%(?=[0-9a-f]{2})(?![0-9A-F]{2})/g, "%25"),
    ),
    "a limit wraps at 256": around("readInteger", (original) => (text) => {
      const value = original(text);
      return value !== undefined && value > 255 && value < 1024 ? value % 256 : value;
    }),
    "a plus before digits is read": integers((text) => (/^\+\d+$/.test(text) ? Number(text) : undefined)),
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
    "twelve characters are an _id": around("isValid", (original) => (name, value) => {
      return original(name, value) || (name === "templates" && value.length === 12);
    }),
  },
  times: {
    "a leap second is 500": around("parseInstant", (original) => (text) => {
      return /:60(\D|$)/.test(text) ? boom("invalid date") : original(text);
    }),
    "after is inclusive": around("isInTime", (original) => (created, after, before) => {
      return original(created, after === undefined ? after : after - 1e-3, before);
    }),
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
    "a number is a Unix time": around("parseInstant", (original) => (text) => {
      return original(text) ?? (/^\d{10}$/.test(text) ? Number(text) * 1000 : undefined);
    }),
    "a fraction is a number of milliseconds": around("parseInstant", (original) => (text) => {
      const read = text.replace(/\.(\d{1,3})(?!\d)/, (_all, digits) => `.${digits.padStart(3, "0")}`);
      return original(text) === undefined ? undefined : original(read);
    }),
    "a lower-case z is no time zone": instants((text) => text.endsWith("z")),
    "more than six digits of a second are 422": instants((text) => /\.\d{7}/.test(text)),
    "the time of a request is five hours behind": around("isInTime", (original) => (created, after, before) => {
      return original(created, after, before ?? Date.now() - 5 * 3_600_000);
    }),
    "dates are read as the culture writes them": around("parseInstant", (original) => (text) => {
      return original(text.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, "$3-$1-$2T00:00:00Z"));
    }),
    "a day without a time is an instant": around("parseInstant", (original) => (text) => {
      return original(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
    }),
    "an hour may have one digit": around("parseInstant", (original) => (text) => {
      return original(text.replace(/T(\d):/, "T0$1:"));
    }),
    "a leap second is 422": instants((text) => /:60(\D|$)/.test(text)),
    "before is inclusive": around("isInTime", (original) => (created, after, before) => {
      return original(created, after, before === undefined ? before : before + 1e-3);
    }),
  },
  plan: {
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
  },
  errors: {
    "errors are in another charset": around("contentType", (original) => (status, request) => {
      return status >= 400 ? "application/json; charset=us-ascii" : original(status, request);
    }),
    "an error's timestamp is the server's start": inErrors((error, { startedAt }) => {
      return { ...error, timestamp: new Date(startedAt).toISOString() };
    }),
    "errors have no timestamp": inErrors(({ timestamp: _removed, ...error }) => error),
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
    "an error has each value as a text": valuesAs((value) => (value === undefined ? value : String(value))),
    "an error has each value as JSON in a text": valuesAs((value) => JSON.stringify(value)),
    "an error shortens long values": valuesAs((value) => (typeof value === "string" ? value.slice(0, 20) : value)),
    "an error has the unknown workflow in lower case": inContext((text) => text.toLowerCase()),
    "an error has the unknown workflow without blanks": inContext((text) => text.trim()),
    "an error has the unknown workflow escaped for HTML": inContext((text) => text.replaceAll("<", "&lt;")),
    "an unknown workflow is a KeyError": around("update", (original) => async (...args) => {
      return original(...args).catch((error) =>
        error.status === 404 && error.body.ctx.workflowId ? boom("KeyError") : reject(error.status),
      );
    }),
    "validation errors are problem details": around("contentType", (original) => (status, request) => {
      return status === 422 ? "application/problem+json" : original(status, request);
    }),
    "an invalid body is 400": around("respond", (original) => async (request) => {
      return original(request).catch((error) => {
        throw error.status === 422 && request.method === "PATCH" ? new Rejection(400) : error;
      });
    }),
    "the timestamp of an error has an offset": inErrors((error) => ({
      ...error,
      timestamp: error.timestamp.replace("Z", "+00:00"),
    })),
    "validation redirects unless Accept names JSON": around("respond", (original) => async (request) => {
      return original(request).catch((error) => {
        const isPage = error.status === 422 && !request.headers.accept?.includes("json");
        throw isPage ? new Rejection(302, {}, { location: "/" }) : error;
      });
    }),
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
  },
  bodies: {
    "chunked bodies are empty": around("readBytes", (original) => async (request) => {
      return request.headers["transfer-encoding"] ? Buffer.alloc(0) : original(request);
    }),
    "sizes are counted in characters": around("parseBody", (original) => (headers, bytes) => {
      const isLong = bytes.length > 102_400 && bytes.toString().length <= 102_400;
      return original(headers, isLong ? Buffer.from("{}") : bytes);
    }),
    "comments are skipped": inTexts((text) => text.replaceAll(/\/\*.*?\*\/|^(\/\/|#).*/gms, "")),
    "trailing commas are skipped": inTexts((text) => text.replaceAll(/,\s*([}\]])/g, "$1")),
    "names are read without underscores": inTexts((text) => text.replaceAll(/"in_?app"/gi, '"in_app"')),
    "a workflow_id that is a text is read": around("parseBody", (original) => (headers, bytes) => {
      const body = original(headers, bytes);
      if (typeof body?.workflow_id !== "string") return body;
      const { workflow_id: workflowId, ...rest } = body;
      return { ...rest, workflowId };
    }),
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
    "a number beyond a double is 500": around("parseJson", (original) => (bytes) => {
      return /\de\+?\d{3}/i.test(bytes.toString()) ? boom("OverflowError") : original(bytes);
    }),
    "a query is checked before the body": around("checkUpdate", (original) => (body, headers, query) => {
      return original(query.size > 0 ? { channels: {} } : body, headers, query);
    }),
    "a header is checked after the body": around("checkUpdate", (original) => (body, headers, query) => {
      const errors = original(body, {}, query);
      return Object.keys(errors).length > 0 ? errors : original(body, headers, query);
    }),
    "a chunked body of another media type is 400": around("parseBody", (original) => (headers, bytes) => {
      const isJson = headers["content-type"]?.startsWith("application/json") ?? false;
      return headers["transfer-encoding"] && !isJson ? reject(400) : original(headers, bytes);
    }),
    "UTF-16 is detected": around("parseJson", (original) => (bytes) => {
      const isWide = bytes[1] === 0 || (bytes[0] === 0xff && bytes[1] === 0xfe);
      return original(isWide ? Buffer.from(bytes.toString("utf16le").replace("\ufeff", "")) : bytes);
    }),
    "any text that is not empty is true": eachChannel((value) => (typeof value === "string" ? value !== "" : value)),
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
    "NaN is a number": inTexts((text) => text.replaceAll(/-?\b(NaN|Infinity)\b/g, "1e999")),
    "a text like a date is read as one": reading((body) => {
      const isDate = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(String(body?.workflowId));
      return isDate ? { ...body, workflowId: new Date(body.workflowId).toUTCString() } : body;
    }),
    "undefined is no value": around("parseJson", (original) => (bytes) => {
      return original(Buffer.from(bytes.toString("latin1").replace(/,"\w+":undefined/g, ""), "latin1"));
    }),
    "gzip that cannot be decoded is 500": around("parseBody", (original) => (headers, bytes) => {
      if (headers["content-encoding"] === "gzip") gunzipSync(bytes);
      return original(headers, bytes);
    }),
    "the size of a body is that before decoding": around("parseBody", (original, backend) => (headers, bytes) => {
      const isSmall = headers["content-encoding"] === "gzip" && bytes.length < 1000;
      return isSmall ? backend.parseJson(gunzipSync(bytes)) : original(headers, bytes);
    }),
    "what follows the first value of a body is not read": inTexts((text) =>
      text.replace(/(?<=^{[^{]*{[^}]*}}).*/s, ""),
    ),
    "a media type that ends in +json is JSON": around("parseBody", (original) => (headers, bytes) => {
      const type = headers["content-type"]?.replace(/^application\/[\w.-]+\+json/i, "application/json");
      return original({ ...headers, ...(type && { "content-type": type }) }, bytes);
    }),
    "unknown members are ignored": around("checkUpdate", (original) => (body, headers, query) => {
      const known = /^body(\.channels(\.(email|sms|in_app|chat|push))?|\.workflowId)?$/;
      const errors = Object.entries(original(body, headers, query));
      return Object.fromEntries(errors.filter(([place]) => !place.startsWith("body.") || known.test(place)));
    }),
    "null is the zero value": reading((body) => {
      const withoutNull = (value: Json) => Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
      if (body === null) return { channels: {} };
      return Object(body.channels) === body.channels
        ? withoutNull({ ...body, channels: withoutNull(body.channels) })
        : body;
    }),
    "a body that is no object or list is no JSON": reading((body) => {
      return body !== undefined && Object(body) !== body ? reject(400) : body;
    }),
    "names of Object.prototype are known": around("checkUpdate", (original) => (body, headers, query) => {
      const errors = Object.entries(original(body, headers, query));
      return Object.fromEntries(errors.filter(([place]) => !((place.split(".").at(-1) ?? "") in {})));
    }),
  },
  "media types": {
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
  },
  updates: {
    "updates of a workflow are stored globally": around(
      "apply",
      (original) => (own, changes) => original(own, changes),
    ),
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
    "an update without channels, a subscriber's first request, is 500": around(
      "store",
      (original) => async (own: Json, channels, workflow) => {
        const isFirst = !own.isKnown && workflow !== undefined && Object.keys(channels).length === 0;
        Object.defineProperty(own, "isKnown", { value: true, configurable: true });
        if (isFirst) throw new Error("no such document");
        return original(own, channels, workflow);
      },
    ),
    "before the first update, all channels are off": remembered(
      around("show", (original, backend) => (environment, own) => {
        const body = original(environment, own);
        if (touched(backend).has(own)) return body;
        for (const level of [body.global, ...body.workflows])
          for (const name of Object.keys(level.channels)) level.channels[name] = false;
        return body;
      }),
    ),
    "before the first update, the workflows are empty": remembered(
      around("show", (original, backend) => (environment, own) => {
        const body = original(environment, own);
        return touched(backend).has(own) ? body : { ...body, workflows: [] };
      }),
    ),
    "the first update of a subscriber is lost": remembered(
      around("apply", (original, backend) => (own, channels, workflow) => {
        if (touched(backend).has(own)) original(own, channels, workflow);
      }),
    ),
    "an update changes a third subscriber too": remembered(
      around("update", (original, backend) => async (environment, id, body) => {
        const bystander = environment.preferences.get("lin@corp") as Preferences;
        if (id === "ada") backend.apply(bystander, body.channels);
        return original(environment, id, body);
      }),
    ),
    "an update changes all who were never updated": remembered(
      around("store", (original, backend) => async (own, channels, workflow) => {
        for (const { preferences } of backend.environments.values())
          for (const other of preferences.values())
            if (!touched(backend).has(other) && other !== own && !workflow) backend.apply(other, channels);
        return original(own, channels, workflow);
      }),
    ),
    "an update of a workflow forgets its other channels": around("apply", (original) => (own, channels, workflow) => {
      if (workflow && Object.keys(channels).length > 0) own.workflows[workflow._id] = {};
      original(own, channels, workflow);
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
    "workflow values are removed later": around("apply", (original) => (own, channels, workflow) => {
      if (workflow) return original(own, channels, workflow);
      Object.assign(own.global, channels);
      void pause(30).then(() => original(own, channels));
    }),
    "a default argument keeps the channels of earlier updates": around(
      "apply",
      (original, { memory }) =>
        (own, channels, workflow) => {
          memory.kept = { ...memory.kept, ...channels };
          original(own, memory.kept, workflow);
        },
    ),
    "all subscribers without preferences share one dict": around("findPerson", (original) => (environment, id) => {
      const person = original(environment, id);
      const preferences = environment.preferences;
      if (person && preferences.get("lin@corp") && id !== "grace-42")
        preferences.set(id, preferences.get("lin@corp") as Preferences);
      return person;
    }),
    "global.channels lists all that were ever set": around("show", (original) => (environment, own) => {
      const { global, ...shown } = original(environment, own);
      return { global: { ...global, channels: { ...global.channels, ...own.global } }, ...shown };
    }),
    "preferences are cached by workflow alone": around("show", (original, { memory }) => (environment, own) => {
      const body = original(environment, own);
      const workflows = memory.workflows ?? body.workflows;
      memory.workflows = body.workflows;
      return { ...body, workflows };
    }),
    "an update responds before it is stored": around(
      "store",
      (_original, backend) => async (own, channels, workflow) => {
        const next: Preferences = structuredClone(own);
        backend.apply(next, channels, workflow);
        void pause(30).then(() => backend.apply(own, channels, workflow));
        return undefined;
      },
    ),
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
  },
  names: {
    "paths are decoded twice": decoding((text) => text.replaceAll("%25", "%")),
    "a + in a path is a blank": decoding((text) => text.replaceAll("+", " ")),
    "blanks around a subscriberId are trimmed": subscribersBy((id) => id.trim()),
    "subscriberIds are compared in NFC": subscribersBy((id) => id.normalize("NFC")),
    "subscriberIds are compared without accents": subscribersBy(fold),
    "what follows a NUL in a subscriberId is dropped": subscribersBy((id) => id.replace(/\0.*/s, "")),
    "subscriberIds are read as numbers where they end in digits": subscribersBy((id) => id.replace(/0+(\d+)$/, "$1")),
    "identifiers are compared without accents and case": workflowsBy(fold),
    "identifiers are compared in compatible forms": workflowsBy((id) => id.normalize("NFKC")),
    "of an id with an unencoded slash, the first segment is read": first((request) => {
      request.url = request.url.replace(/^(\/v2\/subscribers\/[^/?]+)\/[^/?]+(?=\/preferences)/, "$1");
    }),
    "an unencoded slash belongs to the id": first((request) => {
      const [, id, rest] = /^\/v2\/subscribers\/([^?]*)\/preferences(.*)$/.exec(request.url) ?? [];
      if (id !== undefined) request.url = `/v2/subscribers/${id.replaceAll("/", "%2F")}/preferences${rest}`;
    }),
    "the first 24 digits of a workflowId are enough": around("findWorkflow", (original) => (workflows, text) => {
      return original(workflows, /^[0-9a-f]{24}[0-9a-f,]/.test(text) ? text.slice(0, 24) : text);
    }),
    "a critical workflow is rejected by its identifier alone": rejecting((text, identifier) => text === identifier),
    "a critical workflow is not rejected by its slug": rejecting((text) => !text.includes("_wf_")),
    "the name in a slug is enough": around("findWorkflow", (original) => (workflows, text) => {
      return original(workflows, text) ?? workflows.find(({ name }) => text.startsWith(`${name.toLowerCase()}_wf_`));
    }),
    "slugs are compared without case": around("findWorkflow", (original, backend) => (workflows, text) => {
      const isAlike = (slug: string) => slug.toLowerCase() === text.toLowerCase();
      return original(workflows, text) ?? workflows.find((workflow) => isAlike(backend.toSlug(workflow)));
    }),
    "workflows are cached by their names alone": around("findWorkflow", (original, { memory }) => (workflows, text) => {
      memory[text] ??= [original(workflows, text)];
      return memory[text][0];
    }),
    "the firewall rejects %2F, %25 and ; in a path": first(({ url }) => {
      if (/^[^?]*(%2f|%25|;)/i.test(url)) reject(400);
    }),
    "escapes in lower case stay as they are in a path": around("decodePath", (original) => (text) => {
      return original(text.replaceAll(/%(?=[0-9a-f]{2})(?![0-9A-F]{2})/g, "%25"));
    }),
    "a workflowId of more than 255 characters is 500": around("findWorkflow", (original) => (workflows, text) => {
      return text.length > 255 ? boom("value too long") : original(workflows, text);
    }),
    "a segment with a dot leads to no route": first(({ url }) => {
      if (/^\/v2\/subscribers\/[^/?]*\.[^/?]*\/preferences/.test(url)) reject(404);
    }),
  },
  slugs: {
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
  },
  replays: {
    "a replay is not marked": onReply(([status, body, { [REPLAY]: _removed, ...rest } = {}]) => [status, body, rest]),
    "two environments share their keys": around("findReplay", (_original, { environments }) => (_environment, key) => {
      return [...environments.values()].map(({ replays }) => replays.get(key)).find(Boolean);
    }),
    "a key is forgotten when its client leaves": around("handle", (original, backend) => async (request, response) => {
      await original(request, response);
      if (!request.socket.destroyed) return;
      for (const { replays } of backend.environments.values())
        replays.delete(String(request.headers["idempotency-key"]));
    }),
    "keys of one hash code are one": around("toReplayKey", (original) => (header) => {
      const key = original(header);
      return key === undefined ? undefined : String(hash(key));
    }),
    "the first of two keys counts": ofTwoKeys(([key = ""]) => key),
    "the last of two keys counts": ofTwoKeys((keys) => keys.at(-1) ?? ""),
    "two keys are 400": ofTwoKeys(() => reject(400)),
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
    "replays are kept for three seconds": around("findReplay", (original) => (environment, key) => {
      const replay = original(environment, key);
      return replay?.response && Date.now() - replay.at > 3000 ? undefined : replay;
    }),
    "what follows a comma in a key is dropped": around("toReplayKey", (original) => (header) => {
      return original(header)?.replace(/,\S.*/, "");
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
    "a replay has its key in lower case": around("replayOrUpdate", (original) => async (...given) => {
      const [status, body, headers = {}] = await original(...given);
      const key = headers["idempotency-key"]?.toLowerCase() ?? "";
      return [status, body, headers["idempotency-replay"] ? { ...headers, "idempotency-key": key } : headers];
    }),
    "a repeat drops the entry of the request in progress": around("replayOrUpdate", (original) => async (...given) => {
      const [{ replays }, , { request }] = given;
      const key = String(request.headers["idempotency-key"] ?? "");
      if (replays.get(key)?.response === undefined) replays.delete(key);
      await pause();
      return original(...given);
    }),
    "a map written at once loses keys": around("findReplay", (original, { memory }) => (environment, key) => {
      memory.writes = (memory.writes ?? 0) + 1;
      const own = memory.writes;
      void pause().then(() => memory.writes > own + 3 && environment.replays.delete(key));
      return original(environment, key);
    }),
    "a missing key is the key undefined": around("toReplayKey", (original) => (key) => original(key) ?? "undefined"),
    "a list with a key is replayed": around("respond", (original, { memory }) => async (request) => {
      const key = request.headers["idempotency-key"];
      if (request.method !== "GET" || !key) return original(request);
      memory[String(key)] ??= await original(request);
      return memory[String(key)];
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
  },
  keys: {
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
    "HEAD needs no key": first((request) => {
      if (request.method === "HEAD") request.headers.authorization = `ApiKey ${MAIN_KEY}`;
    }),
    "a key is read without its scheme": around("authenticate", (original) => (headers) => {
      return original({ ...headers, authorization: `ApiKey ${headers.authorization?.replace(/^ApiKey /, "")}` });
    }),
    "a key that is no ASCII is 500": around("authenticate", (original) => (headers) => {
      return /[^ -~]/.test(headers.authorization ?? "") ? boom("no boundary of a character") : original(headers);
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
  },
  environments: {
    "the key is read from x-api-key": around("authenticate", (original) => (headers) => {
      return original(headers["x-api-key"] ? { ...headers, authorization: `ApiKey ${MAIN_KEY}` } : headers);
    }),
    "all environments are one list": around("list", (original, backend) => (own, query) => {
      const foreign = othersOf(backend, own).flatMap(({ records }) => records);
      const disguised = foreign.map((record) => ({ ...record, _environmentId: own.id }));
      const toOrder = ({ createdAt, _id }: Json) => `${createdAt} ${_id}`;
      const records = [...own.records, ...disguised].sort((one, other) => (toOrder(one) < toOrder(other) ? 1 : -1));
      return original({ ...own, records }, query);
    }),
    "a subscriber of another environment is found": around("update", (original, backend) => async (own, id, body) => {
      const owner = [own, ...othersOf(backend, own)].find((one) => backend.findPerson(one, id));
      return original(owner ?? own, id, body);
    }),
    "a workflow of another environment is found": around(
      "findWorkflow",
      (original, { environments }) =>
        (own, text) => {
          const all = [...environments.values()].flatMap(({ workflows }) => workflows);
          return original(own, text) ?? all.find(({ _id }) => _id === text);
        },
    ),
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
    "a search for an address of another key finds that one's records": around(
      "list",
      (original, { environments }) =>
        (environment, query) => {
          const [search] = query.get("search") ?? [];
          const isOf = ({ people }: Environment) => people.some(({ email }) => email === search);
          const owner = [environment, ...environments.values()].find(isOf);
          return original(search === undefined ? environment : (owner ?? environment), query);
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
  },
  concurrency: {
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
    "lists share one calendar": around("respond", (original, { memory }) => async (request) => {
      const after = /(?<=[?&]after=)[^&]*/;
      memory.after = after.exec(request.url ?? "")?.[0] ?? memory.after;
      await pause(1);
      return original(Object.assign(request, { url: request.url?.replace(after, memory.after) }));
    }),
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
    "the environment is a static variable": around("respond", (original, backend) => async (request) => {
      if (request.method !== "GET") return original(request);
      backend.authenticate(request.headers);
      backend.memory.authorization = request.headers.authorization;
      await pause(2);
      request.headers.authorization = backend.memory.authorization;
      return original(request);
    }),
    "an update is two statements": around("store", (_original, backend) => async (own, channels, workflow) => {
      const [first = [], ...others] = Object.entries(channels).map((pair) => [pair]);
      backend.apply(own, Object.fromEntries(first), workflow);
      await pause(2);
      backend.apply(own, Object.fromEntries(others.flat()), workflow);
      return undefined;
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
  },
  HTTP: {
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
    "X-HTTP-Method-Override is obeyed": first((request) => {
      if (request.method === "POST") request.method = request.headers["x-http-method-override"] ?? "POST";
    }),
    "X-Rewrite-URL is obeyed": first((request) => {
      request.url = request.headers["x-rewrite-url"] ?? request.url;
    }),
    "a dot or blank at the end of a path is dropped": around("respond", (original) => async (request) => {
      request.url = request.url?.replace(/(?<=^[^?]*(notifications|preferences))(\.|%20)+(?=\?|$)/, "") ?? "";
      return original(request);
    }),
    "HEAD is 405": around("respond", (original) => async (request) => {
      return request.method === "HEAD" ? reject(405, { allow: "GET, OPTIONS" }) : original(request);
    }),
    "POST with _method=PATCH is PATCH": around("respond", (original) => async (request) => {
      const [url = "", rest] = (request.url ?? "").split(/[?&]_method=PATCH/);
      return original(
        request.method === "POST" && rest === "" ? Object.assign(request, { url, method: "PATCH" }) : request,
      );
    }),
    "Accept-Charset chooses the charset": around("contentType", (original) => (status, request) => {
      const { "accept-charset": charset } = request.headers;
      return charset ? `application/json;charset=${charset}` : original(status, request);
    }),
    "Accept without JSON is 406": first(({ headers: { accept = "*/*" } }) => {
      if (!/json|\*\/\*|application\/\*/.test(accept)) reject(406);
    }),
    "the second segment of a path is not read": around("respond", (original) => async (request) => {
      request.url =
        request.url?.replace(/^\/v2\/[^/?]+\/([^/?]+)\/preferences/, "/v2/subscribers/$1/preferences") ?? "";
      return original(request);
    }),
    "a path may end in .json": around("respond", (original) => async (request) => {
      request.url = request.url?.replace(/^([^?]*)\.json(?=\?|$)/, "$1") ?? "";
      return original(request);
    }),
  },
};

/** Those that the proxy reports in the ordinary traffic of a front-end. */
const IN_TRAFFIC = new Set([
  "oldest first",
  "the page of an empty set has pageSize 0",
  "the page of an empty set has hasMore",
  "records are in the order of their _id",
  "an empty page has null",
  "a filter writes into the slice of all records",
  "page 0 is omitted",
  "equal instants are in ascending order",
  "hasMore counts all records",
  "a record with two topics is listed twice",
  "a list without its first item is an object",
  "filters are not applied",
  "a deleted subscriber is found by the recipient",
  "a search for an id ignores blanks around it",
  "search matches part of a subscriberId",
  "search matches a subscriberId in other capitals",
  "channels matches every step, active or not",
  "emails are compared without case",
  "an emoji in search is 500",
  "digits of other scripts are read",
  "brackets are read",
  "a page is read as a float",
  "commas separate thousands",
  "a limit that is no number is the usual one",
  "only the first of several values counts",
  "after is inclusive",
  "offsets are dropped",
  "negative offsets are read as positive",
  "a day without a time is an instant",
  "before is inclusive",
  "errors are in another charset",
  "errors have no timestamp",
  "an unknown workflow is a KeyError",
  "validation errors are problem details",
  "an invalid body is 400",
  "the timestamp of an error has an offset",
  "validation redirects unless Accept names JSON",
  "an unknown workflow is 404 before a reused key",
  "yes, on and t are true",
  "any text that is not empty is true",
  "a workflowId of null counts as none",
  "a media type that ends in +json is JSON",
  "unknown members are ignored",
  "null is the zero value",
  "a global update leaves workflow values",
  "before the first update, all channels are off",
  "the first update of a subscriber is lost",
  "a global update leaves the second workflow",
  "preferences are cached by workflow alone",
  "a global update responds with workflows from before it",
  "workflows are in another order each time",
  "the first update of a workflow is lost",
  "of several channels only the first is stored",
  "overrides has only what was set for the workflow",
  "paths are decoded twice",
  "the firewall rejects %2F, %25 and ; in a path",
  "a missing key is the key undefined",
  "a map written twice at once ends the connection",
  "a response is cached by its URL alone",
  "HEAD is 405",
  "Accept without JSON is 406",
]);

export interface Bug {
  kind: string;
  title: string;
  plant: Plant;
  isInTraffic: boolean;
}

export const BUGS: readonly Bug[] = Object.entries(PLANTED).flatMap(([kind, plants]) =>
  Object.entries(plants).map(([title, plant]) => ({ kind, title, plant, isInTraffic: IN_TRAFFIC.has(title) })),
);

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
