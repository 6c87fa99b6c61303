// Conforming variations of the second independent implementation: each takes a liberty that the contract, JSON or HTTP
// leaves. A seed draws some of them, and the suite must not fail any.
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { CHANNELS, pause, Rejection } from "./backend.js";
import { around, inPages, type Json, type Plant, plantAll } from "./plant.js";

type Compare = (one: string, other: string) => number;
const ascending: Compare = (one, other) => (one < other ? -1 : 1);

/** Objects are unordered (RFC 8259 §1). */
const ordered = (compare: Compare): Plant =>
  around("serialize", () => (body) => {
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

const withErrors = (change: (error: Json) => object): Plant =>
  around("toError", (original) => (status, request) => change(original(status, request)));

const encoded = (coding: string, encode: (bytes: Buffer) => Buffer): Plant =>
  around("send", (original) => (response, bytes, { status, headers }) => {
    original(response, encode(bytes), { status, headers: { ...headers, "content-encoding": coding } });
  });

const typed = (...types: string[]): Plant =>
  around(
    "contentType",
    () =>
      (_status, { url = "" }) =>
        types[url.length % types.length] ?? "",
  ); // HEAD as GET

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
    "ASCII alone, as Python writes JSON": around("serialize", (original) => (body) => {
      const toEscape = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
      return original(body).replaceAll(/[^\0-\x7f]/g, toEscape);
    }),
    "slashes are escaped, as PHP writes JSON": around("serialize", (original) => (body) => {
      return original(body).replaceAll("/", "\\/");
    }),
    "integers have a fraction of zero": around("serialize", (original) => (body) => {
      return original(body).replaceAll(/("(?:page|pageSize|statusCode)":\d+)(?=[,}])/g, "$1.0");
    }),
    "indented JSON with a line at the end": around("serialize", () => (body) => `${JSON.stringify(body, null, 4)}\n`),
  },
  {
    "times are stored in whole seconds": ({ environments }) => {
      for (const { records } of environments.values()) {
        for (const record of records) record.createdAt = record.createdAt.replace(/\.\d+/, ".000");
        records.sort((one, other) => ascending(`${other.createdAt}${other._id}`, `${one.createdAt}${one._id}`));
      }
    },
    "workflows have no updatedAt": around("show", (original) => (environment, own) => {
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
      around("list", (original) => (environment, query) => {
        const toKey = ({ createdAt, transactionId }: Json) => `${createdAt} ${transactionId}`;
        const records = environment.records.toSorted((one, other) => -ascending(toKey(one), toKey(other)));
        return original({ ...environment, records }, query);
      }),
      showing((name) => name !== "_id"),
    ),
  },
  {
    "chunked responses": around("send", () => (response, bytes, { status, headers }) => {
      response.writeHead(status, headers);
      response.write(bytes.subarray(0, 7));
      response.end(bytes.subarray(7));
    }),
    "HTTP/1.0": around("send", () => (response, bytes, { status, headers }) => {
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
    "idle connections are closed": around("handle", (original) => async (request, response) => {
      const socket: Json = request.socket;
      socket.requests = (socket.requests ?? 0) + 1;
      const count = socket.requests;
      response.once("finish", () => setTimeout(() => socket.requests === count && socket.destroy(), 3));
      await original(request, response);
    }),
    "no length: the body ends with its connection": around("send", () => (response, bytes, { status, headers }) => {
      response.useChunkedEncodingByDefault = false;
      response.shouldKeepAlive = false;
      response.writeHead(status, headers).end(bytes);
    }),
    "an interim response before each": around("send", (original) => (response, bytes, head) => {
      response.writeEarlyHints({ link: "</style.css>; rel=preload" });
      original(response, bytes, head);
    }),
    "header names in capitals, and no Date": around("send", (original) => (response, bytes, { status, headers }) => {
      response.sendDate = false;
      const named = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]);
      original(response, bytes, { status, headers: Object.fromEntries(named) });
    }),
    "Allow in two lines": around(
      "send",
      (original) =>
        (response, bytes, { status, headers: { allow, ...headers } }) => {
          if (allow) response.appendHeader("allow", "OPTIONS").appendHeader("allow", allow.replace(", OPTIONS", ""));
          original(response, bytes, { status, headers });
        },
    ),
    "headers of CORS and of a rate limit": around("send", (original) => (response, bytes, { status, headers }) => {
      const limit = { "ratelimit-limit": "100", "ratelimit-remaining": "99", "ratelimit-reset": "1" };
      const more = { ...(status === 401 ? {} : limit), "access-control-allow-origin": "*" };
      original(response, bytes, { status, headers: { ...more, ...headers } });
    }),
    "each connection is closed": around("send", (original) => (response, bytes, { status, headers }) => {
      original(response, bytes, { status, headers: { ...headers, connection: "close" } });
    }),
    "further headers": around("send", (original) => (response, bytes, { status, headers }) => {
      const more = {
        server: "gateway/2",
        etag: `"${bytes.length}"`,
        "cache-control": "private",
        vary: "Authorization",
      };
      original(response, bytes, { status, headers: { ...headers, ...more } });
    }),
  },
  {
    "other texts of errors": withErrors((error) => ({ ...error, message: `¡Nein! ${error.statusCode}` })),
    "errors with an empty ctx": withErrors((error) => ({ ...error, ctx: {} })),
  },
  {
    "violations without their value": around("toViolation", () => () => ({ messages: ["Ungültig."] })),
    "violations have codes of their own": around("toViolation", (original) => (value) => {
      return { ...original(value), code: "value_error.missing" };
    }),
    "violations name the item of a list": around("checkQuery", (original) => (query) => {
      const named = Object.entries(original(query)).map(([place, violation]) => {
        const values = query.get(place.slice(6)) ?? [];
        const at = values.findIndex((value) => !CHANNELS.includes(value));
        const isItem = place === "query.channels" && at >= 0 && values.length <= 20;
        return isItem ? [`${place}.${at}`, { ...violation, value: values[at] }] : [place, violation];
      });
      return Object.fromEntries(named);
    }),
    "violations with a number in place of its text": around("toViolation", (original) => (value) => {
      return original(typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value);
    }),
    "violations with several texts": around("toViolation", (original) => (value) => {
      return { ...original(value), messages: ["no", "certainly not"] };
    }),
  },
  {
    "JSON without charset": typed("application/json"),
    "JSON in capitals": typed('Application/JSON; charset="utf-8"', "application/json ; charset=Utf-8"),
  },
  {
    "fractions of milliseconds are cut": around("toMilliseconds", () => (seconds) => Math.floor(seconds * 1000 + 1e-6)),
    "fractions of milliseconds count": around("toMilliseconds", () => (seconds) => seconds * 1000),
  },
  {
    "a page beyond 2^53 is that of 2^53 - 1": around("readInteger", (original) => (text) => {
      const value = original(text);
      return value === undefined ? undefined : Math.min(value, Number.MAX_SAFE_INTEGER);
    }),
    "leading zeros are 422": around(
      "readInteger",
      (original) => (text) => (/^0\d/.test(text) ? undefined : original(text)),
    ),
  },
  {
    "coded bodies are 415": around("parseBody", (original) => (headers, bytes) => {
      if (headers["content-encoding"]) throw new Rejection(415);
      return original(headers, bytes);
    }),
    "a lone surrogate is 400": around("parseBody", (original) => (headers, bytes) => {
      const body = original(headers, bytes);
      // RFC 8259 §8.2 leaves it open.
      if (/(?<!\\)\\ud[89a-f]/.test(JSON.stringify(body) ?? "")) throw new Rejection(400);
      return body;
    }),
    "an empty body with a media type is 400": around("parseBody", (original) => (headers, bytes) => {
      if (bytes.length === 0 && headers["content-type"]) throw new Rejection(400);
      return original(headers, bytes);
    }),
  },
  {
    "OPTIONS is 204 without a key": around("handle", (original) => async (request, response) => {
      if (request.method !== "OPTIONS") return original(request, response);
      response.writeHead(204, { "access-control-allow-methods": "GET, HEAD, PATCH" }).end();
    }),
    "requests with one key wait for each other": around("replayOrUpdate", (original, { memory }) => async (...args) => {
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
    "a limit of requests": around("respond", (original, { memory }) => async (request) => {
      memory.count = (memory.count ?? 0) + 1;
      if (memory.count % 40 === 0) throw new Rejection(429, {}, { "retry-after": "0" });
      return original(request);
    }),
    "some milliseconds for each request": around("respond", (original, { memory }) => async (request) => {
      memory.count = (memory.count ?? 0) + 1;
      await pause(memory.count % 3);
      return original(request);
    }),
  },
];

/** The variations that a seed draws. */
export function drawVariations(seed: number): { titles: string[]; plant: Plant } {
  const choices = CHOICES.map((plants) =>
    fc.option(fc.constantFrom(...Object.entries(plants)), { freq: 2, nil: undefined }),
  );
  const [drawn = []] = fc.sample(fc.tuple(...choices), { seed, numRuns: 1 });
  const chosen = drawn.filter((one) => one !== undefined);
  return { titles: chosen.map(([title]) => title), plant: plantAll(...chosen.map(([, plant]) => plant)) };
}
