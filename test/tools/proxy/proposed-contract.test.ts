// With a proposal in place of the contract, the proxy judges by what the proposal still says: it never reports a
// conforming upstream, and still reports violations that the change does not concern.
import { expect, test } from "vitest";
import { toProposal } from "../../proposals/proposals.js";
import { AUTHORIZED, exchanged, list, PAGE, proxied, responding, update } from "./proxied.js";

// biome-ignore lint/suspicious/noExplicitAny: an edit goes deep into the document
type Document = any;
type Edit = (document: Document) => void;

const LIST = "/v1/notifications";
const id = "66e1a0010c4b3d5e6f708201";
const RECORD = {
  _id: id,
  _environmentId: id,
  _organizationId: id,
  _subscriberId: id,
  transactionId: "t",
  channels: ["sms"],
};
const dated = (day: string, own = id) => ({ ...RECORD, _id: own, createdAt: `2026-11-${day}T09:00:00.000Z` });
const LEVEL = { enabled: true, channels: { email: true } };
const WORKFLOW = { slug: "a_wf_7F3a9cPKLJHzjJkk", identifier: "a", name: "A" };
const ENTRY = { ...LEVEL, overrides: [{ channel: "email", source: "subscriber" }], workflow: WORKFLOW };

const schema = (document: Document, name: string) => document.components.schemas[name];
const parameter = (document: Document, name: string) =>
  Object.values<Document>(document.components.parameters).find((one) => one.name === name) ??
  document.paths[LIST].get.parameters.find((one: Document) => one.name === name);
function rename(object: Document, before: string, after?: string): void {
  const { [before]: member, ...others } = object.properties;
  object.properties = { ...others, ...(after && { [after]: member }) };
  if (object.required?.includes(before))
    object.required = [...object.required.filter((name: string) => name !== before), ...(after ? [after] : [])];
}
const propose = (edit: Edit) =>
  toProposal({
    edit(document) {
      for (const one of Object.values<Document>(document.components.schemas)) delete one.examples;
      edit(document);
    },
  });

const withSchema =
  (name: string, change: object): Edit =>
  (document) =>
    Object.assign(parameter(document, name).schema, change);
const renamed =
  (name: string, before: string, after?: string): Edit =>
  (document) =>
    rename(schema(document, name), before, after);
const FROM_1 = { minimum: 1, default: 1 };
const PAGE_1 = { ...PAGE, page: 1 };

const ROWS: [title: string, edit: Edit, query: string, conforming: object, violating: object, locations: string[]][] = [
  [
    "another default",
    withSchema("limit", { default: 5 }),
    "",
    { ...PAGE, pageSize: 5 },
    { ...PAGE, pageSize: 5, page: 1 },
    ["body.page"],
  ],
  ["pages from 1", withSchema("page", FROM_1), "", PAGE_1, { ...PAGE_1, pageSize: 9 }, ["body.pageSize"]],
  [
    "a cursor in place of page",
    (document) => {
      Object.assign(parameter(document, "page"), { name: "cursor", schema: { type: "string" } });
      const page = schema(document, "NotificationPage");
      rename(page, "page", "next");
      page.properties.next = { type: "string" };
    },
    "?cursor=a",
    { next: "b", pageSize: 10, hasMore: false, data: [dated("02")] },
    { next: AUTHORIZED.authorization, pageSize: 10, hasMore: false, data: [] }, // a law of every response
    ["body.next"],
  ],
  [
    "hasMore removed",
    renamed("NotificationPage", "hasMore"),
    "",
    { page: 0, pageSize: 10, data: [dated("02")] },
    { page: 0, pageSize: 10, data: [dated("01"), dated("02", `${id.slice(0, 23)}0`)] },
    ["body.data.1"],
  ],
  [
    "channels in one value",
    (document) => Object.assign(parameter(document, "channels"), { explode: false }),
    "?channels=sms,email",
    { ...PAGE, data: [dated("02")] },
    { ...PAGE, page: 1, data: [dated("02")] },
    ["body.page"],
  ],
  [
    "createdAt renamed",
    renamed("Notification", "createdAt", "sentAt"),
    "?after=2026-11-01T00:00:00Z&channels=sms",
    { ...PAGE, data: [{ ...RECORD, sentAt: "2026-11-02T09:00:00.000Z" }] },
    { ...PAGE, data: [{ ...RECORD, channels: ["email"] }] },
    ["body.data.0"],
  ],
  [
    "the email of subscribers removed",
    renamed("NotificationSubscriber", "email"),
    "?emails=ada%40example.com&transactionId=t",
    { ...PAGE, data: [{ ...dated("02"), subscriber: { _id: id, subscriberId: "ada" } }] },
    { ...PAGE, data: [{ ...dated("02"), transactionId: "u" }] },
    ["body.data.0"],
  ],
];

test.each(ROWS)("a list with %s", async (_title, edit, query, conforming, violating, locations) => {
  const contract = propose(edit);
  const reported = async (body: object) => {
    const { entries, internalErrors } = await exchanged(responding(body), { contract }, (proxy) => list(proxy, query));
    expect(internalErrors).toEqual([]);
    return entries.map(({ direction, location }) => `${direction} ${location}`);
  };
  expect(await reported(conforming)).toEqual([]);
  expect(await reported(violating)).toEqual(locations.map((location) => `response ${location}`));
});

const { enabled: _enabled, ...withoutEnabled } = ENTRY;
const HANDLE = { handle: "a", identifier: "a", name: "A" };
const LEVELS = ["body.global.channels.email", "body.workflows.0.channels.email"];
const PREFERENCES: [title: string, edit: Edit, entry: object, locations: string[], more?: object][] = [
  ["nothing changed", () => {}, ENTRY, LEVELS],
  ["the selector renamed", renamed("PreferencesUpdate", "workflowId", "workflow"), ENTRY, [], { workflow: "a" }],
  ["enabled removed", renamed("WorkflowPreferences", "enabled"), withoutEnabled, LEVELS],
  [
    "a reason of overrides",
    (document) => (schema(document, "PreferenceOverride").properties.reason = { type: "string" }),
    { ...ENTRY, overrides: [{ channel: "email", source: "subscriber", reason: "spam" }] },
    LEVELS,
  ],
  ["slug renamed", renamed("WorkflowReference", "slug", "handle"), { ...ENTRY, workflow: HANDLE }, []],
];

test.each(PREFERENCES)("preferences with %s", async (_title, edit, entry, locations, more) => {
  const { proxy } = await proxied(responding({ global: LEVEL, workflows: [entry] }), { contract: propose(edit) });
  for (const email of [true, false]) await (await update(proxy, { channels: { email }, ...more })).text();
  await proxy.close();
  expect(proxy.internalErrors).toEqual([]);
  expect(proxy.entries.map(({ exchange, location }) => [exchange, location])).toEqual(locations.map((one) => [2, one]));
});

test("an error without its path, and a status that only the proposal has", async () => {
  const contract = propose((document) => {
    rename(schema(document, "ErrorResponse"), "path");
    const { get } = document.paths[LIST];
    get.responses["410"] = get.responses["402"];
  });
  const body = { statusCode: 402, timestamp: "2026-11-02T09:00:00.000Z", message: "no" };
  expect((await exchanged(responding(body, 410), { contract })).entries).toEqual([]);
});

test.each([
  ["1.1 a", []],
  ["x", ["header.via"]],
])("a header of the transport is checked where the response declares it: Via: %s", async (via, locations) => {
  const contract = propose((document) => {
    const responses = document.paths[LIST].get.responses;
    const ok = document.components.responses[responses["200"].$ref?.split("/").at(-1)] ?? responses["200"];
    ok.headers = { ...ok.headers, Via: { required: true, schema: { type: "string", minLength: 3 } } };
  });
  const { entries } = await exchanged(responding(PAGE, 200, { Via: via }), { contract });
  expect(entries.map(({ location }) => location)).toEqual(locations);
});

const BASIC = { type: "http", scheme: "basic" };
const LOGIN = { type: "openIdConnect", openIdConnectUrl: "https://example.com/login" };
const BEARER = { type: "http", scheme: "bearer" };

test.each<[title: string, scheme: object, headers: Record<string, string>, locations: string[]]>([
  ["basic", BASIC, { authorization: "Basic YTpi" }, []],
  ["a mutual certificate", { type: "mutualTLS" }, {}, []],
  ["a login", LOGIN, { authorization: "Bearer abc" }, []],
  ["the key beside basic", BASIC, AUTHORIZED, []],
  ["basic, where bearer is declared", BEARER, { authorization: "Basic YTpi" }, ["header.authorization", "status"]],
])("access by %s, where the key is another way", async (_title, scheme, headers, locations) => {
  const contract = propose((document) => {
    document.components.securitySchemes.other = scheme;
    document.security = [{ other: [] }, ...document.security];
  });
  const send = ({ url }: { url: string }) => fetch(url + LIST, { headers });
  const { entries } = await exchanged(responding(), { contract }, send);
  expect(entries.map(({ location }) => location)).toEqual(locations);
});

const ERROR = { type: "object", required: ["reason"], properties: { reason: { type: "string" } } };
const topics = propose((document) => {
  const json = (schema: object) => ({ description: "-", content: { "application/json": { schema } } });
  document.paths["/v1/topics"] = {
    post: {
      operationId: "addTopic",
      requestBody: { content: { "application/json": { schema: { type: "object" } } } },
      responses: {
        200: json({ type: "object" }),
        202: { description: "-" },
        204: { description: "-" },
        409: { description: "-", content: { "text/plain": {} } },
        404: json(ERROR),
        410: { description: "-", content: { "application/problem+json": { schema: ERROR } } },
      },
    },
  };
});

// Operations that only a proposal has are held to their contract, and to none of the laws of the two known ones.
test.each([
  ["a success whose body shows nothing of the request", 200, "application/json", "{}", []],
  ["no body", 202, undefined, "", []],
  ["a body where none is declared", 202, "text/plain", "later", ["header.content-type"]],
  ["no content", 204, undefined, "", []],
  ["text", 409, "text/plain; charset=utf-8", "There is one.", []],
  ["another type of text", 409, "text/html", "There is one.", ["header.content-type"]],
  ["nothing in place of text", 409, "text/plain", "", ["body"]],
  ["an error of its own", 404, "application/json", '{"reason":"none"}', []],
  ["an error of another shape", 404, "application/json", "{}", ["body.reason"]],
  ["a problem", 410, "application/problem+json", '{"reason":"gone"}', []],
  ["a problem of another shape", 410, "application/problem+json", "{}", ["body.reason"]],
  ["a status that is not declared", 418, "application/json", "{}", ["status"]],
])("a new operation with %s", async (_title, status, type, body, locations) => {
  const headers = { ...AUTHORIZED, "content-type": "application/json", "idempotency-key": "once" };
  const proxy = await exchanged(
    (_request, response) => response.writeHead(status, type ? { "content-type": type } : {}).end(body),
    { contract: topics },
    ({ url }) => fetch(`${url}/v1/topics`, { method: "POST", headers, body: '{"channels":{"email":true}}' }),
  );
  expect(proxy.entries.map(({ location }) => location)).toEqual(locations);
  expect(proxy.summary().internalErrors).toBe(0);
});
