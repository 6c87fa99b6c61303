// Conforming variations of the second independent implementation: each takes a liberty that the contract, JSON or HTTP leaves. A seed
// draws some of them, and the suite must not fail any.
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { pause, Rejection } from "./backend.js";
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
      if (/(?<!\\)\\ud[89a-f]/.test(JSON.stringify(body) ?? "")) throw new Rejection(400); // RFC 8259 §8.2 leaves it open
      return body;
    }),
    "an empty body with a media type is 400": around("parseBody", (original) => (headers, bytes) => {
      if (bytes.length === 0 && headers["content-type"]) throw new Rejection(400);
      return original(headers, bytes);
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
