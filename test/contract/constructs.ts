// Constructs of contracts that other tools stumble at, each in an operation of its own.

export interface Request {
  /** Behind the question mark. */
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Construct {
  title: string;
  parameters?: { name?: string; [member: string]: unknown }[];
  /** The schema of a required JSON body. */
  request?: unknown;
  /** The schema of a JSON response. */
  response?: unknown;
  /** Members of the operation. */
  operation?: { requestBody?: object; responses?: object; security?: object[] };
  /** Components by kind. */
  components?: Record<string, object>;
  takes?: Request[];
  /** Each with the places of its violations. */
  rejects?: [request: Request, places: string][];
}

const text = { type: "string" };
const whole = { type: "integer" };
const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const required = (name: string, schema: unknown) => object({ [name]: schema }, { required: [name] });
const json = (schema: unknown) => ({ content: { "application/json": { schema } } });
const ok = (schema: unknown) => ({ description: "ok", ...json(schema) });
const error = ok(object({ message: {}, statusCode: whole }, { required: ["message", "statusCode"] }));
const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

/** An optional query parameter, with queries that it takes and rejects. */
const parameter = (
  title: string,
  members: { name?: string; [member: string]: unknown },
  takes: string[],
  rejects: string[] = [],
): Construct => ({
  title: `parameter: ${title}`,
  parameters: [{ name: "q", in: "query", ...members }],
  takes: [{}, ...takes.map((query) => ({ query }))],
  rejects: rejects.map((query) => [{ query }, `query.${members.name ?? "q"}`]),
});

const body = (title: string, request: unknown, takes: unknown[], rejects: [unknown, string][], more: object = {}) => ({
  title: `body: ${title}`,
  request,
  takes: takes.map((value) => ({ body: value })),
  rejects: rejects.map(([value, place]): [Request, string] => [{ body: value }, place]),
  ...more,
});

const response = (title: string, schema: unknown, more: object = {}): Construct => ({
  title: `response: ${title}`,
  response: schema,
  takes: [{}],
  ...more,
});

const PARAMETERS: Construct[] = [
  parameter("a name of Object's", { name: "constructor", schema: text }, ["constructor=a"], []),
  parameter("another name of Object's", { name: "valueOf", schema: whole }, ["valueOf=1"], ["valueOf=x"]),
  parameter(
    "a name in brackets",
    { name: "page[size]", schema: { ...whole, maximum: 9 } },
    ["page[size]=4", "page%5Bsize%5D=4"],
    ["page[size]=44", "page%5Bsize%5D=44", "page[size]=x"],
  ),
  parameter("a list or null", { schema: { anyOf: [{ type: "array", items: text }, { type: "null" }] } }, [
    "q=a",
    "q=a&q=b",
  ]),
  {
    ...parameter("a list of two types", { schema: { type: ["array", "null"], items: whole } }, ["q=1", "q=1&q=2"]),
    rejects: [[{ query: "q=x" }, "query.q.0"]],
  },
  parameter("a list by allOf", { schema: { allOf: [{ type: "array", items: text }] } }, ["q=a", "q=a&q=b"]),
  parameter("one of two types", { schema: { oneOf: [whole, { type: "boolean" }] } }, ["q=1", "q=true"], ["q=x"]),
  parameter("a constant without a type", { schema: { const: 5 } }, ["q=5"], ["q=6"]),
  parameter("constants of several types", { schema: { enum: [1, true, "a"] } }, ["q=1", "q=true", "q=a"], ["q=b"]),
  parameter("a number", { schema: { type: "number" } }, ["q=1.5", "q=-2e3"], ["q=Infinity", "q=0x10", "q=%201"]),
  parameter("reserved characters", { schema: { ...text, format: "date-time" } }, ["q=2026-01-02T10:00:00Z"]),
  parameter("a text of any length", { schema: text }, ["q="]),
  parameter("a second question mark", { schema: text }, ["q=a?b"]),
  parameter("a form of objects in brackets", { style: "deepObject", schema: object({ a: whole }) }, ["q[a]=1"]),
  {
    ...parameter("required, without an example", { required: true, schema: { type: "array", items: whole } }, []),
    takes: [{ query: "q=1&q=2" }],
    rejects: [[{}, "query.q"]],
  },
  parameter("by content", json(required("a", whole)), ["q=%7B%22a%22%3A1%7D"]),
  {
    title: "parameter: a reference to a reference",
    parameters: [ref("parameters", "First")],
    components: {
      parameters: { First: ref("parameters", "Second"), Second: { name: "q", in: "query", schema: whole } },
    },
    takes: [{}, { query: "q=2" }],
    rejects: [[{ query: "q=x" }, "query.q"]],
  },
];

const PROTO = JSON.parse('{"__proto__":{"type":"integer"}}');

const BODIES: Construct[] = [
  body(
    "a member called constructor",
    object({ constructor: text }),
    [{}, { constructor: "a" }],
    [[{ constructor: 1 }, "body.constructor"]],
  ),
  body(
    "a member called __proto__",
    object(PROTO),
    [{}, JSON.parse('{"__proto__":1}')],
    [[JSON.parse('{"__proto__":"x"}'), "body.__proto__"]],
  ),
  body(
    "a member called properties",
    object({ properties: object({ nullable: whole }) }),
    [{ properties: { nullable: 1 } }],
    [[{ properties: { nullable: "x" } }, "body.properties.nullable"]],
  ),
  body(
    "a read-only member",
    object({ id: { ...whole, readOnly: true }, n: whole }, { required: ["id", "n"] }),
    [{ n: 1 }],
    [[{ n: "x" }, "body.n"]],
  ),
  body(
    "a tuple",
    { type: "array", minItems: 2, prefixItems: [whole, text], items: false },
    [[1, "a"]],
    [[["a", "a"], "body.0"]],
  ),
  body(
    "a condition",
    object(
      { kind: { enum: ["a", "b"] }, size: whole },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { required: ["kind"], if: object({ kind: { const: "b" } }), then: { required: ["size"] } },
    ),
    [{ kind: "a" }, { kind: "b", size: 1 }],
    [[{ kind: "b" }, "body body.size"]],
  ),
  body(
    "data that looks like a reference",
    object({ a: { const: { $ref: "user/7" } } }),
    [{ a: { $ref: "user/7" } }],
    [[{ a: 1 }, "body.a"]],
  ),
  body(
    "a reference to a part by pointer",
    { $ref: "#/components/schemas/Deep/properties/inner" },
    [3],
    [["x", "body"]],
    {
      components: { schemas: { Deep: object({ inner: whole }) } },
    },
  ),
  body(
    "a schema that contains itself",
    ref("schemas", "Tree"),
    [{ kids: [{ kids: [] }] }],
    [[{ kids: [{ kids: 1 }] }, "body.kids.0.kids"]],
    { components: { schemas: { Tree: object({ kids: { type: "array", items: ref("schemas", "Tree") } }) } } },
  ),
  {
    title: "body: two JSON types, each with a schema",
    operation: {
      requestBody: {
        required: true,
        content: {
          "application/json": { schema: required("a", whole) },
          "application/vnd.cup+json": { schema: required("b", whole) },
        },
      },
    },
    takes: [{ body: { a: 1 } }, { body: { b: 1 }, headers: { "content-type": "application/vnd.cup+json" } }],
    rejects: [[{ body: { a: 1 }, headers: { "content-type": "application/vnd.cup+json" } }, "body.b"]],
  },
];

const RESPONSES: Construct[] = [
  response("a required map with names of a form", {
    ...required("m", { type: "object", minProperties: 1, propertyNames: { pattern: "^[a-z]{2}$" } }),
  }),
  response("members of a pattern only", {
    type: "object",
    minProperties: 2,
    patternProperties: { "^x-": whole },
    additionalProperties: false,
  }),
  response("a tuple", { type: "array", minItems: 2, prefixItems: [whole, text], items: false }),
  response("a list that contains a value", { type: "array", items: whole, contains: { minimum: 50 }, minItems: 3 }),
  response("unique items", { type: "array", items: { enum: [1, 2, 3] }, uniqueItems: true, minItems: 3 }),
  response(
    "members that need others",
    object({ a: text, b: text }, { dependentRequired: { a: ["b"] }, minProperties: 1 }),
  ),
  response("not a value", required("a", { ...whole, minimum: 0, maximum: 1, not: { const: 0 } })),
  response("a step between exclusive bounds", {
    type: "number",
    exclusiveMinimum: 3,
    exclusiveMaximum: 4,
    multipleOf: 0.25,
  }),
  response("an unknown format", required("a", { ...text, format: "hasOwnProperty" })),
  response("an unknown format called toString", { ...text, format: "toString" }),
  response("an example of a member that is wrong", required("a", { ...whole, example: "x" })),
  response("members with names of Object's", object({ toString: text, valueOf: whole }, { required: ["toString"] })),
  response("a member called as a keyword", required("properties", required("callbacks", { const: 3 }))),
  response("an example that looks like a reference", { type: "object", example: { $ref: "user/7" } }),
  response(
    "a write-only member",
    object({ id: whole, pin: { ...text, writeOnly: true } }, { required: ["id", "pin"] }),
  ),
  response("a reference to a reference", undefined, {
    operation: { responses: { 200: ref("responses", "B") } },
    components: { responses: { B: ref("responses", "A"), A: ok(required("a", whole)) } },
  }),
  response("a list in a header", undefined, {
    operation: {
      responses: {
        200: { ...ok(whole), headers: { "X-List": { required: true, schema: { type: "array", items: whole } } } },
      },
    },
  }),
  response("of any media type", undefined, {
    operation: { responses: { 200: { description: "ok", content: { "*/*": { schema: required("a", whole) } } } } },
  }),
];

const scheme = (name: string, value: object) => ({ securitySchemes: { [name]: value } });

/** Requests have no key but their own. */
export const KEY = "cups-4711";

const SECURITY: Construct[] = [
  response("for a bearer", whole, {
    operation: { security: [{ bearer: [] }], responses: { 401: error } },
    components: scheme("bearer", { type: "http", scheme: "bearer" }),
    takes: [{ headers: { authorization: `bearer ${KEY}` } }, { headers: { authorization: `Bearer ${KEY}` } }],
  }),
  response("for a key in the query", whole, {
    operation: { security: [{ inQuery: [] }], responses: { 401: error } },
    components: scheme("inQuery", { type: "apiKey", in: "query", name: "api_key" }),
    takes: [{ query: `api_key=${KEY}` }],
  }),
  response("for a key in a header", whole, {
    operation: { security: [{ inHeader: [] }], responses: { 401: error } },
    components: scheme("inHeader", { type: "apiKey", in: "header", name: "X-Cup-Key" }),
    takes: [{ headers: { "x-cup-key": KEY } }],
  }),
];

export const CONSTRUCTS: readonly Construct[] = [...PARAMETERS, ...BODIES, ...RESPONSES, ...SECURITY];

const methodOf = ({ request, operation }: Construct) => (request || operation?.requestBody ? "post" : "get");

export const targetOf = (construct: Construct) => ({
  method: methodOf(construct).toUpperCase(),
  path: `/v1/constructs/${CONSTRUCTS.indexOf(construct)}`,
});

export const idOf = (construct: Construct) => `construct${CONSTRUCTS.indexOf(construct)}`;

interface DocumentOptions {
  /** Its operations have the same parameters and bodies, but any value is valid. */
  isOpen?: boolean;
}

/** A contract with an operation for each construct. */
export function documentOf(constructs: readonly Construct[], { isOpen = false }: DocumentOptions = {}): object {
  const components: Record<string, object> = {};
  for (const [kind, parts] of constructs.flatMap((construct) => Object.entries(construct.components ?? {})))
    components[kind] = { ...components[kind], ...parts };
  const paths = constructs.map((construct) => [
    targetOf(construct).path,
    { [methodOf(construct)]: { operationId: idOf(construct), ...(isOpen ? toOpen(construct) : toMembers(construct)) } },
  ]);
  return {
    openapi: "3.1.0",
    info: { title: "Constructs", version: "1.0.0" },
    security: [],
    paths: Object.fromEntries(paths),
    components,
  };
}

function toMembers({ request, response = true, operation = {}, parameters = [] }: Construct): object {
  return {
    parameters,
    ...(request === undefined ? {} : { requestBody: { required: true, ...json(request) } }),
    ...operation,
    responses: { 200: ok(response), 422: error, ...operation.responses },
  };
}

function toOpen(construct: Construct): object {
  const { parameters = [] } = construct;
  return {
    parameters: parameters.map(({ name = "q" }) => ({ name, in: "query", schema: {} })),
    ...(methodOf(construct) === "post" ? { requestBody: { required: true, ...json({}) } } : {}),
    responses: { 200: ok({}), 422: error },
  };
}
