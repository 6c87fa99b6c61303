// `serve` and `verify` of one and the same contract agree, whatever the contract says: what is not implemented is
// mocked, and held to the contract alone.
import { expect, test } from "vitest";
import { DOCUMENT } from "../../support/edited-contract.js";
import { SIZES } from "../../support/sizes.js";
import { expectConforming } from "./conforming.js";

// biome-ignore lint/suspicious/noExplicitAny: an edit reaches into any part of the document
type Any = any;

const json = (schema: object, more: object = {}) => ({ content: { "application/json": { schema, ...more } } });
const OK = { description: "ok", ...json({ type: "object" }) };
const TEXT = { type: "string" };
const query = (name: string, schema: object, more: object = {}) => ({ name, in: "query", schema, ...more });

/** A contract of one operation. */
const cups = (method: string, operation: object) => ({
  openapi: "3.1.0",
  info: { title: "Cups", version: "1.0.0" },
  security: [],
  paths: { "/v1/cups": { [method]: { operationId: "cups", responses: { 200: OK }, ...operation } } },
});
const withParameters = (...parameters: object[]) => cups("get", { parameters });
const withBody = (schema: object, more: object = {}) =>
  cups("post", { requestBody: { required: true, ...json(schema) }, ...more });

const edited = (edit: (document: Any) => void) => {
  const document = structuredClone(DOCUMENT);
  edit(document);
  return document;
};
const update = (document: Any) => document.paths["/v2/subscribers/{subscriberId}/preferences"].patch;
const list = (document: Any) => document.paths["/v1/notifications"].get;

const ERRORS = {
  400: { description: "-", ...json({ type: "object", required: ["error"], properties: { error: TEXT } }) },
  default: { description: "-", ...json({ type: "object", required: ["error"], properties: { error: TEXT } }) },
};

const CONTRACTS: [title: string, document: object][] = [
  ["an optional text parameter", withParameters(query("title", TEXT))],
  ["a text parameter with a minimum", withParameters(query("title", { ...TEXT, minLength: 2 }))],
  [
    "a member of requests that is read-only",
    withBody({ type: "object", required: ["id"], properties: { id: { type: "integer", readOnly: true } } }),
  ],
  [
    "a 422 without a body",
    cups("get", { parameters: [query("n", { type: "integer" })], responses: { 200: OK, 422: { description: "no" } } }),
  ],
  ["an optional list", withParameters(query("tags", { anyOf: [{ type: "array", items: TEXT }, { type: "null" }] }))],
  ["a list of texts", withParameters(query("tags", { type: "array", items: TEXT }))],
  [
    "a boolean and a number",
    withParameters(query("is", { type: "boolean" }), query("n", { type: "number", maximum: 5 })),
  ],
  ["a union of types", withParameters(query("v", { oneOf: [{ type: "integer" }, { type: "boolean" }] }))],
  [
    "required parameters, one with an example",
    withParameters(
      query("a", TEXT, { required: true, example: "x" }),
      query("b", { enum: ["u", "v"] }, { required: true }),
    ),
  ],
  [
    "two examples of required parameters",
    withParameters(
      query("a", TEXT, { required: true, example: "x" }),
      query("b", TEXT, { required: true, example: "y" }),
    ),
  ],
  [
    "unique items of an enum",
    withParameters(
      query("kinds", { type: "array", uniqueItems: true, items: { enum: ["a", "b"] } }, { required: true }),
    ),
  ],
  [
    "at least one member",
    withBody({ type: "object", minProperties: 1, properties: { a: TEXT, b: { type: "boolean" } } }),
  ],
  [
    "a map of numbers",
    withBody({ type: "object", additionalProperties: { type: "integer", minimum: 1 }, minProperties: 1 }),
  ],
  [
    "a required list of objects",
    withBody({
      type: "object",
      required: ["items"],
      properties: {
        items: {
          type: "array",
          minItems: 1,
          uniqueItems: true,
          items: { type: "object", required: ["id"], properties: { id: { type: "string", format: "uuid" } } },
        },
      },
    }),
  ],
  [
    "a union of objects",
    withBody({
      oneOf: [
        { type: "object", required: ["a"], additionalProperties: false, properties: { a: TEXT } },
        { type: "object", required: ["b"], additionalProperties: false, properties: { b: { type: "integer" } } },
      ],
    }),
  ],
  [
    "errors of another form",
    cups("get", {
      parameters: [query("n", { type: "integer" }, { required: true })],
      responses: { 200: OK, ...ERRORS },
    }),
  ],
  [
    "channels with at least one member",
    edited((document) => (document.components.schemas.PreferencesUpdate.properties.channels.minProperties = 1)),
  ],
  [
    "a required Idempotency-Key",
    edited((document) => {
      const { parameters } = update(document);
      update(document).parameters = [
        ...parameters.filter((one: Any) => !JSON.stringify(one).toLowerCase().includes("idempotency")),
        { name: "Idempotency-Key", in: "header", required: true, schema: { ...TEXT, maxLength: 255 } },
      ];
    }),
  ],
  [
    "a member at the top of the preferences",
    edited((document) => {
      const { Preferences } = document.components.schemas;
      Preferences.required.push("version");
      Preferences.properties.version = { type: "integer", "x-decision": "D-06" };
    }),
  ],
  [
    "no executionDetails",
    edited((document) => {
      const text = JSON.stringify(document.components.schemas);
      for (const schema of Object.values<Any>(document.components.schemas)) {
        if (!schema.properties?.executionDetails) continue;
        delete schema.properties.executionDetails;
        schema.required = schema.required?.filter((name: string) => name !== "executionDetails");
      }
      expect(text).toContain("executionDetails");
    }),
  ],
  [
    "no workflowId",
    edited((document) => {
      const schema = document.components.schemas.PreferencesUpdate;
      delete schema.properties.workflowId;
    }),
  ],
  [
    "an optional text parameter of the list",
    edited((document) => list(document).parameters.push(query("title", TEXT))),
  ],
  [
    "an after that is a date",
    edited((document) => (document.components.parameters.after.schema = { type: "string", format: "date" })),
  ],
];

const FLAG = { type: "boolean" };
/** Changes the body of an update; `all` sets every channel. */
const updating = (change: object, members: object = { all: FLAG }) =>
  edited((document) => {
    const { PreferencesUpdate } = document.components.schemas;
    Object.assign(PreferencesUpdate.properties, members);
    delete PreferencesUpdate.required;
    Object.assign(PreferencesUpdate, change);
  });

/** Contracts for which the suite once failed a server of the same contract. */
const REPORTED: [title: string, document: object][] = [
  ["an update of channels or of all", updating({ anyOf: [{ required: ["channels"] }, { required: ["all"] }] })],
  [
    "another method of the list's path",
    edited((document) => {
      const responses = { 200: { ...OK, "x-decision": "D-01" } };
      document.paths["/v1/notifications"].put = {
        operationId: "replaceNotifications",
        responses,
        "x-decision": "D-01",
      };
    }),
  ],
  ["an update of either channels or all", updating({ oneOf: [{ required: ["channels"] }, { required: ["all"] }] })],
  [
    "an update that names a workflow or channels",
    updating({ anyOf: [{ required: ["channels"] }, { required: ["workflowId"] }] }, {}),
  ],
  ["an update of nothing", updating({}, {})],
  ["an update of at least one member", updating({ minProperties: 1 })],
  [
    "an update of channels where a workflow is named",
    updating({ dependentRequired: { workflowId: ["channels"] } }, {}),
  ],
  ["a list whose name has brackets", withParameters(query("ids[]", { type: "array", maxItems: 3, items: TEXT }))],
  [
    "a list whose name has brackets, beside the filters",
    edited((document) => list(document).parameters.push(query("ids[]", { type: "array", maxItems: 3, items: TEXT }))),
  ],
];

const CHOSEN = [...REPORTED, ...CONTRACTS].filter((_row, index) => index % SIZES.everyVerifiedContract === 0);

test.each(CHOSEN)("%s", (_title, document) => expectConforming(document));
