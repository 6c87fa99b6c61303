// Walks the meta-schemas of OpenAPI 3.1 and JSON Schema 2020-12: for every keyword, at every place, a pair of contracts
// that differ in it. None of them may be called the same. The quick suite judges a sample.
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { ContractError } from "../../../src/contract/openapi-document.js";
import { findChanges } from "../../../src/tools/review/changes/changes.js";
import { SIZES } from "../../support/sizes.js";
import { loadDocument, toSmallDocument } from "../../support/small-contract.js";
import { verdictOf } from "./small-pairs.js";

const require = createRequire(import.meta.url);
type MetaSchema = { properties: object; $defs: Record<string, { properties?: object }> };
const openApi: MetaSchema = require("@seriousme/openapi-schema-validator/schemas/v3.1/schema.json");
const vocabularies = ["core", "applicator", "validation", "meta-data", "content", "unevaluated", "format-annotation"];
const schemaKeywords = vocabularies.flatMap((name) => {
  const { properties }: MetaSchema = require(`ajv/dist/refs/json-schema-2020-12/meta/${name}.json`);
  return Object.keys(properties);
});

const text = { type: "string" };
const short = { type: "string", maxLength: 3 };
const list = { type: "array", items: text };
const object = { type: "object", properties: { a: text, b: text } };
const whole = { type: "integer" };
const [isA, isB, isC] = [{ const: "a" }, { const: "b" }, { const: "c" }];
const One = { $ref: "#/components/schemas/One" };
const conditional = { ...text, if: { minLength: 2 } };

/** For each keyword the schema around it, and two values; undefined for a schema without the keyword. */
const VALUES: Record<string, [around: object, before: unknown, after: unknown]> = {
  $ref: [{}, One.$ref, "#/components/schemas/Two"],
  $dynamicRef: [{}, "#one", "#two"],
  prefixItems: [list, [text], [short]],
  items: [{ type: "array" }, text, short],
  contains: [list, isA, isB],
  minContains: [{ ...list, contains: isA }, 1, 2],
  maxContains: [{ ...list, contains: isA }, 1, 2],
  additionalProperties: [object, text, short],
  properties: [{ type: "object" }, { a: text, b: text }, { a: short, b: text }],
  patternProperties: [object, { "^x": text }, { "^x": short }],
  dependentSchemas: [object, { a: { required: ["b"] } }, { a: {} }],
  dependentRequired: [object, { a: ["b"] }, { a: [] }],
  propertyNames: [object, text, short],
  if: [{ ...text, else: { pattern: "^a" } }, { minLength: 2 }, { minLength: 3 }],
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: [conditional, { pattern: "^a" }, { pattern: "^b" }],
  else: [conditional, { pattern: "^a" }, { pattern: "^b" }],
  allOf: [{}, [text], [text, { maxLength: 3 }]],
  anyOf: [{}, [isA, isB], [isA, isC]],
  oneOf: [{}, [isA, isB], [isA, isB, isB]],
  not: [text, isA, isB],
  type: [{}, "string", "boolean"],
  const: [{}, "a", "b"],
  enum: [{}, ["a", "b"], ["a"]],
  multipleOf: [whole, 2, 3],
  maximum: [whole, 5, 6],
  exclusiveMaximum: [whole, 5, 6],
  minimum: [whole, 5, 6],
  exclusiveMinimum: [whole, 5, 6],
  maxLength: [text, undefined, 3],
  minLength: [text, 2, 3],
  pattern: [text, "^a", "^b"],
  format: [text, "date", "email"],
  maxItems: [list, 2, 3],
  minItems: [list, 2, 3],
  uniqueItems: [list, undefined, true],
  maxProperties: [object, 1, 2],
  minProperties: [object, 2, 3],
  required: [object, undefined, ["a"]],
  default: [text, "a", "b"],
  deprecated: [text, undefined, true],
  readOnly: [text, undefined, true],
  writeOnly: [text, undefined, true],
  contentEncoding: [text, undefined, "base64"],
  contentMediaType: [text, undefined, "text/html"],
  contentSchema: [{ ...text, contentMediaType: "application/json" }, text, short],
  unevaluatedItems: [{ type: "array", prefixItems: [text] }, text, false],
  unevaluatedProperties: [object, undefined, false],
  discriminator: [object, undefined, { propertyName: "a" }],
};

/** Keywords for people, and names of schemas: references lead to places alone. */
const FOR_PEOPLE = [
  ...["$id", "$anchor", "$dynamicAnchor", "$schema", "$vocabulary"],
  ...["title", "description", "$comment", "examples", "$defs"],
];

type Make = (schema: object) => object;
const response = { description: "ok" };
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const get = (members: object): object =>
  toDocument({ "/v1/cups": { get: { responses: { 200: response }, ...members } } });
const post = (requestBody: object): object =>
  toDocument({
    "/v1/cups": { post: { responses: { 200: response }, requestBody: { required: true, ...requestBody } } },
  });
const parameter = (members: object) => get({ parameters: [{ name: "q", in: "query", ...members }] });
const header = (members: object) => get({ responses: { 200: { ...response, headers: { "X-H": members } } } });
const pathItem = (schema: object) => ({ post: { requestBody: json(schema), responses: { 200: response } } });
const components = { schemas: { One: text, Two: short } };
const toDocument = (paths: object, members: object = {}) => toSmallDocument(paths, { components, ...members });

/** Where a schema may stand. */
const PLACES: Record<string, Make> = {
  "a query parameter": (schema) => parameter({ schema }),
  "a deepObject": (schema) => parameter({ style: "deepObject", schema: { type: "object", properties: { o: schema } } }),
  "a joined object": (schema) => parameter({ explode: false, schema: { type: "object", properties: { o: schema } } }),
  "a header parameter": (schema) => parameter({ in: "header", name: "X-Q", schema }),
  "a path parameter": (schema) =>
    toDocument({
      "/v1/{q}": {
        get: { parameters: [{ name: "q", in: "path", required: true, schema }], responses: { 200: response } },
      },
    }),
  "a response header": (schema) => header({ schema }),
  "a request body": (schema) => post(json(schema)),
  "a request body that is no JSON": (schema) => post({ content: { "text/csv": { schema } } }),
  "an encoding": (schema) =>
    post({ content: { "multipart/form-data": { schema: {}, encoding: { a: { headers: { "X-H": { schema } } } } } } }),
  "a response body": (schema) => get({ responses: { 200: { ...response, ...json(schema) } } }),
  "a member": (schema) => post(json({ type: "object", properties: { o: schema } })),
  "an item": (schema) => post(json({ type: "array", items: schema })),
  "an alternative": (schema) => post(json({ anyOf: [{ type: "null" }, schema] })),
  "a member of a closed object": (schema) =>
    post(
      json({ type: "object", unevaluatedProperties: false, allOf: [{ type: "object", properties: { o: schema } }] }),
    ),
  "a callback": (schema) => get({ callbacks: { done: { "{$request.query.url}": pathItem(schema) } } }),
  "a webhook": (schema) => toDocument({}, { webhooks: { done: pathItem(schema) } }),
};

describe("a keyword of JSON Schema", () => {
  test("each has a pair", () => {
    expect(Object.keys(VALUES).concat(FOR_PEOPLE).toSorted()).toEqual([...schemaKeywords, "discriminator"].toSorted());
  });

  const rows = Object.entries(PLACES).flatMap(([place, make]) =>
    Object.entries(VALUES).map(([keyword, [around, ...values]]) => {
      const schemas = values.map((value) => (value === undefined ? around : { ...around, [keyword]: value }));
      return [place, keyword, schemas.map(make)] as const;
    }),
  );
  test.each(rows.filter((_row, index) => index % (SIZES.everyEdit * 5) === 0))(
    "in %s: %s",
    async (_place, _keyword, pair) => {
      await expectDifference(pair);
    },
  );
});

/** Either a change, or a contract that cannot be loaded. */
async function expectDifference(documents: readonly object[]): Promise<void> {
  const contracts = await Promise.all(documents.map((document) => loadDocument(document).catch((error) => error)));
  const [before, after] = contracts;
  for (const error of contracts) if (error instanceof Error) expect(error).toBeInstanceOf(ContractError);
  if (contracts.some((one) => one instanceof Error)) return;
  expect(verdictOf(findChanges(before, after))).not.toBe("same");
}

const key = { type: "apiKey", in: "header", name: "X-Key" };
const secured = (scheme: object, security: object[] = [{ k: [] }]) =>
  toDocument(
    { "/v1/cups": { get: { responses: { 200: response } } } },
    { security, components: { securitySchemes: { k: scheme } } },
  );
const oauth = (flow: string, members: object = {}) =>
  secured({
    type: "oauth2",
    flows: {
      [flow]: { tokenUrl: "https://example.com/a", authorizationUrl: "https://example.com/b", scopes: {}, ...members },
    },
  });
const server = (members: object) =>
  toDocument(
    { "/v1/cups": { get: { responses: { 200: response } } } },
    { servers: [{ url: "https://example.com/{a}", variables: { a: { default: "a" } }, ...members }] },
  );
const encoding = (members: object) =>
  post({ content: { "multipart/form-data": { schema: object, encoding: { a: members } } } });
const link = (members: object) =>
  get({
    responses: { 200: { ...response, links: { a: { operationId: "getCups", ...members } } } },
    operationId: "getCups",
  });
const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

/** For each field of OpenAPI's objects two documents that differ in it. */
const FIELDS: Record<string, Record<string, [before: object, after: object]>> = {
  document: {
    jsonSchemaDialect: [toDocument({}), toDocument({}, { jsonSchemaDialect: "https://example.com/dialect" })],
    servers: [server({}), server({ url: "https://example.com/b" })],
    paths: [toDocument({}), get({})],
    webhooks: [toDocument({}), toDocument({}, { webhooks: { done: pathItem(text) } })],
    components: [post(json(One)), { ...post(json(One)), components: { schemas: { One: short } } }],
    security: [secured(key), secured(key, [])],
  },
  server: {
    url: [server({}), server({ url: "https://example.org/{a}" })],
    variables: [server({}), server({ variables: { a: { default: "b" } } })],
  },
  "server-variable": {
    enum: [
      server({ variables: { a: { default: "a", enum: ["a", "b"] } } }),
      server({ variables: { a: { default: "a", enum: ["a"] } } }),
    ],
    default: [server({}), server({ variables: { a: { default: "b" } } })],
  },
  "path-item": {
    ...Object.fromEntries(
      ["get", "put", "post", "delete", "options", "head", "patch", "trace"].map((method) => [
        method,
        [toDocument({ "/v1/cups": {} }), toDocument({ "/v1/cups": { [method]: { responses: { 200: response } } } })],
      ]),
    ),
    $ref: [
      {
        ...toDocument({ "/v1/cups": ref("pathItems", "a") }),
        components: { pathItems: { a: pathItem(text), b: pathItem(short) } },
      },
      {
        ...toDocument({ "/v1/cups": ref("pathItems", "b") }),
        components: { pathItems: { a: pathItem(text), b: pathItem(short) } },
      },
    ],
    servers: [
      toDocument({ "/v1/cups": pathItem(text) }),
      toDocument({ "/v1/cups": { ...pathItem(text), servers: [{ url: "/b" }] } }),
    ],
    parameters: [
      toDocument({ "/v1/cups": pathItem(text) }),
      toDocument({ "/v1/cups": { ...pathItem(text), parameters: [{ name: "q", in: "query", schema: text }] } }),
    ],
  },
  operation: {
    parameters: [get({}), parameter({ schema: text })],
    requestBody: [get({}), get({ requestBody: { ...json(text), required: true } })],
    responses: [get({}), get({ responses: { 200: response, 201: response } })],
    callbacks: [get({}), get({ callbacks: { done: { "{$request.query.url}": pathItem(text) } } })],
    deprecated: [get({}), get({ deprecated: true })],
    security: [secured(key), { ...secured(key), security: [] }],
    servers: [get({}), get({ servers: [{ url: "/b" }] })],
  },
  parameter: {
    name: [parameter({ schema: text }), parameter({ name: "r", schema: text })],
    in: [parameter({ schema: text }), parameter({ in: "cookie", schema: text })],
    required: [parameter({ schema: text }), parameter({ schema: text, required: true })],
    deprecated: [parameter({ schema: text }), parameter({ schema: text, deprecated: true })],
    schema: [parameter({ schema: text }), parameter({ schema: short })],
    content: [parameter({ schema: text }), parameter(json(text))],
    style: [parameter({ schema: object, style: "deepObject" }), parameter({ schema: object })],
    explode: [parameter({ schema: object }), parameter({ schema: object, explode: false })],
    allowReserved: [parameter({ schema: text }), parameter({ schema: text, allowReserved: true })],
    allowEmptyValue: [
      parameter({ schema: { type: "integer" } }),
      parameter({ schema: { type: "integer" }, allowEmptyValue: true }),
    ],
  },
  "request-body": {
    content: [post(json(text)), post(json(short))],
    required: [post({ ...json(text), required: false }), post(json(text))],
  },
  "media-type": {
    schema: [post(json(text)), post(json(short))],
    encoding: [encoding({}), encoding({ contentType: "text/html" })],
  },
  encoding: {
    contentType: [encoding({ contentType: "text/plain" }), encoding({ contentType: "text/html" })],
    headers: [encoding({}), encoding({ headers: { "X-H": { schema: text } } })],
    style: [encoding({}), encoding({ style: "pipeDelimited" })],
    explode: [encoding({}), encoding({ explode: false })],
    allowReserved: [encoding({}), encoding({ allowReserved: true })],
  },
  response: {
    headers: [get({}), header({ schema: text, required: true })],
    content: [get({}), get({ responses: { 200: { ...response, ...json(text) } } })],
    links: [get({ operationId: "getCups" }), link({})],
  },
  link: {
    operationRef: [
      link({}),
      get({
        operationId: "getCups",
        responses: { 200: { ...response, links: { a: { operationRef: "#/paths/~1v1~1cups/get" } } } },
      }),
    ],
    operationId: [get({ operationId: "getCups" }), link({})],
    parameters: [link({}), link({ parameters: { q: "a" } })],
    requestBody: [link({}), link({ requestBody: "a" })],
    server: [link({}), link({ server: { url: "/b" } })],
  },
  header: {
    required: [header({ schema: text }), header({ schema: text, required: true })],
    deprecated: [header({ schema: text }), header({ schema: text, deprecated: true })],
    schema: [header({ schema: text }), header({ schema: short })],
    content: [header({ schema: text }), header(json(text))],
    explode: [header({ schema: object }), header({ schema: object, explode: true })],
  },
  "security-scheme": {
    type: [secured(key), secured({ type: "http", scheme: "bearer" })],
    name: [secured(key), secured({ ...key, name: "X-Other" })],
    in: [secured(key), secured({ ...key, in: "query" })],
    scheme: [secured({ type: "http", scheme: "bearer" }), secured({ type: "http", scheme: "basic" })],
    openIdConnectUrl: [
      secured({ type: "openIdConnect", openIdConnectUrl: "https://example.com/a" }),
      secured({ type: "openIdConnect", openIdConnectUrl: "https://example.com/b" }),
    ],
    flows: [oauth("clientCredentials"), oauth("clientCredentials", { tokenUrl: "https://example.com/c" })],
    scopes: [
      oauth("clientCredentials", { scopes: { read: "" } }),
      oauth("clientCredentials", { scopes: { read: "", write: "" } }),
    ],
  },
};

/** For people, or names without a message. */
const TEXTS = /^(summary|description|externalDocs|tags|operationId|info|openapi|title|example|examples|externalValue)$/;
/** Objects for people, of which only others have fields, or that are only references. */
const OTHER_OBJECTS =
  /^(info|contact|license|external-documentation|tag|example|examples|components|reference|oauth-flows|.*-or-reference|responses|content|callbacks|paths|schema|security-requirement|specification-extensions|map-of-strings|explode-for-form)$/;

describe("a field of OpenAPI", () => {
  test("each has a pair", () => {
    const objects = Object.entries({ ...openApi.$defs, document: openApi }).filter(
      ([name]) => !OTHER_OBJECTS.test(name),
    );
    for (const [name, { properties = {} }] of objects) {
      const fields = Object.keys(properties).filter((field) => !TEXTS.test(field));
      expect(Object.keys(FIELDS[name] ?? {}), name).toEqual(expect.arrayContaining(fields));
    }
  });

  const rows = Object.entries(FIELDS).flatMap(([name, fields]) =>
    Object.entries(fields).map(([field, pair]) => [name, field, pair] as const),
  );
  test.each(rows.filter((_row, index) => index % SIZES.everyEdit === 0))("of %s: %s", async (_name, _field, pair) => {
    await expectDifference(pair);
  });
});
