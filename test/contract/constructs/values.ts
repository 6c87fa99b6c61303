// Keywords of values: in the body of a request, and in a response that the contract gives no example of.
import { body, type Construct, type Expected, list, object, ref, response, text, whole } from "./construct.js";

const required = (name: string, schema: unknown) => object({ [name]: schema }, { required: [name] });
const animal = (kind: string, more: object) =>
  object({ kind: { const: kind }, ...more }, { required: ["kind"], additionalProperties: false });
const says = (message: string) => ({ status: 422, text: message });
const given = (title: string, schema: unknown, expected: Expected = {}) => response(title, schema, expected);

const BODIES: Construct[] = [
  body("a value of none of the types", { anyOf: [whole, { type: "boolean" }, { type: "string", maxLength: 2 }] }, [
    ["null", { ...says("must be an integer or a boolean or a string"), places: ["body"] }],
    ['"abc"', { ...says('"body must have at most 2 characters"'), places: ["body"] }],
  ]),
  body("an object or null", { oneOf: [object({ a: whole }), { type: "null" }] }, [
    ['{"a":"b"}', { ...says('"body.a must be an integer"'), places: ["body.a"] }],
  ]),
  body(
    "alternatives that a constant tells apart",
    list({
      oneOf: [animal("cat", { lives: whole }), animal("dog", { toys: list({ anyOf: [text, animal("toy", {})] }) })],
    }),
    [
      ['[{"kind":"dog","lives":9}]', { ...says('"body.0.lives is unknown"'), places: ["body.0.lives"] }],
      ['[{"kind":"cat"},{"kind":"dog","toys":["a",{"kind":"toy","a":1}]}]', "body.1.toys.1.a"],
      ['[{"kind":"cow"}]', "body.0 | body.0.kind"],
    ],
  ),
  body(
    "prices in cents",
    object({ a: { type: "number", multipleOf: 0.01 }, b: { multipleOf: 0.1 }, c: { multipleOf: 1e-7 } }),
    [
      ['{"a":143.48}', 200],
      ['{"a":4.35,"b":0.3,"c":0.3}', 200],
      ['{"a":1e21,"b":-0.7,"c":1e-7}', 200],
      ['{"a":0.001}', { ...says("must be a multiple of 0.01"), places: ["body.a"] }],
      ['{"b":0.35}', "body.b"],
      ['{"c":1e-8}', "body.c"],
    ],
  ),
  body("whole numbers of 64 bits", { type: "integer", format: "int64" }, [
    ["9007199254740993", 200],
    ["-9223372036854775808", 200],
    ["9223372036854775999", "body"],
    ["-9223372036854779999", "body"],
  ]),
  body("times", object({ at: { type: "string", format: "date-time" }, time: { type: "string", format: "time" } }), [
    ['{"at":"2026-06-30T12:00:00.5+05:30","time":"12:00:00Z"}', 200],
    ['{"at":"2016-12-31t23:59:60z"}', 200],
    ['{"at":"2026-06-30 12:00:00Z"}', "body.at"],
    ['{"at":"2026-06-30\\n12:00:00Z"}', "body.at"],
    ['{"at":"2026-06-30T12:00:00+01"}', "body.at"],
    ['{"at":"2026-06-30T12:00:00+0100"}', "body.at"],
    ['{"at":"2026-02-30T12:00:00Z"}', "body.at"],
    ['{"time":"12:00:00+01"}', "body.time"],
  ]),
  body("a list without the item that it needs", list(whole, { contains: { const: 7 } }), [
    ["[1]", { ...says('body must have at least 1 item of the required kind"'), places: ["body"] }],
  ]),
  body("a name that is too long", object({}, { propertyNames: { maxLength: 2 } }), [
    ['{"abc":1}', { ...says('"body must not have a member called abc"'), places: ["body"] }],
  ]),
  body("an unknown member of an object in parts", { allOf: [object({ alpha: whole })], unevaluatedProperties: false }, [
    ['{"alhpa":1}', { ...says("body.alhpa is unknown. Did you mean alpha?"), places: ["body.alhpa"] }],
  ]),
  body("a read-only member", object({ id: { ...whole, readOnly: true }, n: whole }, { required: ["id", "n"] }), [
    ['{"n":1}', 200],
    ['{"n":"a"}', "body.n"],
  ]),
  body("a tuple", list(false, { minItems: 2, prefixItems: [whole, text] }), [
    ['[1,"a"]', 200],
    ['["a","a"]', "body.0"],
  ]),
  body(
    "a condition",
    object(
      { kind: { enum: ["a", "b"] }, size: whole },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { required: ["kind"], if: object({ kind: { const: "b" } }), then: { required: ["size"] } },
    ),
    [
      ['{"kind":"a"}', 200],
      ['{"kind":"b","size":1}', 200],
      ['{"kind":"b"}', "body.size"],
    ],
  ),
  body(
    "a reference to a part by pointer",
    { $ref: "#/components/schemas/Deep/properties/inner" },
    [
      ["3", 200],
      ['"a"', "body"],
    ],
    { components: { schemas: { Deep: object({ inner: whole }) } } },
  ),
  body(
    "a schema that contains itself",
    ref("Tree"),
    [
      ['{"kids":[{"kids":[]}]}', 200],
      ['{"kids":[{"kids":1}]}', "body.kids.0.kids"],
    ],
    { components: { schemas: { Tree: object({ kids: list(ref("Tree")) }) } } },
  ),
  ...["a keyword that the validator of requests does not know", "the same, in another operation"].map((title) =>
    body(
      title,
      ref("Unique"),
      [
        ["[1,2]", 200],
        ["[1,1]", "body"],
      ],
      { components: { schemas: { Unique: list(whole, { uniqueItems: true }) } } },
    ),
  ),
];

const RESPONSES: Construct[] = [
  given(
    "a required map with names of a form",
    required("m", { type: "object", minProperties: 1, propertyNames: { pattern: "^[a-z]{2}$" } }),
  ),
  response(
    "a property of a component that nothing else uses",
    object(
      { a: { $ref: "#/components/schemas/Alone/properties/b" }, c: { $ref: "#/components/parameters/Alone/schema" } },
      { required: ["a", "c"] },
    ),
    { body: { a: 7, c: ["x"] } },
    {
      components: {
        schemas: {
          Alone: object({ b: { $ref: "#/components/schemas/Alone/$defs/n" } }, { $defs: { n: { const: 7 } } }),
        },
        parameters: { Alone: { name: "a", in: "query", schema: list({ const: "x" }, { minItems: 1, maxItems: 1 }) } },
      },
    },
  ),
  given("a write-only member", object({ id: whole, pin: { ...text, writeOnly: true } }, { required: ["id", "pin"] })),
  {
    title: "a reference to a reference",
    item: { get: { responses: { 200: ref("B", "responses") } } },
    components: {
      responses: {
        B: ref("A", "responses"),
        A: { description: "ok", content: { "application/json": { schema: required("a", whole) } } },
      },
    },
    tries: [["", 200]],
  },
];

export const VALUES: Construct[] = [...BODIES, ...RESPONSES];
