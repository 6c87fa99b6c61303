// Thousands of requests as no client sends them. Every response is one that may be given, the next good request is
// handled, the log stays readable, and the server (or the mock) holds no more memory at the end than after the first
// tenth.
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRandom, type Random } from "../../support/random.js";
import { expectInContract } from "../../support/reference.js";
import { SIZES } from "../../support/sizes.js";
import { sendTo } from "../../support/socket-request.js";
import { createApiRequest, type WireRequest } from "./api-requests.js";
import { createControlRequest } from "./control-requests.js";
import { expectAllowed, parseRequest } from "./judge.js";
import { type Measured, type MeasuredServer, startMeasuredServer } from "./measured-server.js";
import { readResponses } from "./wire-responses.js";

const REQUESTS = SIZES.fuzzRequests;
const SEED = SIZES.fuzzSeed;
const AT_ONCE = 20;
const PARTS = 10; // memory is measured after each

const MEGABYTE = 2 ** 20;
const MORE_HEAP = 8 * MEGABYTE;
const MORE_RESIDENT = 64 * MEGABYTE; // the allocator keeps what was free for a moment

const KEY = { authorization: "ApiKey demo-key" };
const UPDATE = "/v2/subscribers/ines-moreau/preferences";

let server: MeasuredServer;

// A 405 is rare: 800 requests need not have one.
const API_STATUSES = ["200", "400", "401", "404", "413", "415", "422", "431"];
const CONTROL_STATUSES = ["200", "201", "204", "400", "403", "404", "405", "409", "415", "422"];

const API = ["API", createApiRequest, API_STATUSES] as const;
const CONTROL = ["control plane", createControlRequest, CONTROL_STATUSES] as const;

describe.each([
  ["server", [API, CONTROL]],
  ["mock", [API]],
] as const)("%s", (kind, rows) => {
  beforeAll(async () => {
    server = await startMeasuredServer(kind);
  });
  afterAll(() => server.close());

  test.each(rows)(
    `%s: ${REQUESTS} fuzz requests (FUZZ_SEED=${SEED})`,
    async (_of, createRequest, expected) => {
      const random = createRandom(SEED);
      const statuses = new Map<string, number>();
      const measured: Measured[] = [];
      for (let part = 0; part < PARTS; part++) {
        for (let count = 0; count < REQUESTS / PARTS; count += AT_ONCE) {
          for (const status of await attack(createRequest, random)) {
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
          }
          await expectGood(kind);
        }
        if (kind === "server") await forgetWhatMayBeKept();
        measured.push(await server.measure());
      }
      console.info(`${kind}, FUZZ_SEED=${SEED}`, Object.fromEntries([...statuses].toSorted()));
      const megabytes = measured.map(({ heapUsed, rss }) => [heapUsed, rss].map(toMegabytes).join("/"));
      console.info("MB of heap and resident:", megabytes.join(" "));
      expect(server.ended()).toBe(null);
      expect([...statuses.keys()]).toEqual(expect.arrayContaining([...expected]));
      expect(measured.at(-1)?.logFaults).toEqual([]);
      expectFlat(measured);
    },
    Math.max(120_000, REQUESTS * 60),
  );
});

/** Sends a handful of requests at once and judges the responses. Gives the statuses; "none" for no response. */
async function attack(createRequest: (random: Random) => WireRequest, random: Random): Promise<string[]> {
  const requests = Array.from({ length: AT_ONCE }, () => createRequest(random));
  const received = await Promise.all(requests.map(send));
  return requests.flatMap((request, index) => {
    const got = received[index] ?? Buffer.alloc(0);
    try {
      return judge(request, got);
    } catch (error) {
      const [sentText, receivedText] = [request.bytes, got].map((bytes) =>
        JSON.stringify(bytes.toString("latin1").slice(0, 2000)),
      );
      throw new Error(`to ${sentText}${request.isCutOff ? " (then silence)" : ""} came ${receivedText}`, {
        cause: error,
      });
    }
  });
}

function judge({ bytes, isCutOff, maxResponses = 1 }: WireRequest, received: Buffer): string[] {
  const request = parseRequest(bytes);
  const responses = readResponses(received, request?.method === "HEAD");
  expect(responses.length).toBeLessThanOrEqual(maxResponses);
  for (const [index, response] of responses.entries()) expectAllowed(response, index === 0 ? request : undefined);
  if (responses.length === 0) expect(isCutOff || request?.method === "CONNECT").toBe(true);
  return responses.length === 0 ? ["none"] : responses.map(({ status }) => String(status));
}

/** All that the server sends until it hangs up. */
function send({ bytes, isCutOff }: WireRequest): Promise<Buffer> {
  return new Promise((resolve) => {
    const received: Buffer[] = [];
    const socket = connect(server.port, "127.0.0.1", () => {
      if (isCutOff) socket.end(bytes);
      else socket.write(bytes);
    });
    socket.on("data", (chunk) => received.push(chunk));
    socket.on("error", () => {}); // the server may hang up while the rest is still being sent
    socket.on("close", () => resolve(Buffer.concat(received)));
  });
}

async function expectGood(kind: "server" | "mock"): Promise<void> {
  const list = await sendTo(server.url, { target: "/v1/notifications?limit=2", headers: KEY });
  expectInContract("GET", "/v1/notifications?limit=2", list);
  expect([list.status, list.body.data.length]).toEqual([200, 2]);
  const headers = { ...KEY, "content-type": "application/json" };
  const body = '{"channels":{"sms":false}}';
  const update = await sendTo(server.url, { method: "PATCH", target: UPDATE, headers, body });
  expectInContract("PATCH", UPDATE, update);
  expect(update.status).toBe(200);
  if (kind === "server") expect(update.body.global.channels.sms).toBe(false);
}

/** The log of requests, and the environments that were made: both are kept on purpose. */
async function forgetWhatMayBeKept(): Promise<void> {
  const { body } = await sendTo(server.url, { target: "/_control/environments" });
  const names: string[] = body.environments.map(({ name }: { name: string }) => name);
  const targets = names.filter((name) => name !== "default").map((name) => `environments/${name}`);
  for (const what of ["requests", ...targets]) {
    expect(await sendTo(server.url, { method: "DELETE", target: `/_control/${what}` })).toMatchObject({ status: 204 });
  }
}

function expectFlat(measured: readonly Measured[]): void {
  const grown = (of: (sample: Measured) => number) => of(measured.at(-1) as Measured) - of(measured[0] as Measured);
  expect(grown(({ heapUsed, external }) => heapUsed + external)).toBeLessThan(MORE_HEAP);
  expect(grown(({ rss }) => rss)).toBeLessThan(MORE_RESIDENT);
}

function toMegabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(0);
}
