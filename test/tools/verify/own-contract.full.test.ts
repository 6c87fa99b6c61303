// `serve` and `verify` of one and the same contract agree, whatever the contract says: what is not implemented is
// mocked, and held to the contract alone.
import { expect, test } from "vitest";
import { DOCUMENT } from "../../support/edited-contract.js";
import { SIZES } from "../../support/sizes.js";
import { expectConforming } from "./conforming.js";

// biome-ignore lint/suspicious/noExplicitAny: an edit reaches into any part of the document
type Any = any;

const TEXT = { type: "string" };
const FLAG = { type: "boolean" };
const INTEGER = { type: "integer" };
const listOf = (items: object, more: object = {}) => ({ type: "array", items, ...more });
const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const closed = (properties: object) =>
  object(properties, { required: Object.keys(properties), additionalProperties: false });
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const OK = { description: "ok", ...json({ type: "object" }) };
const query = (name: string, schema: object, more: object = {}) => ({ name, in: "query", schema, ...more });
const required = (name: string, schema: object, more: object = {}) => query(name, schema, { required: true, ...more });

/** A contract of one operation. */
const cups = (method: string, operation: object) => ({
  openapi: "3.1.0",
  info: { title: "Cups", version: "1.0.0" },
  security: [],
  paths: { "/v1/cups": { [method]: { operationId: "cups", responses: { 200: OK }, ...operation } } },
});
const withParameters = (...parameters: object[]) => cups("get", { parameters });
const withBody = (schema: object) => cups("post", { requestBody: { required: true, ...json(schema) } });

const edited = (edit: (document: Any) => void) => {
  const document = structuredClone(DOCUMENT);
  edit(document);
  return document;
};
const list = (document: Any) => document.paths["/v1/notifications"].get;

/** Changes the body of an update; `all` sets every channel. */
const updating = (change: object, members: object = { all: FLAG }) =>
  edited(({ components }) => {
    const { PreferencesUpdate } = components.schemas;
    Object.assign(PreferencesUpdate.properties, members);
    delete PreferencesUpdate.required;
    Object.assign(PreferencesUpdate, change);
  });
const needs = (...names: string[]) => ({ required: names });

const ERROR = { description: "-", ...json(object({ error: TEXT }, { required: ["error"] })) };
const NEW = { operationId: "replaceNotifications", responses: { 200: { ...OK, "x-decision": "D-01" } } };
const BRACKETS = query("ids[]", listOf(TEXT, { maxItems: 3 }));

const CONTRACTS: [title: string, document: object][] = [
  // Those for which the suite once failed a server of the same contract
  ["an update of channels or of all", updating({ anyOf: [needs("channels"), needs("all")] })],
  [
    "another method of the list's path",
    edited(({ paths }) => (paths["/v1/notifications"].put = { ...NEW, "x-decision": "D-01" })),
  ],
  ["an update of either channels or all", updating({ oneOf: [needs("channels"), needs("all")] })],
  ["an update that names a workflow or channels", updating({ anyOf: [needs("channels"), needs("workflowId")] }, {})],
  ["an update of nothing", updating({}, {})],
  ["an update of at least one member", updating({ minProperties: 1 })],
  [
    "an update of channels where a workflow is named",
    updating({ dependentRequired: { workflowId: ["channels"] } }, {}),
  ],
  ["a list whose name has brackets", withParameters(BRACKETS)],
  [
    "a list whose name has brackets, beside the filters",
    edited((document) => list(document).parameters.push(BRACKETS)),
  ],
  // Others
  ["a text parameter with a minimum", withParameters(query("title", { ...TEXT, minLength: 2 }))],
  ["a member of requests that is read-only", withBody(object({ id: { ...INTEGER, readOnly: true } }, needs("id")))],
  [
    "a 422 without a body",
    cups("get", { parameters: [query("n", INTEGER)], responses: { 200: OK, 422: { description: "no" } } }),
  ],
  ["an optional list", withParameters(query("tags", { anyOf: [listOf(TEXT), { type: "null" }] }))],
  ["a boolean and a number", withParameters(query("is", FLAG), query("n", { type: "number", maximum: 5 }))],
  ["a union of types", withParameters(query("v", { oneOf: [INTEGER, FLAG] }))],
  [
    "required parameters, one with an example",
    withParameters(required("a", TEXT, { example: "x" }), required("b", { enum: ["u", "v"] })),
  ],
  [
    "two examples of required parameters",
    withParameters(required("a", TEXT, { example: "x" }), required("b", TEXT, { example: "y" })),
  ],
  ["unique items of an enum", withParameters(required("kinds", listOf({ enum: ["a", "b"] }, { uniqueItems: true })))],
  ["at least one member", withBody(object({ a: TEXT, b: FLAG }, { minProperties: 1 }))],
  [
    "a map of numbers",
    withBody({ type: "object", additionalProperties: { ...INTEGER, minimum: 1 }, minProperties: 1 }),
  ],
  [
    "a required list of objects",
    withBody(
      object(
        {
          items: listOf(object({ id: { ...TEXT, format: "uuid" } }, needs("id")), { minItems: 1, uniqueItems: true }),
        },
        needs("items"),
      ),
    ),
  ],
  ["a union of objects", withBody({ oneOf: [closed({ a: TEXT }), closed({ b: INTEGER })] })],
  [
    "errors of another form",
    cups("get", { parameters: [required("n", INTEGER)], responses: { 200: OK, 400: ERROR, default: ERROR } }),
  ],
  [
    "channels with at least one member",
    edited(({ components }) => (components.schemas.PreferencesUpdate.properties.channels.minProperties = 1)),
  ],
  [
    "a member at the top of the preferences",
    edited(({ components: { schemas } }) => {
      schemas.Preferences.required.push("version");
      schemas.Preferences.properties.version = { ...INTEGER, "x-decision": "D-06" };
    }),
  ],
  [
    "no executionDetails",
    edited(({ components }) => {
      const schemas = Object.values<Any>(components.schemas).filter(({ properties }) => properties?.executionDetails);
      expect(schemas).not.toEqual([]);
      for (const schema of schemas) {
        delete schema.properties.executionDetails;
        schema.required = schema.required?.filter((name: string) => name !== "executionDetails");
      }
    }),
  ],
  ["no workflowId", edited(({ components }) => delete components.schemas.PreferencesUpdate.properties.workflowId)],
  [
    "an optional text parameter of the list",
    edited((document) => list(document).parameters.push(query("title", TEXT))),
  ],
  [
    "an after that is a date",
    edited(({ components }) => (components.parameters.after.schema = { ...TEXT, format: "date" })),
  ],
];

const CHOSEN = CONTRACTS.filter((_row, index) => index % SIZES.everyVerifiedContract === 0);

test.each(CHOSEN)("%s", (title, document) => {
  return expectConforming(document, title.startsWith("an update") ? ["updatePreferences ›", "keys ›"] : []);
});
