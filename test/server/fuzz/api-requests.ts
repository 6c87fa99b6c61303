// Requests to the API as no client sends them, beside those of support/fuzz-request.ts: framing that two readers may
// read differently, values that break parsers, and many requests on one connection.
import { gzipSync } from "node:zlib";
import { loadContract } from "../../../src/contract/contract.js";
import { createFuzzRequest, type FuzzRequest } from "../../support/fuzz-request.js";
import type { Random } from "../../support/random.js";

export interface WireRequest extends FuzzRequest {
  /** How many responses there may be. Default: one. */
  maxResponses?: number;
}

const KEY = "Authorization: ApiKey demo-key\r\n";
const LIST = "/v1/notifications";
const UPDATE = "/v2/subscribers/ines-moreau/preferences";
const JSON_TYPE = "Content-Type: application/json\r\n";
const SMUGGLED = `GET ${LIST}?smuggled=1 HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`;
const NUMBERS = [
  ...["1e400", "-1e400", "1e-400", "-0", "9007199254740993", "0.1e1", "1".repeat(5000), `1e${"9".repeat(300)}`],
];
const TEXTS = [
  ...["\\ud800", "\\udfff\\ud800", "\\u0000", "\\u202e", "\u0000", "\ud7ff", "é".repeat(200), "__proto__"],
  "constructor",
];
const VALUES = [
  ...["%00", "%ED%A0%80", "%F4%90%80%80", "%c0%af", "%", "+", "%2B", "%0d%0aX:1", "-1", "1e9", "NaN", "[]", "a,b"],
  "%F0%9F%98%80",
];

const contract = await loadContract();
const PARAMETERS = contract.operations.flatMap(({ parameters }) =>
  parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name),
);

export function createApiRequest(random: Random): WireRequest {
  const { pick, between, chance } = random;
  if (chance(0.4)) return createFuzzRequest(random);
  const repeat = (text: string, most: number) => text.repeat(between(1, most));
  const name = () => pick([...PARAMETERS, "__proto__", "constructor", "toString", "", "%ff"]);
  const raw = (text: string) => ({ bytes: Buffer.from(text, "latin1"), isCutOff: false });
  const get = (target: string, headers = "") =>
    raw(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${KEY}${headers}\r\n`);
  const update = (body: string | Buffer, headers = JSON_TYPE, path = UPDATE) => ({
    bytes: Buffer.concat([
      Buffer.from(`PATCH ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${KEY}${headers}`, "latin1"),
      Buffer.from(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`),
      Buffer.from(body),
    ]),
    isCutOff: false,
  });
  /** The headers say in two ways how long the body is, and a second request stands where the two differ. */
  const framed = (headers: string, body = `0\r\n\r\n${SMUGGLED}`) =>
    raw(`PATCH ${UPDATE} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${KEY}${JSON_TYPE}${headers}\r\n${body}`);
  const silent = (request: WireRequest) => ({ ...request, isCutOff: true });

  const kinds: (() => WireRequest)[] = [
    // framing
    () =>
      framed(
        `Content-Length: ${between(0, 60)}\r\nTransfer-Encoding: ${pick(["chunked", "xchunked", "identity"])}\r\n`,
      ),
    () => framed(`Content-Length: ${between(0, 9)}\r\nContent-Length: ${between(0, 60)}\r\n`),
    () =>
      framed(
        `Content-Length: ${pick(["+5", "5,5", "5 5", " 5 ", "5\u00a0", "0x5", "00000005", "5.0"])}\r\n`,
        `hello${SMUGGLED}`,
      ),
    () =>
      framed(
        `Transfer-Encoding: ${pick(["\u000bchunked", "chunked\u0000", "chunked, identity", "gzip, chunked", '"chunked"'])}\r\n`,
      ),
    () =>
      framed(
        pick([
          "Transfer-Encoding : chunked\r\n",
          "Transfer-Encoding:\r\n chunked\r\n",
          "X: y\r\n Transfer-Encoding: chunked\r\n",
        ]),
      ),
    () =>
      framed(
        "Transfer-Encoding: chunked\r\n",
        `${pick(["FFFFFFFFFFFFFFFFF", "-5", "0x5", "5 ", "\t5", "5\n"])}\r\nhello\r\n0\r\n\r\n${SMUGGLED}`,
      ),
    () => framed("Transfer-Encoding: chunked\r\n", `5;${repeat("x", 20_000)}\r\nhello\r\n0\r\n\r\n`),
    () =>
      framed(
        "Transfer-Encoding: chunked\r\n",
        `2\r\n{}\r\n0\r\n${pick(["Content-Length: 9", "Authorization: x", repeat("a: b\r\n", 900)])}\r\n\r\n`,
      ),
    () =>
      raw(
        `GET ${LIST} HTTP/1.1${pick(["\n", "\r", "\r\r\n", "\n\r"])}Host: x${pick(["\n", "\r", "\r\n"])}Connection: close\n${KEY}\n\n`,
      ),
    () =>
      raw(
        `GET ${LIST} HTTP/1.1\r\nHost: x\r\nX: a${pick(["\r", "\n", "\r\n ", "\r\n\t", "\u0000"])}b\r\nConnection: close\r\n${KEY}\r\n`,
      ),
    () =>
      raw(
        `GET ${LIST} HTTP/1.${pick(["1 ", "2", "10", "1\t", "0"])}\r\n${pick(["", "Host: x\r\n", "Host: x\r\nHost: y\r\n"])}Connection: close\r\n${KEY}\r\n`,
      ),
    () =>
      silent(update('{"channels":{}}', `${JSON_TYPE}Expect: ${pick(["100-continue", "100-continue, x", "x"])}\r\n`)),
    () => silent(framed(`Content-Length: ${pick([100, 102_400, 102_401, 2 ** 40])}\r\n`, '{"channels":{')),
    // many on one connection
    () => ({
      ...raw(`${repeat(SMUGGLED, 50)}GET ${LIST} HTTP/1.1\r\nConnection: close\r\nHost: x\r\n\r\n`),
      maxResponses: 51,
    }),
    () => ({
      ...raw(`${repeat(SMUGGLED, 5)}${pick(["x", "\u0000", "GET\r\n", "PATCH / HTTP/1.1\r\n"])}\r\n\r\n`),
      maxResponses: 6,
    }),
    () => silent({ ...raw(repeat(SMUGGLED, 50)), maxResponses: 50 }),
    // queries
    () => get(`${LIST}?${name()}=${pick(VALUES)}&${name()}=${pick(VALUES)}`),
    () =>
      get(
        `${LIST}?${repeat(`${pick(["channels=email", "channels=", "tags=x", "x", "a[]=1", "a[b][c]=1", "limit=1"])}&`, 1200)}`,
      ),
    () => get(`${LIST}?${Array.from({ length: between(1, 900) }, (_, index) => `u${index}=${index}`).join("&")}`),
    () =>
      get(
        `http://${pick(["example.com", "", "a:b@c", "[::1]", "127.0.0.1:1"])}${pick([LIST, UPDATE, "", "//"])}${pick(["", "?limit=1", "?x"])}`,
      ),
    () =>
      get(`${LIST}${pick(["/", "//", "/..", ";x", "%2f", "%3flimit=1", "#x", "?#", "??", "/%2e%2e/health", "\\"])}`),
    () => get(LIST, `Host: ${pick(["y", "", "a,b", "localhost"])}\r\n`),
    // bodies
    () => update(`{"channels":{"email":${pick(NUMBERS)}},"workflowId":${pick(NUMBERS)}}`),
    () => update(Buffer.from(`{"channels":{"${pick(TEXTS)}":true},"workflowId":"${pick(TEXTS)}"}`)),
    () => update(`{"channels":${repeat('{"__proto__":', 3000)}1${"}".repeat(3001)}`),
    () => update(`{"channels":{${Array.from({ length: between(1, 8000) }, (_, index) => `"k${index}":1`).join()}}}`),
    () => update(`[${repeat("{},", 30_000)}0]`),
    () => update(`{"channels":{"email":true},"channels":{"email":${pick(["null", "1", "[]", '{"a":1}'])}}}`),
    () =>
      update(
        gzipSync(`{"channels":{"email":${chance(0.5)}}}`).subarray(0, between(5, 60)),
        `${JSON_TYPE}Content-Encoding: gzip\r\n`,
      ),
    // headers
    () =>
      update(
        '{"channels":{}}',
        `Content-Type: application/json; ${pick(["a", "charset", "boundary"])}=${between(0, 2 ** 31)}\r\n`,
      ),
    () =>
      update('{"channels":{}}', `Content-Type: application/${pick(["json", "vnd.x"])}${between(0, 2 ** 31)}+json\r\n`),
    () => update('{"channels":{}}', JSON_TYPE, `/v2/subscribers/${pick(VALUES)}/preferences`),
    () => get(LIST, `Authorization: ApiKey ${pick(["x", "demo-key ", "__proto__"])}\r\n`),
    () => get(LIST, repeat("Cookie: a=b\r\n", 1000)),
    // what there is to read without a key
    () =>
      get(pick(["/", "/health", "/docs", "/openapi.json", "/openapi.yaml", "/favicon.ico", "/health/", "//health"])),
  ];
  return pick(kinds)();
}
