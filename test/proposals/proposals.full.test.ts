// Every proposal is served the minute it is written: by the mock, by the reference server, and through the proxy. Each
// response is inside the proposal. A sample each day.

import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Contract } from "../../src/contract/contract.js";
import type { Operation } from "../../src/contract/model.js";
import { createFindPath, findResponse, formatOperation, operationFor } from "../../src/contract/operation.js";
import { splitTarget } from "../../src/contract/target.js";
import { createFrozenClock } from "../../src/core/domain/clock.js";
import { createMockApp } from "../../src/mock/mock-server.js";
import { loadPrism } from "../../src/mock/prism.js";
import * as pages from "../../src/pages/docs/server-pages.js";
import { serveProposal } from "../../src/proposals/proposal.js";
import { recordContractOf } from "../../src/proposals/record-contract.js";
import { createApp } from "../../src/server/app.js";
import { startListener } from "../../src/server/http/listener.js";
import { servingOf } from "../../src/server/serving.js";
import { openStore } from "../../src/server/store/environments.js";
import { loadSeed } from "../../src/server/store/seed.js";
import { toPlainPath } from "../../src/tools/model/operations.js";
import { startProxy } from "../../src/tools/proxy/proxy-server.js";
import { contract as ours } from "../support/contract.js";
import { requestOf as requestOfContract } from "../support/requests-by-operation.js";
import { SIZES } from "../support/sizes.js";
import { type SocketRequest, type SocketResponse, sendTo } from "../support/socket-request.js";
import { judge } from "./independent-judge.js";
import { PROPOSALS, type Proposal, toProposal } from "./proposals.js";

const KEY = "proposal-key";
const AUTHORIZED = { authorization: `ApiKey ${KEY}` };
const LIST: SocketRequest = { target: "/v1/notifications?limit=3" };
const UPDATE: SocketRequest = {
  method: "PATCH",
  target: "/v2/subscribers/ines-moreau/preferences",
  headers: { "content-type": "application/json" },
  body: '{"channels":{"email":true}}',
};
/** Requests that are rejected, each by another part of the server; a proposal decides the form of the errors. */
const REJECTED: [request: SocketRequest, statuses: number[]][] = [
  [{ ...LIST, target: "/v1/notifications?limit=0" }, [400, 422]],
  [{ ...UPDATE, target: UPDATE.target.replace("ines-moreau", "nobody") }, [400, 403, 404]],
  [{ ...UPDATE, body: "{" }, [400]],
  [{ ...UPDATE, headers: { "content-type": "text/plain" } }, [415]],
];
const IMPLEMENTED = ours.operations.map((operation) => toPlainPath(formatOperation(operation)));
const log = pino({ level: "silent" });

/** Servers of one proposal, by name. */
async function start(
  contract: Contract,
): Promise<{ urls: Record<string, string>; violations: object[]; close: () => Promise<void> }> {
  const recorded = recordContractOf(contract);
  const demo = await loadSeed("demo", recorded);
  const clock = createFrozenClock(new Date(demo.asOf));
  const seed = async () => demo;
  const store = await openStore({ contract: recorded, folder: undefined, apiKey: KEY, seed, clock });
  const serving = servingOf(contract, serveProposal);
  const app = createApp({ pages, serving, contract, store, clock, log, plan: "enterprise", checkResponses: true });
  const prism = await loadPrism(contract, { isDynamic: false, randomSeed: undefined });
  const listen = (handle: typeof app) => startListener({ handle }, { host: "127.0.0.1", port: 0 });
  const [serve, mock] = await Promise.all([listen(app), listen(createMockApp({ contract, prism, apiKey: KEY, log }))]);
  const proxy = await startProxy({ contract, upstream: serve.url });
  const violations: object[] = []; // that the proxy reports
  proxy.events.on("entry", (entry) => entry.direction === "response" && entry.status !== 401 && violations.push(entry));
  proxy.events.on("internalError", (error) => violations.push(error));
  return {
    urls: { serve: serve.url, mock: mock.url, proxy: proxy.url },
    violations,
    async close() {
      await proxy.close();
      await Promise.all([serve.stop(), mock.stop()]);
      await store.close();
    },
  };
}

function operationOf(contract: Contract, { method = "GET", target }: SocketRequest): Operation | undefined {
  return contract.findOperation(method, splitTarget(target).path);
}

function expectInside(contract: Contract, request: SocketRequest, response: SocketResponse, name: string): void {
  const operation = operationOf(contract, request);
  const isText = !/json/.test(response.headers["content-type"] ?? "json");
  const body = request.method === "HEAD" || response.text === "" ? undefined : isText ? response.text : response.body;
  const violations = contract.checkResponse(operation, { ...response, body });
  const sent = `${name} ${request.method} ${request.target}: ${response.status} ${response.text.slice(0, 300)}`;
  expect(violations, sent).toEqual([]);
  const { method = "GET", target } = request;
  expect(judge(contract.file.value, method, splitTarget(target).path, response), sent).toEqual([]);
}

/** A valid request of an operation. */
function requestOf(operation: Operation, proposal: Proposal): SocketRequest {
  const requests = [...toRequests(proposal).reverse(), LIST, UPDATE].filter(
    ({ target }) => !target.endsWith("limit=0"),
  );
  const findPath = createFindPath([operation]);
  const matching = requests.find(
    ({ method = "GET", target }) => operationFor(findPath(splitTarget(target).path), method) === operation,
  );
  if (matching) return matching;
  const { url = "", method, body } = requestOfContract(operation); // that the contract has gained since
  return { target: url, ...(method && { method }), ...(body === undefined ? {} : jsonBody(body)) };
}

const jsonBody = (body: unknown) => ({
  body: JSON.stringify(body),
  headers: { "content-type": "application/json" },
});

function toRequests({ request = [], isOnly }: Proposal): SocketRequest[] {
  const own = [request].flat().map(({ body, ...rest }) => {
    if (body === undefined) return rest;
    const isJson = typeof body !== "string";
    const headers = { ...(isJson ? { "content-type": "application/json" } : {}), ...rest.headers };
    return { ...rest, body: isJson ? JSON.stringify(body) : body, headers };
  });
  return [...(isOnly ? [] : [LIST, UPDATE]), ...own];
}

const CHOSEN = PROPOSALS.filter((_proposal, index) => index % SIZES.everyProposal === 0);

test("nothing is adapted to what is only said otherwise, but to every other proposal", () => {
  const titles = ["another description", "examples removed", "a path item and a request body elsewhere"];
  for (const proposal of PROPOSALS.filter((one) => CHOSEN.includes(one) || titles.includes(one.title))) {
    const { adapter } = servingOf(toProposal(proposal), serveProposal);
    expect(adapter === undefined, proposal.title).toBe(titles.includes(proposal.title));
  }
});

describe.each(CHOSEN.map((proposal) => [proposal.title, proposal] as const))("%s", (_title, proposal) => {
  const contract = toProposal(proposal);
  let servers: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    servers = await start(contract);
  });
  afterAll(() => servers.close());

  test("has a status that says what is real", async () => {
    const { implementation } = (await sendTo(servers.urls.serve ?? "", { target: "/health" })).body;
    const none = { mocked: [], reasons: [], added: [], withoutEffect: [], unchecked: [], cannotBeShown: [] };
    const { mocked = [] } = proposal.status ?? {};
    const names = contract.operations.map(formatOperation);
    const real = {
      implemented: names.filter((name) => IMPLEMENTED.includes(toPlainPath(name)) && !mocked.includes(name)),
    };
    const { removed, errors: _errors, ...status } = implementation;
    const { removed: expected = [], ...others } = proposal.status ?? {};
    expect(status).toEqual({ ...none, ...real, ...others });
    expect(removed.filter((place: string) => !/ header\./.test(place))).toEqual(expected);
  });

  test("has every status of every operation for Prefer", async () => {
    for (const operation of contract.operations) {
      const request = requestOf(operation, proposal);
      for (const { status } of operation.responses) {
        for (const name of ["serve", "mock"]) {
          const headers = { ...AUTHORIZED, ...request.headers, prefer: `code=${status}` };
          const response = await sendTo(servers.urls[name] ?? "", { ...request, headers });
          expect(response.status, `${name} ${operation.id} ${status}: ${response.text}`).toBe(status);
          expectInside(contract, request, response, name);
        }
      }
    }
  });

  test("is served by all, and responses are inside it", async () => {
    for (const [name, url] of Object.entries(servers.urls)) {
      for (const request of toRequests(proposal)) {
        const operation = operationOf(contract, request);
        if (!operation) continue;
        const response = await sendTo(url, { ...request, headers: { ...AUTHORIZED, ...request.headers } });
        expect(response.status, `${name} ${request.method} ${request.target}: ${response.text}`).not.toBe(500);
        if (/limit=0/.test(request.target)) expect(response.status, `${name}: ${response.text}`).toBe(422);
        else if (!request.headers?.prefer) expect(response.status, `${name}: ${response.text}`).toBeLessThan(300);
        expectInside(contract, request, response, name);
        const again = await sendTo(url, { ...request, headers: { ...AUTHORIZED, ...request.headers } });
        if (response.status < 300) expect(again.text).toBe(response.text);
        const unauthorized = await sendTo(url, { ...request });
        const isOpen = proposal.open?.test(`${request.method ?? "GET"} ${request.target}`);
        expect(unauthorized.status, `${name} without a key`).toBe(isOpen ? response.status : 401);
        if (isOpen) expect(unauthorized.text).toBe(response.text);
        if (findResponse(operation, 401)) expectInside(contract, request, unauthorized, `${name} without a key`);
      }
    }
    expect(servers.violations).toEqual([]);
  });

  test("has errors of its own form", async () => {
    for (const [name, url] of Object.entries(servers.urls)) {
      for (const [request, statuses] of REJECTED) {
        const operation = proposal.isOnly ? undefined : operationOf(contract, request);
        if (!operation) continue;
        const response = await sendTo(url, { ...request, headers: { ...AUTHORIZED, ...request.headers } });
        const isMocked = name === "mock" || response.headers["x-mocked"] !== undefined;
        if (!isMocked) expect(statuses, `${name} ${request.target}: ${response.text}`).toContain(response.status);
        if (findResponse(operation, response.status)) expectInside(contract, request, response, name);
        const isReal = name === "serve" && /^errors/.test(proposal.title);
        if (isReal) expect(response.text, "the server's message").toMatch(/limit|nobody|JSON|Content-Type/);
      }
      const wrongMethod = await sendTo(url, { method: "DELETE", target: LIST.target, headers: AUTHORIZED });
      if (operationOf(contract, LIST)) {
        expect(wrongMethod.headers.allow, name).toMatch(/GET/);
        expect(contract.errorBody?.check(wrongMethod.body, ["body"], "response"), name).toEqual([]);
      }
    }
    expect(servers.violations).toEqual([]);
  });

  test("is documented", async () => {
    const { text } = await sendTo(servers.urls.serve ?? "", { target: "/docs" });
    for (const { id, path } of contract.operations) {
      expect(text).toContain(id);
      expect(text).toContain(path);
    }
  });
});
