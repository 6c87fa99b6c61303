// Requests whose bytes are random where a request may have any: the server and the fetch handler read them alike. What only one of
// them can be sent, such as a target that a URL would change, is left out.
import { deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { createFetchHandler } from "../../../src/browser/fetch/fetch-handler.js";
import { loadContract } from "../../../src/contract/contract.js";
import { toQueryNames } from "../../../src/contract/operations.js";
import { createRandom, type Random } from "../../../src/core/domain/random.js";
import { startServer } from "../../../src/server/server.js";
import { loadSeed } from "../../../src/server/store/seed.js";
import { startBridge } from "../../browser/fetch/bridge.js";
import { isExpressible } from "../../browser/parity/accepted-differences.js";
import { differenceOf } from "../../browser/parity/comparison.js";
import { type SocketRequest, sendTo } from "../../support/socket-request.js";

const REQUESTS = 1_000;
const NOW = new Date("2026-11-02T09:00:00Z");
const LIST = "/v1/notifications";
const BODIES = [
  '{"channels":{"email":false}}',
  '{"channels":{}}',
  '{"channels":{"push":true},"workflowId":"comment-mention"}',
];
const TYPES = [
  ...["application/json", "Application/JSON", "application/json;", "application/json; charset=utf-8"],
  ...["application/json;charset=UTF-8", 'application/json; charset="utf-8"', "application/json; charset=latin1"],
  ...["application/json; charset=utf-16", "application/json;x=y", "application/json; charset"],
  ...["application/json; charset=", "text/json", "application/jsonx", "application/vnd.x+json", "json", "/", ";"],
  ...["application/json, text/plain", "application /json", "text/plain", "multipart/form-data", "\u00e9/\u00ff"],
  "application/json\u00a0",
];
const PIECES = [
  ...["%FF", "%C0%80", "%ED%A0%80", "%00", "%", "%zz", "%25", "%2F", "%2B", "+", "%20", "%C3%A9", "%F0%9F%98%80"],
  ...["%EF%BB%BF", ",", ";", "&", "=", "a", "1"],
];
const HEADER_VALUES = [
  ...["", " ", "a", "\u00e9", "\u00ff\u00fe", "a, b", '"', "code=", "code=503", "code=503; x", 'example="\u00e9"'],
  ...["delay=1", "%C3%A9", "x".repeat(256)],
];

const contract = await loadContract();
const names = toQueryNames(contract.operations);

function createRequest({ pick, between, chance }: Random): SocketRequest {
  const text = () => Array.from({ length: between(0, 3) }, () => pick(PIECES)).join("");
  const headers: Record<string, string> = { authorization: "ApiKey demo-key" };
  for (const name of ["prefer", "idempotency-key", "accept", "x-environment"])
    if (chance(0.1)) headers[name] = pick(HEADER_VALUES);
  // Without a query: the server hides whatever was sent as a key in the target that an error repeats.
  if (chance(0.05)) return { target: LIST, headers: { ...headers, authorization: `ApiKey ${pick(HEADER_VALUES)}` } };
  if (chance(0.4)) {
    const query = Array.from({ length: between(1, 3) }, () => `${chance(0.9) ? pick(names) : text()}=${text()}`).join(
      "&",
    );
    return { method: chance(0.9) ? "GET" : "HEAD", target: `${LIST}?${query}`, headers };
  }
  if (chance(0.9)) headers["content-type"] = chance(0.5) ? "application/json" : pick(TYPES);
  const subscriber = chance(0.8) ? "ines-moreau" : `x${text()}`;
  const [encoding, encode] = pick([
    ["", (body) => body],
    ["", (body) => body],
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["identity", (body) => body],
    ["GZIP", gzipSync],
    ["x-gzip", gzipSync],
    ["gzip", (body) => body],
  ] as [string, (body: Buffer) => Buffer][]);
  if (encoding !== "") headers["content-encoding"] = encoding;
  const body = encode(toBody());
  return { method: "PATCH", target: `/v2/subscribers/${subscriber}/preferences`, headers, body };

  function toBody(): Buffer {
    const bytes = Buffer.from(pick(BODIES));
    const at = between(0, bytes.length - 1);
    const junk = Buffer.from(Array.from({ length: between(1, 3) }, () => between(0, 255)));
    return pick([
      () => bytes,
      () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]), // a byte order mark
      () => Buffer.concat([bytes.subarray(0, at), junk, bytes.subarray(at)]),
      () => Buffer.concat([bytes.subarray(0, at), junk, bytes.subarray(at + junk.length)]),
      () => bytes.subarray(0, at),
      () => Buffer.concat([bytes, junk]),
      () => Buffer.from(bytes.toString(), "utf16le"),
      () => junk,
    ])();
  }
}

test(`${REQUESTS} requests of random bytes get the same responses from server and fetch handler`, async () => {
  const seed = await loadSeed("demo", contract);
  const server = await startServer({ seed: "demo", now: NOW, checkResponses: true, control: false });
  const bridge = await startBridge(createFetchHandler({ seed, now: NOW }).handle);
  const random = createRandom(7);
  const differences = new Map<string, string>();
  const statuses = new Map<number, number>();
  let compared = 0;
  try {
    for (let index = 0; index < REQUESTS; index++) {
      const request = createRequest(random);
      if (!isExpressible({ method: request.method ?? "", target: request.target })) continue;
      const [reference, handled] = await Promise.all([sendTo(server.url, request), sendTo(bridge.url, request)]);
      compared += 1;
      statuses.set(reference.status, (statuses.get(reference.status) ?? 0) + 1);
      const difference = differenceOf(handled, reference);
      if (difference !== "")
        differences.set(
          JSON.stringify({ ...request, body: request.body && Buffer.from(request.body).toString("latin1") }),
          difference,
        );
    }
  } finally {
    await bridge.close();
    await server.close();
  }
  expect(Object.fromEntries(differences)).toEqual({});
  expect(compared).toBeGreaterThan(REQUESTS / 2);
  for (const status of [200, 400, 401, 404, 415, 422]) expect(statuses.get(status), String(status)).toBeGreaterThan(10);
});
