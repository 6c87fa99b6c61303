// Names that the contract chooses are data: JavaScript's own, and those of keywords.
import { type Any, body, type Construct, list, object, parameter, ref, response, text, whole } from "./construct.js";

const requestSchema = (item: Any) => item.post.requestBody.content["application/json"].schema;
const PROTO = "__proto__"; // as a member of a literal, it would be the prototype

export const NAMES: Construct[] = [
  parameter(
    "a parameter called constructor",
    { name: "constructor", schema: whole },
    [
      ["", 200],
      ["?constructor=1", 200],
      ["?constructor=a", "query.constructor"],
    ],
    { docs: ["constructor"], edits: [[(item) => (item.get.parameters[0].schema.maximum = 5), "clients"]] },
  ),
  parameter("a parameter called __proto__", { name: PROTO, schema: whole }, [
    ["", 200],
    ["?__proto__=1", 200],
    ["?__proto__=a", "query.__proto__"],
  ]),
  parameter("a header called constructor", { name: "constructor", in: "header", schema: whole }, [
    ["", 200],
    [{ headers: { constructor: "1" } }, 200],
    [{ headers: { constructor: "a" } }, "header.constructor"],
  ]),
  parameter("a cookie called valueOf", { name: "valueOf", in: "cookie", schema: whole }, [
    ["", 200],
    [{ headers: { cookie: "valueOf=1" } }, 200],
    [{ headers: { cookie: "valueOf=a" } }, "cookie.valueOf"],
  ]),
  parameter(
    "a part of the path called constructor",
    { name: "constructor", in: "path", required: true, schema: whole },
    [
      ["/1", 200],
      ["/a", "path.constructor"],
    ],
    { path: "/{constructor}" },
  ),
  body("a member called constructor", object({ constructor: text }), [
    ["{}", 200],
    ['{"constructor":"a"}', 200],
    ['{"constructor":1}', "body.constructor"],
  ]),
  body("a required member called __proto__", object({ [PROTO]: whole }, { required: [PROTO] }), [
    ["{}", "body.__proto__"],
    ['{"__proto__":1}', 200],
    ['{"__proto__":"a"}', "body.__proto__"],
  ]),
  body("a closed object with __proto__", object({ [PROTO]: whole }, { additionalProperties: false }), [
    ['{"__proto__":1}', 200],
    ['{"constructor":1}', "body.constructor"],
  ]),
  body("any names with values of a type", object({}, { additionalProperties: whole }), [
    ['{"toString":1,"__proto__":1}', 200],
    ['{"constructor":"a"}', "body.constructor"],
    ['{"__proto__":"a"}', "body.__proto__"],
  ]),
  body("names that others depend on", object({}, { dependentRequired: { constructor: ["a"] } }), [
    ["{}", 200],
    ['{"constructor":1}', "body.a"],
  ]),
  body("a constant with a member called constructor", { const: { constructor: 1 } }, [
    ['{"constructor":1}', 200],
    ["{}", "body"],
  ]),
  body("unique items with such members", list({}, { uniqueItems: true }), [
    ['[{"valueOf":1},{"toString":1},{"constructor":1}]', 200],
    ['[{"valueOf":1},{"a":1},{"valueOf":1}]', "body"],
    ['[{"a":1,"b":2},{"b":2,"a":1}]', "body"],
    ['[1,"1",true,null,[1],{"id":1},{"id":2}]', 200],
  ]),
  response(
    "members of a response",
    object({ constructor: whole, valueOf: text, [PROTO]: text }, { required: ["constructor", "valueOf", PROTO] }),
    { text: /"constructor":\d+,"valueOf":".*","__proto__":"/ },
    { docs: ["valueOf", "__proto__"] },
  ),
  response("a format called toString", { type: "string", format: "toString" }, { text: /^"[a-z]/ }),
  response(
    "schemas called constructor and toString",
    ref("constructor"),
    { text: /^\{"b":\d/ },
    {
      components: { schemas: { constructor: object({ b: ref("toString") }, { required: ["b"] }), toString: whole } },
    },
  ),
  {
    title: "a response header called valueOf",
    item: {
      get: { responses: { 200: { description: "ok", headers: { valueOf: { required: true, schema: whole } } } } },
    },
    tries: [["", 200]],
    docs: ["valueOf"],
  },
  {
    title: "examples called constructor and toString",
    item: {
      get: {
        responses: {
          200: {
            description: "ok",
            content: {
              "application/json": {
                schema: object({}),
                examples: { constructor: { value: { a: 4711 } }, toString: { value: { a: 4712 } } },
              },
            },
          },
        },
      },
    },
    tries: [
      ["", { body: { a: 4711 } }],
      [{ headers: { prefer: "example=toString" } }, { body: { a: 4712 } }],
    ],
  },
  body(
    "a member called properties",
    object({ properties: object({ nullable: whole }) }),
    [
      ['{"properties":{"nullable":1}}', 200],
      ['{"properties":{"nullable":"x"}}', "body.properties.nullable"],
    ],
    { edits: [[(item) => (requestSchema(item).properties.properties.properties.nullable.maximum = 3), "clients"]] },
  ),
  body(
    "members called as applicators",
    object({ items: text, allOf: whole, $ref: text, not: whole, if: whole, additionalProperties: { type: "boolean" } }),
    [
      ['{"items":"a","allOf":1,"$ref":"a","not":1,"if":1,"additionalProperties":true}', 200],
      ['{"items":1}', "body.items"],
      ['{"allOf":"a"}', "body.allOf"],
      ['{"$ref":1}', "body.$ref"],
      ['{"not":"a"}', "body.not"],
      ['{"additionalProperties":1}', "body.additionalProperties"],
    ],
    { edits: [[(item) => (requestSchema(item).properties.items = whole), "both"]] },
  ),
  body(
    "members called as assertions",
    object({ type: whole, required: whole, enum: whole, const: whole, readOnly: whole }, { required: ["required"] }),
    [
      ['{"type":1,"required":1,"enum":1,"const":1,"readOnly":1}', 200],
      ["{}", "body.required"],
      ['{"required":"a"}', "body.required"],
      ['{"required":1,"type":"a"}', "body.type"],
      ['{"required":1,"readOnly":"a"}', "body.readOnly"],
    ],
  ),
  body("members called as a schema's names", object({ $id: whole, $anchor: whole, $schema: whole, $defs: whole }), [
    ['{"$id":1,"$anchor":1,"$schema":1,"$defs":1}', 200],
    ['{"$id":"a"}', "body.$id"],
    ['{"$defs":"a"}', "body.$defs"],
  ]),
  body("a constant that looks like a reference", { const: { $ref: "a" } }, [
    ['{"$ref":"a"}', 200],
    ['{"$ref":"b"}', "body"],
  ]),
  response("an example that looks like a reference", object({}, { example: { $ref: "user/7" } }), {
    body: { $ref: "user/7" },
  }),
  {
    title: "a named example that looks like a reference to a component",
    item: {
      get: {
        responses: {
          200: {
            description: "ok",
            content: {
              "application/json": { schema: object({}), examples: { a: { value: ref("constructor") } } },
            },
          },
        },
      },
    },
    tries: [["", { body: ref("constructor") }]],
  },
];
