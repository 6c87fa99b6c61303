// Proposals: edits of openapi.yaml as somebody makes them before anything of it is implemented.
import { hash } from "node:crypto";
import { expect } from "vitest";
import { type Contract, createContract } from "../../src/contract/contract.js";
import { parseContractFile } from "../../src/contract/contract-file.js";
import { DOCUMENT } from "../support/edited-contract.js";

// biome-ignore lint/suspicious/noExplicitAny: an edit reaches into any part of the document
type Any = any;

export interface Proposal {
  title: string;
  edit: (document: Any) => void;
  /** What /health says of it besides the two operations that are implemented. */
  status?: Partial<Record<"mocked" | "added" | "removed" | "reasons" | "withoutEffect" | "unchecked", string[]>>;
  /** The two operations do not take a request as before. */
  isOnly?: boolean;
  /** Operations that need no key. */
  open?: RegExp;
  /** Requests to what is new, if the two below do not reach it. */
  request?: ProposalRequest | ProposalRequest[];
}

interface ProposalRequest {
  method?: string;
  target: string;
  headers?: Record<string, string>;
  body?: unknown;
}

const LIST = "GET /v1/notifications";
const UPDATE = "PATCH /v2/subscribers/{subscriberId}/preferences";
const TEXT = { type: "string" };
const query = (name: string, more: object) => ({ name, in: "query", ...more });
const JSON_BODY = (schema: object, more: object = {}) => ({ content: { "application/json": { schema, ...more } } });
const ok = (schema: object, more: object = {}) => ({ description: "OK", ...JSON_BODY(schema, more) });
const errors = (document: Any) => {
  const { 401: unauthorized, 422: invalid } = document.paths["/v1/notifications"].get.responses;
  return { 401: unauthorized, 422: invalid };
};
const preferences = { $ref: "#/components/schemas/Preferences" };
const subscriberId = { $ref: "#/components/parameters/subscriberId" };
const list = (document: Any) => document.paths["/v1/notifications"].get;
const update = (document: Any) => document.paths["/v2/subscribers/{subscriberId}/preferences"].patch;
const notification = (document: Any) => document.components.schemas.Notification;

/** Adds an operation without an operationId of ours at a path. */
function operation(path: string, method: string, parts: object, status = 200): (document: Any) => void {
  return (document) => {
    const { responses = { [status]: ok(preferences) }, ...others } = parts as { responses?: object };
    const added = { ...others, responses: { ...errors(document), ...responses } };
    document.paths[path] = { ...document.paths[path], [method]: added };
  };
}

/** Removes the examples, which have the form that a proposal changes. */
function removeExamples(document: Any): void {
  document.components.examples = {};
  const strip = (value: Any): void => {
    if (typeof value !== "object" || value === null) return;
    if (value.schema) delete value.examples;
    for (const member of Object.values(value)) strip(member);
  };
  strip(document.paths);
  strip(document.components.responses);
}

/** Gives all errors another form. */
const withErrors =
  (schema: object, mediaType = "application/json") =>
  (document: Any): void => {
    removeExamples(document);
    for (const response of Object.values<Any>(document.components.responses))
      if (response.content?.["application/json"]) response.content = { [mediaType]: { schema } };
  };

export const objectOf = (properties: object, more: object = {}) => ({
  type: "object",
  required: Object.keys(properties),
  properties,
  ...more,
});

const OWN_ERROR = ["statusCode", "timestamp", "path", "message", "ctx", "errorId"].map((name) => `errors body.${name}`);
const DIGEST = "/v2/subscribers/{subscriberId}/digest";
const PREFERENCES = "/v2/subscribers/{subscriberId}/preferences";
const TOPIC = { type: "object", required: ["key"], properties: { key: TEXT } };
const ofSubscriber = { parameters: [subscriberId] };
const SUBSCRIBER = "/v2/subscribers/ines-moreau/preferences";

/** The first one, which has the most to adapt, is served in the quick suite. */
export const PROPOSALS: Proposal[] = [
  {
    title: "pages by cursor, and ids of another name",
    edit(document) {
      removeExamples(document);
      Object.assign(document.components.parameters.page, { name: "cursor", schema: TEXT });
      const { NotificationPage: page, Notification: record } = document.components.schemas;
      page.properties.next = { type: ["string", "null"] };
      delete page.properties.page;
      page.required = ["pageSize", "hasMore", "data", "next"];
      record.properties.id = record.properties._id;
      delete record.properties._id;
      record.required.push("id");
    },
    status: {
      added: [`${LIST} 200 body.next`, `${LIST} 200 body.data[].id`],
      removed: [`${LIST} 200 body.page`, `${LIST} 200 body.data[]._id`],
      withoutEffect: [`${LIST} query.cursor`],
    },
    request: { target: "/v1/notifications?cursor=a" },
  },
  { title: "another description", edit: (document) => (document.info.description = "New.") },
  {
    title: "a third operation, without our headers",
    edit: operation(DIGEST, "get", { operationId: "getDigest", ...ofSubscriber }),
    status: { mocked: [`GET ${DIGEST}`] },
    request: { target: "/v2/subscribers/ines-moreau/digest" },
  },
  {
    title: "an operation with examples",
    edit(document) {
      const { 200: response } = update(document).responses;
      operation(DIGEST, "get", { ...ofSubscriber, responses: { 200: response } })(document);
    },
    status: { mocked: [`GET ${DIGEST}`] },
    request: { target: "/v2/subscribers/ines-moreau/digest" },
  },
  {
    title: "a POST with a body, 201 and a required header",
    edit: operation("/v1/topics", "post", {
      requestBody: { required: true, ...JSON_BODY(TOPIC) },
      responses: {
        201: {
          ...ok(TOPIC, { example: { key: "a" } }),
          headers: { Location: { required: true, schema: { type: "string", format: "uri-reference" } } },
        },
      },
    }),
    status: { mocked: ["POST /v1/topics"] },
    request: { method: "POST", target: "/v1/topics", body: { key: "b" } },
  },
  {
    title: "operations of other methods and statuses",
    edit(document) {
      operation("/v1/notifications/{id}", "delete", {
        parameters: [
          { name: "id", in: "path", required: true, schema: TEXT },
          query("force", { required: true, schema: { type: "boolean" } }),
        ],
        responses: { 204: { description: "Gone." }, 410: { description: "Gone before." } },
      })(document);
      operation("/v1/alive", "head", { responses: { 200: { description: "Yes." } } })(document);
      document.paths["/v1/ping"] = { get: { responses: { default: ok({ type: "boolean" }) } } };
    },
    status: { mocked: ["DELETE /v1/notifications/{id}", "HEAD /v1/alive", "GET /v1/ping"] },
    request: [
      { method: "DELETE", target: "/v1/notifications/1?force=true" },
      { method: "HEAD", target: "/v1/alive" },
      { target: "/v1/ping" },
    ],
  },
  {
    title: "text in place of an error, and of an update's success",
    status: { mocked: [UPDATE], reasons: [`${UPDATE} 200 body is text/plain`] },
    edit(document) {
      const content = { "text/plain": { schema: { type: "string", example: "No." } } };
      list(document).responses[422] = { description: "Invalid.", content };
      update(document).responses[200] = { description: "Done.", content };
    },
    request: { target: "/v1/notifications?limit=0" },
  },
  {
    title: "a new optional member, and what no tool understands",
    edit(document) {
      notification(document).properties.priority = { type: "integer", nullable: true };
      notification(document).unevaluatedProperties = false;
    },
    status: {
      unchecked: [expect.stringMatching(/^proposal\.json:1 nullable: /)],
    },
  },
  {
    title: "a member of the page and of a nested record that are required",
    edit(document) {
      const { NotificationPage: page, NotificationSubscriber: subscriber } = document.components.schemas;
      page.properties.total = { type: "integer", minimum: 0 };
      page.required = [...(page.required ?? []), "total"];
      subscriber.properties.locale = { type: "string", enum: ["en", "fr"] };
      subscriber.required.push("locale");
      notification(document).properties.owner = { anyOf: [objectOf({ id: TEXT }), { type: "null" }] };
      notification(document).required.push("owner");
    },
    status: {
      added: [`${LIST} 200 body.total`, ...["owner", "subscriber.locale"].map((n) => `${LIST} 200 body.data[].${n}`)],
    },
  },
  {
    title: "a page composed by allOf",
    edit({ components: { schemas } }) {
      const { data, ...page } = schemas.NotificationPage.properties;
      const parts = [{ properties: page }, { required: ["data"], properties: { data } }];
      schemas.NotificationPage = { type: "object", allOf: parts, unevaluatedProperties: false };
      schemas.NotificationPage.required = Object.keys(page);
    },
  },
  {
    title: "members of closed schemas renamed, one of them with its filter",
    edit(document) {
      const { Notification: record, WorkflowReference: workflow } = document.components.schemas;
      for (const [schema, before, after] of [
        [record, "transactionId", "txId"],
        [workflow, "slug", "handle"],
      ]) {
        schema.properties[after] = schema.properties[before];
        delete schema.properties[before];
        schema.required = schema.required.map((name: string) => (name === before ? after : name));
        schema.additionalProperties = false;
      }
      document.components.parameters.transactionId.name = "txId";
    },
    status: {
      added: [`${UPDATE} 200 body.workflows[].workflow.handle`, `${LIST} 200 body.data[].txId`],
      removed: [`${UPDATE} 200 body.workflows[].workflow.slug`, `${LIST} 200 body.data[].transactionId`],
      withoutEffect: [`${LIST} query.txId`],
    },
    request: { target: "/v1/notifications?txId=a" },
  },
  {
    title: "an error schema renamed, with a new required member",
    edit(document) {
      const { ErrorResponse, ...schemas } = document.components.schemas;
      ErrorResponse.properties.code = { type: "string" };
      ErrorResponse.required.push("code");
      document.components.schemas = { ...schemas, Failure: ErrorResponse };
      const renamed = JSON.stringify(document).replaceAll('schemas/ErrorResponse"', 'schemas/Failure"');
      Object.assign(document, JSON.parse(renamed));
    },
    status: { added: ["errors body.code"] },
    request: { target: "/v1/notifications?limit=0" },
  },
  {
    title: "a new filter",
    edit: (document) =>
      list(document).parameters.push(query("severity", { schema: { type: "string", enum: ["high", "low"] } })),
    status: { withoutEffect: [`${LIST} query.severity`] },
    request: { target: "/v1/notifications?severity=high" },
  },
  {
    title: "a new channel, and a second media type of the list",
    edit(document) {
      document.components.schemas.Channel.enum.push("fax");
      document.components.schemas.ChannelPreferences.properties.fax = { type: "boolean" };
      list(document).responses[200].content["text/csv"] = { schema: TEXT };
    },
    status: {
      reasons: [`${LIST} 200 body as text/csv has no handler`],
      withoutEffect: [`${UPDATE} body.channels.fax`],
    },
    request: [
      { method: "PATCH", target: SUBSCRIBER, body: { channels: { fax: true } } },
      { target: "/v1/notifications", headers: { accept: "text/csv" } },
    ],
  },
  {
    title: "parameters that may be null, as Pydantic writes each optional one",
    edit({ components: { parameters } }) {
      parameters.search.schema = { type: ["string", "null"] };
      parameters.topicKey.schema = { anyOf: [TEXT, { type: "null" }] };
      parameters.channels.schema.items = { enum: ["in_app", "email", "sms", "chat", "push", null] };
      parameters.emails.schema = { anyOf: [parameters.emails.schema, { type: "null" }] };
    },
    request: { target: "/v1/notifications?search=ines&topicKey=x&channels=email&emails=a" },
  },
  {
    title: "a wider limit, and another default",
    edit(document) {
      Object.assign(document.components.parameters.limit.schema, { maximum: 200, default: 20 });
      document.components.examples["listNotifications.422.severalViolations"]["x-request"].query.limit = 201;
      const { pageSize, data } = document.components.schemas.NotificationPage.properties;
      [pageSize.maximum, data.maxItems] = [200, 200];
    },
    request: { target: "/v1/notifications?limit=200" },
  },
  {
    title: "a new required header of a request",
    edit: (document) =>
      list(document).parameters.push({ name: "X-Tenant", in: "header", required: true, schema: TEXT }),
    status: { withoutEffect: [`${LIST} header.X-Tenant`] },
    isOnly: true,
    request: { target: "/v1/notifications", headers: { "x-tenant": "a" } },
  },
  {
    title: "a channel with quiet hours",
    status: { mocked: [UPDATE], reasons: [`${UPDATE} body.channels.email may be of type object`] },
    edit(document) {
      removeExamples(document);
      const channel = objectOf({ enabled: { type: "boolean" } }, { additionalProperties: false });
      const { properties } = document.components.schemas.ChannelPreferences;
      for (const name of Object.keys(properties)) properties[name] = channel;
    },
    isOnly: true,
    request: { method: "PATCH", target: SUBSCRIBER, body: { channels: { email: { enabled: true } } } },
  },
  {
    title: "an operation removed",
    edit: (document) => delete document.paths[PREFERENCES],
  },
  {
    title: "examples removed",
    edit: removeExamples,
  },
  {
    title: "another success status, without a body, and bare errors",
    edit(document) {
      const { responses } = update(document);
      const location = { required: true, schema: { type: "string", format: "uri-reference" } };
      responses[202] = { description: "Accepted.", headers: { Location: location } };
      delete responses[200];
      for (const of of [list, update]) of(document).responses[401] = { description: "No key." };
      responses[404] = { description: "Unknown." };
    },
    status: { added: [`${UPDATE} 202 header.location`] },
    request: { method: "PATCH", target: SUBSCRIBER, body: { channels: {} } },
  },
  {
    title: "paths below a prefix, an id with a pattern, and a page with links",
    edit(document) {
      removeExamples(document);
      document.paths[`/api${PREFERENCES}`] = structuredClone(document.paths[PREFERENCES]);
      document.paths[`/api${PREFERENCES}`].patch.operationId = "updateBelowApi";
      Object.assign(document.components.parameters.subscriberId, {
        name: "id",
        schema: { type: "string", pattern: "^[a-z-]{3,40}$" },
      });
      const { paths } = document;
      document.paths = JSON.parse(JSON.stringify(paths).replaceAll("{subscriberId}", "{id}"));
      for (const item of Object.values<Any>(document.paths))
        for (const { responses } of Object.values<Any>(item)) delete responses[200].links;
      const { NotificationPage: page } = document.components.schemas;
      page.properties._links = objectOf({ self: objectOf({ href: { type: "string", format: "uri-reference" } }) });
      page.required.push("_links");
      const ok = list(document).responses[200];
      ok.content = { "application/hal+json": ok.content["application/json"] };
    },
    status: {
      mocked: ["PATCH /api/v2/subscribers/{id}/preferences"],
      added: [`${LIST} 200 body._links`],
    },
    request: { method: "PATCH", target: `/api${SUBSCRIBER}`, body: { channels: { sms: true } } },
  },
  {
    title: "operations that need no key",
    edit(document) {
      operation("/v1/status", "get", { security: [], responses: { 200: ok({ const: "fine" }) } })(document);
      list(document).security = [{ apiKey: [] }, {}];
    },
    status: { mocked: ["GET /v1/status"] },
    request: { target: "/v1/status" },
    open: /^GET /,
  },
  {
    title: "a path item and a request body elsewhere",
    edit(document) {
      document.components.requestBodies = { Update: update(document).requestBody };
      update(document).requestBody = { $ref: "#/components/requestBodies/Update" };
      document.components.pathItems = { List: document.paths["/v1/notifications"] };
      document.paths["/v1/notifications"] = { $ref: "#/components/pathItems/List" };
    },
  },
  {
    title: "errors as problem details",
    edit: withErrors(
      {
        type: "object",
        required: ["type", "title", "status"],
        properties: { type: { type: "string", format: "uri-reference" }, title: TEXT, status: { type: "integer" } },
      },
      "application/problem+json",
    ),
    status: { added: ["errors body.type", "errors body.title", "errors body.status"] },
  },
  {
    title: "errors with a code",
    edit(document) {
      const closed = { additionalProperties: false };
      const codes = { enum: ["invalid_request", "not_found", "unauthorized", "conflict", "internal"] };
      withErrors(objectOf({ error: objectOf({ code: codes, message: TEXT }, closed) }, closed))(document);
    },
    status: {
      added: ["errors body.error"],
      removed: OWN_ERROR,
    },
  },
  {
    title: "errors of a range and of default",
    edit(document) {
      removeExamples(document);
      const error = { description: "Error.", ...JSON_BODY(objectOf({ message: TEXT, code: { type: "integer" } })) };
      for (const { responses } of [list(document), update(document)]) {
        for (const status of Object.keys(responses)) if (status !== "200") delete responses[status];
        Object.assign(responses, { "4XX": error, default: error });
      }
    },
    status: { added: ["errors body.code"] },
  },
  {
    title: "pages that are counted from 1",
    edit(document) {
      removeExamples(document);
      Object.assign(document.components.parameters.page, {
        schema: { type: "integer", minimum: 1, default: 1 },
        example: 1,
      });
      document.components.schemas.NotificationPage.properties.page = { type: "integer", minimum: 1 };
    },
    status: {
      mocked: [LIST],
      reasons: [`${LIST} query.page starts at 1, where the handler starts at 0`],
    },
    request: { target: "/v1/notifications?page=1&limit=2" },
  },
  {
    title: "XML alone, and XML beside JSON",
    edit(document) {
      const { content } = list(document).responses[200];
      list(document).responses[200].content = { "application/xml": { schema: content["application/json"].schema } };
      const sent = update(document).requestBody.content;
      sent["application/xml"] = { schema: sent["application/json"].schema };
    },
    status: {
      mocked: [LIST],
      reasons: [`${LIST} 200 body is application/xml`],
      unchecked: [
        expect.stringMatching(/application\/xml: a body that is not JSON is not validated$/),
        expect.stringMatching(/application\/xml: a body in the form of its schema is neither generated nor checked$/),
      ],
    },
    request: { method: "PATCH", target: SUBSCRIBER, headers: { "content-type": "application/xml" }, body: "<a/>" },
  },
  {
    title: "no headers of the server's own, and no 405",
    edit(document) {
      const { responses } = document.components;
      for (const response of [
        ...Object.values<Any>(responses),
        ...[list, update].map((of) => of(document).responses[200]),
      ])
        delete response.headers;
      for (const of of [list, update]) delete of(document).responses[405];
    },
  },
  {
    title: "an update without idempotency keys",
    edit: (document) => (update(document).parameters = [subscriberId]),
    request: { method: "PATCH", target: SUBSCRIBER, headers: { "idempotency-key": "a" }, body: { channels: {} } },
  },
  {
    title: "an update that requires an idempotency key",
    edit: (document) =>
      (update(document).parameters = [
        subscriberId,
        { name: "Idempotency-Key", in: "header", required: true, schema: { type: "string", minLength: 8 } },
      ]),
    isOnly: true,
    request: {
      method: "PATCH",
      target: SUBSCRIBER,
      headers: { "idempotency-key": "12345678" },
      body: { channels: {} },
    },
  },
  {
    title: "headers of the connection, and a list in a header",
    edit(document) {
      Object.assign(list(document).responses[200].headers, {
        "Content-Encoding": { required: true, schema: TEXT, example: "gzip" },
        "X-List": { required: true, schema: { type: "array", items: { type: "integer" } }, example: [1, 2] },
      });
    },
    status: {
      added: [`${LIST} 200 header.x-list`],
      unchecked: [expect.stringMatching(/Content-Encoding: .* not sent/)],
    },
  },
];

/** The contract that somebody proposes, as it would be loaded. */
export function toProposal(proposal: Pick<Proposal, "edit">): Contract {
  const contract = contracts.get(proposal) ?? editContract(proposal);
  contracts.set(proposal, contract);
  return contract;
}

const contracts = new WeakMap<object, Contract>(); // tests change none

function editContract({ edit }: Pick<Proposal, "edit">): Contract {
  const value = structuredClone(DOCUMENT);
  edit(value);
  const text = JSON.stringify(value);
  const file = parseContractFile({ path: "proposal.json", text, digest: hash("sha256", text, "hex") }, value);
  return createContract(file);
}
