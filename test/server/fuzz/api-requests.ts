// Requests to the API as no client sends them: malformed ones, framing that two readers may read differently, values
// that break parsers, and many requests on one connection.
import { gzipSync } from "node:zlib";
import { contract } from "../../support/contract.js";
import type { Random } from "../../support/random.js";

/** A request as bytes for a socket. */
export interface WireRequest {
  bytes: Buffer;
  /** True for an incomplete request. The sender must hang up, since the server waits for the rest. */
  isCutOff: boolean;
  /** How many responses there may be. Default: one. */
  maxResponses?: number;
}

const KEY = "Authorization: ApiKey demo-key\r\n";
const LIST = "/v1/notifications";
const UPDATE = "/v2/subscribers/ines-moreau/preferences";
const JSON_TYPE = "Content-Type: application/json\r\n";
const CHUNKED = "Transfer-Encoding: chunked\r\n";
const SMUGGLED = `GET ${LIST}?smuggled=1 HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`;
const BOMB = gzipSync(Buffer.alloc(50_000_000));

// What a request has at one of its places.
const METHODS = ["HEAD", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "QUERY", "FOO", "get", "", "M-SEARCH", "G\u0000T"];
const PATHS = ["//", "/../", "/./", "/v1/../..", "*", "http://x", "http://x:99999/v1", "?", "#", "/\\..\\"];
const PAGES = ["/", "/health", "/docs", "/openapi.json", "/openapi.yaml", "/favicon.ico", "/health/", "//health"];
const ENDS = ["/", "//", "/..", ";x", "%2f", "%3flimit=1", "#x", "?#", "??", "/%2e%2e/health", "\\"];
const ENCODINGS = ["%E0%A4%A", "%", "%zz", "%00", "%2e%2e", "%FF", "%C0%80", "%25E0%25A4%25A", "%u0041"];
const QUERIES = ["channels=email", "channels=", "tags=x", "x", "a[]=1", "a[b][c]=1", "limit=1"];
const VALUES = "%00 %ED%A0%80 %F4%90%80%80 %c0%af % + %2B %0d%0aX:1 -1 1e9 NaN [] a,b %F0%9F%98%80".split(" ");
const HOSTS = ["example.com", "", "a:b@c", "[::1]", "127.0.0.1:1"];
const LENGTHS = ["-1", "1e3", "0x10", "99999999999999999999", "a", ""];
const ODD_LENGTHS = ["+5", "5,5", "5 5", " 5 ", "5\u00a0", "0x5", "00000005", "5.0"];
const TRANSFERS = ["chunked", "xchunked", "identity"];
const CHUNKINGS = ["\u000bchunked", "chunked\u0000", "chunked, identity", "gzip, chunked", '"chunked"'];
const ODD_CHUNKED = [" : chunked", ":\r\n chunked"].map((rest) => `Transfer-Encoding${rest}\r\n`);
const CHUNK_SIZES = ["FFFFFFFFFFFFFFFFF", "-5", "0x5", "5 ", "\t5", "5\n"];
const TRAILERS = ["Content-Length: 9", "Authorization: x"];
const CODINGS = ["gzip", "br", "deflate", "zstd", "gzip, gzip"];
const TYPES = ["", "x", "/", "application/json; charset=x", "application/json;;;", "a/b".repeat(100), "text/html"];
const UPGRADES = ["Expect: x", "Upgrade: websocket", "Upgrade: h2c\r\nConnection: Upgrade"];
const HEADERS = ["Bad Header: 1", ": x", "A", "X: \u0001", "Host: y", ...UPGRADES];
const EXPECTATIONS = ["100-continue", "100-continue, x", "x"];
const NO_JSON =
  `{ } [ " {'a':1} {"channels":{} {"channels":{}}} NaN \u0000 \ufeff{} {"channels":{"email":tru}} 0x10`.split(" ");
const SHORT_NUMBERS = "1e400 -1e400 1e-400 -0 9007199254740993 0.1e1".split(" ");
const NUMBERS = [...SHORT_NUMBERS, "1".repeat(5000), `1e${"9".repeat(300)}`];
const SHORT_TEXTS = "\\ud800 \\udfff\\ud800 \\u0000 \\u202e \u0000 \ud7ff __proto__ constructor".split(" ");
const TEXTS = [...SHORT_TEXTS, "é".repeat(200)];

const PARAMETERS = contract.operations.flatMap(({ parameters }) =>
  parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name),
);
const NAMES = [...PARAMETERS, "__proto__", "constructor", "toString", "", "%ff"];

export function createApiRequest({ pick, between, chance }: Random): WireRequest {
  const repeat = (text: string, most: number) => text.repeat(between(1, most));
  const text = (length: number, alphabet: string) => Array.from({ length }, () => pick([...alphabet])).join("");
  const bytes = (length: number) => Buffer.from(Array.from({ length }, () => between(0, 255)));
  const count = (most: number) => Array.from({ length: between(1, most) }, (_, index) => index);
  const raw = (head: string, body: string | Buffer = ""): WireRequest => ({
    bytes: Buffer.concat([Buffer.from(head, "latin1"), Buffer.from(body)]),
    isCutOff: false,
  });
  const request = (line: string, headers = KEY, body: string | Buffer = "") =>
    raw(`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`, body);
  const get = (target: string, headers = "") => request(`GET ${target}`, KEY + headers);
  const list = (header: string) => get(LIST, `${header}\r\n`);
  const patch = (headers: string, body: string | Buffer, path = UPDATE) =>
    request(`PATCH ${path}`, KEY + headers, body);
  const update = (body: string | Buffer, headers = JSON_TYPE, path = UPDATE) =>
    patch(`${headers}Content-Length: ${Buffer.byteLength(body)}\r\n`, body, path);
  const nothing = (type: string) => update('{"channels":{}}', `Content-Type: ${type}\r\n`);
  const encoded = (coding: string, body: Buffer) => update(body, `${JSON_TYPE}Content-Encoding: ${coding}\r\n`);
  /** The headers say in two ways how long the body is, and a second request stands where the two differ. */
  const framed = (headers: string, body = `0\r\n\r\n${SMUGGLED}`) => patch(JSON_TYPE + headers, body);
  const preferencesOf = (subscriberId: string) => `/v2/subscribers/${subscriberId}/preferences`;
  const silent = (request: WireRequest) => ({ ...request, isCutOff: true });

  const kinds: (() => WireRequest)[] = [
    // encodings
    () => request(`${pick(["GET", "PATCH"])} ${preferencesOf(pick(ENCODINGS) + text(between(0, 3), "ab%./"))}`),
    () => request(`GET /v1/${pick(ENCODINGS)}`, chance(0.5) ? KEY : ""),
    () => get(`${LIST}?${pick(["search", "after", "limit", "x", "%"])}=${pick(ENCODINGS)}${pick(ENCODINGS)}`),
    () => get(`${LIST}?${text(between(1, 40), "=&?#%[]{}+;,'\"\\|^`<>limtpage0159")}`),
    () => update("{}", JSON_TYPE, preferencesOf(pick(ENCODINGS))),
    () => update('{"channels":{}}', JSON_TYPE, preferencesOf(pick(VALUES))),
    // paths
    () => get(`${pick(PATHS)}${text(between(0, 10), "./\\?#v1")}`),
    () => get(`${LIST}?search=${repeat("x+", 4000)}`),
    () => get(`http://${pick(HOSTS)}${pick([LIST, UPDATE, "", "//"])}${pick(["", "?limit=1", "?x"])}`),
    () => get(`${LIST}${pick(ENDS)}`),
    () => get(pick(PAGES)), // what there is to read without a key
    // queries
    () => get(`${LIST}?${pick(NAMES)}=${pick(VALUES)}&${pick(NAMES)}=${pick(VALUES)}`),
    () => get(`${LIST}?${repeat(`${pick(QUERIES)}&`, 1200)}`),
    () =>
      get(
        `${LIST}?${count(900)
          .map((index) => `u${index}=${index}`)
          .join("&")}`,
      ),
    // bodies
    () => update(pick(NO_JSON)),
    () => update(text(between(1, 60), '{}[]":,channelsemailtruefalsenull0123.-+e\\u \n')),
    () => update(bytes(between(1, 200))),
    () => update(pick(["[", '{"a":', '{"channels":{"email":[']).repeat(between(100, 5000))),
    () => update("[".repeat(20_000) + "]".repeat(20_000)),
    () => update(`{"channels":{"__proto__":${between(0, 9)}},"constructor":{"prototype":1}}`),
    () => update("x".repeat(between(102_300, 150_000))),
    () => update(`{"channels":{"email":${pick(NUMBERS)}},"workflowId":${pick(NUMBERS)}}`),
    () => update(`{"channels":{"${pick(TEXTS)}":true},"workflowId":"${pick(TEXTS)}"}`),
    () => update(`{"channels":${repeat('{"__proto__":', 3000)}1${"}".repeat(3001)}`),
    () =>
      update(
        `{"channels":{${count(8000)
          .map((index) => `"k${index}":1`)
          .join()}}}`,
      ),
    () => update(`[${repeat("{},", 30_000)}0]`),
    () => update(`{"channels":{"email":true},"channels":{"email":${pick(["null", "1", "[]", '{"a":1}'])}}}`),
    // headers of a body
    () => nothing(pick(TYPES)),
    () => nothing(`application/json; ${pick(["a", "charset", "boundary"])}=${between(0, 2 ** 31)}`),
    () => nothing(`application/${pick(["json", "vnd.x"])}${between(0, 2 ** 31)}+json`),
    () => encoded(pick(CODINGS), chance(0.5) ? BOMB : bytes(50)),
    () => encoded("gzip", gzipSync(`{"channels":{"email":${chance(0.5)}}}`).subarray(0, between(5, 60))),
    () => patch(`${JSON_TYPE}Content-Length: ${pick(LENGTHS)}\r\n`, "{}"),
    () => patch(`Content-Length: 2\r\n${CHUNKED}`, "0\r\n\r\n"),
    () =>
      patch(
        `${JSON_TYPE}Transfer-Encoding: ${pick(["chunked", "gzip", "x"])}\r\n`,
        `${pick(["zz", "-1", "5;x=y", ""])}\r\nhello\r\n0\r\n\r\n`,
      ),
    () => request(`GET ${LIST}`, `${KEY}Content-Length: 5\r\n`, "hello"),
    // framing
    () => framed(`Content-Length: ${between(0, 60)}\r\nTransfer-Encoding: ${pick(TRANSFERS)}\r\n`),
    () => framed(`Content-Length: ${between(0, 9)}\r\nContent-Length: ${between(0, 60)}\r\n`),
    () => framed(`Content-Length: ${pick(ODD_LENGTHS)}\r\n`, `hello${SMUGGLED}`),
    () => framed(`Transfer-Encoding: ${pick(CHUNKINGS)}\r\n`),
    () => framed(pick([...ODD_CHUNKED, `X: y\r\n ${CHUNKED}`])),
    () => framed(CHUNKED, `${pick(CHUNK_SIZES)}\r\nhello\r\n0\r\n\r\n${SMUGGLED}`),
    () => framed(CHUNKED, `5;${repeat("x", 20_000)}\r\nhello\r\n0\r\n\r\n`),
    () => framed(CHUNKED, `2\r\n{}\r\n0\r\n${pick([...TRAILERS, repeat("a: b\r\n", 900)])}\r\n\r\n`),
    () => silent(update('{"channels":{}}', `${JSON_TYPE}Expect: ${pick(EXPECTATIONS)}\r\n`)),
    () => silent(framed(`Content-Length: ${pick([100, 102_400, 102_401, 2 ** 40])}\r\n`, '{"channels":{')),
    // headers
    () => list(`X-Large: ${"x".repeat(between(8_000, 40_000))}`),
    () => get(LIST, "X-Many: 1\r\n".repeat(between(100, 3000))),
    () => get(LIST, repeat("Cookie: a=b\r\n", 1000)),
    () => list(`Idempotency-Key: ${text(between(1, 400), 'k\u00e9\t "')}`),
    () => list(`Prefer: ${text(between(1, 60), 'code=503,;"\\ example=delay 0')}`),
    () => list(`Prefer: code=${between(0, 499)}, delay=${pick(["-1", "1", "99999", "NaN"])}`),
    () => list(pick(HEADERS)),
    () => list(`Accept: ${text(between(1, 50), "*/;q=0.,application")}`),
    () => list(`Host: ${pick(["y", "", "a,b", "localhost"])}`),
    () => list(`Authorization: ApiKey ${pick(["x", "demo-key ", "__proto__"])}`),
    () => request(`GET ${LIST}`, `Authorization: ${text(between(0, 50), 'ApiKey Bearer:="\u00ff\t')}\r\n`),
    // the first line, and the ends of lines
    () => request(`${pick(METHODS)} ${pick([LIST, UPDATE, "/", "*"])}`),
    () => raw(`GET ${LIST} HTTP/${pick(["0.9", "1.0", "2.0", "9.9", "x"])}\r\nConnection: close\r\n${KEY}\r\n`),
    () => raw(`GET ${LIST}\r\n\r\n`),
    () => raw("", Buffer.concat([bytes(between(1, 300)), Buffer.from("\r\n\r\n")])),
    () => raw("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    () => request(`GET ${LIST}`, KEY, bytes(20)),
    () => {
      const [first, second] = [pick(["\n", "\r", "\r\r\n", "\n\r"]), pick(["\n", "\r", "\r\n"])];
      return raw(`GET ${LIST} HTTP/1.1${first}Host: x${second}Connection: close\n${KEY}\n\n`);
    },
    () => list(`X: a${pick(["\r", "\n", "\r\n ", "\r\n\t", "\u0000"])}b`),
    () => {
      const line = `GET ${LIST} HTTP/1.${pick(["1 ", "2", "10", "1\t", "0"])}\r\n`;
      return raw(`${line}${pick(["", "Host: x\r\n", "Host: x\r\nHost: y\r\n"])}Connection: close\r\n${KEY}\r\n`);
    },
    // many on one connection
    () => {
      const last = `GET ${LIST} HTTP/1.1\r\nConnection: close\r\nHost: x\r\n\r\n`;
      return { ...raw(repeat(SMUGGLED, 50) + last), maxResponses: 51 };
    },
    () => {
      const last = pick(["x", "\u0000", "GET\r\n", "PATCH / HTTP/1.1\r\n"]);
      return { ...raw(`${repeat(SMUGGLED, 5)}${last}\r\n\r\n`), maxResponses: 6 };
    },
    () => silent({ ...raw(repeat(SMUGGLED, 50)), maxResponses: 50 }),
  ];
  const wire = pick(kinds)();
  return chance(0.05) ? silent({ ...wire, bytes: wire.bytes.subarray(0, between(0, wire.bytes.length - 1)) }) : wire;
}
