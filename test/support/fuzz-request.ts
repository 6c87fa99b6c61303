// Creates malformed requests from a seed, as bytes for a socket.
import { gzipSync } from "node:zlib";
import type { Random } from "./random.js";

export interface FuzzRequest {
  bytes: Buffer;
  /** True for an incomplete request. The sender must hang up, since the server waits for the rest. */
  isCutOff: boolean;
}

const KEY = "Authorization: ApiKey demo-key\r\n";
const LIST = "/v1/notifications";
const UPDATE = "/v2/subscribers/ines-moreau/preferences";
const NO_JSON =
  `{ } [ " {'a':1} {"channels":{} {"channels":{}}} NaN \u0000 \ufeff{} {"channels":{"email":tru}} 0x10`.split(" ");
const BOMB = gzipSync(Buffer.alloc(50_000_000));

export function createFuzzRequest(random: Random): FuzzRequest {
  const { pick, between, chance } = random;
  const text = (length: number, alphabet: string) => Array.from({ length }, () => pick([...alphabet])).join("");
  const bytes = (length: number) => Buffer.from(Array.from({ length }, () => between(0, 255)));
  const encoding = () => pick(["%E0%A4%A", "%", "%zz", "%00", "%2e%2e", "%FF", "%C0%80", "%25E0%25A4%25A", "%u0041"]);
  const request = (line: string, headers = "", body: string | Buffer = "") =>
    Buffer.concat([
      Buffer.from(`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`, "latin1"),
      Buffer.from(body),
    ]);
  const withBody = (method: string, path: string, headers: string, body: string | Buffer) =>
    request(`${method} ${path}`, `${KEY}${headers}Content-Length: ${Buffer.byteLength(body)}\r\n`, body);
  const update = (body: string | Buffer, headers = "Content-Type: application/json\r\n") =>
    withBody("PATCH", UPDATE, headers, body);

  const whole: (() => Buffer)[] = [
    // encodings
    () =>
      request(
        `${pick(["GET", "PATCH"])} /v2/subscribers/${encoding()}${text(between(0, 3), "ab%./")}/preferences`,
        KEY,
      ),
    () => request(`GET /v1/${encoding()}`, chance(0.5) ? KEY : ""),
    () => request(`GET ${LIST}?${pick(["search", "after", "limit", "x", "%"])}=${encoding()}${encoding()}`, KEY),
    () => request(`GET ${LIST}?${text(between(1, 40), "=&?#%[]{}+;,'\"\\|^`<>limtpage0159")}`, KEY),
    () => withBody("PATCH", `/v2/subscribers/${encoding()}/preferences`, "Content-Type: application/json\r\n", "{}"),
    // paths
    () =>
      request(
        `GET ${pick(["//", "/../", "/./", "/v1/../..", "*", "http://x", "http://x:99999/v1", "?", "#", "/\\..\\"])}${text(between(0, 10), "./\\?#v1")}`,
        KEY,
      ),
    () => request(`GET ${LIST}?search=${"x+".repeat(between(1, 4000))}`, KEY),
    // bodies
    () => update(pick(NO_JSON)),
    () => update(text(between(1, 60), '{}[]":,channelsemailtruefalsenull0123.-+e\\u \n')),
    () => update(bytes(between(1, 200))),
    () => update(pick(["[", '{"a":', '{"channels":{"email":[']).repeat(between(100, 5000))),
    () => update("[".repeat(20_000) + "]".repeat(20_000)),
    () => update(`{"channels":{"__proto__":${between(0, 9)}},"constructor":{"prototype":1}}`),
    () => update("x".repeat(between(102_300, 150_000))),
    // headers of a body
    () =>
      update(
        '{"channels":{}}',
        `Content-Type: ${pick(["", "x", "/", "application/json; charset=x", "application/json;;;", "a/b".repeat(100), "text/html"])}\r\n`,
      ),
    () =>
      update(
        chance(0.5) ? BOMB : bytes(50),
        `Content-Type: application/json\r\nContent-Encoding: ${pick(["gzip", "br", "deflate", "zstd", "gzip, gzip"])}\r\n`,
      ),
    () =>
      request(
        `PATCH ${UPDATE}`,
        `${KEY}Content-Type: application/json\r\nContent-Length: ${pick(["-1", "1e3", "0x10", "99999999999999999999", "a", ""])}\r\n`,
        "{}",
      ),
    () => request(`PATCH ${UPDATE}`, `${KEY}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n`, "0\r\n\r\n"),
    () =>
      request(
        `PATCH ${UPDATE}`,
        `${KEY}Content-Type: application/json\r\nTransfer-Encoding: ${pick(["chunked", "gzip", "x"])}\r\n`,
        `${pick(["zz", "-1", "5;x=y", ""])}\r\nhello\r\n0\r\n\r\n`,
      ),
    () => request(`GET ${LIST}`, `${KEY}Content-Length: 5\r\n`, "hello"),
    // headers
    () => request(`GET ${LIST}`, `${KEY}X-Large: ${"x".repeat(between(8_000, 40_000))}\r\n`),
    () => request(`GET ${LIST}`, KEY + "X-Many: 1\r\n".repeat(between(100, 3000))),
    () => request(`GET ${LIST}`, `${KEY}Idempotency-Key: ${text(between(1, 400), 'k\u00e9\t "')}\r\n`),
    () => request(`GET ${LIST}`, `${KEY}Prefer: ${text(between(1, 60), 'code=503,;"\\ example=delay 0')}\r\n`),
    () =>
      request(`GET ${LIST}`, `${KEY}Prefer: code=${between(0, 499)}, delay=${pick(["-1", "1", "99999", "NaN"])}\r\n`),
    () => request(`GET ${LIST}`, `Authorization: ${text(between(0, 50), 'ApiKey Bearer:="\u00ff\t')}\r\n`),
    () =>
      request(
        `GET ${LIST}`,
        `${KEY}${pick(["Expect: x", "Upgrade: websocket", "Upgrade: h2c\r\nConnection: Upgrade", "Bad Header: 1", ": x", "A", "X: \u0001", "Host: y"])}\r\n`,
      ),
    () => request(`GET ${LIST}`, `${KEY}Accept: ${text(between(1, 50), "*/;q=0.,application")}\r\n`),
    // methods and versions
    () =>
      request(
        `${pick(["HEAD", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "QUERY", "FOO", "get", "", "M-SEARCH", "G\u0000T"])} ${pick([LIST, UPDATE, "/", "*"])}`,
        KEY,
      ),
    () => Buffer.from(`GET ${LIST} HTTP/${pick(["0.9", "1.0", "2.0", "9.9", "x"])}\r\nConnection: close\r\n${KEY}\r\n`),
    () => Buffer.from(`GET ${LIST}\r\n\r\n`),
    () => Buffer.concat([bytes(between(1, 300)), Buffer.from("\r\n\r\n")]),
    () => Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    () => Buffer.concat([request(`GET ${LIST}`, KEY), bytes(20)]),
  ];

  const wireRequest = pick(whole)();
  const isCutOff = chance(0.1);
  return { bytes: isCutOff ? wireRequest.subarray(0, between(0, wireRequest.length - 1)) : wireRequest, isCutOff };
}
