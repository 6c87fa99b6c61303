// Each operation of a proposal is real or mocked as a whole, and errors have the form that the proposal gives them.
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import supertest from "supertest";
import { describe, expect, test } from "vitest";
import type { OpenApiDocument } from "../../src/contract/openapi-document.js";
import { formatOperation } from "../../src/contract/operation.js";
import { fitValue } from "../../src/contract/sample/sample.js";
import { serveProposal } from "../../src/proposals/proposal.js";
import { adaptError } from "../../src/proposals/response.js";
import { contract as ours } from "../support/contract.js";
import { API_KEY, createReference } from "../support/reference.js";
import { createSmallSeed } from "../support/small-seed.js";
import { objectOf, toProposal } from "./proposals.js";

// biome-ignore lint/suspicious/noExplicitAny: edits reach deep into a document
type Any = any;
const UPDATE = "PATCH /v2/subscribers/{subscriberId}/preferences";
const LIST = "GET /v1/notifications";
const NOW = "2026-11-02T09:00:00.000Z";
const text = { type: "string" };
const isText = expect.stringContaining("is not found");
const update = ({ components }: Any) => components.schemas.PreferencesUpdate;
const parameter = ({ components }: Any, name: string) => components.parameters[name];

describe("an operation is mocked as a whole, with the member that decides", () => {
  test.each<[title: string, edit: (document: Any) => void, reasons: RegExp[]]>([
    [
      "a header that an update requires",
      ({ paths }) => patchOf(paths).parameters.push({ name: "X-Tenant", in: "header", required: true, schema: {} }),
      [/^PATCH \S+ header\.X-Tenant is required$/],
    ],
    [
      "a success of any text",
      ({ paths }) => (patchOf(paths).responses[200].content = { "text/*": { schema: { type: "string" } } }),
      [/200 body is text\/\*$/],
    ],
    [
      "texts that are numbers",
      (document) => (parameter(document, "limit").schema = { enum: ["1", "20"], type: "string" }),
      [],
    ],
    [
      "a date in place of a timestamp",
      (document) => (parameter(document, "after").schema = { type: "string", format: "date" }),
      [/^GET \/v1\/notifications query\.after is date, where the handler takes date-time$/],
    ],
    [
      "a channel of words",
      ({ components: { schemas } }) => (schemas.ChannelPreferences.properties.sms = { enum: ["on", "off", "inherit"] }),
      [/body\.channels\.sms may be of type string$/],
    ],
    [
      "resources of JSON:API",
      ({ components: { schemas } }) => {
        const { data } = schemas.NotificationPage.properties;
        data.items = { type: "object", required: ["id"], properties: { id: {}, attributes: data.items } };
      },
      [/body\.data\[\] has none of the handler's members$/],
    ],
    [
      "the channels renamed",
      (document) => renameRequired(update(document), "channels", "settings"),
      [/body\.\w+ is (required|missing)$/],
    ],
    [
      "a required member that is new",
      (document) => addRequired(update(document), "reason"),
      [/body\.reason is required$/],
    ],
    [
      "a body that may be missing",
      ({ paths }) => (paths[UPDATE.slice(6)].patch.requestBody.required = false),
      [/body may be missing$/],
    ],
    [
      "a bare list",
      ({ paths }) =>
        (paths["/v1/notifications"].get.responses[200].content["application/json"] = { schema: { type: "array" } }),
      [/200 body lacks data$/],
    ],
    [
      "a size that is a text",
      ({ components: { schemas } }) => (schemas.NotificationPage.properties.pageSize = { type: "string" }),
      [/200 body\.pageSize must be of type string$/],
    ],
  ])("%s", (_title, edit, reasons) => {
    const contract = toProposal({ edit: edit as (document: OpenApiDocument) => void });
    const { implementation: status } = serveProposal(contract);
    expect(status.reasons).toEqual(reasons.map((reason) => expect.stringMatching(reason)));
    expect(status.implemented.length + status.mocked.length).toBe(contract.operations.length);
    expect(status.mocked).toHaveLength(reasons.length);
  });
});

const patchOf = (paths: Any) => paths["/v2/subscribers/{subscriberId}/preferences"].patch;

function rename(map: Any, from: string, to: string): void {
  map[to] = map[from];
  delete map[from];
}

function renameRequired(schema: Any, from: string, to: string): void {
  rename(schema.properties, from, to);
  schema.required = schema.required.map((name: string) => (name === from ? to : name));
}

function addRequired(schema: Any, name: string, keywords: object = {}): void {
  schema.properties[name] = { type: "string", ...keywords };
  schema.required = [...(schema.required ?? []), name];
}

const dryRun = { name: "dryRun", in: "query", schema: { type: "boolean", default: false } };

type Sent = { query?: string; headers?: object };
const HEADERS = ["If-Match", "Accept-Language"].map((name) => ({ name, in: "header", schema: { type: "string" } }));

const addHeaders = ({ paths }: Any) => patchOf(paths).parameters.push(...HEADERS);

test.each<[title: string, edit: (document: Any) => void, body: object, isMocked: boolean, sent?: Sent]>([
  ["all of it is known", (document) => addRequired(document.components.schemas.Preferences, "note"), {}, false],
  [
    "a parameter has no effect",
    ({ paths }) => patchOf(paths).parameters.push(dryRun),
    {},
    true,
    { query: "?dryRun=true" },
  ],
  ["a precondition has none", addHeaders, {}, true, { headers: { "if-match": "1" } }],
  ["a language has none", addHeaders, {}, false, { headers: { "accept-language": "de" } }],
  ["its default has none", ({ paths }) => patchOf(paths).parameters.push(dryRun), {}, false],
  [
    "its selector is renamed",
    (document) => rename(update(document).properties, "workflowId", "workflowIds"),
    { workflowIds: "workflow-1" },
    true,
  ],
  ["its selector is removed", (document) => delete update(document).properties.workflowId, {}, true],
  [
    "a member has no effect",
    (document) => (update(document).properties.dryRun = { type: "boolean" }),
    { dryRun: true },
    true,
  ],
  [
    "a default has no effect",
    (document) => (update(document).properties.notify = { type: "boolean", default: true }),
    {},
    false,
  ],
])("a write does no more than was asked where %s", async (_title, edit, more, isMocked, sent = {}) => {
  const { app, store } = await createReference({ contract: toProposal({ edit }), seed: createSmallSeed() });
  const readState = () => JSON.stringify(store.environments[0]?.state.toData());
  const before = readState();
  const response = await supertest(app)
    .patch(`/v2/subscribers/subscriber-1/preferences${sent.query ?? ""}`)
    .set({ authorization: `ApiKey ${API_KEY}`, ...sent.headers })
    .send({ channels: { email: false }, ...more });
  expect([response.status, response.headers["x-mocked"]]).toEqual([200, isMocked ? "not-implemented" : undefined]);
  expect(readState() === before, "the state is unchanged").toBe(isMocked);
  await store.close();
});

describe("/health lists what is so and no more", () => {
  const real: Record<string, string[]> = { mocked: [], reasons: [], added: [], removed: [], withoutEffect: [] };
  test.each<[title: string, edit: (document: Any) => void, differences: Partial<typeof real>]>([
    [
      "a new member of a body",
      (document) => (update(document).properties.note = text),
      { withoutEffect: [`${UPDATE} body.note`] },
    ],
    ["a read-only one", (document) => (update(document).properties.note = { ...text, readOnly: true }), {}],
    ["a required read-only one", (document) => addRequired(update(document), "note", { readOnly: true }), {}],
    [
      "a member of a body that is read-only now",
      (document) => (update(document).properties.workflowId = { ...text, readOnly: true }),
      { mocked: [UPDATE], reasons: [`${UPDATE} body.workflowId is read-only`] },
    ],
    [
      "a new required member of a response",
      ({ components: { schemas } }) => addRequired(schemas.Preferences, "note"),
      { added: [`${UPDATE} 200 body.note`] },
    ],
    [
      "a header that was optional",
      ({ components }) => (components.headers["RateLimit-Policy"].required = true),
      { added: ours.operations.map((operation) => `${formatOperation(operation)} 200 header.ratelimit-policy`) },
    ],
    [
      "a member of a branch",
      (document) => {
        const { additionalProperties: _closed, ...open } = update(document);
        const anyOf = [{ required: ["note"], properties: { note: text } }, { required: ["workflowId"] }];
        document.components.schemas.PreferencesUpdate = { ...open, anyOf };
      },
      { withoutEffect: [`${UPDATE} body.note`] },
    ],
    [
      "a write-only one",
      ({ components: { schemas } }) => addRequired(schemas.Preferences, "note", { writeOnly: true }),
      {},
    ],
    [
      "a member of a response that is write-only now",
      ({ components: { schemas } }) => (schemas.Notification.properties.transactionId = { ...text, writeOnly: true }),
      { removed: [`${LIST} 200 body.data[].transactionId`] },
    ],
  ])("%s", (_title, edit, differences) => {
    expect(serveProposal(toProposal({ edit })).implementation).toMatchObject({ ...real, ...differences });
  });
});

describe("errors have the form of the proposal", () => {
  const ajv = ajvFormats.default(new Ajv2020({ strict: false })) as Ajv2020;
  test.each<[title: string, members: object, expected: object]>([
    [
      "problem details",
      { type: { type: "string", format: "uri-reference" }, title: text, status: { type: "integer" }, detail: text },
      { status: 404, detail: isText },
    ],
    [
      "an error with a code",
      { error: objectOf({ code: { enum: ["NOT_FOUND", "INVALID"] }, message: text }, { additionalProperties: false }) },
      { error: { code: "NOT_FOUND", message: isText } },
    ],
    [
      "JSON:API",
      { errors: { type: "array", minItems: 1, items: objectOf({ status: text, detail: text }) } },
      { errors: [{ status: "404", detail: isText }] },
    ],
    ["a list of messages", { errors: { type: "array", minItems: 1, items: text } }, { errors: [isText] }],
    [
      "messages by field",
      {
        errors: { type: "object", minProperties: 1, additionalProperties: { type: "array", minItems: 1, items: text } },
      },
      { errors: expect.anything() },
    ],
    ["a constant", { ok: { const: false }, reason: text }, { ok: false, reason: isText }],
    ["the status in its range", { http: { type: "integer", minimum: 400, maximum: 599 } }, { http: 404 }],
  ])("%s", (_title, members, expected) => {
    const schema = objectOf(members);
    const error = {
      statusCode: 404,
      message: "x is not found",
      path: "/v2/x",
      timestamp: NOW,
      code: "subscriberNotFound",
    };
    const adapted = adaptError(ours.schemaOf(schema), {}, error);
    expect(adapted).toMatchObject(expected);
    expect(ajv.validate(schema, adapted), JSON.stringify(ajv.errors)).toBe(true);
  });
});

describe("a code of the server is the one of an enumeration that means it", () => {
  const own = ["NOT_FOUND", "BAD_REQUEST", "VALIDATION_FAILED", "CONFLICT", "METHOD_NOT_ALLOWED", "TOO_LARGE"];
  const google = ["NOT_FOUND", "ALREADY_EXISTS", "INVALID_ARGUMENT", "UNAUTHENTICATED", "INTERNAL", "UNAVAILABLE"];
  test.each<[code: string, status: number, values: string[], expected: string]>([
    ["invalidJson", 400, own, "BAD_REQUEST"],
    ["invalidRequest", 422, own, "VALIDATION_FAILED"],
    ["idempotencyInProgress", 409, own, "CONFLICT"],
    ["invalidRequest", 422, google, "INVALID_ARGUMENT"],
    ["methodNotAllowed", 405, google, "INVALID_ARGUMENT"],
    ["workflowNotFound", 404, google, "NOT_FOUND"],
    ["unavailable", 503, google, "UNAVAILABLE"],
  ])("%s %i of %j", (code, statusCode, values, expected) => {
    const schema = ours.schemaOf({
      type: "object",
      required: ["code"],
      properties: { code: { enum: values } },
    });
    const error = { statusCode, message: "No.", path: "/", timestamp: NOW, code };
    expect(adaptError(schema, {}, error)).toEqual({ code: expected });
  });
});

test.each([
  [{ type: "string", example: "an example" }, "66e0f1a2"],
  [{ type: "integer", example: 7 }, 7],
])("an id that a proposal adds is the record's own if it may be: %j", (id, expected) => {
  const record = { type: "object", required: ["id"], additionalProperties: false, properties: { id } };
  const schema = ours.schemaOf(record);
  expect(fitValue(schema, { _id: "66e0f1a2" }, { path: "", request: "" })).toEqual({ id: expected });
});

test("a member that the handler leaves out is null if it may be: no sample says that there is a value", () => {
  const { schemaOf } = ours;
  const nullable = { anyOf: [{ type: "object", properties: { name: { type: "string" } } }, { type: "null" }] };
  const implemented = schemaOf({ type: "array", items: { properties: { template: { type: "object" } } } });
  const properties = { template: nullable, owner: { enum: ["ann", null] } };
  const schema = schemaOf({ type: "array", items: { type: "object", required: Object.keys(properties), properties } });
  const source = { path: "", request: "" };
  expect(fitValue(schema, [{ owner: "bob" }], { ...source, implemented })).toEqual([{ owner: "bob", template: null }]);
  expect(fitValue(schema, [{ owner: "bob" }], source)).not.toEqual([{ owner: "bob", template: null }]);
});

test("records of a list that is mocked are not listed as invalid", async () => {
  const asSeconds = ({ components: { schemas } }: Any) => {
    schemas.Notification.properties.createdAt = { type: "integer" };
  };
  const { implementation: status, findInvalidValues } = serveProposal(toProposal({ edit: asSeconds }));
  const { store } = await createReference();
  const environments = store.environments.map(({ state, clock }) => ({ state, clock, plan: "free" as const }));
  expect(status.mocked).toEqual([LIST]);
  expect(findInvalidValues(environments)).toEqual([]);
  await store.close();
});

test("a status that the handler decides becomes one of its class that replaces it, else the nearest, and is listed", async () => {
  const edit = ({ components, paths }: Any) => {
    const { responses: ofList } = paths["/v1/notifications"].get;
    for (const status of [400, 402]) delete ofList[status];
    const { responses } = patchOf(paths);
    rename(responses, "404", "410");
    delete responses[409];
    Object.assign(components.headers["WWW-Authenticate"], { schema: { const: "Bearer" }, example: "Bearer" });
  };
  const contract = toProposal({ edit });
  const ofUpdate = ["404 becomes 410", "409 becomes 410"].map((change) => `${UPDATE} ${change}`);
  const ofList = [400, 402].map((status) => `${LIST} ${status} is not declared`);
  expect(serveProposal(contract).implementation.errors).toEqual([...ofUpdate, ...ofList]);
  const { app, store } = await createReference({ contract, seed: createSmallSeed() });
  const send = (url: string) => supertest(app).patch(url).send({ channels: {} });
  const unknown = await send("/v2/subscribers/nobody/preferences").set("authorization", `ApiKey ${API_KEY}`);
  expect([unknown.status, unknown.body.message]).toEqual([410, expect.stringContaining("nobody")]);
  const { status, headers } = await send("/v2/subscribers/nobody/preferences");
  expect([status, headers["www-authenticate"]], "a constant").toEqual([401, "Bearer"]);
  await store.close();
});
