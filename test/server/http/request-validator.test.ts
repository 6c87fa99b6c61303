// EOV with less around it: the first request of an operation, which compiles its schemas, and every later one get the same
// verdict, and what EOV is not given changes none.
import express, { type ErrorRequestHandler } from "express";
import * as OpenApiValidator from "express-openapi-validator";
import supertest from "supertest";
import { describe, expect, test } from "vitest";
import type { ParameterObject } from "../../../src/contract/openapi-document.js";
import { createEditedContract } from "../../support/edited-contract.js";
import { createReference } from "../../support/reference.js";

const url = "/v2/subscribers/ines-moreau/preferences";
const BODIES = [
  { channels: { email: true } },
  { channels: { email: "yes" }, workflowId: 5 },
  { channels: {}, more: 1 },
  {},
  [],
  "text",
  { channels: { fax: true } },
];

test.each(BODIES.slice(0, 2))(
  "the first request of an operation and later ones get the same response: %j",
  async (body) => {
    const { send } = await createReference({ contract: createEditedContract(() => {}) }); // no schema is compiled yet
    const request = async () => {
      const { status, body: response } = await send({ method: "PATCH", url, body });
      return { status, response };
    };
    expect(await request()).toEqual(await request());
  },
);

test("with the whole document EOV comes to the same verdicts", async () => {
  const reference = await createReference();
  const whole = express();
  whole.use(express.json({ strict: false }));
  whole.use(
    OpenApiValidator.middleware({
      apiSpec: structuredClone(reference.contract.document) as never,
      validateApiSpec: false,
      validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
      validateResponses: false,
      validateSecurity: false,
      ajvFormats: { mode: "full" },
      fileUploader: false,
    }),
  );
  whole.use((_request, response) => void response.status(200).end());
  const answerError: ErrorRequestHandler = (error, _request, response, _next) => {
    response.status(error.status ?? 500).json(error.errors?.map(({ path }: { path: string }) => path));
  };
  whole.use(answerError);
  let rejected = 0;
  for (const body of BODIES) {
    const itsResponse = await supertest(whole).patch(url).type("json").send(JSON.stringify(body));
    const ours = await reference.send({ method: "PATCH", url, body });
    expect(ours.status === 422, `${JSON.stringify(body)} ${itsResponse.status} ${itsResponse.text}`).toBe(
      itsResponse.status === 400,
    );
    if (ours.status !== 422) expect(itsResponse.status).toBe(200);
    if (ours.status !== 422) continue;
    rejected += 1;
    const places = new Set((itsResponse.body as string[]).map((path) => path.split("/").filter(Boolean).join(".")));
    expect(new Set(Object.keys(ours.body.errors))).toEqual(places);
  }
  expect(rejected).toBeGreaterThan(3);
});

describe("a contract that is edited", () => {
  const contract = createEditedContract(({ servers = [], components: { parameters } }) => {
    const { ignoredIdempotencyKey: key, search } = parameters as Record<string, ParameterObject>;
    if (!key || !search || !servers[0]) throw new Error("the contract has changed: it has no such parts");
    key.schema = { type: "integer", maximum: 3 };
    search.allowReserved = false;
    servers[0].url = "https://service.example/api";
  });

  test("a rejection shows what was sent, not what EOV has made of it", async () => {
    const { send } = await createReference({ contract });
    const request = (key: string) => send({ url: "/v1/notifications", headers: { "idempotency-key": key } });
    const rejection = { status: 422, body: { errors: { "header.idempotency-key": { value: "007" } } } };
    expect(await request("007")).toMatchObject(rejection);
    expect((await request("2")).status, "accepted").toBe(200);
    expect(await request("007")).toMatchObject(rejection);
  });

  test("reserved characters need no encoding where the contract says so, and only there (D-67)", async () => {
    const { send } = await createReference({ contract });
    const request = (query: string) => send({ url: `/v1/notifications?${query}` });
    const errors = { "query.search": { value: "a/b?c", messages: [expect.stringContaining("must be url encoded")] } };
    expect(await request("search=a/b?c")).toMatchObject({ status: 422, body: { errors } });
    expect((await request("search=a%2Fb%3Fc")).status, "encoded").toBe(200);
    expect((await request("transactionId=a/b?c")).status, "another parameter").toBe(200);
  });

  test("a server URL with a path does not switch validation off", async () => {
    const { send } = await createReference({ contract });
    expect((await send({ url: "/v1/notifications?limit=0" })).status).toBe(422);
  });
});
