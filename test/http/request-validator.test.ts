// EOV with less around it: the first request of an operation, which compiles its schemas, and every later one get the same
// verdict, and what EOV is not given changes none.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import express, { type ErrorRequestHandler } from "express";
import * as OpenApiValidator from "express-openapi-validator";
import supertest from "supertest";
import { describe, expect, test } from "vitest";
import { startServer } from "../../src/server.js";
import { ROOT } from "../support/command.js";
import { createReference } from "../support/reference.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const PATHS = ["ines-moreau", "ines%2Dmoreau", "nobody%20%2F", "%C3%A9", "a%3Fb", "constructor"];
const BODIES = [
  { channels: { email: true } },
  { channels: { email: "yes" }, workflowId: 5 },
  { channels: {}, more: 1 },
  {},
  [],
  "text",
  { channels: { fax: true } },
];

const toRequests = () =>
  PATHS.flatMap((subscriberId) => BODIES.map((body) => ({ url: `/v2/subscribers/${subscriberId}/preferences`, body })));

describe("the first request of an operation and later ones", () => {
  const requests = toRequests();
  const sample = [...requests.slice(0, BODIES.length), ...requests.filter(({ body }) => body === BODIES[1])];
  test.each([...new Set(sample)])("$url $body", async ({ url, body }) => {
    const fresh = await createReference();
    const request = async () => {
      const { status, body: response } = await fresh.send({ method: "PATCH", url, body });
      return { status, response };
    };
    expect(await request()).toEqual(await request());
  });
});

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
  for (const { url, body } of toRequests().slice(0, BODIES.length)) {
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

test("a rejection shows what was sent, not what EOV has made of it", async () => {
  const folder = await createTemporaryFolder();
  const contractPath = join(folder, "openapi.yaml");
  const text = await readFile(join(ROOT, "openapi.yaml"), "utf8");
  const numbered = text.replace(
    /(ignoredIdempotencyKey:[\s\S]*?)schema: \{ type: string \}/,
    "$1schema: { type: integer, maximum: 3 }",
  );
  expect(numbered).not.toBe(text);
  await writeFile(contractPath, numbered);
  const server = await startServer({ contractPath });
  try {
    const request = async (key: string) => {
      const headers = { Authorization: `ApiKey ${server.apiKey}`, "Idempotency-Key": key };
      const response = await fetch(`${server.url}/v1/notifications`, { headers });
      return { status: response.status, body: (await response.json()) as object };
    };
    const rejection = { status: 422, body: { errors: { "header.idempotency-key": { value: "007" } } } };
    expect(await request("007")).toMatchObject(rejection);
    expect((await request("2")).status, "accepted").toBe(200);
    expect(await request("007")).toMatchObject(rejection);
  } finally {
    await server.close();
  }
});

test("a server URL with a path does not switch validation off", async () => {
  const contractPath = join(await createTemporaryFolder(), "openapi.yaml");
  const text = await readFile(join(ROOT, "openapi.yaml"), "utf8");
  const prefixed = text.replace(/^( *- url: ).*$/m, "$1https://service.example/api");
  expect(prefixed).not.toBe(text);
  await writeFile(contractPath, prefixed);
  const server = await startServer({ contractPath });
  try {
    const headers = { Authorization: `ApiKey ${server.apiKey}` };
    expect((await fetch(`${server.url}/v1/notifications?limit=0`, { headers })).status).toBe(422);
  } finally {
    await server.close();
  }
});

test("reserved characters need no encoding where the contract says so, and only there (D-67)", async () => {
  const contractPath = join(await createTemporaryFolder(), "openapi.yaml");
  const text = await readFile(join(ROOT, "openapi.yaml"), "utf8");
  const strict = text.replace(/(\n +name: search\n(?: +(?!name:).*\n)*?) +allowReserved: true\n/, "$1");
  expect(strict).not.toBe(text);
  await writeFile(contractPath, strict);
  const server = await startServer({ contractPath });
  try {
    const request = async (query: string) => {
      const headers = { Authorization: `ApiKey ${server.apiKey}` };
      const response = await fetch(`${server.url}/v1/notifications?${query}`, { headers });
      return { status: response.status, body: (await response.json()) as object };
    };
    const errors = { "query.search": { value: "a/b?c", messages: [expect.stringContaining("must be url encoded")] } };
    expect(await request("search=a/b?c")).toMatchObject({ status: 422, body: { errors } });
    expect((await request("search=a%2Fb%3Fc")).status, "encoded").toBe(200);
    expect((await request("transactionId=a/b?c")).status, "another parameter").toBe(200);
  } finally {
    await server.close();
  }
});
