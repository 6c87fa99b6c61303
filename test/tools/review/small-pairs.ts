// Pairs of the smallest contracts, judged by hand: one or two for each keyword, place and verdict. They show what the
// review says; property.test.ts draws further pairs.

import type { Contract } from "../../../src/contract/contract.js";
import type { Change } from "../../../src/tools/review/changes/change.js";
import { loadDocument, toSmallDocument as toDocument } from "../../support/small-contract.js";

/** Where the two values of a pair stand. */
const PLACES = {
  /** The schema of an optional query parameter. */
  query: (schema: unknown) => withParameters([{ name: "q", in: "query", schema }]),
  /** The schema of an optional query parameter that is an object in square brackets. */
  deepObject: (schema: unknown) => withParameters([{ name: "q", in: "query", style: "deepObject", schema }]),
  /** One parameter, as `name` and `in` have it. */
  parameter: (parameter: object) => withParameters([{ name: "q", in: "query", ...parameter }]),
  parameters: (parameters: object[]) => withParameters(parameters),
  /** The path of the operation, and its parameters. */
  path: ([path, ...parameters]: [string, ...object[]]) =>
    toDocument({
      [path]: { get: { ...OPERATION, parameters: parameters.map((one) => ({ in: "path", required: true, ...one })) } },
    }),
  /** The schema of a required JSON body. */
  request: (schema: unknown) => withBody({ required: true, content: { "application/json": { schema } } }),
  /** Components, of which `A` is the schema of a required JSON body. */
  schemas: (schemas: object) =>
    withBody(
      { required: true, content: { "application/json": { schema: { $ref: "#/components/schemas/A" } } } },
      { components: { schemas } },
    ),
  requestBody: (requestBody: object | undefined) => withBody(requestBody),
  /** The schema of a JSON response. */
  response: (schema: unknown) =>
    withResponses({ 200: { description: "ok", content: { "application/json": { schema } } } }),
  responses: (responses: object) => withResponses(responses),
  header: (header: object | undefined) =>
    withResponses({ 200: { description: "ok", headers: header && { "X-H": header } } }),
  /** Members of the operation. */
  operation: (members: object) => toDocument({ "/v1/cups": { get: { ...OPERATION, ...members } } }),
  /** Members of the path item. */
  pathItem: (members: object) => toDocument({ "/v1/cups": { get: OPERATION, ...members } }),
  /** Members of the document. */
  document: (members: object) => toDocument({ "/v1/cups": { get: OPERATION } }, members),
} satisfies Record<string, (value: never) => object>;

export type Place = keyof typeof PLACES;

/**
 * Whom the changes break: "nobody" if changes are listed that break nobody, "same" if no change of a message is listed.
 * "undecided" if none breaks somebody, and one is not decided.
 */
export type PairVerdict = "clients" | "implementations" | "both" | "nobody" | "undecided" | "same";

const OPERATION = { operationId: "listCups", responses: { 200: { description: "ok" } } };
const withParameters = (parameters: object[]) => toDocument({ "/v1/cups": { get: { ...OPERATION, parameters } } });
const withBody = (requestBody: object | undefined, members: object = {}) =>
  toDocument({ "/v1/cups": { post: { ...OPERATION, requestBody } } }, members);
const withResponses = (responses: object) => toDocument({ "/v1/cups": { get: { ...OPERATION, responses } } });

/** The contract of one side of a pair. */
export function loadSide(place: Place, value: unknown): Promise<Contract> {
  return loadDocument((PLACES[place] as (value: unknown) => object)(value));
}

export function verdictOf(changes: readonly Change[]): PairVerdict {
  const listed = changes.filter((change) => change.class !== "editorial" && change.class !== "equivalent");
  const sides = new Set(listed.flatMap(({ breaks }) => breaks));
  if (sides.size === 2) return "both";
  for (const side of sides) return side;
  if (listed.some((change) => change.class === "undecided")) return "undecided";
  return listed.length > 0 ? "nobody" : "same";
}

const text = { type: "string" };
const ofTime = (more: object) => ({ schema: { type: "string", format: "date-time" }, allowReserved: true, ...more });
const whole = { type: "integer" };
const list = (items: object, more: object = {}) => ({ type: "array", items, ...more });
const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const closed = (properties: object, more: object = {}) => object(properties, { additionalProperties: false, ...more });
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const q = (schema: object, more: object = {}) => ({ name: "q", in: "query", schema, ...more });
const inHeader = (more: object) => ({ in: "header", name: "X-Total", schema: text, ...more });
const oneIn = (schema: object) => ({ anyOf: [schema, { type: "null" }] });
const required = (a: object) => object({ a }, { required: ["a"] });
const tuple = (...prefixItems: object[]) => ({ type: "array", prefixItems, items: false });
const many = Array.from({ length: 20 }, (_none, index) => index);
const A = object({ a: text }, { required: ["a"] });
const B = object({ b: whole }, { required: ["b"] });
const ifText = (then: object) => ({ if: text, then });
const ifPresent = (name: string, then: object, more: object = {}) => ({
  ...{ type: "object", if: { required: [name] } },
  then,
  ...more,
});
const oneOfB = (a: object) => ({ A: { oneOf: [{ $ref: "#/components/schemas/B" }] }, B: object({ a }) });
/** A schema that contains itself. */
const nodes = (value: object) => ({ A: object({ value, next: { $ref: "#/components/schemas/A" } }) });
/** Each schema refers to the next one twice, as a part and as two members. */
const linked = (depth: number, last: object) => {
  const name = (index: number) => (index === 0 ? "A" : `A${index}`);
  const entries = Array.from({ length: depth }, (_none, index) => {
    const next = { $ref: `#/components/schemas/${name(index + 1)}` };
    return [name(index), index % 2 === 0 ? { allOf: [next, { ...next }] } : object({ a: next, b: { ...next } })];
  });
  return Object.fromEntries([...entries, [name(depth), last]]);
};
const form = (more: object) => ({ content: { "multipart/form-data": { schema: A, ...more } } });
const ok = { description: "ok" };
const bearer = { type: "http", scheme: "bearer" };
const oauth = (tokenUrl = "https://a.example/token") => ({
  type: "oauth2",
  flows: { clientCredentials: { tokenUrl, scopes: { r: "", w: "" } } },
});
const secured = (k: object, security: object[] = [{ k: [] }]) => ({ security, components: { securitySchemes: { k } } });
const key = (name: string, security?: object[]) => secured({ type: "apiKey", in: "header", name }, security);
const servers = (...values: string[]) => ({
  servers: [{ url: "https://{x}.example", variables: { x: { default: "a", enum: values } } }],
});
const callback = (schema: object) => ({
  callbacks: { done: { "{$request.query.q}": { post: { requestBody: json(schema), responses: { 200: ok } } } } },
});

/** Sentence: of the first change in a message, with its place. Undone, the other side breaks, unless `undone` says more. */
type Row = [place: Place, before: unknown, after: unknown, want: PairVerdict, sentence?: string, undone?: PairVerdict];

const PARAMETERS: Row[] = [
  ["query", text, list(text, { minItems: 2 }), "both", "query.q type: string → array"],
  ["query", { type: "boolean" }, { ...text, enum: ["true", "false"] }, "same"],
  [
    "parameter",
    { schema: text, allowEmptyValue: true },
    { schema: text },
    "both",
    "query.q an empty value meant none, and is a text now",
  ],
  [
    "parameter",
    { schema: object({ o: text }), style: "deepObject" },
    { schema: object({ o: text }) },
    "undecided",
    'query.q style: "deepObject" → "form"',
  ],
  ["parameter", ofTime({ "x-literal-plus": true }), ofTime({}), "both", "query.q x-literal-plus: true → false"],
  [
    "query",
    text,
    { ...text, pattern: "^(?!zebra[0-9]{5}$)[^]*$" },
    "undecided",
    "query.q pattern: none → `^(?!zebra[0-9]{5}$)[^]*$`",
  ], // no automaton reads it
  ["query", whole, { ...whole, maximum: 5 }, "clients", "query.q maximum: none → 5"],
  ["query", text, list(text, { maxItems: 3 }), "implementations", "query.q type: string → array"],
  ["query", list(text), list(text, { minItems: 1 }), "same"], // no query can write an empty list
  ["query", { ...whole, default: 10 }, { ...whole, default: 25 }, "both", "query.q default: 10 → 25"],
  [
    "parameter",
    { required: true, schema: { ...whole, default: 1 } },
    { required: true, schema: whole },
    "nobody",
    "query.q default: 1 → none",
  ],
  ["parameters", [q({ ...whole, default: 10 })], [], "clients", "query.q is removed"],
  ["parameters", [], [q(text, { required: true })], "both", "query.q is new, and required"],
  ["parameters", [q(text)], [{ ...q(text), name: "r" }], "both", "query.q is renamed to `query.r`"],
  ["parameters", [], [q(object({ a: text }), { style: "deepObject" })], "implementations", "query.q is new"],
  ["parameters", [], [{ name: "s", in: "cookie", schema: text }], "nobody", "cookie.s is new"],
  [
    "parameter",
    { schema: list(text) },
    { schema: list(text), explode: false },
    "both",
    "query.q explode: true → false",
  ],
  ["parameter", { schema: text }, { schema: text, style: "form" }, "same"],
  [
    "parameter",
    { schema: text },
    { schema: text, allowReserved: true },
    "implementations",
    "query.q allowReserved: false → true",
  ],
  [
    "parameter",
    { schema: text },
    { schema: text, deprecated: true },
    "nobody",
    "query.q is deprecated now: it still works, but will be removed",
  ],
  ["parameter", { schema: text }, json(text), "both", "query.q media type: none → application/json"],
  ["parameter", inHeader({ required: true }), inHeader({}), "implementations", "header.X-Total is optional now"],
  ["parameter", inHeader({}), inHeader({ name: "x-total" }), "same"],
  [
    "deepObject",
    object({ o: { enum: ["a", "b"] } }),
    object({ o: { enum: ["a"] } }),
    "clients",
    "query.q.o `b` was removed",
  ],
  [
    "path",
    ["/v1/{id}", { name: "id", schema: text }],
    ["/v1/{cup}", { name: "cup", schema: whole }],
    "clients",
    "path.id type: string → integer",
  ],
];

const BODIES: Row[] = [
  [
    "request",
    tuple(text, whole),
    { ...tuple(text, whole), maxItems: 1 },
    "clients",
    "body maximum number of items: none → 1",
  ],
  [
    "request",
    { type: "number", exclusiveMaximum: 5 },
    { type: "number", maximum: 5 },
    "implementations",
    "body less than: 5 → none",
  ],
  [
    "request",
    closed({ long: text }),
    closed({ long: text }, { propertyNames: { maxLength: 3 } }),
    "clients",
    'body `propertyNames`: none → {"maxLength":3}',
  ],
  [
    "request",
    object({ a: text }),
    object({ a: text }, { dependentSchemas: { a: { required: ["b"] } } }),
    "clients",
    'body `dependentSchemas`: none → {"a":{"required":["b"]}}',
  ],
  ["request", object({ a: text }), object({ a: text, b: { not: {} } }), "clients", "body.b allows no value any more"],
  [
    "request",
    object({}, { patternProperties: { "^b": text } }),
    object({ b: false }),
    "both",
    "body.b is no longer accepted",
  ],
  [
    "request",
    object({ unknownMember: text }),
    closed({ unknownMember: text }),
    "undecided",
    "body no longer accepts other members",
  ],
  [
    "request",
    required({ ...text, default: "x" }),
    required({ ...text, default: "y" }),
    "nobody",
    'body.a default: "x" → "y"',
  ],
  [
    "request",
    list(text, { prefixItems: [whole] }),
    list({ ...text, maxLength: 3 }, { prefixItems: [whole] }),
    "clients",
    'body `items`: {"type":"string"} → {"type":"string","maxLength":3}',
  ],
  [
    "request",
    { type: "array", prefixItems: [text], unevaluatedItems: false },
    { type: "array", prefixItems: [text] },
    "undecided",
    "body `unevaluatedItems`: false → none",
  ],
  [
    "request",
    ifText({ maxLength: 3 }),
    ifText({ maxLength: 5 }),
    "implementations",
    'body `then`: {"maxLength":3} → {"maxLength":5}',
  ],
  [
    "requestBody",
    { content: { "application/xml": { schema: object({ a: text }) } } },
    { content: { "application/xml": { schema: object({ a: { ...text, xml: { attribute: true } } }) } } },
    "undecided",
    'body.a `xml`: none → {"attribute":true}',
  ],
  ["request", closed({}), closed({ a: text }, { required: ["a"] }), "both", "body.a is new, and required"],
  ["request", text, { enum: ["a", "b"] }, "clients", "body must be one of `a`, `b` now"],
  ["request", { enum: ["a", "b"] }, text, "implementations", "body was one of `a`, `b` and may be another value now"],
  [
    "request",
    { enum: many },
    { enum: [...many.slice(9), "x"] },
    "both",
    "body may be `x` now; `0`, `1`, `2`, `3`, `4`, `5`, `6`, `7` and 1 more were removed",
  ],
  ["request", object({ a: text }), object({ a: text, b: false }), "clients", "body.b is no longer accepted"], // forbidden is not undeclared
  [
    "request",
    object({ a: text }),
    object({ a: text, b: text }),
    "clients",
    "body.b is declared now (string), and could have any value before",
  ],
  ["request", closed({ a: text }), closed({ a: text, b: text }), "implementations", "body.b is accepted now"],
  ["request", object({ a: text }), closed({ a: text }), "clients", "body no longer accepts other members"],
  ["request", object({ a: text }), A, "clients", "body.a is required now"],
  [
    "request",
    object({ a: text }),
    object({ a: { ...text, readOnly: true } }),
    "clients",
    "body.a is read-only now: a request must not have it",
  ],
  [
    "request",
    object({ constructor: text }),
    object({ constructor: whole }),
    "both",
    "body.constructor type: string → integer",
  ],
  [
    "request",
    object({ "[]": text }),
    object({ "[]": { ...text, maxLength: 3 } }),
    "clients",
    "body[] maximum length: none → 3",
  ],
  ["request", { const: 1 }, { enum: [1] }, "same"],
  ["request", { ...whole, minimum: 1 }, { ...whole, exclusiveMinimum: 0 }, "same"],
  [
    "request",
    { type: "number", multipleOf: 0.3 },
    { type: "number", multipleOf: 0.1 },
    "implementations",
    "body multiple of: 0.3 → 0.1",
  ],
  [
    "request",
    { ...text, format: "uri" },
    { ...text, format: "uri-reference" },
    "implementations",
    "body format: uri → uri-reference",
  ],
  ["request", { ...text, minLength: 1 }, { ...text, pattern: "." }, "clients", "body pattern: none → `.`"], // a line break
  ["request", { ...text, pattern: "^[a-z]+$" }, { ...text, pattern: "^[a-z][a-z]*$" }, "same"],
  ["request", list(text, { prefixItems: [text, text] }), list(text), "same"],
  [
    "request",
    list({ const: 1 }),
    list({ const: 1 }, { contains: { const: 1 } }),
    "clients",
    'body `contains`: none → {"const":1}',
  ],
  ["request", list({ const: 1 }, { minItems: 1 }), list({ const: 1 }, { minItems: 1, contains: { const: 1 } }), "same"],
  ["request", closed({ a: text, b: text }), closed({ a: text, b: text }, { maxProperties: 2 }), "same"],
  ["request", { type: "object", propertyNames: { enum: ["a", "b"] } }, closed({ a: true, b: true }), "same"],
  [
    "request",
    { type: "object", propertyNames: { enum: ["a", "b"] } },
    closed({ a: true }),
    "clients",
    "body no longer accepts other members",
  ],
  [
    "request",
    object({ a: text }),
    object({ a: text }, { dependentRequired: { a: ["b"] } }),
    "clients",
    "body a needs b now",
  ],
  [
    "request",
    object({}),
    object({}, { dependentRequired: { constructor: ["a"] } }),
    "clients",
    "body constructor needs a now",
  ],
  ["request", { type: "object", dependentRequired: { a: ["b"] } }, ifPresent("a", { required: ["b"] }), "same"],
  [
    "request",
    ifPresent("a", B, { else: { required: ["c"] } }),
    ifPresent("a", B),
    "implementations",
    'body `else`: {"required":["c"]} → none',
  ],
  ["request", { ...text, allOf: [{ minLength: 1 }] }, { ...text, minLength: 1 }, "same"],
  [
    "request",
    A,
    { anyOf: [A, B] },
    "implementations",
    'body `anyOf`: none → [{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"type"…',
  ],
  [
    "request",
    A,
    { oneOf: [A, B] },
    "both",
    'body `oneOf`: none → [{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"type"…',
  ], // both at once are rejected now
  ["request", { oneOf: [text, whole] }, { anyOf: [whole, text] }, "same"],
  [
    "request",
    { ...whole, anyOf: [{ minimum: 0 }, { maximum: 10 }] },
    whole,
    "undecided",
    'body `anyOf`: [{"minimum":0},{"maximum":10}] → none',
  ],
  [
    "request",
    { anyOf: [{ ...text, default: "x" }, whole] },
    { anyOf: [{ ...text, default: "y" }, whole] },
    "undecided",
    'body default: "x" → "y"',
  ],
  ["request", A, { ...A, unevaluatedProperties: false }, "clients", "body no longer accepts other members"],
  ["schemas", { A: text }, { A: { $ref: "#/components/schemas/B" }, B: text }, "same"],
  [
    "schemas",
    linked(12, text),
    linked(12, { ...text, maxLength: 3 }),
    "clients",
    "body.a.a.a.a.a.a maximum length: none → 3",
  ],
  [
    "schemas",
    oneOfB(text),
    oneOfB({ ...text, maxLength: 3 }),
    "clients",
    "body `components › schemas › B › properties › a › maxLength`: none → 3",
  ],
  ["schemas", nodes(text), nodes({ ...text, maxLength: 3 }), "clients", "body.value maximum length: none → 3"],
  ["requestBody", json(A), { ...json(A), required: true }, "clients", "body is required now"],
  [
    "requestBody",
    form({}),
    form({ encoding: { a: { contentType: "text/html" } } }),
    "undecided",
    'body `encoding`: none → {"a":{"contentType":"text/html"}}',
  ],
  [
    "requestBody",
    json(A),
    { content: { "application/json": { schema: A, encoding: { a: { explode: true } } } } },
    "same",
  ],
  [
    "requestBody",
    { content: { "text/*": { schema: text } } },
    { content: { "text/csv": { schema: text } } },
    "clients",
    "body as text/* is no longer accepted",
  ],
];

/** Bodies that are only written differently: each takes another proof. */
const SAME: Row[] = [
  [{ ...text, maxLength: 0 }, { const: "" }],
  [{ type: "number", minimum: 1, maximum: 1 }, { enum: [1] }],
  [
    { ...text, pattern: "^a[^]*b$|^ab$" },
    { ...text, allOf: [{ pattern: "^a" }, { pattern: "b$" }] },
  ],
  [
    { ...whole, maximum: 9 },
    { type: "number", multipleOf: 1, maximum: 9 },
  ],
  [{ type: ["string", "null"] }, oneIn(text)],
  [{ const: "a" }, { const: "a", not: { const: "b" } }],
  [text, { ...text, not: { anyOf: [whole, { type: "null" }] } }],
  [text, { ...text, not: { not: text } }],
  [{ type: "object", dependentSchemas: { a: B } }, ifPresent("a", B)],
  [closed({ b: text }), closed({ b: text }, { dependentRequired: { a: ["b"] } })],
  [closed({ a: text }), closed({ a: text }, { propertyNames: { maxLength: 3 } })],
  [closed({ a: text, b: text }), { oneOf: [closed({ a: text }), closed({ a: text, b: text }, { required: ["b"] })] }],
  [
    object({}, { patternProperties: { "^a": text } }),
    object({}, { patternProperties: { "^a": { ...text, minLength: 0 } } }),
  ],
  [tuple(text), { ...tuple(text), maxItems: 1 }],
  [list(text, { maxItems: 0 }), list(whole, { maxItems: 0 })],
].map(([before, after]) => ["request", before, after, "same"]);

const RESPONSES: Row[] = [
  [
    "response",
    closed({}),
    closed({ a: text }),
    "clients",
    "200 body.a may appear now. The old contract allows no other members here, so a client that validates responses rejects it",
  ],
  [
    "response",
    closed({}),
    closed({ a: text }, { required: ["a"] }),
    "both",
    "200 body.a is new, and always present. The old contract allows no other members here, so a client that validates responses rejects it",
  ],
  ["response", closed({ a: text }, { required: ["a"] }), closed({}), "both", "200 body.a is removed"],
  [
    "response",
    oneIn(closed({ a: text, b: text })),
    oneIn(closed({ a: text })),
    "implementations",
    '200 body `anyOf.0.properties.b`: {"type":"string"} → none',
  ],
  [
    "response",
    object({ a: whole }),
    { type: "object" },
    "clients",
    "200 body.a is no longer declared (integer), and may have any value now",
  ],
  ["response", { ...whole, default: 1 }, { ...whole, default: 2 }, "nobody", "200 body default: 1 → 2"],
  [
    "response",
    object({ a: text }),
    object({ a: { ...text, readOnly: true } }),
    "nobody",
    "200 body.a is read-only now",
  ],
  [
    "response",
    closed({ a: text }),
    closed({ a: { ...text, writeOnly: true } }),
    "implementations",
    "200 body.a is write-only now: a response must not have it",
  ],
  [
    "response",
    object({ a: text }),
    object({ a: { ...text, contentMediaType: "text/html" } }),
    "nobody",
    '200 body.a `contentMediaType`: none → "text/html"',
  ],
  [
    "response",
    object({ a: text }),
    object({ a: { ...text, nullable: true } }),
    "nobody",
    "200 body.a says `nullable`, which has no effect in OpenAPI 3.1. Write type: [string, 'null'] to allow null",
  ],
  [
    "response",
    A,
    { ...A, discriminator: { propertyName: "a" } },
    "nobody",
    '200 body `discriminator`: none → {"propertyName":"a"}',
  ],
  ["responses", { 200: ok }, { 200: ok, 404: ok }, "clients", "404 may be returned now"],
  [
    "responses",
    { 200: ok, 400: ok },
    { 200: ok, 400: ok, 404: ok },
    "nobody",
    "404 may be returned now",
    "implementations",
  ],
  ["responses", { 200: ok }, { 201: ok }, "both", "200 is renamed to `201`"],
  ["responses", { 200: ok, 404: ok }, { 404: ok }, "both", "200 is no longer returned", "clients"],
  ["responses", { 200: ok, "4XX": ok }, { 200: ok, 404: ok }, "implementations", "4XX is no longer returned", "nobody"],
  [
    "responses",
    { 200: { ...ok, ...json(text) } },
    { 200: ok },
    "both",
    "200 body as application/json is no longer returned",
  ],
  ["header", undefined, { schema: text }, "nobody", "200 header.X-H may be returned now", "implementations"],
  ["header", { schema: whole }, { schema: text }, "clients", "200 header.X-H type: integer → string"],
];

const KEYS: Row[] = [
  [
    "document",
    secured({ type: "apiKey", in: "query", name: "k" }),
    secured({ type: "apiKey", in: "cookie", name: "k" }),
    "both",
    "the operation key: `k` in the query → `k` in the cookie",
  ],
  [
    "document",
    secured(bearer),
    secured({ ...bearer, scheme: "basic" }),
    "both",
    "the operation key: bearer token → basic",
  ],
  ["document", key("X-K"), key("x-k"), "same"],
  ["document", key("X-K"), key("X-L"), "both", "the operation key: `x-k` in the header → `x-l` in the header"],
  [
    "document",
    key("X-K", [{}, { k: [] }]),
    key("X-K"),
    "clients",
    "the operation key: none or `x-k` in the header → `x-k` in the header",
  ],
  [
    "document",
    secured(oauth(), [{ k: ["r"] }]),
    secured(oauth(), [{ k: ["r", "w"] }]),
    "clients",
    "the operation key: OAuth token (r) → OAuth token (r, w)",
  ],
  [
    "document",
    secured(oauth()),
    secured(oauth("https://b.example/token")),
    "undecided",
    "the operation key: OAuth token → OAuth token",
  ],
];

const OTHERS: Row[] = [
  [
    "document",
    { servers: [{ url: "https://a.example" }] },
    { servers: [{ url: "https://b.example" }] },
    "clients",
    "https://a.example is no longer a server address: `https://b.example` is",
    "clients",
  ],
  ["document", servers("a", "b"), servers("a"), "clients", "https://b.example is no longer a server address", "nobody"],
  [
    "operation",
    {},
    { servers: [{ url: "https://a.example" }] },
    "undecided",
    "https://a.example is a server address now",
  ],
  ["document", {}, { webhooks: { done: { post: { responses: { 200: ok } } } } }, "undecided", "webhooks is new"],
  [
    "operation",
    callback(text),
    callback({ ...text, maxLength: 3 }),
    "undecided",
    "the operation `callbacks.done.{$request.query.q}.post.requestBody.content.application/json.schema.maxLength`: none → 3",
  ],
  ["pathItem", {}, { post: { ...OPERATION, operationId: "addCup" } }, "implementations", "POST /v1/cups is new"],
  ["pathItem", { parameters: [q(text)] }, { get: { ...OPERATION, parameters: [q(text)] } }, "same"],
];

const OTHER_SIDE: Partial<Record<PairVerdict, PairVerdict>> = {
  clients: "implementations",
  implementations: "clients",
};

/** Each row, and undone. */
export const PAIRS = [...PARAMETERS, ...BODIES, ...SAME, ...RESPONSES, ...KEYS, ...OTHERS].map(
  ([place, before, after, want, sentence, undone = OTHER_SIDE[want] ?? want]) => {
    return { place, before, after, want, sentence, undone };
  },
);
