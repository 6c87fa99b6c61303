// What cannot be served is rejected when the contract is loaded: in words, with its file and line, by every command
// alike.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { ContractError } from "../../src/contract/openapi-document.js";
import { COMMANDS, runInProcess } from "../support/in-process.js";
import { SMALL_HEAD as HEAD } from "../support/small-contract.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const OK = '{ "200": { description: ok } }';
const GET = "paths:\n  /v1/cups:\n    get:\n";

/** The parts of line 7 follow the method of line 6. */
const get = (part: string, more = "") => `${HEAD}${GET}      ${part}\n      responses: ${OK}\n${more}`;
const responses = (object: string) => `${HEAD}${GET}      responses: ${object}\n`;
const header = (name: string, object: string) =>
  responses(`{ "200": { description: ok, headers: { ${name}: ${object} } } }`);
const parameter = (object: string) => get(`parameters: [${object}]`);
const schema = (part: string, more = "") =>
  get(`requestBody: { content: { application/json: { schema: ${part} } } }`, more);
const chain = (length: number, toSchema: (next: string) => string, more = "") => {
  const names = Array.from(
    { length },
    (_none, index) => `    S${index}: ${toSchema(`{ $ref: "#/components/schemas/S${index + 1}" }`)}`,
  );
  return `components:\n  schemas:\n${names.join("\n")}\n    S${length}: { type: integer }\n${more}`;
};
const first = '{ $ref: "#/components/schemas/S0" }';
const nested = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);

const repeat = (from: string, to: string) => `${to}: &${to} [${`*${from},`.repeat(50)}]\n`;

test.each<[title: string, contract: string | Buffer, line: number, reason: RegExp | string]>([
  ["another version of OpenAPI", "openapi: 3.0.3\npaths: {}\n", 1, "must be an OpenAPI 3.1 document"],
  ["no title", "openapi: 3.1.0\ninfo: { version: 1.0.0 }\npaths: {}\n", 2, "info › title is required"],
  ["a place that is not OpenAPI", parameter("{ name: a, in: trail, schema: {} }"), 7, "parameters › 0"],
  ["a reference that leads nowhere", schema('{ $ref: "#/a/Gone" }'), 7, /\$ref \S+\/Gone leads nowhere/],
  ["an undeclared path parameter", get("summary: a").replace("cups", "{a}"), 6, "path parameter a is not declared"],
  ["a bad pattern", schema('{ pattern: "[0-9{" }'), 7, "is an invalid schema: Invalid regular expression"],
  ["an unknown type", schema("{ type: bool }"), 7, /type .*bool/],
  ["`required` that is no list", schema("{ required: true }"), 7, "› required"],
  ["no slash", get("summary: a").replace("/v1", "v1"), 5, "v1/cups must begin with a slash"],
  [
    "an invalid status",
    responses('{ "200": { description: a }, "4O2": { description: a } }'),
    7,
    "4O2 must be a status",
  ],
  [
    "a repeated operationId",
    get("operationId: a", `    put: { operationId: a, responses: ${OK} }\n`),
    9,
    "declared twice",
  ],
  ["an undeclared scheme", get("security: [token: []]"), 7, "the security scheme token is not declared"],
  ["an alias to itself", "openapi: 3.1.1\ninfo: &info { title: *info }\n", 2, "leads to itself"],
  ["an alias to nowhere", "openapi: 3.1.1\ninfo: *info\n", 2, "there is no anchor &info before"],
  [
    "an alias to too much",
    `a: &a [1]\n${repeat("a", "b")}${repeat("b", "c")}${repeat("c", "d")}${repeat("d", "e")}`,
    4,
    "repeat more than",
  ],
  ["a source that is a number", get("x-source: 1"), 7, "x-source must be a string or an array"],
  ["a decision that is null", get("x-decision: null"), 7, "x-decision must be"],
  ["narrowings as a list", get("x-narrowed-by: [D-01]"), 7, "x-narrowed-by must be an object"],
  ["decisions as a list", get("summary: a", "x-decisions: [null]\n"), 9, "x-decisions must be an object"],
  [
    "a decision without parts",
    get("summary: a", "x-decisions: { D-01: null }\n"),
    9,
    "x-decisions › D-01 must be an object",
  ],
  [
    "a text for a flag",
    parameter("{ name: a, in: query, schema: {}, x-literal-plus: yes }"),
    7,
    "x-literal-plus must be a boolean",
  ],
  [
    "an example's header with a line break",
    responses(
      '{ "200": { description: ok, content: { application/json: { examples: { a: { value: 1, ' +
        'x-headers: { X-A: "a\\r\\nb" } } } } } } }',
    ),
    7,
    "x-headers › X-A must match",
  ],
  ...[
    ["path", "label", "style label is not supported. Use simple, form or deepObject"],
    ["query", "spaceDelimited", "style spaceDelimited is not supported"],
  ].map(([where, style, reason = ""]): [string, string, number, string] => [
    `a parameter in the style ${style}`,
    `${HEAD}paths:
  /v1/{a}:
    get:
      parameters:
        - name: a
          in: ${where}
          required: true
          schema: { type: array }
          style: ${style}${where === "path" ? "" : "\n        - { name: a, in: path, required: true, schema: {} }"}
      responses: ${OK}\n`,
    12,
    reason,
  ]),
  ...["type: array", "anyOf: [{ type: 'null' }, { type: object }]"].map((part): [string, string, number, string] => [
    `a cookie with ${part}`,
    parameter(`{ name: a, in: cookie, schema: { ${part} } }`),
    7,
    'the cookie "a" is a list or an object. A cookie has one value',
  ]),
  ["a header's name with a line break", header('"X-A\\r\\nB"', "{ schema: {} }"), 7, /"X-A\\r\\nB" has a character/],
  ["a header parameter with a colon", parameter('{ name: "X:A", in: header, schema: {} }'), 7, "has a character"],
  ["a cookie with a semicolon", parameter('{ name: "a;b", in: cookie, schema: {} }'), 7, "has a character"],
  [
    "a header's example with a line break",
    header("X-A", '{ schema: {}, example: "a\\r\\nb" }'),
    7,
    "HTTP cannot carry",
  ],
  [
    "a named example of a header",
    header("X-A", '{ schema: {}, examples: { a: { value: "\\0" } } }'),
    7,
    "cannot carry",
  ],
  ["a parameter's example", parameter('{ name: X-A, in: header, schema: {}, example: "€" }'), 7, "HTTP cannot carry"],
  ["a constant of a header", header("X-A", '{ schema: { const: "a\\nb" } }'), 7, "HTTP cannot carry"],
  ["a value in a list of a header", header("X-A", '{ schema: {}, example: [a, "\\n"] }'), 7, "HTTP cannot carry"],
  [
    "a media type with a line break",
    responses('{ "200": { description: ok, content: { "text/plain\\r\\nX: y": {} } } }'),
    7,
    "is not a media type",
  ],
  ...["Transfer-Encoding", "content-length"].flatMap((name): [string, string, number, string][] => [
    [
      `a required ${name}`,
      parameter(`{ name: ${name}, in: header, required: true, schema: {} }`),
      7,
      "belongs to the connection, so a client",
    ],
    [
      `a required ${name} of a response`,
      header(name, "{ required: true, schema: {} }"),
      7,
      "belongs to the connection, so a server",
    ],
  ]),
  [
    "a required Content-Length that a response refers to",
    `${header("Content-Length", '{ $ref: "#/components/headers/Size" }')}components:
  headers: { Size: { required: true, schema: {} } }\n`,
    7,
    "belongs to the connection, so a server",
  ],
  ...["application/json;v=2", "Application/JSON"].map((type): [string, string, number, string] => [
    `a body as application/json;v=1 and as ${type}`,
    get(`requestBody:\n        content:\n          application/json;v=1: {}\n          ${type}: {}`),
    10,
    "the media type application/json (without parameters) is declared twice, first in line 9",
  ]),
  [
    "a response of two versions",
    responses(
      '{ "200": { description: ok, content: { "text/csv;header=absent": {}, "text/csv;header=present": {} } } }',
    ),
    7,
    "the media type text/csv (without parameters) is declared twice",
  ],
  ["only 100", responses('{ "100": { description: a } }'), 7, "has interim ones (1xx) alone"],
  [
    "a chain of references",
    schema(
      first,
      chain(150, (next) => next),
    ),
    7,
    "through more than 100 references",
  ],
  [
    "a chain through allOf",
    schema(
      first,
      chain(300, (next) => `{ allOf: [${next}] }`),
    ),
    111,
    "more than 100 references",
  ],
  [
    "a chain through members",
    schema(
      first,
      chain(500, (next) => `{ properties: { a: ${next} } }`),
    ),
    7,
    "leads through too many references",
  ],
  [
    "a schema that is combined again and again",
    schema(
      first,
      chain(22, (next) => `{ allOf: [${next}, ${next}] }`),
    ),
    24,
    "combines more than 2000",
  ],
  [
    "a schema that consists of itself",
    schema(first, "components: { schemas: { S0: { anyOf: [{ $ref: '#/components/schemas/S0' }] } } }\n"),
    9,
    "leads back to itself",
  ],
  [
    "schemas that only refer to each other",
    schema(first, "components: { schemas: { S0: { $ref: '#/components/schemas/S0' } } }\n"),
    7,
    "leads back to itself",
  ],
  ["nested schemas", schema(nested("{ items: ", "}", 2000)), 7, "is nested deeper than 150 levels"],
  ["nested data", get(`x-a: ${nested("[", "]", 5000)}`), 7, "is nested deeper than 150 levels"],
  [
    "data that aliases nest",
    get(`x-a: &a ${nested("[", "]", 100)}\n      x-b: ${nested("[", "]", 0)}${"[".repeat(99)}*a${"]".repeat(99)}`),
    8,
    "is nested deeper",
  ],
  [
    "a required member without a name",
    schema("{ required: [1] }"),
    7,
    "required › 0 is an invalid schema: must be a string",
  ],
  ["a reference to a text", schema('{ $ref: "#/info/title" }'), 7, 'leads to "Cups"'],
  [
    "a reference to a parameter",
    schema('{ $ref: "#/paths/~1v1~1cups/get" }'),
    7,
    "leads to an operation, where a schema is expected",
  ],
  [
    "a member without a schema",
    schema("{ properties: { a: } }"),
    7,
    "a is an invalid schema: must be an object or a boolean",
  ],
  [
    "an anchor",
    schema('{ $ref: "#cup" }', "components: { schemas: { A: { $anchor: cup } } }\n"),
    7,
    "Refer by place, as in #/components/schemas/Name",
  ],
  ["a dynamic reference", schema('{ $dynamicRef: "#a" }'), 7, "$dynamicRef is not supported. Refer by place"],
  ...["cups.yaml#/components/schemas/Cup", "https://example.com/cup.json", ".\\cup.yaml"].map(
    (reference): [string, string, number, string] => [
      `a schema of another file, ${reference}`,
      schema(`{ $ref: '${reference}' }`, "components: { schemas: { Cup: {} } }\n"),
      7,
      `$ref ${reference} leads to another file, which is not supported. Put all into one: npx @redocly/cli bundle`,
    ],
  ),
  ["a path of another file", `${HEAD}paths: { /v1/cups: { $ref: cups/path.yaml } }\n`, 4, "leads to another file"],
  ["a backslash in a place", schema("{ $ref: '#\\components\\schemas\\A' }"), 7, "Refer by place"],
  ...["9007199254740993", "-1e-400", "0.30000000000000001"].map((number): [string, string, number, string] => [
    `the number ${number}`,
    schema(`{ example: ${number} }`),
    7,
    `${number} is a number that JavaScript cannot hold`,
  ]),
  ["infinity", schema("{ maximum: .inf }"), 7, ".inf is not a JSON value"],
  ["a date", schema("{ const: !!timestamp 2020-01-01 }"), 7, "is not a JSON value"],
  ["an own tag", schema("{ type: !kind string }"), 7, "this tag is not supported"],
  ["an open brace", `${HEAD}paths: { /v1/cups: {}\nx-a: 1\n`, 4, "must be sufficiently indented and end with a }"],
  ["an open quote", get('summary: "a'), 7, "Missing closing"],
  ["a name without a colon", get("operationId listCups"), 7, "Implicit keys"],
  ["a list as a name", schema("{ properties: { [a, b]: {} } }"), 7, "the name of a member must be a string"],
  ["a repeated name", schema("{ properties: { 1: {}, '1': {} } }"), 7, "the name 1 occurs twice"],
  ["a merged text", schema("{ <<: a }"), 7, "<< merges a map, or a list of maps"],
  ["a text in a merged list", schema("{ <<: [{ a: b }, c] }"), 7, "<< merges a map, or a list of maps"],
  ["two documents", get("summary: a", "---\na: 1\n"), 9, "a second document begins here"],
  ["Latin-1", Buffer.from(get("summary: caf\u00e9"), "latin1"), 7, "is not UTF-8"],
  ["UTF-16", Buffer.from(get("summary: a"), "utf16le"), 1, /is not (UTF-8|an OpenAPI document)|must be/],
  ["an empty file", "", 1, "is not an OpenAPI document"],
])("%s", async (_title, contract, line, reason) => {
  const path = join(await createTemporaryFolder(), "cups.yaml");
  await writeFile(path, contract);
  const error = await loadContract(path).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(ContractError);
  const { message } = error as ContractError;
  expect(message).toMatch(`cups.yaml:${line}: `);
  expect(message).toMatch(reason);
});

const NOWHERE = "http://127.0.0.1:9";

test.each<[command: string, args: string[]]>([
  ["serve", []],
  ["mock", []],
  ["proxy", ["--upstream", NOWHERE]],
  ["verify", ["--url", NOWHERE, "--api-key", "a"]],
  ["review", ["--base", "test/tools/review/golden/openapi.yaml"]],
])("%s names the line", async (name, args) => {
  const path = join(await createTemporaryFolder(), "cups.yaml");
  await writeFile(path, get("x-source: 1"));
  const { code, stdout, stderr } = await runInProcess(COMMANDS[name]?.() as Command, "--contract", path, ...args);
  expect(stdout + stderr).toContain("cups.yaml:7: x-source must be a string or an array");
  expect(code).toBe(name === "review" ? 1 : 2);
  expect(stderr).not.toContain("    at ");
});
