// Each parameter of an operation: one value for each way to break or just keep a keyword of its schema.
import { type ParameterObject, resolve, type SchemaObject } from "../../../src/contract/openapi-document.js";
import { assertCovered, type Base, type ParityRequest, vary } from "./parity-request.js";

/** A value as it stands in the query; several are a repeated parameter. */
type Case = [title: string, values: string[]];

// What integers could be mistaken for.
const INTEGERS = [
  ...["abc", "1.5", "1.0", "1e1", "1e999", "0x10", "+5", "%2B5", "%205", "5%20", "01", "-0", "00", "1_000", "1,2"],
  ...["true", "null", "NaN", "Infinity", "-Infinity", "%00", "%D9%A1", "9007199254740993", "[]", "[1]", "{}"],
  "%221%22",
];

const TEXTS = [
  ...["a%20b", "a+b", "a,b", "a=b", "a%26b", "%2525", "%00", "%F0%9F%92%A9", "[]", "{}", "%22x%22", "123", "true"],
  ...["null", "'", "a/b?c", "a%3Bb;c", "x".repeat(3_000)],
];

const INSTANTS = [
  ...["2026-10-26T00:00:00Z", "2026-10-26t00:00:00z", "2026-10-26T00:00:00.123456789Z", "2024-02-29T00:00:00Z"],
  ...["2026-10-26T00:00:00%2B01:00", "2026-10-26T00:00:00+01:00", "2026-10-26T00:00:00-01:00"],
  ...["2026-10-26T00:00:00+23:59", "2016-12-31T23:59:60Z", "2026-10-26T23:59:60Z", "2999-01-01T00:00:00Z"],
];

const NO_INSTANTS = [
  ...["yesterday", "0", "1700000000", "2026-10-26", "2026-10-26T00:00Z", "2026-10-26T00:00:00"],
  ...["2026-10-26%2000:00:00Z", "2026-10-26T00:00:00.Z", "2026-10-26T00:00:00+0100", "2026-10-26T00:00:00+25:00"],
  ...["2026-02-30T00:00:00Z", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-10T00:00:00Z"],
  ...["2026-10-26T24:00:00Z", "2026-10-26T12:60:00Z", "2026-10-26T00:00:60Z", "-2026-10-26T00:00:00Z"],
];

const SCALAR = ["type", "minimum", "maximum", "enum", "format", "pattern"];
const COVERED = {
  query: [...SCALAR, "items", "maxItems"],
  items: SCALAR,
  path: ["type", "minLength"],
  header: ["type", "maxLength"],
  cookie: [],
};

export function parameterRequests(base: Base): ParityRequest[] {
  const { contract, operation } = base;
  return operation.parameters.flatMap((parameter) => {
    const schema = resolve<SchemaObject>(contract.document, parameter.schema as SchemaObject & { $ref: string });
    assertCovered(schema, parameter.name, COVERED[parameter.in]);
    if (parameter.in === "path") return inPath(base, parameter);
    if (parameter.in === "header") return inHeader(base, parameter, schema);
    const items =
      schema.items && resolve<SchemaObject>(contract.document, schema.items as SchemaObject & { $ref: string });
    if (items) assertCovered(items, `the items of ${parameter.name}`, COVERED.items);
    const cases = [...(items ? ofList(items, schema) : ofScalar(schema)), ...ofAnyText()];
    return [
      ...cases.map(([title, values]) => {
        const query = values.map((value) => `${parameter.name}=${value}`).join("&");
        return vary(base, `${parameter.name} › ${title}`, { query });
      }),
      ...ofName(base, parameter.name),
    ];
  });
}

function ofScalar(schema: SchemaObject): Case[] {
  const values = ofValue(schema);
  const [, good = ["1"]] = values.find(([title]) => title.startsWith("valid")) ?? [];
  return [...values, ["repeated", [...good, ...good]], ["repeated, once empty", [...good, ""]]];
}

function ofList(items: SchemaObject, { maxItems }: SchemaObject): Case[] {
  const values = ofValue(items);
  const [, [good = ""] = []] = values.find(([title]) => title.startsWith("valid")) ?? [];
  const many = (count: number) => Array<string>(count).fill(good);
  return [
    ...values,
    ["two values", many(2)],
    ["a good and an empty value", [good, ""]],
    ["two empty values", ["", ""]],
    ["a good and a bad value", [good, "%00"]],
    ["values joined by a comma", [`${good},${good}`]],
    ...(typeof maxItems === "number"
      ? ([
          ["valid maxItems", many(maxItems)],
          ["maxItems", many(maxItems + 1)],
        ] as Case[])
      : []),
  ];
}

function ofValue(schema: SchemaObject): Case[] {
  const { type, minimum, maximum, format, pattern } = schema;
  const values = schema.enum as string[] | undefined;
  if (type === "integer") {
    return [
      ...bound("minimum", minimum, -1),
      ...bound("maximum", maximum, 1),
      ...INTEGERS.map((value): Case => [`type ${value}`, [value]]),
    ];
  }
  if (values) {
    const wrong = ["bogus", String(values[0]).toUpperCase(), `${values[0]}%20`, "__proto__"];
    return [
      ...values.map((value): Case => [`valid ${value}`, [value]]),
      ...wrong.map((value): Case => [`enum ${value}`, [value]]),
    ];
  }
  if (format === "date-time") {
    return [
      ...INSTANTS.map((value): Case => [`valid ${value}`, [value]]),
      ...NO_INSTANTS.map((value): Case => [`format ${value}`, [value]]),
    ];
  }
  if (pattern) {
    const good = "66e0f1a20c4b3d5e6f708101"; // the only pattern of a parameter that is no instant: D-31
    if (!new RegExp(String(pattern)).test(good)) throw new Error(`no value is known for the pattern ${pattern}`);
    const wrong = ["x", good.slice(1), `${good}0`, `${good.slice(1)}g`, `${good}%0A`];
    return [
      [`valid ${good}`, [good]],
      [`valid ${good.toUpperCase()}`, [good.toUpperCase()]],
      ...wrong.map((value): Case => [`pattern ${value}`, [value]]),
    ];
  }
  return ["a", ...TEXTS].map((value): Case => [`valid ${value.length > 99 ? "long text" : value}`, [value]]);
}

function bound(keyword: string, limit: unknown, outwards: 1 | -1): Case[] {
  if (typeof limit !== "number") return [];
  return [
    [`valid ${keyword} ${limit}`, [String(limit)]],
    [`${keyword} ${limit + outwards}`, [String(limit + outwards)]],
  ];
}

function ofAnyText(): Case[] {
  return [
    ["empty", [""]],
    ["a sequence that is not UTF-8", ["%E0%A4%A"]],
    ["a percent sign", ["%"]],
  ];
}

function ofName(base: Base, name: string): ParityRequest[] {
  const first = `%${name.charCodeAt(0).toString(16)}`;
  const other = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
  const queries = [name, `${name}&`, `=${name}`, `${name}[]=1`, `${name}[0]=1`, `${name}.x=1`, `${other}=1`];
  return [...queries, `x${name}=1`, `${name}%00=1`, `${name}%20=1`, `${first}${name.slice(1)}=`].map((query) =>
    vary(base, `${name} › named ?${query}`, { query }),
  );
}

const SUBSCRIBERS = [
  ...["nobody", "a%2Fb", "..", ".", "%2e%2E", "%00", "a!b'(c)*", "%F0%9F%92%A9", "%2525", "INES-MOREAU", "a;b"],
];

function inPath(base: Base, { name }: ParameterObject): ParityRequest[] {
  const { path } = base.operation;
  const put = (value: string) => path.replace(`{${name}}`, value);
  return [
    ...SUBSCRIBERS.map((value) => vary(base, `${name} › unknown ${value}`, { target: put(value) })),
    vary(base, `${name} › unknown long text`, { target: put("x".repeat(2_000)) }),
    vary(base, `${name} › minLength`, { target: put("") }),
    vary(base, `${name} › encoded where it need not be`, {
      target: base.target.replace("ines", "%69nes"),
    }),
    ...["%", "%zz", "%E0%A4%A"].map((value) => vary(base, `${name} › encoding ${value}`, { target: put(value) })),
  ];
}

function inHeader(base: Base, { name }: ParameterObject, { maxLength }: SchemaObject): ParityRequest[] {
  const rows: [string, string][] = ["", "a,b", '"', " a ", "0"].map((value) => [`valid "${value}"`, value]);
  if (typeof maxLength === "number") {
    rows.push(["valid maxLength", "k".repeat(maxLength)], ["maxLength", "k".repeat(maxLength + 1)]);
  }
  const withKey = (value: string) => ({ headers: { ...base.headers, [name]: value } });
  const again = vary(base, `${name} › sent again`, withKey("again"));
  const reused = vary(base, `${name} › reused with another body`, withKey("reused"));
  return [
    ...rows.map(([title, value]) => vary(base, `${name} › ${title}`, withKey(value))),
    { ...again, first: { ...again } },
    ...(base.body === undefined ? [] : [{ ...reused, first: { ...reused, body: '{"channels":{}}' } }]),
  ];
}
