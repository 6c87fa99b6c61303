// What a client sends to a proposal, and the status that it gets: paths, keys, bodies and the status of an invalid
// request.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Operation } from "../../src/contract/model.js";
import { startMock } from "../../src/mock/mock-server.js";
import { eovValidatorOf } from "../../src/server/http/eov-validator.js";
import { startServer } from "../../src/start-server.js";
import { DEMO_DATA, TARGETS } from "../../src/tools/verify/declared-target.js";
import { toSpec } from "../../src/tools/verify/test-request.js";
import { sendTo } from "../support/socket-request.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import { type Proposal, toProposal } from "./proposals.js";

const KEY = { authorization: "ApiKey demo-key" };
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const ok = (value: string) => ({ 200: { description: "OK", ...json({ const: value }) } });
const taking = (content: object) => ({ requestBody: { required: true, content }, responses: ok("taken") });

const edit: Proposal["edit"] = (document) => {
  const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
  Object.assign(document.paths, {
    "/v1/topics/{id}": { get: { parameters: [id], responses: { ...ok("template"), "x-note": 5 } } },
    "/v1/bücher und mehr": { get: {} },
    "/v1/ranges": { get: { responses: { ...ok("fine"), "4XX": { description: "No.", ...json({ const: "range" }) } } } },
    "/v1/joined": {
      get: {
        parameters: [{ name: "ids", in: "query", explode: false, schema: { type: "array" } }],
        responses: ok("a"),
      },
    },
    "/v1/topics/{id}:mute": {
      post: { parameters: [{ ...id, schema: { type: "integer" } }], responses: ok("muted") },
    },
    "/v1/open": { get: { security: [{}, { header: [] }], responses: ok("open") } },
    "/v1/list": { post: taking(json({ type: "array" }).content) },
    "/v1/unique": { post: taking(json({ type: "array", uniqueItems: true }).content) },
    "/v1/merge": { patch: taking({ "application/merge-patch+json": { schema: { required: ["a"] } } }) },
    "/v1/charset": { post: taking({ "application/json; charset=utf-8": { schema: { required: ["a"] } } }) },
    "/v1/notify": { post: taking({ "application/vnd.notify+json;version=2": { schema: { required: ["a"] } } }) },
    "/v1/header": { post: taking({ "text/csv; header=present": { schema: { type: "string" } } }) },
    "/v1/any": { post: taking({ "application/*": { schema: { type: "object", required: ["a"] } } }) },
    "/v1/text": { post: taking({ "text/csv": { schema: { type: "string" } }, "application/xml-patch+xml": {} }) },
  });
  const { responses } = document.paths["/v1/notifications"].get;
  responses[400] = { description: "Invalid.", ...json({ type: "object" }) };
  delete responses[422];
  responses[200].content["text/csv"] = { schema: { const: "id,createdAt" } };
  const { limit } = document.components.parameters;
  limit.schema = { type: "string", enum: ["1", "20"], default: "20" };
  Object.assign(document.components.securitySchemes, {
    header: { type: "apiKey", in: "header", name: "X-Api-Key" },
    query: { type: "apiKey", in: "query", name: "api_key" },
    bearer: { type: "http", scheme: "bearer" },
    oauth: { type: "openIdConnect", openIdConnectUrl: "https://example.com" },
  });
  const schemes = Object.keys(document.components.securitySchemes ?? {});
  document.security = schemes.map((name) => ({ [name]: [] }));
};

const contractPath = join(await createTemporaryFolder(afterAll), "openapi.json");
await writeFile(contractPath, JSON.stringify(toProposal({ edit }).file.value));
const servers = { serve: await startServer({ contractPath }), mock: await startMock({ contractPath }) };
afterAll(async () => {
  await Promise.all(Object.values(servers).map((server) => server.close()));
});

const body = (type: string, text: string) => ({ headers: { ...KEY, "content-type": type }, body: text });
const post = (target: string, type: string, text: string) => ({ method: "POST", target, ...body(type, text) });
const LIST = "/v1/notifications?limit=1";

test.each<[title: string, request: Parameters<typeof sendTo>[1], status: number, body?: string | object]>([
  ["a template, with an extension among its responses", { target: "/v1/topics/x", headers: KEY }, 200, "template"],
  ["objects that differ", post("/v1/unique", "application/json", '[{"a":1},{"a":2}]'), 200],
  ["equal objects", post("/v1/unique", "application/json", '[{"a":1},{"a":1}]'), 422],
  ["members called valueOf", post("/v1/unique", "application/json", '[{"valueOf":1},{"valueOf":2}]'), 200],
  ["a path beyond ASCII, without responses", { target: "/v1/b%C3%BCcher%20und%20mehr", headers: KEY }, 200],
  ["an absent body that is no object", { method: "POST", target: "/v1/list", headers: KEY }, 422],
  ["JSON for a merge patch", { method: "PATCH", target: "/v1/merge", ...body("application/json", '{"a":1}') }, 415],
  ["an invalid patch", { method: "PATCH", target: "/v1/merge", ...body("application/merge-patch+json", "{}") }, 422],
  [
    "XML for text",
    { method: "POST", target: "/v1/text", ...body("application/xml", "<a/>") },
    415,
    { message: expect.stringMatching(/Send "Content-Type: text\/csv" or "application\/xml-patch\+xml"/) },
  ],
  ["a declared parameter, sent", post("/v1/charset", "application/json; charset=utf-8", '{"a":1}'), 200, "taken"],
  ["a declared parameter, not sent", post("/v1/charset", "application/json", '{"a":1}'), 200, "taken"],
  ["an invalid body of a type with a parameter", post("/v1/charset", "application/json", "{}"), 422],
  ["another declared parameter", post("/v1/notify", "application/vnd.notify+json;version=2", '{"a":1}'), 200, "taken"],
  ["an invalid body of such a type", post("/v1/notify", "application/vnd.notify+json;version=2", "{}"), 422],
  ["text with a declared parameter", post("/v1/header", "text/csv; header=present", "a,b"), 200, "taken"],
  ["another type than that", post("/v1/header", "text/plain", "a,b"), 415],
  ["text, unchecked", { method: "POST", target: "/v1/text", ...body("text/csv", "a,b") }, 200, "taken"],
  ["XML for a range of types", post("/v1/any", "application/xml", "<a/>"), 200, "taken"],
  ["an invalid body of a type in a range", post("/v1/any", "application/json", "{}"), 422],
  ["a number before a verb", { method: "POST", target: "/v1/topics/7:mute", headers: KEY }, 200, "muted"],
  ["a list between commas", { target: "/v1/joined?ids=a,b", headers: KEY }, 200, "a"],
  [
    "a list between commas that is repeated",
    { target: "/v1/joined?ids=a&ids=b", headers: KEY },
    422,
    { message: "query.ids must occur once, with commas between its values" },
  ],
  ["an invalid list with a 400", { target: "/v1/notifications?limit=2", headers: KEY }, 400, { statusCode: 400 }],
  [
    "another media type of a handler's success",
    { target: "/v1/notifications", headers: { ...KEY, accept: "text/csv, */*;q=0.1" } },
    200,
    "id,createdAt",
  ],
  ["an apostrophe", { target: `${LIST}&search=O'Neil`, headers: KEY }, 200],
  ["a key in its own header", { target: LIST, headers: { "x-api-key": "demo-key" } }, 200],
  ["a key as bearer", { target: LIST, headers: { authorization: "Bearer demo-key" } }, 200],
  ["a key in the query", { target: `${LIST}&api_key=demo-key` }, 200],
  ["a status of a range", { target: "/v1/ranges", headers: { ...KEY, prefer: "code=418" } }, 418, "range"],
  ["a status outside of it", { target: "/v1/ranges", headers: { ...KEY, prefer: "code=500" } }, 400],
  ["a wrong key", { target: LIST, headers: { "x-api-key": "wrong" } }, 401],
  [
    "a wrong key where none is needed",
    { target: "/v1/open", headers: { "x-api-key": "wrong" } },
    401,
    { message: expect.stringContaining('Send "X-Api-Key: <key>".') },
  ],
])("%s", async (_title, request, status, want) => {
  for (const [name, { url }] of Object.entries(servers)) {
    const response = await sendTo(url, request);
    expect(response.status, `${name}: ${response.text}`).toBe(status);
    if (typeof want === "string") expect(response.body ?? response.text, name).toBe(want);
    else if (want) expect(response.body, name).toMatchObject(want);
    if (request.target.startsWith(LIST) && status === 200) {
      expect(response.headers["x-mocked"], `${name} with a limit that is text`).toBeUndefined();
      expect(response.body.data.length, name).toBeLessThanOrEqual(1);
    }
  }
});

test("a 401 names each scheme", async () => {
  for (const { url } of Object.values(servers)) {
    const { headers } = await sendTo(url, { target: "/nothing" });
    expect(headers["www-authenticate"]).toBe("ApiKey, Bearer");
  }
});

const WHY = { properties: { why: { default: "user" } } };

test.each([{ required: ["why"], ...WHY }, { allOf: [WHY, { required: ["why"] }] }])(
  "a required member must be sent although it has a default: %j",
  async (schema) => {
    const post = taking(json(schema).content);
    const contract = toProposal({ edit: ({ paths }) => Object.assign(paths, { "/v1/reason": { post } }) });
    const operation = contract.findOperation("POST", "/v1/reason") as Operation;
    const values = { query: {}, header: {}, path: {}, cookie: {}, body: {} };
    const { violations } = await eovValidatorOf(contract)(operation, values, operation.body?.content[0]);
    expect(violations.map(({ location }) => location)).toEqual(["body.why"]);
  },
);

test("what gives no access is listed", async () => {
  for (const { url } of Object.values(servers)) {
    const { implementation } = (await sendTo(url, { target: "/health" })).body;
    expect(implementation.unchecked).toEqual([
      expect.stringMatching(/:1 text\/csv; header=present: /),
      expect.stringMatching(/:1 text\/csv: /),
      expect.stringMatching(/:1 application\/xml-patch\+xml: /),
      expect.stringMatching(/:1 type: openIdConnect: the API key alone gives access$/),
    ]);
  }
});

test.each<[scheme: object, target: string, headers: object]>([
  [{ type: "apiKey", in: "header", name: "X-Api-Key" }, "/", { "x-api-key": "a=b" }],
  [{ type: "apiKey", in: "query", name: "key" }, "/?key=a%3Db", {}],
  [{ type: "http", scheme: "bearer" }, "/", { authorization: "Bearer a=b" }],
])("verify sends the key where the contract has it: %j", (scheme, place, headers) => {
  const contract = toProposal({ edit: (document) => (document.components.securitySchemes = { apiKey: scheme }) });
  const target = { ...DEMO_DATA, ...TARGETS.reference, url: new URL("http://127.0.0.1"), apiKey: "a=b" };
  expect(toSpec({ url: "/" }, contract, target)).toEqual({ method: "GET", target: place, headers });
});
