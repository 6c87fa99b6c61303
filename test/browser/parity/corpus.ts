// The requests that compare the two shells. They vary what each shell has its own code for: routing, headers, bodies,
// validation.
import { deflateSync, gzipSync } from "node:zlib";
import type { Contract } from "../../../src/contract/contract.js";
import type { Operation } from "../../../src/contract/model.js";
import { mainMedia, responseExamplesOf } from "../../../src/contract/operation.js";
import { buildRequestSpec, type RequestTemplate } from "../../../src/contract/request.js";
import { findPlaces, type Place } from "../../../src/tools/verify/cases/places.js";
import { jsonValuesNear, numbersNear, textsNear } from "../../../src/tools/verify/cases/values.js";
import type { SocketRequest } from "../../support/socket-request.js";

export const API_KEY = "parity-key";
const SUBSCRIBER = "ines-moreau";

export interface ParityRequest extends SocketRequest {
  /** Unique. Accepted differences refer to it: `listNotifications › accept "x"`. */
  title: string;
}

type Row = [title: string, change: Partial<SocketRequest> & { query?: string }];

export function createCorpus(contract: Contract): ParityRequest[] {
  const requests = [
    ...contract.operations.flatMap((operation) => [
      ...exampleRequests(contract, operation),
      ...[...preferRows(operation), ...protocolRows(operation), ...bodyRows(operation)].map((row) =>
        vary(operation, row),
      ),
    ]),
    ...findPlaces(contract).flatMap((place) => valuesAt(place)),
    ...PATHS.map((target) => ({ title: `path ${target}`, target, headers: { authorization: `ApiKey ${API_KEY}` } })),
    ...["HEAD", "OPTIONS", "POST"].map((method) => ({ title: `no path by ${method}`, method, target: "/v1/nothing" })),
  ];
  return [...new Map(requests.map((request) => [request.title, request])).values()]; // operations share examples
}

/** A plain valid request to the operation with one change. */
function vary(operation: Operation, [title, { query, ...change }]: Row): ParityRequest {
  const template = operation.body ? { body: { channels: {} } } : {};
  const { target, ...spec } = toSpec(operation, template);
  const { headers, ...rest } = change;
  const all = { ...spec.headers, ...headers };
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== OMITTED));
  const whole = query === undefined ? target : `${target}?${query}`;
  return { title: `${operation.id} › ${title}`, target: whole, ...spec, headers: sent, ...rest };
}

const OMITTED = "(omitted)";

function toSpec(operation: Operation, template: RequestTemplate) {
  return buildRequestSpec(operation, { ...template, path: { subscriberId: SUBSCRIBER, ...template.path } }, API_KEY);
}

/** The contract's request examples, and the requests behind its response examples that need no state. */
function exampleRequests({ operations }: Contract, operation: Operation): ParityRequest[] {
  const bodies = (mainMedia(operation.body)?.examples ?? []).map(({ name, value }) => ({
    title: `${operation.id} › request example ${name}`,
    ...toSpec(operation, { body: value }),
  }));
  const examples = operation.responses.flatMap((response) => mainMedia(response)?.examples ?? []);
  const sent = examples.flatMap(({ name, object: { "x-request": request, "x-given": given } }) => {
    if (!request || given) return [];
    const target = operations.find(({ id }) => id === request.operation) ?? operation;
    return [{ title: `${target.id} › example ${name}`, ...buildRequestSpec(target, request, API_KEY) }];
  });
  return [...bodies, ...sent];
}

function preferRows(operation: Operation): Row[] {
  const codes = new Set(responseExamplesOf(operation).map(({ status }) => status));
  return [...codes, 999].map((code) => [`prefer code=${code}`, { headers: { prefer: `code=${code}` } }]);
}

/** Values near each schema: two validators check them, and have to find the same violations in the same words. */
function valuesAt({ operation, location, schema: { flat: schema }, in: source, example, put }: Place): ParityRequest[] {
  if (schema.type === "array" && source === "query") return [];
  const values =
    source === "body" ? jsonValuesNear(schema, example) : [...numbersNear(schema), ...textsNear(schema, example)];
  const isSendable = (value: unknown) => source !== "header" || /^[\x20-\x7e]*$/.test(String(value));
  return values.filter(isSendable).map((value) => {
    const { rawBody: _text, ...template } = put(value);
    const title = `${operation.id} › ${location} › ${JSON.stringify(value)}`;
    return { title, ...toSpec(operation, template) };
  });
}

const METHODS = ["HEAD", "POST", "DELETE", "OPTIONS", "PROPFIND", "M-SEARCH"];
const KEYS = [
  ...[OMITTED, "", "ApiKey ", "ApiKey \u00e9"],
  ...[`apikey ${API_KEY}`, `ApiKey ${API_KEY} `, `ApiKey  ${API_KEY}`],
];
const ACCEPTS = ["text/html", "application/xml, */*;q=0", "x"];
const QUERIES = ["&&", "=1", "%=1", "unknown=1", "limit=%E0%A4%A", "__proto__=1", "after=2026-10-26T00:00:00+01:00"];

function protocolRows(operation: Operation): Row[] {
  const withHeader = (name: string, value: string) => ({ headers: { [name]: value } });
  const preflight = {
    origin: "http://page.example",
    "access-control-request-method": operation.method.toUpperCase(),
    "access-control-request-headers": "authorization,content-type,idempotency-key,prefer",
  };
  return [
    ...METHODS.flatMap((method): Row[] => [
      [`method ${method}`, { method }],
      [`method ${method} without a key`, { method, ...withHeader("authorization", OMITTED) }],
    ]),
    ...KEYS.map((key): Row => [`key ${JSON.stringify(key)}`, withHeader("authorization", key)]),
    ...ACCEPTS.map((accept): Row => [`accept "${accept}"`, withHeader("accept", accept)]),
    ...QUERIES.map((query): Row => [`query ?${query}`, { query }]),
    ["from another origin", withHeader("origin", "http://page.example")],
    ["a rejection to another origin", { query: "unknown=1", ...withHeader("origin", "http://page.example") }],
    ["preflight", { method: "OPTIONS", headers: preflight }],
  ];
}

const GOOD = '{"channels":{}}';
const LIMIT = 102_400; // D-52
const MEDIA_TYPES = [
  ...[OMITTED, "", "x", "application/", "application/JSON", "application/json;charset=UTF-8", "application/json;;"],
  ...["application/json; charset=utf-16", "application/json; charset=latin1", "application/json, text/plain"],
  ...["application/problem+json", "text/plain", "multipart/form-data; boundary=x"],
];
const ENCODINGS = ["gzip", "br", "deflate", "identity", "zstd", "gzip, gzip", ""]; // of a body that has none
const COMPRESSED: [title: string, encoding: string, body: Buffer][] = [
  ["gzip, in capitals", "GZIP", gzipSync(GOOD)],
  ["deflate", "deflate", deflateSync(GOOD)],
  ["gzip of an invalid body", "gzip", gzipSync('{"channels":{"email":1}}')],
  ["gzip of nothing", "gzip", gzipSync("")],
  ["gzip, cut off", "gzip", gzipSync(GOOD).subarray(0, 20)],
  ["gzip, corrupt", "gzip", gzipSync(GOOD).fill(0xff, 12, 18)],
  ["gzip of the limit", "gzip", gzipSync(GOOD.padEnd(LIMIT))],
  ["gzip beyond the limit", "gzip", gzipSync(GOOD.padEnd(LIMIT + 1))],
  ["a gzip bomb", "gzip", gzipSync(Buffer.alloc(20_000_000))],
  ["sent longer than the limit", "gzip", Buffer.alloc(3 * LIMIT, gzipSync(GOOD))],
];
const TEXTS = [
  ...["", "   ", "{", `${GOOD}x`, `\ufeff${GOOD}`, "NaN", "\u0000", '"', "1", "null", ` \n\t${GOOD}\r\n`],
  ...['{"channels":{"\\ud800":true}}', '{"channels":{"\u4e2d":true}}', '{"channels":{},"__proto__":true}'],
  ...['{"channels":{"email":1},"channels":{}}', '{"channels":{"email":1e999}}', '{"channels":{"email":"\\x41"}}'],
];
const SIZES: Row[] = [
  ["body › padded to the limit", { body: GOOD.padEnd(LIMIT) }],
  ["body › padded over the limit", { body: GOOD.padEnd(LIMIT + 1) }],
  ["body › many unknown members", { body: `{${Array.from({ length: 300 }, (_, index) => `"k${index}":1`).join()}}` }],
  ["body › deep lists", { body: "[".repeat(20_000) + "]".repeat(20_000) }],
  ["body › deep objects", { body: `${'{"a":'.repeat(8_000)}1${"}".repeat(8_000)}` }],
];

function bodyRows({ body }: Operation): Row[] {
  if (!body) return [["a body that is not read", { body: "{" }]];
  const ofType = (type: string) => ({ headers: { "content-type": type } });
  return [
    ...MEDIA_TYPES.flatMap((type): Row[] => [
      [`media type ${JSON.stringify(type)}`, ofType(type)],
      [`media type ${JSON.stringify(type)}, an empty body`, { ...ofType(type), body: "" }],
      [`media type ${JSON.stringify(type)}, a large body`, { ...ofType(type), body: "x".repeat(LIMIT + 1) }],
    ]),
    ...ENCODINGS.map((encoding): Row => [`content encoding "${encoding}"`, encoded(encoding, Buffer.from(GOOD))]),
    ...COMPRESSED.map(([title, encoding, body]): Row => [`compressed: ${title}`, encoded(encoding, body)]),
    ...TEXTS.map((body): Row => [`body › sent as ${JSON.stringify(body)}`, { body }]),
    ["body › not UTF-8", { body: Buffer.from('{"channels":{},"workflowId":"\xff"}', "latin1") }],
    ...SIZES,
  ];
}

const encoded = (encoding: string, body: Buffer) => ({ headers: { "content-encoding": encoding }, body });

/** Also each percent-encoding that routers read in their own way. */
const PATHS = [
  ...["/", "/v1", "/v1/", "/V1/notifications", "//v1/notifications", "/v1//notifications", "/v1/notifications/"],
  ...["/v1/notif%69cations", "/v1/notifications%2F", "/v1/notifications;x", "/v1/notifications%", "/v1/%E0%A4%A"],
  ...["/v2/subscribers/x/preferences/", "/v2/subscribers//preferences", "/v2/notifications", "/docs", "/health"],
  ...[
    "%",
    "%zz",
    "%E0%A4%A",
    "%00",
    "a%2Fb",
    "%2525",
    "a!b'(c)*",
    "a;b",
    "%F0%9F%92%A9",
    "%69nes-moreau",
    "e%CC%81",
  ].map((subscriber) => `/v2/subscribers/${subscriber}/preferences`),
];
