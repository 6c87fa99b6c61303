// What HTTP leaves open around an operation: methods, keys, media types, encodings, origins; and paths of no operation.
import { deflateSync, gzipSync } from "node:zlib";
import { API_KEY, type Base, type ParityRequest, vary } from "./parity-request.js";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "LINK", "M-SEARCH"];

// undefined: without the header.
const KEYS = [
  undefined,
  "",
  "ApiKey",
  "ApiKey ",
  "ApiKey x",
  `apikey ${API_KEY}`,
  `ApiKey ${API_KEY} `,
  `ApiKey  ${API_KEY}`,
].concat([
  `Bearer ${API_KEY}`,
  API_KEY,
  `ApiKey ${API_KEY}, ApiKey ${API_KEY}`,
  "ApiKey \u00e9",
  `ApiKey ${"k".repeat(999)}`,
]);

const MEDIA_TYPES = [
  ...[undefined, "", "x", "application", "application/", "*/*", "application/json", "application/JSON"],
  ...["application/json; charset=utf-8", "application/json;charset=UTF-8", "application/json; charset=utf8"],
  ...["application/json; charset=utf-16", "application/json; charset=latin1", "application/json; charset=x"],
  ...["application/json;", "application/json;;", "application/json; a", 'application/json; boundary="'],
  ...["application/json, text/plain", "application/problem+json", "application/merge-patch+json", "text/json"],
  ...["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"],
];

const LIMIT = 102_400; // D-52
const GOOD = '{"channels":{}}';
const COMPRESSED: [title: string, encoding: string, body: Buffer][] = [
  ["gzip", "gzip", gzipSync(GOOD)],
  ["gzip, in capitals", "GZIP", gzipSync(GOOD)],
  ["deflate", "deflate", deflateSync(GOOD)],
  ["gzip of an invalid body", "gzip", gzipSync('{"channels":{"email":1}}')],
  ["gzip of nothing", "gzip", gzipSync("")],
  ["gzip, cut off", "gzip", gzipSync(GOOD).subarray(0, 20)],
  ["gzip, corrupt", "gzip", gzipSync(GOOD).fill(0xff, 12, 18)],
  ["gzip of the limit", "gzip", gzipSync(GOOD.padEnd(LIMIT))],
  ["gzip beyond the limit", "gzip", gzipSync(GOOD.padEnd(LIMIT + 1))],
  ["a gzip bomb", "gzip", gzipSync(Buffer.alloc(20_000_000))],
  ["a deflate bomb", "deflate", deflateSync(Buffer.alloc(20_000_000))],
  ["sent longer than the limit", "gzip", Buffer.alloc(3 * LIMIT, gzipSync(GOOD))],
];

const ENCODINGS = ["gzip", "br", "deflate", "identity", "zstd", "x", "gzip, gzip", ""];
const ACCEPTS = ["text/html", "application/json", "*/*", "", "application/xml, */*;q=0", "x"];

const QUERIES = [
  ...["", "&", "&&", "=", "=1", "%=1", "unknown=1", "unknown", "__proto__=1", "constructor=1", "__code=200"],
  "__server=x",
];

const PATHS = [
  ...["/v1", "/v1/", "/v2", "/v1/nothing", "/V1/notifications", "//v1/notifications", "/v1//notifications"],
  ...["/v1/notifications/", "/v1/notifications/x", "/v1/notif%69cations", "/v1/notifications%2F"],
  ...["/v1/notifications;x", "/v1/./notifications", "/v1/../v1/notifications", "/%2e/v1/notifications", "/v1/%E0%A4%A"],
  ...["/v1/notifications%", "/v1\\notifications", "/v1/notifications#x", "/v2/subscribers", "/v2/subscribers/x"],
  ...["/v2/subscribers/preferences", "/v2/subscribers/x/preferences/", "/v2/subscribers/x/preferences/y"],
  ...["/v2/notifications", "/v1/subscribers/x/preferences", "/", "/nothing", "/docs", "/openapi.yaml", "/openapi.json"],
  ...["/health", "/favicon.ico", "/__admin", "/%E0%A4%A", "http://elsewhere.example/v1/notifications"],
  "http://elsewhere.example/v1/notifications?limit=51",
];

export function protocolRequests(base: Base): ParityRequest[] {
  const { headers, body } = base;
  const withHeader = (name: string, value: string | undefined) => ({ headers: replaced(headers, name, value) });
  const bodies: [string, string][] = [
    ["a good body", body ?? "{}"],
    ["an empty body", ""],
    ["a broken body", "{"],
    ["a large body", "x".repeat(103_000)],
  ];
  return [
    ...METHODS.map((method) => vary(base, `method ${method}`, { method })),
    ...METHODS.map((method) =>
      vary(base, `method ${method} without a key`, { method, ...withHeader("authorization", undefined) }),
    ),
    ...KEYS.map((key) => vary(base, `key ${showValue(key)}`, withHeader("authorization", key))),
    ...MEDIA_TYPES.flatMap((type) =>
      bodies.map(([title, sent]) =>
        vary(base, `media type ${showValue(type)}, ${title}`, {
          ...withHeader("content-type", type),
          body: sent,
        }),
      ),
    ),
    ...ENCODINGS.map((encoding) =>
      vary(base, `content encoding "${encoding}"`, { ...withHeader("content-encoding", encoding), body: body ?? "{}" }),
    ),
    ...COMPRESSED.map(([title, encoding, sent]) =>
      vary(base, `compressed: ${title}`, { ...withHeader("content-encoding", encoding), body: sent }),
    ),
    ...ACCEPTS.map((accept) => vary(base, `accept "${accept}"`, withHeader("accept", accept))),
    vary(base, "from another origin", withHeader("origin", "http://page.example")),
    vary(base, "a rejection to another origin", { query: "unknown=1", ...withHeader("origin", "http://page.example") }),
    vary(base, "preflight", {
      method: "OPTIONS",
      headers: {
        origin: "http://page.example",
        "access-control-request-method": base.method,
        "access-control-request-headers": "authorization,content-type,idempotency-key,prefer",
      },
    }),
    ...QUERIES.map((query) => vary(base, `query ?${query}`, { query })),
  ];
}

export function strayRequests(headers: Record<string, string>): ParityRequest[] {
  return PATHS.flatMap((target) => [
    { title: `path ${target}`, target, headers },
    { title: `path ${target} without a key`, target },
    { title: `path ${target} by POST`, target, method: "POST", headers },
    { title: `path ${target} by HEAD`, target, method: "HEAD", headers },
    { title: `path ${target} by OPTIONS`, target, method: "OPTIONS" },
  ]);
}

function replaced(headers: Record<string, string>, name: string, value: string | undefined): Record<string, string> {
  const { [name]: _left, ...others } = headers;
  return value === undefined ? others : { ...others, [name]: value };
}

function showValue(value: string | undefined): string {
  if (value === undefined) return "left out";
  return value.length > 99 ? "long" : JSON.stringify(value);
}
