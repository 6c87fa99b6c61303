// Fetch handler and reference server respond alike to one corpus of requests, and keep the contract.
import zlib from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFetchHandler } from "../../../src/browser/fetch/fetch-handler.js";
import { loadSeed } from "../../../src/server/store/seed.js";
import { startServer } from "../../../src/start-server.js";
import { contract } from "../../support/contract.js";
import { operationsAt } from "../../support/operations-at.js";
import { SIZES } from "../../support/sizes.js";
import { type SocketResponse, sendTo } from "../../support/socket-request.js";
import { startBridge } from "../fetch/bridge.js";
import { API_KEY, createCorpus, type ParityRequest } from "./corpus.js";

const NOW = new Date("2026-11-02T09:00:00Z"); // the demo seed's present
const CONCURRENCY = 8;

/** Fails if one of them disappears. */
const ACCEPTED: Readonly<Record<string, string>> = {
  // Browsers decompress only gzip and deflate. The reference rejects the body because it is not Brotli.
  'updatePreferences › content encoding "br"': "status 415, reference 400",
  // Nor do they know Zstandard, which newer versions of Node do.
  ...("createZstdDecompress" in zlib && { 'updatePreferences › content encoding "zstd"': "status 415, reference 400" }),
  // The fetch handler has no pages.
  "path /": "status 404, reference 200",
  "path /docs": "status 404, reference 200",
  "path /health": "status 404, reference 200",
};

// These depend on the moment, the connection or the length of the data.
const OWN_HEADERS = ["date", "etag", "content-length", "transfer-encoding", "connection", "keep-alive"];

interface Running {
  url: string;
  close(): Promise<void>;
}

const corpus = createCorpus(contract).filter(isExpressible);
/** With those that differ, so that each difference is known to be still there. */
const sent = corpus.filter(({ title }, index) => index % SIZES.everyParityRequest === 0 || title in ACCEPTED);
const servers: Running[] = [];

/** A WHATWG Request has its URL in normal form. */
function isExpressible({ target }: ParityRequest): boolean {
  const { pathname, search } = new URL(`http://api.example.com${target}`);
  return pathname + search === target;
}

beforeAll(async () => {
  const seed = await loadSeed("demo", contract);
  servers.push(
    await startServer({ apiKey: API_KEY, now: NOW, checkResponses: true }),
    await startBridge(createFetchHandler({ seed, apiKey: API_KEY, now: NOW }).handle),
  );
});
afterAll(() => Promise.all(servers.map((server) => server.close())));

test("fetch handler and reference respond alike, but for the accepted differences, and keep the contract", async () => {
  const differences: Record<string, string> = {};
  const violations: string[] = [];
  const waiting = [...sent];
  const work = async () => {
    for (let request = waiting.shift(); request; request = waiting.shift()) {
      const { title } = request;
      const [reference, handler] = (await Promise.all(servers.map(({ url }) => sendTo(url, request)))) as Responses;
      const difference = differenceOf(handler, reference);
      if (difference !== "") differences[title] = difference;
      for (const response of [reference, handler])
        violations.push(...violationsOf(request, response).map((violation) => `${title}: ${violation}`));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  expect(differences).toEqual(ACCEPTED);
  expect(violations).toEqual([]);
  expect(corpus.length, "the corpus is made from the contract").toBeGreaterThan(500);
});

type Responses = [SocketResponse, SocketResponse];

/** One line, empty if they agree. The data of a success may differ, the words of an error may not. */
function differenceOf(handler: SocketResponse, reference: SocketResponse): string {
  if (handler.status !== reference.status) return `status ${handler.status}, reference ${reference.status}`;
  const [own, others] = [handler, reference].map(toComparable);
  return own === others ? "" : `${own}, reference ${others}`;
}

function toComparable({ status, headers, body }: SocketResponse): string {
  const compared = Object.entries(headers)
    .filter(([name]) => !OWN_HEADERS.includes(name))
    .map(([name, value]) => [name, name === "x-request-id" ? "present" : value]);
  const { timestamp, ...error } = status < 400 ? {} : (body ?? {});
  return JSON.stringify([compared.toSorted(), error]);
}

function violationsOf({ method, target, headers }: ParityRequest, response: SocketResponse): string[] {
  if (response.status >= 500 && !headers?.prefer) return [`response is ${response.status}`];
  const [operation] = operationsAt(contract, target.split("?")[0] ?? "");
  const isHead = method === "HEAD";
  if (method === "OPTIONS" || (!operation && (response.status < 400 || isHead))) return []; // none of the contract's
  if (!isHead && response.body === undefined) return [`the body is not JSON: ${response.text.slice(0, 80)}`];
  const body = isHead ? undefined : response.body;
  return contract.checkResponse(operation, { ...response, body }).map(({ location, message }) => location + message);
}
