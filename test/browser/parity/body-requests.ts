// The body of an operation: each place of its schema broken once for each keyword, and bodies that are no JSON or too much.
import { type OpenApiDocument, resolve, type SchemaObject } from "../../../src/contract/openapi-document.js";
import { assertCovered, type Base, type ParityRequest, vary } from "./parity-request.js";

type Case = [title: string, body: string];

const VALUES: [type: string, text: string][] = [
  ["null", "null"],
  ["boolean", "true"],
  ["integer", "1"],
  ["number", "1.5"],
  ["number", "1e999"],
  ["string", '"x"'],
  ["string", '"true"'],
  ["array", "[]"],
  ["array", "[true]"],
  ["object", "{}"],
  ["object", '{"x":1}'],
];
const COVERED = ["type", "properties", "required", "additionalProperties", "minLength"];
const UNKNOWN = ["extra", "__proto__", "constructor", "toString", "", " "];

export function bodyRequests(base: Base): ParityRequest[] {
  const { contract, operation, body } = base;
  const schema = operation.object.requestBody?.content["application/json"]?.schema;
  if (!schema || body === undefined) return [];
  const cases = [...broken(contract.document, schema, "body", (text) => text), ...unread(body), ...large()];
  return [
    ...cases.map(([title, text]) => vary(base, title, { body: text })),
    vary(base, "body › not UTF-8", { body: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]) }),
    vary(base, "body › not UTF-8 in a value", { body: Buffer.from('{"channels":{},"workflowId":"\xff"}', "latin1") }),
  ];
}

/** One body for each keyword of the schema and of what it holds; `around` puts a value's text at its place. */
function broken(
  document: OpenApiDocument,
  place: SchemaObject,
  title: string,
  around: (text: string) => string,
): Case[] {
  const schema = resolve<SchemaObject>(document, place as SchemaObject & { $ref: string });
  assertCovered(schema, title, COVERED);
  const { type, properties = {}, required = [], minLength, additionalProperties } = schema;
  const names = Object.keys(properties);
  const requiredNames = required as string[];
  const whole = (without?: string) =>
    requiredNames.filter((name) => name !== without).map((name) => `${JSON.stringify(name)}:{}`); // the contract's only one
  const put = (member: string, without?: string) =>
    around(`{${[...whole(without), member].filter(Boolean).join(",")}}`);
  return [
    ...VALUES.filter(([other]) => other !== type).map(([, text]): Case => [`${title} › type ${text}`, around(text)]),
    ...(type === "boolean" ? ["true", "false"].map((text): Case => [`${title} › valid ${text}`, around(text)]) : []),
    ...(minLength === undefined ? [] : [[`${title} › minLength`, around('""')] as Case]),
    ...requiredNames.map((name): Case => [`${title}.${name} › required`, put("", name)]),
    ...(additionalProperties === false
      ? UNKNOWN.concat(names.map((name) => name.toUpperCase())).map(
          (name): Case => [`${title} › unknown member ${JSON.stringify(name)}`, put(`${JSON.stringify(name)}:true`)],
        )
      : []),
    ...names.flatMap((name) =>
      broken(document, properties[name] as SchemaObject, `${title}.${name}`, (text) =>
        put(`${JSON.stringify(name)}:${text}`, name),
      ),
    ),
  ];
}

function unread(good: string): Case[] {
  const texts = [
    "",
    "   ",
    "{",
    good.slice(0, -1),
    `${good}x`,
    `${good}${good}`,
    `\ufeff${good}`,
    good.replaceAll('"', "'"),
  ]
    .concat(["NaN", "undefined", "{a:1}", '{"channels":{},}', "\u0000", "// x", '"', "]", "0x1", ` \n\t${good}\r\n`])
    .concat(['{"channels":{},"channels":{"email":1}}', '{"channels":{"email":1},"channels":{}}', "[".repeat(50)]);
  return texts.map((text) => [`body › sent as ${JSON.stringify(text)}`, text]);
}

const LIMIT = 102_400; // D-52

function large(): Case[] {
  const filled = (length: number) => `{"channels":{},"x":"${"y".repeat(length)}"}`;
  const frame = filled(0).length;
  return [
    ["body › padded to the limit", `{"channels":{}}${" ".repeat(LIMIT - 15)}`],
    ["body › padded over the limit", `{"channels":{}}${" ".repeat(LIMIT - 14)}`],
    ["body › as large as can be, with an unknown member", filled(LIMIT - frame)],
    ["body › a byte too large", filled(LIMIT - frame + 1)],
    ["body › many unknown members", `{${Array.from({ length: 300 }, (_, index) => `"k${index}":1`).join()}}`],
    ...[50, 1_000, 20_000].map((depth): Case => [`body › ${depth} lists deep`, "[".repeat(depth) + "]".repeat(depth)]),
    ["body › deep objects", `${'{"a":'.repeat(8_000)}1${"}".repeat(8_000)}`],
    ["body › a deep value", `{"channels":{"email":${"[".repeat(40_000)}${"]".repeat(40_000)}}}`],
  ];
}
