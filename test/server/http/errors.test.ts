import { PassThrough } from "node:stream";
import pino from "pino";
import supertest from "supertest";
import { describe, expect, test, vi } from "vitest";
import { findResponse } from "../../../src/contract/operation.js";
import { systemClock } from "../../../src/core/domain/clock.js";
import { ERRORS } from "../../../src/core/request/errors.js";
import { UncertainAppendError } from "../../../src/core/state/environment.js";
import * as pages from "../../../src/pages/docs/server-pages.js";
import { serveProposal } from "../../../src/proposals/proposal.js";
import { createApp } from "../../../src/server/app.js";
import { createExpressApp, exchangeOf } from "../../../src/server/http/exchange.js";
import { createHandleError } from "../../../src/server/http/handle-error.js";
import { createRecordRequest } from "../../../src/server/http/record-request.js";
import { servingOf } from "../../../src/server/serving.js";
import type { Store } from "../../../src/server/store/environments.js";
import { API_KEY, createReference, expectInContract } from "../../support/reference.js";

const reference = await createReference();
const { contract } = reference;

describe("the table of errors", () => {
  test("has each error status of the contract, except 429, which only injected faults send", () => {
    const statusesOfContract = contract.operations
      .flatMap(({ responses }) => responses.map(({ key }) => key))
      .filter((s) => s >= "400" && s !== "429");
    const statusesOfTable = Object.values(ERRORS).map(({ status }) => String(status));
    expect(new Set(statusesOfTable)).toEqual(new Set(statusesOfContract));
  });

  test("has the codes of the contract, except those of HTTP that is malformed and of injected faults", () => {
    const [known] = contract.schemas.get("ErrorContext")?.member("code")?.alternatives ?? [];
    expect(known?.flat.enum?.toSorted()).toEqual([...Object.keys(ERRORS), "malformedHttp", "rateLimited"].toSorted());
  });

  test.each(Object.entries(ERRORS))("%s cites a decision or clause of its response", (code, { status, citation }) => {
    const responses = contract.operations.flatMap((operation) => findResponse(operation, status) ?? []);
    const ids = responses.flatMap(({ provenance }) => Object.values(provenance).flat());
    if (code === "pathNotFound") expect(citation).toEqual({ clause: "§4" });
    else expect(ids).toContain(Object.values(citation)[0]);
  });
});

describe("a failing disk", () => {
  const url = "/v2/subscribers/ines-moreau/preferences";
  const UPDATE = { method: "PATCH", url, body: { channels: { email: false } } };
  const READ = { ...UPDATE, body: { channels: {} } };
  const STORED = "The change could not be stored";
  test.each([
    ["an update", UPDATE, new Error("ENOSPC"), `${STORED}. Nothing was changed. Try`],
    ["an update that may be stored", UPDATE, new UncertainAppendError("EIO"), `${STORED}. It is uncertain whether`],
    ["a read that cannot record its response", READ, new Error("ENOSPC"), "The preferences could not be read. Try"],
  ])("%s: the response says what became of it", async (_title, request, reason, message) => {
    const { send } = await createReference({ log: { append: () => Promise.reject(reason) } });
    const { status, body } = await send({ ...request, headers: { "idempotency-key": "disk" } });
    expect([status, body.message]).toEqual([503, expect.stringContaining(message)]);
    expect(body.message).toMatch(/Try again in a moment; if it fails again, the server's log says why\.$/);
  });

  test("is 503 with Retry-After, and changes nothing; the next request succeeds", async () => {
    const append = vi.fn(async () => {}).mockRejectedValueOnce(new Error("ENOSPC: no space left on device"));
    const { send } = await createReference({ log: { append } });
    const update = { ...UPDATE, headers: { "idempotency-key": "disk" } };
    const rejection = await send(update);
    expect(rejection).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
    expect(rejection.body.ctx).toEqual({ code: "unavailable", decision: "D-56" });
    expect(rejection.text).not.toContain("ENOSPC");
    expect((await send(READ)).body.global.channels.email).toBe(true);
    const again = await send(update);
    expect([again.status, again.headers["idempotency-replay"]]).toEqual([200, undefined]);
  });
});

test("an error within the error handler is a 500 of the contract, not Express's page with a stack", async () => {
  const app = createExpressApp();
  const errors: string[] = [];
  const log = pino(
    { level: "error" },
    new PassThrough().on("data", (line) => errors.push(String(line))),
  );
  app.use(createRecordRequest({ contract, clock: systemClock, log }));
  app.use((_request, response) => {
    exchangeOf(response).adapt = () => {
      throw new Error("no response can be adapted to this contract");
    };
    throw new Error("the first error");
  });
  app.use(createHandleError(log));
  const { status, text, headers } = await supertest(app).get("/v1/notifications");
  expect([status, headers["content-type"]]).toEqual([500, "application/json; charset=utf-8"]);
  expectInContract("GET", "/v1/notifications", { status, text, headers, body: JSON.parse(text) });
  expect(text).not.toContain("stack");
  expect(errors.map((line) => JSON.parse(line).err.message)).toEqual([
    "the first error",
    "no response can be adapted to this contract",
  ]);
});

describe("the path in an error", () => {
  test.each([
    ["?limit=0&page=x", 422, "?limit=0&page=x"],
    [`?authorization=ApiKey%20${API_KEY}&limit=0`, 422, "?authorization=…&limit=0"],
    [`?search=${API_KEY}&limit=0`, 422, "?search=…&limit=0"],
    ["?after=1990-01-01T00:00:00Z", 402, "?after=1990-01-01T00:00:00Z"],
    ["?limit=+5", 422, "?limit=+5"], // as sent
  ])("%s › keys in the query are hidden", async (query, status, path) => {
    const response = await reference.send({ url: `/v1/notifications${query}` });
    expect([response.status, response.body.path]).toEqual([status, `/v1/notifications${path}`]);
  });
});

describe("an internal error", () => {
  async function breakServer(checkResponses: boolean, store: Store) {
    const lines: string[] = [];
    const stream = new PassThrough().on("data", (chunk) => lines.push(String(chunk)));
    const { clock } = reference;
    const log = pino(stream);
    const serving = servingOf(contract, serveProposal);
    const app = createApp({ pages, serving, contract, store, clock, log, plan: "enterprise", checkResponses });
    const response = await supertest(app)
      .get("/v1/notifications")
      .set("authorization", `ApiKey ${API_KEY}`)
      .ok(() => true);
    return { response, log: lines.join("") };
  }

  test("is 500 with an id that is also logged, and without internals", async () => {
    const store: Store = {
      ...reference.store,
      environmentOf: () => {
        throw new Error("inside");
      },
    };
    const { response, log } = await breakServer(false, store);
    expect(response.status).toBe(500);
    expectInContract("GET", "/v1/notifications", response as never);
    expect(response.text).not.toContain("inside");
    expect(log).toContain("inside");
    expect(log).toContain(response.body.errorId);
    expect(log).not.toContain(API_KEY);
  });

  test("is the response for an invalid one, if responses are checked", async () => {
    const environment = reference.store.environmentOf(API_KEY);
    if (!environment) throw new Error("the key opens an environment");
    const [first] = environment.state.notifications;
    if (!first) throw new Error("the environment has notifications");
    const json = Buffer.from(`${first.json.toString().slice(0, -1)},"surplus":1}`);
    const broken = { ...environment.state, notifications: [{ ...first, json }] };
    const store: Store = { ...reference.store, environmentOf: () => ({ ...environment, state: broken }) };
    const checkingServer = await breakServer(true, store);
    expect(checkingServer.response.status).toBe(500);
    expect(checkingServer.log).toContain("body.data.0.surplus is unknown");
    expect((await breakServer(false, store)).response.status, "unchecked, it is sent").toBe(200);
  });
});

describe("pages of other origins (CORS)", () => {
  test("a preflight is allowed without a key", async () => {
    const response = await reference.send({
      method: "OPTIONS",
      url: "/v2/subscribers/ines-moreau/preferences",
      headers: {
        authorization: null,
        origin: "http://localhost:5173",
        "access-control-request-method": "PATCH",
        "access-control-request-headers": "authorization,content-type,idempotency-key",
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers["access-control-allow-origin"]).toBe("*");
    expect(response.headers).not.toHaveProperty("content-length");
    const methods = response.headers["access-control-allow-methods"]?.toString().split(",");
    expect(methods).toEqual(expect.arrayContaining(["PATCH", "GET", "HEAD", "OPTIONS"]));
    expect(methods).not.toContain("DELETE");
    expect(response.headers["access-control-allow-headers"]).toBe("authorization,content-type,idempotency-key");
  });

  test("every header of the contract may be read, on errors too", async () => {
    for (const url of ["/v1/notifications", "/v1/notifications?limit=0"]) {
      const response = await reference.send({ url, headers: { origin: "http://localhost:5173" } });
      const exposed = response.headers["access-control-expose-headers"]?.split(",");
      expect(exposed?.toSorted()).toEqual(Object.keys(contract.document.components.headers).toSorted());
    }
  });
});
