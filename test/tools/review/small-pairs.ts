// Pairs of the smallest contracts, everyday and hostile ones, each judged on paper before the review had seen it.

import { type Contract, createCheckedContract } from "../../../src/contract/contract.js";
import type { ContractText } from "../../../src/contract/contract-file.js";
import type { Change } from "../../../src/tools/review/changes/change.js";

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

/**
 * A verdict is a PairVerdict, or several if more than one is right. Undone, the other side breaks, unless `undone` says
 * more.
 */
type Row = [place: Place, before: unknown, after: unknown, want: string, undone?: string];
type Pair = [place: Place, before: unknown, after: unknown, want: string];

const OPERATION = { operationId: "listCups", responses: { 200: { description: "ok" } } };
const withParameters = (parameters: object[]) => toDocument({ "/v1/cups": { get: { ...OPERATION, parameters } } });
const withBody = (requestBody: object | undefined, members: object = {}) =>
  toDocument({ "/v1/cups": { post: { ...OPERATION, requestBody } } }, members);
const withResponses = (responses: object) => toDocument({ "/v1/cups": { get: { ...OPERATION, responses } } });

function toDocument(paths: object, members: object = {}): object {
  return { openapi: "3.1.0", info: { title: "Cups", version: "1.0.0" }, security: [], paths, ...members };
}

/** The contract of one side of a pair. */
export function loadSide(place: Place, value: unknown): Promise<Contract> {
  return loadDocument((PLACES[place] as (value: unknown) => object)(value));
}

/** @throws ContractError */
export function loadDocument(document: object): Promise<Contract> {
  const text = JSON.stringify(document, null, 1);
  const source: ContractText = { path: "cups.json", text, digest: text };
  return createCheckedContract(source);
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
const whole = { type: "integer" };
const list = (items: object, more: object = {}) => ({ type: "array", items, ...more });
const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const closed = (properties: object, more: object = {}) => object(properties, { additionalProperties: false, ...more });
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const nested = (depth: number, schema: object): object =>
  depth === 0 ? schema : { allOf: [nested(depth - 1, schema), nested(depth - 1, schema)] };
/** Each schema refers to the next one twice. */
const linked = (depth: number, last: object, link: (next: object) => object) => {
  const name = (index: number) => (index === 0 ? "A" : `A${index}`);
  const entries = Array.from({ length: depth }, (_none, index) => [
    name(index),
    link({ $ref: `#/components/schemas/${name(index + 1)}` }),
  ]);
  return Object.fromEntries([...entries, [name(depth), last]]);
};
const diamond = (depth: number, last: object) => linked(depth, last, (next) => ({ allOf: [next, { ...next }] }));
const members = (depth: number, last: object) => linked(depth, last, (next) => object({ a: next, b: { ...next } }));
const chain = (depth: number, last: object): object => ({
  A: Array.from({ length: depth }).reduce<object>((schema) => ({ allOf: [schema] }), last),
});
const described = (words: string, status: number) => {
  const post = { operationId: "done", description: words, responses: { [status]: { description: words } } };
  return { callbacks: { done: { "{$request.query.u}": { post } } } };
};
const closedBy = (...parts: object[]) => ({ type: "object", allOf: parts, unevaluatedProperties: false });

const PARAMETERS: Row[] = [
  ["query", whole, { ...whole, maximum: 5 }, "clients"],
  ["query", text, whole, "clients"],
  ["query", text, list(text), "implementations"],
  ["query", { type: "boolean" }, { enum: ["true", "false"], type: "string" }, "same|undecided"],
  ["query", { enum: ["a", "b"] }, { enum: ["b", "a"] }, "same"],
  ["query", { ...whole, default: 10 }, { ...whole, default: 25 }, "both"],
  [
    "query",
    { anyOf: [list(text), { type: "null" }] },
    { anyOf: [list(text, { maxItems: 2 }), { type: "null" }] },
    "clients",
  ],
  ["query", object({ a: text }), object({ a: { ...text, maxLength: 3 } }), "clients"],
  ["query", object({ a: text }), object({ a: text }, { required: ["a"] }), "clients|undecided"],
  ["parameter", { schema: text }, { schema: text, required: true }, "clients"],
  ["parameter", { schema: list(text) }, { schema: list(text), explode: false }, "both"],
  ["parameter", { schema: text }, { schema: text, explode: false }, "same"],
  ["parameter", { schema: text }, { schema: text, style: "form" }, "same"],
  ["parameter", { schema: text }, { schema: text, allowReserved: true }, "implementations"],
  ["parameter", { schema: text }, { schema: text, deprecated: true }, "nobody"],
  ["parameter", { schema: text }, { schema: text, description: "What", example: "a" }, "same"],
  ["parameter", { schema: text }, json(text), "undecided|both"],
  ["parameter", json(object({})), json(object({}, { required: ["a"] })), "clients"],
  ["parameter", json(object({ a: text })), json(object({ a: whole })), "both"],
  ["parameter", json(object({ a: { enum: ["x", "y"] } })), json(object({ a: { enum: ["y", "x"] } })), "same"],
  ["parameter", json(text), { content: { "text/plain": { schema: text } } }, "undecided|both"],
  [
    "parameter",
    { content: { "text/csv": { schema: text } } },
    { content: { "text/csv": { schema: { ...text, maxLength: 3 } } } },
    "undecided|clients",
  ],
  ["parameter", { in: "cookie", schema: text }, { in: "cookie", schema: text, required: true }, "clients"],
  ["parameter", { in: "cookie", schema: text }, { in: "cookie", schema: { ...text, maxLength: 3 } }, "clients"],
  ["parameter", { in: "header", schema: text }, { in: "header", schema: text, required: true }, "clients"],
  ["parameter", { in: "header", schema: list(text) }, { in: "header", schema: list(text, { maxItems: 2 }) }, "clients"],
  [
    "parameter",
    { in: "header", schema: object({ a: text }) },
    { in: "header", schema: object({ a: { ...text, maxLength: 3 } }) },
    "clients|undecided",
  ],
  [
    "parameter",
    { in: "header", name: "Accept", schema: text },
    { in: "header", name: "Accept", schema: whole },
    "same",
  ],
  ["parameter", { in: "header", name: "X-A", schema: text }, { in: "header", name: "x-a", schema: text }, "same"],
  [
    "parameter",
    { name: "constructor", schema: whole },
    { name: "constructor", schema: { ...whole, maximum: 5 } },
    "clients|undecided",
  ],
  [
    "parameter",
    { name: "__proto__", schema: whole },
    { name: "__proto__", schema: { ...whole, maximum: 5 } },
    "clients|undecided",
  ],
  [
    "parameter",
    { name: "page[size]", schema: whole },
    { name: "page[size]", schema: { ...whole, maximum: 5 } },
    "clients",
  ],
  ["parameters", [], [{ name: "q", in: "query", schema: text }], "implementations"],
  ["parameters", [], [{ name: "q", in: "query", required: true, schema: text }], "both"],
  ["parameters", [], [{ name: "s", in: "cookie", schema: text }], "nobody|same"],
  [
    "parameters",
    [
      { name: "a", in: "query", schema: text },
      { name: "b", in: "query", schema: whole },
    ],
    [
      { name: "b", in: "query", schema: whole },
      { name: "a", in: "query", schema: text },
    ],
    "same",
  ],
  ["deepObject", object({ o: { enum: ["a", "b", "c"] } }), object({ o: { enum: ["a", "b"] } }), "clients"],
  ["deepObject", object({ o: text }), object({ o: text }, { required: ["o"] }), "clients"],
  ["deepObject", object({ o: text }), object({ o: whole }), "clients"],
  ["deepObject", object({ o: text }), object({ o: object({ a: text }) }), "undecided|clients|both"],
  [
    "parameter",
    { style: "deepObject", schema: object({ o: text }) },
    { schema: object({ o: text }) },
    "undecided|both",
  ],
  [
    "path",
    ["/v1/cups/{id}", { name: "id", schema: text }],
    ["/v1/cups/{cupId}", { name: "cupId", schema: text }],
    "same|nobody",
  ],
  [
    "path",
    ["/v1/cups/{id}", { name: "id", schema: text }],
    ["/v1/cups/{cupId}", { name: "cupId", schema: whole }],
    "clients",
  ],
  [
    "path",
    ["/v1/{a}/x/{b}", { name: "a", schema: text }, { name: "b", schema: whole }],
    ["/v1/{a}/x/{c}", { name: "a", schema: text }, { name: "c", schema: { ...whole, maximum: 5 } }],
    "clients",
  ],
  [
    "path",
    ["/v1/{a}/{b}", { name: "a", schema: whole }, { name: "b", schema: text }],
    ["/v1/{b}/{a}", { name: "a", schema: whole }, { name: "b", schema: text }],
    "both",
  ],
  [
    "path",
    ["/v1/{a}/{b}", { name: "a", schema: whole }, { name: "b", schema: text }],
    ["/v1/{b}/{a}", { name: "b", schema: whole }, { name: "a", schema: text }],
    "same|nobody",
  ],
  [
    "path",
    ["/v1/cups('{a}')", { name: "a", schema: text }],
    ["/v1/cups('{b}')", { name: "b", schema: { ...text, maxLength: 5 } }],
    "clients",
  ],
  [
    "path",
    ["/v1/{a}", { name: "a", schema: list(text) }],
    ["/v1/{a}", { name: "a", schema: list(text, { maxItems: 2 }) }],
    "clients",
  ],
];

/** A member that is declared as `false` is forbidden; one that is not declared is not. */
const FORBIDDEN: Row[] = [
  ["request", object({ a: text }), object({ a: text, b: false }), "clients"],
  ["response", object({ a: text }), object({ a: text, b: false }), "implementations"],
  ["request", object({ a: text }), object({ a: text, b: { not: {} } }), "clients"],
  ["request", {}, { oneOf: [true, true] }, "clients"],
  [
    "request",
    object({ a: text }, { patternProperties: { "^b": text } }),
    object({ a: text, b: false }),
    "both|clients",
    "both|implementations",
  ],
  ["request", closed({ a: text }), closed({ a: text, b: false }), "same"],
  ["request", list(text), list(text, { prefixItems: [false] }), "clients"],
];

const A = object({ a: text }, { required: ["a"] });
const B = object({ b: whole }, { required: ["b"] });
const closedA = closed({ a: text }, { required: ["a"] });
const closedB = closed({ b: whole }, { required: ["b"] });
const presence = (name: string, then: object, more: object = {}) => ({
  type: "object",
  if: { required: [name] },
  then,
  ...more,
});
const one = { const: 1 };

/** One schema becomes one of two: the added alternative is the counterexample. Then conditions, names and items. */
const DECIDED: Row[] = [
  ["request", A, { oneOf: [A, B] }, "both"], // both at once are rejected now
  ["request", A, { anyOf: [A, B] }, "implementations"],
  ["response", list(A), list({ oneOf: [A, B] }), "both"],
  ["response", closedA, { oneOf: [closedA, closedB] }, "clients"],
  ["request", { oneOf: [closedA, closedB] }, closedB, "clients"],
  [
    "schemas",
    { A: { $ref: "#/components/schemas/B" }, B: closedA },
    { A: { oneOf: [{ $ref: "#/components/schemas/B" }, { $ref: "#/components/schemas/C" }] }, B: closedA, C: closedB },
    "implementations",
  ],
  ["request", { type: "object", dependentRequired: { a: ["b"] } }, presence("a", { required: ["b"] }), "same"],
  ["request", { type: "object", dependentSchemas: { a: B } }, presence("a", B), "same"],
  ["request", presence("a", B, { else: { required: ["c"] } }), presence("a", B), "implementations"],
  ["request", closed({ a: text }, { minProperties: 1 }), closed({ a: text }, { required: ["a"] }), "same"],
  ["request", { type: "object", propertyNames: { enum: ["a", "b"] } }, closed({ a: true, b: true }), "same"],
  ["request", { type: "object", propertyNames: { enum: ["a", "b"] } }, closed({ a: true }), "clients"],
  ["request", list(text, { prefixItems: [text, text] }), list(text), "same"],
  ["request", list(one, { minItems: 1 }), list(one, { minItems: 1, contains: one }), "same"],
  ["request", list(one), list(one, { contains: one }), "clients"],
  ["query", text, list(text, { maxItems: 3 }), "implementations"],
  ["request", { ...text, minLength: 1 }, { ...text, pattern: "." }, "clients"], // a line break
];

const scheme = (k: object, security: object[] = [{ k: [] }]) => ({ security, components: { securitySchemes: { k } } });
const tokens = (tokenUrl = "https://a.example/token", scopes: object = { r: "", w: "" }) => ({
  type: "oauth2",
  flows: { clientCredentials: { tokenUrl, scopes } },
});
const bearerToken = { type: "http", scheme: "bearer" };
const keyIn = (name: string) => ({ type: "apiKey", in: "header", name });

/** Keys, tokens and their scopes. */
const KEYS: Row[] = [
  ["document", scheme(tokens(), [{ k: ["r"] }]), scheme(tokens(), [{ k: ["r", "w"] }]), "clients"],
  ["document", scheme(tokens(), []), scheme(tokens(), [{ k: ["r"] }]), "clients"],
  ["document", scheme(bearerToken), scheme(tokens()), "both"],
  ["document", scheme(keyIn("X-K"), [{}, { k: [] }]), scheme(keyIn("X-K")), "clients"],
  ["document", scheme(keyIn("X-K")), scheme(keyIn("x-k")), "same"],
  [
    "document",
    scheme(tokens(), [{ k: ["r"] }]),
    scheme(tokens("https://a.example/token", { r: "" }), [{ k: ["r"] }]),
    "same",
  ],
  ["document", scheme(tokens()), scheme(tokens("https://b.example/token")), "undecided"],
];

/** Notes and what has no effect break nobody. */
const WITHOUT_EFFECT: Row[] = [
  ["response", object({ a: text }), object({ a: { ...text, readOnly: true } }), "nobody"],
  ["response", object({ a: text }), object({ a: { ...text, contentMediaType: "text/html" } }), "nobody"],
  ["response", object({ a: text }), object({ a: { ...text, nullable: true } }), "nobody"],
  ["response", A, { ...A, discriminator: { propertyName: "a" } }, "nobody"],
  ["request", object({ a: text }), object({ a: { ...text, readOnly: true } }), "clients"],
  [
    "requestBody",
    { content: { "application/json": { schema: A } } },
    { content: { "application/json": { schema: A, encoding: { a: { contentType: "text/plain" } } } } },
    "same",
  ],
  ["parameters", [], [{ name: "q", in: "query", style: "deepObject", schema: object({ a: text }) }], "implementations"],
  [
    "operation",
    { servers: [{ url: "https://a.example" }] },
    { servers: [{ url: "https://b.example" }] },
    "clients",
    "clients",
  ],
];

const UNIQUE = { uniqueItems: true, maxItems: 20 };

const BODIES: Row[] = [
  ["request", object({ "[]": text }), object({ "[]": { ...text, maxLength: 3 } }), "clients"],
  ["request", object({ unknownMember: text }), closed({ unknownMember: text }), "undecided|clients"],
  ["request", object({}), object({ b: text }), "clients"],
  ["request", closed({ a: text }), closed({ a: text, b: text }), "implementations"],
  ["request", object({ a: text }), object({ a: text }, { required: ["a"] }), "clients"],
  ["request", object({ a: text }), closed({ a: text }), "clients"],
  ["request", object({ a: { enum: ["x", "y"] } }), object({ a: { enum: ["x"] } }), "clients"],
  ["request", object({ a: text }), object({ a: { ...text, readOnly: true } }), "clients"],
  ["request", object({ a: text }), object({ a: { ...text, writeOnly: true } }), "nobody"],
  ["request", object({ a: text }), object({ a: { ...text, nullable: true } }), "nobody"],
  ["request", text, { ...text, format: "uri" }, "clients"],
  ["request", { ...text, format: "uri" }, { ...text, format: "uri-reference" }, "implementations"],
  ["request", { ...text, pattern: "^[a-z]+$" }, { ...text, pattern: "^[a-z][a-z]*$" }, "same"],
  ["request", { ...text, pattern: "^(?!admin)" }, { ...text, pattern: "^(?!admin|root)" }, "clients"],
  [
    "request",
    list(object({ a: text }), UNIQUE),
    list(object({ a: text }), { ...UNIQUE, maxItems: 30 }),
    "implementations",
  ],
  ["request", { enum: ["a", "b"] }, { ...text, pattern: "^(a|b)$" }, "same"],
  ["request", { enum: ["a", "b"] }, { ...text, pattern: "^(a|b|c)$" }, "implementations"],
  ["request", { anyOf: [{ type: "null" }, text] }, { type: ["string", "null"] }, "same"],
  ["request", { oneOf: [text, whole] }, { anyOf: [whole, text] }, "same"],
  ["request", { ...whole, minimum: 1 }, { ...whole, exclusiveMinimum: 0 }, "same"],
  ["request", whole, { type: "number", multipleOf: 1 }, "same"],
  ["request", { ...whole, multipleOf: 2 }, { ...whole, multipleOf: 4 }, "clients"],
  ["request", { const: 1 }, { const: 2 }, "both"],
  ["request", { const: { title: "a" } }, { const: { title: "b" } }, "both"],
  ["request", { enum: [{ description: "a" }, 1] }, { enum: [{ description: "b" }, 1] }, "both"],
  ["request", { enum: [1, "1"] }, { enum: [1] }, "clients"],
  [
    "request",
    { type: "object", additionalProperties: text },
    { type: "object", additionalProperties: text, propertyNames: { maxLength: 3 } },
    "clients",
  ],
  [
    "request",
    object({ a: text, b: text }),
    object({ a: text, b: text }, { dependentRequired: { a: ["b"] } }),
    "clients",
  ],
  ["request", object({ a: text }), object({ a: text }, { dependentSchemas: { a: { required: ["b"] } } }), "clients"],
  ["request", closed({ a: text, b: text }), closed({ a: text, b: text }, { maxProperties: 1 }), "clients"],
  ["request", closed({ a: text, b: text }), closed({ a: text, b: text }, { maxProperties: 2 }), "same"],
  [
    "request",
    object({ a: { enum: ["x", "y"] }, b: text }),
    object(
      { a: { enum: ["x", "y"] }, b: text },
      {
        if: { properties: { a: { const: "x" } }, required: ["a", "b"] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { properties: { b: { maxLength: 3 } } },
      },
    ),
    "clients",
  ],
  [
    "request",
    object({ a: { type: "boolean" }, b: { type: "boolean" } }),
    object(
      { a: { type: "boolean" }, b: { type: "boolean" } },
      { not: { properties: { a: { const: true }, b: { const: true } }, required: ["a", "b"] } },
    ),
    "clients",
  ],
  ["request", list(text), list(text, { contains: { const: "a" } }), "clients"],
  ["request", list(text), list(text, { uniqueItems: true }), "clients"],
  ["request", { type: "array", prefixItems: [text] }, { type: "array", prefixItems: [whole] }, "both"],
  ["request", { type: "array", prefixItems: [text, whole] }, { type: "array", prefixItems: [whole, text] }, "both"],
  [
    "request",
    list(text, { prefixItems: [whole] }),
    list({ ...text, maxLength: 3 }, { prefixItems: [whole] }),
    "clients",
  ],
  ["request", object({ a: text }, { additionalProperties: true }), object({ a: text }), "same"],
  ["request", object({ a: text }, { required: [], minProperties: 0 }), object({ a: text }), "same"],
  ["request", list({}, { minItems: 0, uniqueItems: false }), { type: "array" }, "same"],
  [
    "request",
    object({ a: text, b: text }, { required: ["a", "b"] }),
    object({ b: text, a: text }, { required: ["b", "a"] }),
    "same",
  ],
  ["request", { ...text, title: "A", "x-more": 1, examples: ["a"], $comment: "c" }, text, "same"],
  ["request", { ...text, contentMediaType: "text/html" }, text, "same|nobody"],
  [
    "request",
    object({ constructor: text }),
    object({ constructor: text }, { required: ["constructor"] }),
    "clients|undecided",
  ],
  [
    "request",
    object({ properties: object({ nullable: text }) }),
    object({ properties: object({ nullable: whole }) }),
    "both",
  ],
  ["request", object({ example: text, title: text }), object({ example: whole, title: text }), "both"],
  ["request", object({ description: text }), object({ description: { ...text, maxLength: 3 } }), "clients"],
  [
    "request",
    object({ a: text }, { patternProperties: { "^x-": text } }),
    object({ a: text }, { patternProperties: { "^x-": whole } }),
    "both",
  ],
  ["schemas", { A: text }, { A: { $ref: "#/components/schemas/B" }, B: text }, "same"],
  [
    "schemas",
    { A: { $ref: "#/components/schemas/B" }, B: text },
    { A: { $ref: "#/components/schemas/B", maxLength: 3 }, B: text },
    "clients",
  ],
  [
    "schemas",
    { A: object({ a: text, next: { $ref: "#/components/schemas/A" } }) },
    { A: object({ a: whole, next: { $ref: "#/components/schemas/A" } }) },
    "both",
  ],
  [
    "schemas",
    { A: object({ next: { $ref: "#/components/schemas/A" } }) },
    {
      A: object({ next: { $ref: "#/components/schemas/B" } }),
      B: object({ next: { $ref: "#/components/schemas/A" } }),
    },
    "same",
  ],
  ["schemas", diamond(8, text), diamond(8, text), "same"],
  ["schemas", diamond(8, text), diamond(8, { ...text, maxLength: 3 }), "clients|undecided"],
  ["schemas", chain(60, object({ a: text })), chain(60, object({ a: { ...text, maxLength: 3 } })), "clients|undecided"],
  ["schemas", members(22, text), members(22, { ...text, maxLength: 3 }), "clients|undecided"],
  ["request", nested(9, object({ a: text })), nested(9, object({ a: text })), "same"],
  ["request", nested(9, object({ a: text })), nested(9, object({ a: { ...text, maxLength: 3 } })), "undecided|clients"],
  [
    "request",
    object({ a: text }, { discriminator: { propertyName: "a" } }),
    object({ a: { ...text, maxLength: 64 } }),
    "clients",
  ],
  [
    "request",
    object({ a: text, b: text }),
    object({ a: { ...text, maxLength: 64 }, b: text }, { discriminator: { propertyName: "a" } }),
    "clients",
  ],
  ["request", object({ a: text }), object({ a: text }, { discriminator: { propertyName: "a" } }), "nobody"],
  ["request", object({ a: text }, { unevaluatedProperties: {} }), object({ a: { ...text, maxLength: 64 } }), "clients"],
  ["request", object({ a: text }), object({ a: text }, { unevaluatedProperties: false }), "clients|undecided"],
  ["request", closedBy(object({ a: text })), closedBy(object({ a: text, b: text })), "implementations"],
  [
    "request",
    { ...closedBy(object({ a: text })), anyOf: [object({ b: text }), object({ c: text })] },
    { ...closedBy(object({ a: text })), anyOf: [object({ b: text }), object({ d: text })] },
    "undecided|both",
  ],
  [
    "request",
    { type: "array", prefixItems: [text], unevaluatedItems: false },
    { type: "array", prefixItems: [text] },
    "undecided|implementations",
  ],
  ["request", { not: whole }, { not: { type: "number" } }, "clients"],
  ["request", { type: "number", exclusiveMaximum: 5 }, { type: "number", maximum: 5 }, "implementations"],
  ["request", { ...text, minLength: 1 }, { ...text, pattern: "[^]" }, "same|undecided"],
  ["request", { anyOf: [{ const: "a" }, { const: "b" }] }, { enum: ["b", "a"] }, "same"],
  [
    "requestBody",
    { content: { "application/json": { schema: text } } },
    { required: true, content: { "application/json": { schema: text } } },
    "clients",
  ],
  [
    "requestBody",
    { content: { "application/json": { schema: text } } },
    { content: { "application/json": { schema: text }, "text/plain": { schema: text } } },
    "implementations|undecided",
  ],
  [
    "requestBody",
    { content: { "text/plain": { schema: text } } },
    { content: { "text/plain": { schema: { ...text, maxLength: 3 } } } },
    "clients|undecided",
  ],
  [
    "requestBody",
    { content: { "multipart/form-data": { schema: object({ a: text }) } } },
    {
      content: {
        "multipart/form-data": { schema: object({ a: text }), encoding: { a: { contentType: "text/html" } } },
      },
    },
    "undecided",
  ],
  [
    "requestBody",
    { content: { "application/xml": { schema: object({ a: text }) } } },
    { content: { "application/xml": { schema: object({ a: { ...text, xml: { attribute: true } } }) } } },
    "undecided",
  ],
  ["requestBody", { content: { "application/json": { schema: text } } }, undefined, "clients|undecided"],
  [
    "requestBody",
    { content: { "application/json": { schema: text } } },
    { content: { "application/json; charset=utf-8": { schema: text } } },
    "same|nobody",
  ],
];

const ENTANGLED: Row[] = [
  ["request", { anyOf: [whole, whole] }, { anyOf: [whole, text] }, "implementations"],
  ["request", { oneOf: [whole, { type: "number" }] }, { oneOf: [whole, whole, { type: "number" }] }, "undecided|both"],
  [
    "request",
    object({ a: { anyOf: [{ ...text, default: "x" }, whole] } }),
    object({ a: { anyOf: [{ ...text, default: "y" }, whole] } }),
    "undecided|both",
  ],
  ["request", { ...text, minLength: 2, maxLength: 1 }, { ...text, minLength: 3, maxLength: 1 }, "same|undecided"],
  ["request", list(text, { maxItems: 0 }), list(whole, { maxItems: 0 }), "same|undecided"],
  ["request", object({ a: { const: 1 } }), object({ a: { enum: [1] } }), "same"],
  ["request", closed({ a: false, b: text }), closed({ b: text }), "same"],
  ["request", object({ a: text }, { minProperties: 1 }), object({ a: text }, { required: ["a"] }), "clients"],
  ["request", object({ "a.b": text }), object({ "a.b": { ...text, maxLength: 2 } }), "clients"],
  [
    "request",
    object({ a: { ...text, readOnly: true } }, { required: ["a"] }),
    object({ a: text }, { required: ["a"] }),
    "both",
  ],
  ["request", { ...text, format: "date" }, { ...text, format: "date-time" }, "both"],
  [
    "response",
    object({ a: text }, { patternProperties: { "^a": { maxLength: 5 } } }),
    object({ a: text }, { patternProperties: { "^a": { maxLength: 4 } } }),
    "implementations",
  ],
];

const RESPONSES: Row[] = [
  ["operation", described("One", 200), described("Two", 200), "same"],
  ["operation", described("One", 200), described("Two", 204), "undecided"],
  ["response", object({ a: text }), object({ a: { ...text, readOnly: true } }), "nobody"],
  ["response", object({ a: text }), object({ a: { ...text, writeOnly: true } }), "implementations"],
  [
    "response",
    object({ a: text }, { required: ["a"] }),
    object({ a: { ...text, writeOnly: true } }, { required: ["a"] }),
    "both",
  ],
  ["response", object({ a: list(text) }), object({ a: object({ b: text }) }), "both"],
  ["response", closed({ a: text }), closed({ a: text, b: text }), "clients"],
  ["response", object({ a: text }), object({ a: text, b: text }), "implementations"],
  ["response", closedBy(object({ a: text })), closedBy(object({ a: text, b: text })), "clients"],
  ["response", closedBy(object({ a: text })), closed({ a: text }), "same|undecided"],
  ["response", object({ a: { enum: ["x"] } }), object({ a: { enum: ["x", "y"] } }), "clients"],
  ["response", object({ a: text }), object({ a: text }, { required: ["a"] }), "implementations"],
  [
    "response",
    {
      oneOf: [object({ k: { const: "a" } }, { required: ["k"] }), object({ k: { const: "b" } }, { required: ["k"] })],
      discriminator: { propertyName: "k" },
    },
    {
      oneOf: [
        object({ k: { const: "a" } }, { required: ["k"] }),
        object({ k: { const: "b" } }, { required: ["k"] }),
        object({ k: { const: "c" } }, { required: ["k"] }),
      ],
      discriminator: { propertyName: "k" },
    },
    "clients",
  ],
  ["response", { ...whole, default: 1 }, { ...whole, default: 2 }, "same|nobody"],
  ["response", { type: "number" }, whole, "implementations"],
  [
    "response",
    { type: "array", prefixItems: [text] },
    { type: "array", prefixItems: [{ ...text, maxLength: 3 }] },
    "implementations|undecided",
  ],
  ["responses", { 200: { description: "ok" } }, { 200: { description: "ok" }, 404: { description: "no" } }, "clients"],
  [
    "responses",
    { 200: { description: "ok" }, 400: { description: "no" } },
    { 200: { description: "ok" }, 400: { description: "no" }, 404: { description: "no" } },
    "nobody",
    "implementations",
  ],
  ["responses", { 200: { description: "ok" } }, { 201: { description: "ok" } }, "both"],
  ["responses", { 200: { description: "ok" } }, { 200: { description: "fine" } }, "same"],
  [
    "responses",
    { 200: { description: "ok", content: { "*/*": { schema: text } } } },
    { 200: { description: "ok", content: { "*/*": { schema: { ...text, maxLength: 3 } } } } },
    "implementations",
  ],
  [
    "responses",
    { 200: { description: "ok", content: { "text/csv": { schema: text } } } },
    { 200: { description: "ok", content: { "text/csv": { schema: whole } } } },
    "both|undecided",
  ],
  [
    "responses",
    { 200: { description: "ok", content: { "application/json": {} } } },
    { 200: { description: "ok", content: { "application/json; charset=utf-8": {} } } },
    "same|nobody",
  ],
  [
    "responses",
    { 200: { description: "ok", links: { a: { operationId: "listCups" } } } },
    { 200: { description: "ok" } },
    "nobody",
  ],
  ["header", undefined, { schema: text }, "nobody", "implementations"],
  ["header", { schema: whole }, { schema: text }, "clients"],
  ["header", { schema: list(whole) }, { schema: list(whole, { maxItems: 2 }) }, "implementations"],
  ["header", { schema: text }, json(text), "undecided|both"],
  ["header", json(object({ a: text })), json(object({ a: whole })), "undecided|both"],
  ["header", { schema: list(text) }, { schema: list(text), explode: true }, "same|nobody"],
  ["header", { schema: object({ a: text }) }, { schema: object({ a: text }), explode: true }, "undecided|both"],
];

const key = { type: "apiKey", in: "header", name: "X-Key" };
const other = { type: "apiKey", in: "header", name: "X-Other" };
const secured = (security: unknown, k: object = key, o: object = other) => ({
  security,
  components: { securitySchemes: { k, o } },
});
const oauth = (scopes: string[], tokenUrl = "https://example.com/token") =>
  secured([{ k: scopes }], {
    type: "oauth2",
    flows: { clientCredentials: { tokenUrl, scopes: { read: "", write: "" } } },
  });
const callback = (schema: object) => ({
  callbacks: {
    done: {
      "{$request.query.q}": {
        post: {
          requestBody: { content: { "application/json": { schema } } },
          responses: { 200: { description: "ok" } },
        },
      },
    },
  },
});

const OTHERS: Row[] = [
  ["document", secured([{ k: [] }]), secured([{ k: [] }, { o: [] }]), "implementations"],
  ["document", secured([{ k: [] }]), secured([{ o: [] }, { k: [] }]), "implementations"],
  ["document", secured([{ k: [] }, { o: [] }]), secured([{ o: [] }, { k: [] }]), "same"],
  ["document", secured([{ k: [] }]), secured([{ o: [] }]), "both"],
  ["document", secured([{ k: [] }]), secured([{ k: [], o: [] }]), "clients"],
  ["document", secured([{ k: [] }]), secured([]), "implementations"],
  ["document", secured([{ k: [] }]), secured([{ k: [] }], key, { ...other, name: "X-Third" }), "same"],
  ["document", secured([{ k: [] }]), secured([{ k: [] }], { ...key, name: "X-Third" }), "both"],
  ["document", secured([{ k: [] }]), secured([{ k: [] }], { ...key, description: "The key." }), "same"],
  ["document", oauth(["read"]), oauth(["read", "write"]), "clients|undecided"],
  ["document", oauth(["read"]), oauth(["read"], "https://example.org/token"), "undecided|clients"],
  [
    "document",
    { servers: [{ url: "https://example.com/a" }] },
    { servers: [{ url: "https://example.com/b" }] },
    "clients",
    "clients",
  ],
  ["document", {}, { webhooks: { done: { post: { responses: { 200: { description: "ok" } } } } } }, "undecided"],
  [
    "document",
    { jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema" },
    { jsonSchemaDialect: "https://example.com/dialect" },
    "undecided",
  ],
  ["document", { openapi: "3.1.0" }, { openapi: "3.1.1" }, "same"],
  ["document", { tags: [{ name: "a" }] }, { tags: [{ name: "b" }] }, "same"],
  ["document", { components: { schemas: { Unused: text } } }, { components: { schemas: { Unused: whole } } }, "same"],
  ["operation", callback(text), callback({ ...text, maxLength: 3 }), "undecided"],
  ["operation", {}, callback(text), "undecided"],
  ["operation", {}, { deprecated: true }, "nobody"],
  ["operation", {}, { operationId: "getCups", summary: "Cups", tags: ["a"] }, "nobody"],
  ["operation", {}, { servers: [{ url: "https://example.com" }] }, "undecided"],
  ["pathItem", {}, { servers: [{ url: "https://example.com" }] }, "undecided"],
  ["pathItem", {}, { post: { ...OPERATION, operationId: "addCup" } }, "implementations"],
  [
    "pathItem",
    { parameters: [{ name: "q", in: "query", schema: text }] },
    { parameters: [{ name: "q", in: "query", schema: text, required: true }] },
    "clients",
  ],
  [
    "pathItem",
    { parameters: [{ name: "q", in: "query", schema: text }] },
    { get: { ...OPERATION, parameters: [{ name: "q", in: "query", schema: text }] } },
    "same",
  ],
];

const ok = { description: "ok" };
const csv = { "text/csv": { schema: text } };

const tagged = (tag: string, value: object) => object({ tag: { const: tag }, value }, { required: ["tag"] });
/** A component with a choice between two others. */
const eitherOf = (value: object) => ({
  A: { oneOf: [{ $ref: "#/components/schemas/B" }, { $ref: "#/components/schemas/C" }] },
  B: tagged("b", value),
  C: tagged("c", text),
});
const bearer = { type: "http", scheme: "bearer" };

/** Constructs that few contracts have, each beside one that means the same, or nearly. */
/** A range of media types, and a part of it. */
const RANGES: Row[] = [
  ["text/*", "text/plain"],
  ["application/*", "application/json"],
  ["*/*", "text/*"],
  ["application/*+json", "application/merge-patch+json"],
].flatMap((types): Row[] => {
  const [wide, narrow] = types.map((type) => ({ content: { [type]: { schema: text } } }));
  const [often, seldom] = [wide, narrow].map((body) => ({ 200: { description: "ok", ...body } }));
  return [
    ["requestBody", wide, narrow, "clients"],
    ["responses", often, seldom, "implementations"],
  ];
});

const RARE: Row[] = [
  ["query", { type: ["integer", "boolean"] }, whole, "clients"],
  ["query", { oneOf: [whole, { type: "boolean" }] }, { anyOf: [whole, { type: "boolean" }] }, "same"],
  ["query", { anyOf: [whole, { type: "null" }] }, { type: ["integer", "null"] }, "same"],
  ["query", list(whole, { minItems: 1 }), list(whole), "same|nobody"],
  ["query", list(text, { minItems: 2 }), list(text), "implementations"],
  ["query", { const: "a" }, { enum: ["a", "b"] }, "implementations"],
  ["query", text, { ...text, minLength: 1 }, "clients"],
  ["query", { type: "number" }, whole, "clients"],
  ["query", { ...text, format: "uuid" }, text, "implementations"],
  ["deepObject", object({ o: object({ a: text }) }), object({ o: object({ a: whole }) }), "undecided|clients|both"],
  ["deepObject", object({ o: list(text) }), object({ o: list(whole) }), "undecided|clients|both"],
  ["parameter", { schema: text, allowEmptyValue: true }, { schema: text }, "both|undecided|clients"],
  [
    "path",
    ["/v1/{a}", { name: "a", schema: object({ b: text }) }],
    ["/v1/{a}", { name: "a", explode: true, schema: object({ b: text }) }],
    "both|undecided",
  ],
  ["parameters", [{ name: "q", in: "query", schema: text }], [{ name: "r", in: "query", schema: text }], "both"],
  ["parameters", [{ name: "q", in: "query", schema: text }], [{ name: "q", in: "header", schema: text }], "clients"],
  ["parameters", [], [{ name: "X-A", in: "header", required: true, schema: text }], "clients"],
  [
    "request",
    { type: "object", patternProperties: { "^a": text }, additionalProperties: false },
    { type: "object", propertyNames: { pattern: "^a" }, additionalProperties: text },
    "same|undecided",
  ],
  [
    "request",
    list(text, { contains: { const: "a" } }),
    list(text, { contains: { const: "a" }, minContains: 2 }),
    "clients",
  ],
  [
    "request",
    list(text, { contains: { const: "a" }, maxContains: 1 }),
    list(text, { contains: { const: "a" } }),
    "implementations",
  ],
  ["request", { ...whole, minimum: 0 }, { ...whole, minimum: -0.5 }, "same"],
  ["request", { ...whole, maximum: 5.5 }, { ...whole, maximum: 5 }, "same"],
  ["request", { ...text, maxLength: 0 }, { const: "" }, "same|undecided"],
  ["request", { type: ["string", "null"] }, text, "clients"],
  ["request", { enum: [1, 2, 3] }, { ...whole, minimum: 1, maximum: 3 }, "same"],
  [
    "request",
    { not: { type: "null" } },
    { type: ["string", "number", "boolean", "array", "object"] },
    "same|undecided",
  ],
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  ["request", { if: { type: "string" }, then: { maxLength: 3 } }, { maxLength: 3 }, "same|undecided"],
  ["request", closed({ a: text }), closedBy(object({ a: text })), "same|undecided"],
  ["request", list(text, { uniqueItems: true }), list(text, { uniqueItems: true, maxItems: 3 }), "clients"],
  [
    "request",
    object({ a: text }, { required: ["a"] }),
    object({ a: { type: ["string", "null"] } }, { required: ["a"] }),
    "implementations",
  ],
  [
    "request",
    { ...text, allOf: [{ minLength: 1 }, { maxLength: 5 }] },
    { ...text, minLength: 1, maxLength: 5 },
    "same",
  ],
  ["request", { ...whole, anyOf: [{ minimum: 0 }, { maximum: 10 }] }, whole, "same|undecided"],
  ["request", { type: "number", multipleOf: 0.1 }, { type: "number", multipleOf: 0.2 }, "clients"],
  ["request", { type: "number", multipleOf: 0.3 }, { type: "number", multipleOf: 0.1 }, "implementations"],
  ["request", object({ a: {} }), object({}), "same"],
  [
    "request",
    object({ a: text }, { additionalProperties: text }),
    object({}, { additionalProperties: text }),
    "same|undecided",
  ],
  ["request", object({ a: text }), object({ a: text }, { minProperties: 1 }), "clients"],
  ["request", object({ "2": text }), object({ "2": { ...text, maxLength: 2 } }), "clients"],
  ["request", object({ "": text }), object({ "": whole }), "both"],
  ["request", object({ "a/b": text, "~": text }), object({ "a/b": text, "~": { ...text, maxLength: 2 } }), "clients"],
  ["request", { const: null }, { type: "null" }, "same"],
  ["request", {}, { type: ["string", "number", "boolean", "null", "array", "object"] }, "same|undecided"],
  ["response", { oneOf: [text, whole] }, text, "implementations"],
  ["response", closed({ a: text }), object({ a: text }), "clients"],
  ["response", text, { ...text, pattern: "^a" }, "implementations"],
  ["response", list(whole, { maxItems: 5 }), list(whole, { maxItems: 6 }), "clients"],
  ["response", { enum: ["a"] }, { const: "a" }, "same"],
  ["responses", { 200: ok }, { 200: ok, 204: ok }, "clients"],
  ["responses", { 200: ok, default: ok }, { 200: ok }, "implementations"],
  ["responses", { 200: ok, "4XX": ok }, { 200: ok, 404: ok }, "implementations", "nobody"],
  ["responses", { 200: { ...ok, content: csv } }, { 200: ok }, "both|undecided"],
  [
    "responses",
    { 200: { ...ok, ...json(text) } },
    { 200: { ...ok, content: { ...json(text).content, ...csv } } },
    "clients",
  ],
  ["header", { schema: text }, { required: true, schema: text }, "implementations"],
  ["document", secured([{ k: [] }]), secured([{}, { k: [] }]), "implementations"],
  ["document", secured([{ k: [] }]), secured([{ k: [] }], { ...key, in: "cookie" }), "both"],
  ["document", secured([{ k: [] }]), secured([{ k: [] }], { ...key, in: "query" }), "both"],
  ["operation", { security: [] }, {}, "same"],
  [
    "document",
    { servers: [{ url: "https://{a}.example.com", variables: { a: { default: "a", enum: ["a", "b"] } } }] },
    { servers: [{ url: "https://{a}.example.com", variables: { a: { default: "a", enum: ["a"] } } }] },
    "clients",
    "nobody",
  ],
  ["parameter", { required: true, schema: { ...whole, default: 1 } }, { required: true, schema: whole }, "nobody"],
  [
    "parameter",
    { explode: false, schema: list(text) },
    { explode: false, schema: list(text, { maxItems: 3 }) },
    "clients",
  ],
  [
    "request",
    object({ a: text }, { dependentRequired: { a: ["b"] } }),
    object({ a: text }, { dependentRequired: { a: ["b", "c"] } }),
    "clients",
  ],
  [
    "request",
    { type: "object", propertyNames: { pattern: "^a" } },
    { type: "object", propertyNames: { pattern: "^ab" } },
    "clients",
  ],
  [
    "response",
    list({ oneOf: [tagged("a", text), tagged("b", whole)] }),
    list({ oneOf: [tagged("a", text), tagged("b", { type: "number" })] }),
    "clients",
  ],
  ["schemas", eitherOf(text), eitherOf({ ...text, maxLength: 3 }), "clients"],
  ["document", secured([{ k: [] }], bearer), secured([{ k: [] }], { ...bearer, scheme: "basic" }), "both"],
];

const OTHER_SIDE: Readonly<Record<string, string>> = { clients: "implementations", implementations: "clients" };
const exchangeSides = (want: string) => want.replaceAll(/\w+/g, (verdict) => OTHER_SIDE[verdict] ?? verdict);

/** Each row in both directions. */
export const PAIRS: readonly Pair[] = [
  ...FORBIDDEN,
  ...DECIDED,
  ...KEYS,
  ...WITHOUT_EFFECT,
  ...PARAMETERS,
  ...BODIES,
  ...ENTANGLED,
  ...RESPONSES,
  ...OTHERS,
  ...RANGES,
  ...RARE,
].flatMap(([place, before, after, want, undone = exchangeSides(want)]): Pair[] => [
  [place, before, after, want],
  [place, after, before, undone],
]);
