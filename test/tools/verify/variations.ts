// Conforming variations of the second independent implementation: each takes a liberty that the contract, JSON or HTTP
// leaves. A seed draws some of them, frameworks have others in common, and the suite must not fail any.
import type { ServerResponse } from "node:http";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { type Backend, LISTS, pause, type Query, Rejection } from "./backend.js";
import { around, inErrors, inPages, type Json, type Plant, plantAll } from "./plant.js";

type Compare = (one: string, other: string) => number;
const ascending: Compare = (one, other) => (one < other ? -1 : 1);

/** Objects are unordered (RFC 8259 §1). */
const ordered = (compare: Compare): Plant =>
  around("serialize", (_, body) => {
    return JSON.stringify(body, (_name, value) => {
      const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
      return isObject ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => compare(a, b))) : value;
    });
  });

const REQUIRED = ["_environmentId", "_organizationId", "_subscriberId", "transactionId"];

/** Keeps some members of each record; the target goes on filtering by all of them. */
const showing = (isShown: (name: string, index: number) => boolean): Plant =>
  inPages(({ data }) => ({
    data: data.map((record: Json, index: number) =>
      Object.fromEntries(Object.entries(record).filter(([name]) => REQUIRED.includes(name) || isShown(name, index))),
    ),
  }));

type Headers = Record<string, string>;

/** Changes the headers of a response. */
const withHeaders = (change: (headers: Headers, response: ServerResponse, status: number) => Headers): Plant =>
  around("send", ({ original }, response, bytes, { status, headers }) => {
    original(response, bytes, { status, headers: change(headers, response, status) });
  });

const withAllow = (write: (methods: string[]) => string): Plant =>
  withHeaders(({ allow, ...headers }) => (allow ? { ...headers, allow: write(allow.split(", ")) } : headers));

const encoded = (coding: string, encode: (bytes: Buffer) => Buffer): Plant =>
  plantAll(
    around("send", ({ original }, response, bytes, head) => original(response, encode(bytes), head)),
    withHeaders((headers) => ({ ...headers, "content-encoding": coding })),
  );

type First = [status: number, headers?: Headers, body?: string];

/** A framework responds to some paths before any code of the team runs. */
const respondsFirst = (respond: (path: string, query: string) => First | undefined): Plant =>
  around("handle", async ({ original }, request, response) => {
    const [path = "", query = ""] = (request.url ?? "").split(/(?=\?)/);
    const [status, headers, body] = respond(path, query) ?? [];
    if (status === undefined) return original(request, response);
    response.writeHead(status, { ...headers, connection: "close" }).end(body);
  });

/** A path that cannot be decoded is 400, of another media type. */
const undecodable = (type: string, body: string): Plant =>
  respondsFirst((path) => (decode(path) === undefined ? [400, { "content-type": type }, body] : undefined));

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

type Sent = { backend: Backend; query: Query; body?: Json };

/** Changes each violation of a request. */
function inViolations(change: (place: string, violation: Json, sent: Sent) => object): Plant {
  const changeAll = (errors: object, sent: Sent) =>
    Object.assign({}, ...Object.entries(errors).map(([place, violation]) => change(place, violation, sent)));
  return plantAll(
    around("checkQuery", ({ original, backend }, query) => changeAll(original(query), { backend, query })),
    around("checkUpdate", ({ original, backend }, body, headers, query) => {
      return changeAll(original(body, headers, query), { backend, query, body });
    }),
  );
}

/** Violations name each wrong item of a list. */
const namingItems = (write: (place: string, index: number) => string): Plant =>
  inViolations((place, violation, { backend, query }) => {
    const name = place.slice("query.".length);
    const values = query.get(name) ?? [];
    if (!LISTS.includes(name) || values.length > 20) return { [place]: violation };
    const items = values.flatMap((value, index) => {
      return backend.isValid(name, value) ? [] : [[write(place, index), { ...violation, value }]];
    });
    return Object.fromEntries(items);
  });

const typed = (...types: string[]): Plant =>
  around("contentType", (_, _status, { url = "" }) => types[url.length % types.length] ?? ""); // HEAD as GET

const id = (number: number) => number.toString(16).padStart(24, "0");

/** Further members of a record, some of them with texts that filters of other records have. */
function createDetails(data: Json[], index: number): object {
  const { createdAt, transactionId, subscriber } = data[(index + 1) % data.length];
  const step = { _id: id(index), active: true, filters: [], _templateId: "", _parentId: null };
  const event = { status: "Success", detail: "Sent", isRetry: false, isTest: false, source: "Internal", raw: null };
  const details = [0, 0].map((_same, at) => ({ ...event, _id: id(at), createdAt, providerId: "novu" }));
  const job = { _id: id(index), type: "email", executionDetails: details, step, providerId: "ses", status: "done" };
  const payload = { transactionId, email: subscriber?.email ?? null, createdAt: 0, data: [{ page: -1 }] };
  return { updatedAt: createdAt, jobs: [job], payload, controls: {}, tags: ["a,b"], severity: "none", critical: false };
}

/** Between these, only one can be planted: each replaces how bytes are sent, or which members are shown. */
const CHOICES: Record<string, Plant>[] = [
  {
    "members in alphabetical order": ordered(ascending),
    "members in reverse order": ordered((one, other) => -ascending(one, other)),
    "members by length": ordered((one, other) => one.length - other.length),
    "ASCII alone, as Python writes JSON": around("serialize", ({ original }, body) => {
      const toEscape = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
      return original(body).replaceAll(/[^\0-\x7f]/g, toEscape);
    }),
    "slashes are escaped, as PHP writes JSON": around("serialize", ({ original }, body) => {
      return original(body).replaceAll("/", "\\/");
    }),
    "integers have a fraction of zero": around("serialize", ({ original }, body) => {
      return original(body).replaceAll(/("(?:page|pageSize|statusCode)":\d+)(?=[,}])/g, "$1.0");
    }),
    "indented JSON with a line at the end": around("serialize", (_, body) => `${JSON.stringify(body, null, 4)}\n`),
  },
  {
    "times are stored in whole seconds": ({ environments }) => {
      for (const { records } of environments.values()) {
        for (const record of records) record.createdAt = record.createdAt.replace(/\.\d+/, ".000");
        records.sort((one, other) => ascending(`${other.createdAt}${other._id}`, `${one.createdAt}${one._id}`));
      }
    },
    "some records have no createdAt": plantAll(
      ({ environments }) => {
        for (const { records } of environments.values()) for (const index of [1, 30]) delete records[index]?.createdAt;
      },
      around("isInTime", ({ original }, created, after, before) => {
        if (Number.isNaN(created)) return after === undefined && before === undefined;
        return original(created, after, before);
      }),
    ),
    "workflows have no updatedAt": around("show", ({ original }, environment, own) => {
      const shown = original(environment, own);
      for (const { workflow } of shown.workflows) delete workflow.updatedAt;
      return shown;
    }),
  },
  {
    "required members only": showing(() => false),
    "all optional members": inPages(({ data }) => ({
      data: data.map((record: Json, index: number) => ({ ...record, ...createDetails(data, index) })),
    })),
    "no createdAt": showing((name) => name !== "createdAt"),
    "no _id": showing((name) => name !== "_id"),
    "no subscriber and no template": showing((name) => !["subscriber", "template"].includes(name)),
    "no channels and no topics": showing((name) => !["channels", "topics"].includes(name)),
    "records of one instant in any order, without _id": plantAll(
      around("list", ({ original }, environment, query) => {
        const toKey = ({ createdAt, transactionId }: Json) => `${createdAt} ${transactionId}`;
        const records = environment.records.toSorted((one, other) => -ascending(toKey(one), toKey(other)));
        return original({ ...environment, records }, query);
      }),
      showing((name) => name !== "_id"),
    ),
  },
  {
    "chunked responses": around("send", (_, response, bytes, { status, headers }) => {
      response.writeHead(status, headers);
      response.write(bytes.subarray(0, 7));
      response.end(bytes.subarray(7));
    }),
    "HTTP/1.0": around("send", (_, response, bytes, { status, headers }) => {
      const isHead = response.req.method === "HEAD";
      const fields = Object.entries({ ...headers, "content-length": bytes.length }).map(
        ([name, value]) => `${name}: ${value}`,
      );
      const head = [`HTTP/1.0 ${status} Some`, ...fields, "", ""].join("\r\n");
      response.socket?.end(Buffer.concat([Buffer.from(head), isHead ? Buffer.alloc(0) : bytes]));
    }),
    gzip: encoded("gzip", gzipSync),
    deflate: encoded("deflate", deflateSync),
    brotli: encoded("br", brotliCompressSync),
    "idle connections are closed": around("handle", async ({ original }, request, response) => {
      const socket: Json = request.socket;
      socket.requests = (socket.requests ?? 0) + 1;
      const count = socket.requests;
      response.once("finish", () => setTimeout(() => socket.requests === count && socket.destroy(), 3));
      await original(request, response);
    }),
    "no length: the body ends with its connection": around("send", (_, response, bytes, { status, headers }) => {
      response.useChunkedEncodingByDefault = false;
      response.shouldKeepAlive = false;
      response.writeHead(status, headers).end(bytes);
    }),
    "an interim response before each": around("send", ({ original }, response, bytes, head) => {
      response.writeEarlyHints({ link: "</style.css>; rel=preload" });
      original(response, bytes, head);
    }),
    "header names in capitals, and no Date": withHeaders((headers, response) => {
      response.sendDate = false;
      return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    }),
    "Allow in two lines": withHeaders(({ allow, ...headers }, response) => {
      if (allow) response.appendHeader("allow", "OPTIONS").appendHeader("allow", allow.replace(", OPTIONS", ""));
      return headers;
    }),
    "Allow in another order": withAllow((methods) => methods.toReversed().join(", ")),
    "Allow without blanks": withAllow((methods) => methods.join(",")),
    "headers of CORS and of a rate limit": withHeaders((headers, _response, status) => {
      const limit = { "ratelimit-limit": "100", "ratelimit-remaining": "99", "ratelimit-reset": "1" };
      return { ...(status === 401 ? {} : limit), "access-control-allow-origin": "*", ...headers };
    }),
    "each connection is closed": withHeaders((headers) => ({ ...headers, connection: "close" })),
    "further headers": withHeaders((headers) => {
      return { ...headers, server: "gateway/2", etag: '"7"', "cache-control": "private", vary: "Authorization" };
    }),
    "errors of HEAD have no media type": withHeaders(({ "content-type": type = "", ...headers }, response, status) => {
      return response.req.method === "HEAD" && status >= 400 ? headers : { "content-type": type, ...headers };
    }),
  },
  {
    "a slash at the end is redirected": respondsFirst((path, query) => {
      return path.length > 1 && path.endsWith("/") ? [307, { location: path.slice(0, -1) + query }] : undefined;
    }),
    "two slashes are redirected": respondsFirst((path, query) => {
      return path.includes("//") ? [301, { location: path.replaceAll(/\/+/g, "/") + query }] : undefined;
    }),
  },
  {
    "other texts of errors": inErrors((error) => ({ ...error, message: `¡Nein! ${error.statusCode}` })),
    "errors with an empty ctx": inErrors((error) => ({ ...error, ctx: {} })),
    "one text for all errors": inErrors((error) => ({ ...error, message: "Not Found" })),
    "errors with the path in their text": inErrors((error) => ({ ...error, message: `Route ${error.path} not found` })),
    "errors have their path decoded": inErrors((error) => {
      const [path = "", query = ""] = error.path.split(/(?=\?)/);
      return { ...error, path: (decode(path) ?? path) + query };
    }),
    "times of errors in whole seconds": inErrors((error) => {
      return { ...error, timestamp: error.timestamp.replace(/\.\d+/, ".000") };
    }),
  },
  {
    "violations without their value": around("toViolation", () => ({ messages: ["Ungültig."] })),
    "violations have codes of their own": around("toViolation", ({ original }, value) => {
      return { ...original(value), code: "value_error.missing" };
    }),
    "violations name items by their number": namingItems((place, index) => `${place}.${index}`),
    "violations name items in brackets": namingItems((place, index) => `${place}[${index}]`),
    "violations with a number in place of its text": around("toViolation", ({ original }, value) => {
      return original(typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value);
    }),
    "violations with all values of a parameter": inViolations((place, violation, { query }) => {
      const value = query.get(place.slice(6));
      return { [place]: value && violation.value !== undefined ? { ...violation, value } : violation };
    }),
    "violations with several texts": around("toViolation", ({ original }, value) => {
      return { ...original(value), messages: ["no", "certainly not"] };
    }),
  },
  {
    "a missing member repeats the object around it": inViolations((place, violation, { body }) => {
      const isMissing = place === "body.channels" && body?.channels === undefined;
      return { [place]: isMissing ? { ...violation, value: body } : violation };
    }),
    "null is no value": inViolations((place, { value, ...violation }) => {
      return { [place]: value === null ? violation : { ...violation, value } };
    }),
    "headers are named as they are written": inViolations((place, violation) => {
      return { [place.replace("idempotency-key", "Idempotency-Key")]: violation };
    }),
  },
  {
    "JSON without charset": typed("application/json"),
    "JSON in capitals": typed('Application/JSON; charset="utf-8"', "application/json ; charset=Utf-8"),
  },
  {
    "fractions of milliseconds are cut": around("toMilliseconds", (_, seconds) => Math.floor(seconds * 1000 + 1e-6)),
    "fractions of milliseconds count": around("toMilliseconds", (_, seconds) => seconds * 1000),
  },
  {
    "a page beyond 2^53 is that of 2^53 - 1": around("readInteger", ({ original }, text) => {
      const value = original(text);
      return value === undefined ? undefined : Math.min(value, Number.MAX_SAFE_INTEGER);
    }),
    "leading zeros are 422": around("readInteger", ({ original }, text) =>
      /^0\d/.test(text) ? undefined : original(text),
    ),
  },
  {
    "coded bodies are 415": around("parseBody", ({ original }, headers, bytes) => {
      if (headers["content-encoding"]) throw new Rejection(415);
      return original(headers, bytes);
    }),
    "a lone surrogate is 400": around("parseBody", ({ original }, headers, bytes) => {
      const body = original(headers, bytes);
      // RFC 8259 §8.2 leaves it open.
      if (/(?<!\\)\\ud[89a-f]/.test(JSON.stringify(body) ?? "")) throw new Rejection(400);
      return body;
    }),
    "an empty body with a media type is 400": around("parseBody", ({ original }, headers, bytes) => {
      if (bytes.length === 0 && headers["content-type"]) throw new Rejection(400);
      return original(headers, bytes);
    }),
  },
  {
    "OPTIONS is 204 without a key": around("handle", async ({ original }, request, response) => {
      if (request.method !== "OPTIONS") return original(request, response);
      response.writeHead(204, { "access-control-allow-methods": "GET, HEAD, PATCH" }).end();
    }),
    "requests with one key wait for each other": around("replayOrUpdate", async ({ original, memory }, ...args) => {
      const [environment, , { request }] = args;
      const name = `${environment.id} ${request.headers["idempotency-key"]}`;
      memory.turns ??= new Map();
      const turn = (memory.turns.get(name) ?? Promise.resolve()).then(() => original(...args));
      memory.turns.set(
        name,
        turn.then(
          () => {},
          () => {},
        ),
      );
      return turn;
    }),
  },
  {
    "a limit of requests": around("respond", async ({ original, memory }, request) => {
      memory.count = (memory.count ?? 0) + 1;
      if (memory.count % 40 === 0) throw new Rejection(429, {}, { "retry-after": "0" });
      return original(request);
    }),
    "some milliseconds for each request": around("respond", async ({ original, memory }, request) => {
      memory.count = (memory.count ?? 0) + 1;
      await pause(memory.count % 3);
      return original(request);
    }),
  },
];

/** A gateway in front of each removes it from paths. */
export const PREFIX = "/api/";
const behindGateway = around("handle", async ({ original }, request, response) => {
  await original(Object.assign(request, { url: request.url?.replace(PREFIX, "/") }), response);
});

/** The variations that teams get with a framework. Exceptions are paths to which it responds before their code. */
const FRAMEWORKS: Readonly<Record<string, { titles: string[]; plant?: Plant; except?: string[] }>> = {
  FastAPI: {
    titles: [
      ...["violations name items by their number", "violations have codes of their own", "JSON without charset"],
      ...["headers are named as they are written"],
      ...["a missing member repeats the object around it", "further headers", "a slash at the end is redirected"],
      ...["Allow in another order", "one text for all errors", "errors have their path decoded"],
    ],
  },
  Spring: {
    titles: [
      ...["violations name items in brackets", "violations with a number in place of its text", "null is no value"],
      ...["headers are named as they are written", "JSON without charset", "Allow without blanks"],
      ...["times of errors in whole seconds"],
    ],
    plant: plantAll(
      undecodable("text/html;charset=utf-8", "<!doctype html><h1>HTTP Status 400 – Bad Request</h1>"),
      respondsFirst((path) => {
        return /\/\/|%00|v\d%5c|;x=/i.test(path) ? [400, { "content-type": "text/html;charset=utf-8" }] : undefined;
      }),
    ),
    except: ["D-50"],
  },
  Fastify: {
    titles: [
      ...["violations with a number in place of its text", "violations have codes of their own"],
      ...["errors with the path in their text"],
    ],
  },
  "Go's net/http": {
    titles: [
      ...["violations with all values of a parameter", "headers are named as they are written", "coded bodies are 415"],
      ...["members in alphabetical order", "JSON without charset", "Allow in another order"],
      ...["two slashes are redirected", "errors of HEAD have no media type"],
    ],
    plant: undecodable("text/plain; charset=utf-8", "400 Bad Request"),
    except: ["D-50"],
  },
  "a gateway with a rate limit": {
    titles: [
      ...["a limit of requests", "coded bodies are 415", "an empty body with a media type is 400"],
      ...["leading zeros are 422", "some records have no createdAt", "JSON in capitals"],
    ],
  },
  "no framework": { titles: [] },
};

const ALL = new Map(CHOICES.flatMap((plants) => Object.entries(plants)));

function findVariation(title: string): Plant {
  const plant = ALL.get(title);
  if (!plant) throw new Error(`There is no variation "${title}".`);
  return plant;
}

export const CONFORMING = Object.entries(FRAMEWORKS).map(([name, { titles, plant, except = [] }]) => {
  return { name, except, plant: plantAll(...titles.map(findVariation), ...(plant ? [plant] : []), behindGateway) };
});

/** The variations that a seed draws. */
export function drawVariations(seed: number): { titles: string[]; plant: Plant } {
  const choices = CHOICES.map((plants) =>
    fc.option(fc.constantFrom(...Object.entries(plants)), { freq: 2, nil: undefined }),
  );
  const [drawn = []] = fc.sample(fc.tuple(...choices), { seed, numRuns: 1 });
  const chosen = drawn.filter((one) => one !== undefined);
  return { titles: chosen.map(([title]) => title), plant: plantAll(...chosen.map(([, plant]) => plant)) };
}
