// Laws of bodies (media type, charset, encoding, size, JSON), and of paths and queries that cannot be decoded.
import { gzipSync } from "node:zlib";
import { createCases, law, statusLaw } from "../case.js";
import { expectStatus } from "../expectation.js";
import { operationOf } from "../test-request.js";

const LARGEST = 102_400; // D-52
const EMPTY = '{"channels":{}}';

type Row = [
  title: string,
  cites: string[],
  body: string | Buffer,
  headers: Record<string, string | null>,
  /** One of them. */
  ...statuses: number[],
];

const padded = (length: number) => EMPTY.padEnd(length, " ");
const type = (value: string) => ({ "content-type": value });
const gzipped = { "content-encoding": "gzip" };
const chunked = { "transfer-encoding": "chunked" };
const deep = (depth: number, open: string, close: string) =>
  `{"channels":{"email":${open.repeat(depth)}1${close.repeat(depth)}}}`;
const withBytes = (...bytes: number[]) =>
  Buffer.concat([Buffer.from('{"channels":{},"workflowId":"a'), Buffer.from(bytes), Buffer.from('"}')]);

const OTHER_TYPES = [
  "text/plain",
  "text/json",
  "application/jsonp",
  "application/json5",
  "application/x-json",
  "*/*",
  "application/merge-patch+json",
  "application/vnd.api+json",
];

/** Lenient readers accept these, and RFC 8259 does not. It leaves open names that occur twice. */
const NO_JSON = {
  "cut off": '{"channels":{',
  "trailing comma": '{"channels":{},}',
  "trailing comma in a list": '{"channels":{},"x":[1,]}',
  "single quotes": "{'channels':{}}",
  "a name without quotes": "{channels:{}}",
  "two values": `${EMPTY}${EMPTY}`,
  "text behind the value": `${EMPTY} x`,
  "a block comment": '{"channels":{}/* none */}',
  "a line comment": `// none\n${EMPTY}`,
  "a hash comment": `# none\n${EMPTY}`,
  "a line break in a string": '{"channels":{},"workflowId":"a\nb"}',
  "a control character in a string": '{"channels":{},"workflowId":"a\u0001b"}',
  "an unknown escape": '{"channels":{},"workflowId":"\\x61"}',
  "an empty element": '{"channels":{},"x":[1,,2]}',
  undefined: '{"channels":{},"x":undefined}',
  NaN: "NaN",
  "Infinity in an object": '{"channels":{},"x":-Infinity}',
  "a hexadecimal number": '{"channels":{},"x":0x10}',
  "a plus sign": '{"channels":{},"x":+1}',
  "a leading zero": '{"channels":{},"x":010}',
  "a number without digits before its point": '{"channels":{},"x":.5}',
  "a capital literal": '{"channels":{},"x":True}',
  "another blank": `${EMPTY}\f`,
};

/** Readers that detect the encoding accept these, and the contract has UTF-8 alone. */
const UTF_16 = {
  "UTF-16": Buffer.from(EMPTY, "utf16le"),
  "UTF-16 with its mark": Buffer.from(`\ufeff${EMPTY}`, "utf16le"),
  "UTF-16, high bytes first": Buffer.from(EMPTY, "utf16le").swap16(),
};

/** Lenient readers accept these as an update. */
const LENIENT_BODIES = [JSON.stringify(EMPTY), `[${EMPTY}]`, `{"data":${EMPTY}}`, `{"body":${EMPTY}}`];
const LENIENT_NAMES = [" channels", "channels ", "Channels", "channel", "{0} %s"];
const LENIENT_CHANNELS = ['"{}"', "[{}]", '"email"', '["email"]', '[["email",true]]'];
const LENIENT_BOOLEANS = ["[true]", '{"enabled":true}', '"true"', '" true"', '"TRUE"', '"yes"', '"on"', '"t"', '"1"'];
const BOOLEAN_NUMBERS = ["1.0", "0.0", "1e0"];
const LENIENT_WORKFLOWS = ['["x"]', "1.0", '{"_id":"x"}', "false"];
const LENIENT = [
  ...LENIENT_BODIES,
  ...LENIENT_NAMES.map((name) => `{"${name}":{}}`),
  ...LENIENT_CHANNELS.map((value) => `{"channels":${value}}`),
  ...[...LENIENT_BOOLEANS, ...BOOLEAN_NUMBERS, '""'].map((value) => `{"channels":{"email":${value}}}`),
  ...LENIENT_WORKFLOWS.map((value) => `{"channels":{},"workflowId":${value}}`),
];

/** No boolean and no text, however large or exact. A reader may reject what its numbers cannot hold (RFC 8259 §6). */
const NUMBERS = [
  "1e999",
  "-1e999",
  "1e-999",
  "-0",
  "9007199254740993",
  "18446744073709551616",
  "9".repeat(400),
  `0.${"3".repeat(400)}`,
];

/** Spellings of one media type (RFC 9110 §8.3.1). */
const SPELLINGS = [
  "application/json; charset=utf-8",
  'application/json; charset="utf-8"',
  "application/json;charset=utf-8",
  "application/json ; charset=utf-8",
  "application/json; CHARSET=UTF-8",
  "application/json;  charset=Utf-8",
  'Application/Json;Charset="UTF-8"',
];

const ROWS: readonly Row[] = [
  ...SPELLINGS.map((name): Row => [`media type › ${name}`, ["§4.1"], EMPTY, type(name), 200]),
  ["media type › a form", ["§4.1", "D-53.1"], "channels=email", type("application/x-www-form-urlencoded"), 415],
  ...OTHER_TYPES.map((name): Row => [`media type › ${name}`, ["§4.1", "D-53.1"], EMPTY, type(name), 415]),
  ["media type › none", ["§4.1", "D-53.1"], EMPTY, { "content-type": null }, 415],
  ["charset › latin1", ["D-53.1"], EMPTY, type("application/json; charset=iso-8859-1"), 415],
  ["charset › utf-16", ["D-53.1"], Buffer.from(EMPTY, "utf16le"), type("application/json; charset=utf-16"), 415],
  ["charset › unknown", ["D-53.1"], EMPTY, type("application/json; charset=nope"), 415],
  ["framing › chunked", ["§4.1"], EMPTY, chunked, 200],
  [
    "framing › chunked, and of another media type",
    ["§4.1", "D-53.1"],
    EMPTY,
    { ...chunked, ...type("text/plain") },
    415,
  ],
  ["framing › chunked, and outside the contract", ["§4.1", "D-49"], '{"channels":{"email":1}}', chunked, 422],
  // D-53 leaves gzip open: a server decodes it or rejects it.
  ["content encoding › gzip", ["D-52.1", "D-53.1"], gzipSync(EMPTY), gzipped, 200, 415],
  ["content encoding › unknown", ["D-53.1"], EMPTY, { "content-encoding": "nope" }, 415],
  ["content encoding › not the declared one", ["D-50.1", "D-53.1"], EMPTY, gzipped, 400, 415],
  ["size › the largest", ["D-52.1", "D-52.2"], padded(LARGEST), {}, 200],
  ["size › a byte more", ["D-52.1", "D-52.2"], padded(LARGEST + 1), {}, 413],
  ["size › a byte more, chunked", ["D-52.1", "D-52.2"], padded(LARGEST + 1), chunked, 413],
  ["size › in bytes, not in characters", ["D-52.1", "D-52.2"], `{"x":"${"é".repeat(60_000)}"}`, {}, 413],
  ["size › more only after decoding", ["D-52.1", "D-53.1"], gzipSync(padded(LARGEST + 1)), gzipped, 413, 415],
  // No JSON, or no object: the contract does not say which.
  ["required › no body and no media type", ["D-49.3", "D-53.3"], "", { "content-type": null }, 422],
  ["required › empty", ["§4.1", "D-49", "D-50.1"], "", type("application/json"), 422, 400],
  ...[100, 2000].flatMap((depth): Row[] => [
    [`depth › ${depth} lists`, ["D-03", "D-49"], deep(depth, "[", "]"), {}, 422, 400],
    [`depth › ${depth} objects`, ["D-03", "D-49"], deep(depth, '{"a":', "}"), {}, 422, 400],
  ]),
  ...["[]", '"x"', "1", "null", "true"].map((text): Row => [`no object › ${text}`, ["D-49.2"], text, {}, 422]),
  ...LENIENT.map((text): Row => [`lenient › ${text}`, ["D-03.1", "D-49.1"], text, {}, 422]),
  ...NUMBERS.flatMap((text) =>
    [`{"channels":{"email":${text}}}`, `{"channels":{},"workflowId":${text}}`].map(
      (body): Row => [`number › ${body.slice(0, 50)}`, ["D-03", "D-49.1"], body, {}, 422, 400],
    ),
  ),
  ["UTF-8 › a byte that cannot be", ["D-50.1"], withBytes(0xff), {}, 400],
  ["UTF-8 › a character cut off", ["D-50.1"], withBytes(0xe2, 0x82), {}, 400],
  ["UTF-8 › a longer form than needed", ["D-50.1"], withBytes(0xc0, 0xaf), {}, 400],
  ["UTF-8 › an encoded surrogate", ["D-50.1"], withBytes(0xed, 0xa0, 0x80), {}, 400],
  ...Object.entries(UTF_16).map(([title, bytes]): Row => [`UTF-8 › ${title}`, ["D-50.1"], bytes, {}, 400]),
  ...Object.entries(NO_JSON).map(([title, text]): Row => [`JSON › ${title}`, ["D-50.1"], text, {}, 400]),
];

export const BODY_LAWS = createCases(
  { operation: "updatePreferences", topic: "body" },
  ROWS.map(([title, cites, rawBody, headers, ...statuses]) =>
    statusLaw(title, cites, { operation: "updatePreferences", rawBody, headers }, statuses, {
      place: "body",
      ...(statuses[0] === 422 && { keyword: "type" }),
    }),
  ),
);

const citesOf = (text: string) => (/^%[0-9A-F]{2}/.test(text) ? ["D-50.1", "D-83.1"] : ["D-50.1"]);

const UNDECODABLE = ["%ZZ", "%", "%u0041", "%E0%A4%A", "%ED%A0%80", "%FF"];

export const ENCODING_LAWS = [
  ...createCases(
    {
      operation: "updatePreferences",
      topic: "path.subscriberId › malformed percent-encoding",
      about: { place: "path.subscriberId" },
    },
    UNDECODABLE.map((text) =>
      law(text, citesOf(text), async ({ contract, update }) => {
        const url = operationOf(contract, "updatePreferences").path.replace(/{[^}]+}/, text);
        expectStatus(await update({ channels: {} }, { url }), 400);
      }),
    ),
  ),
  ...createCases(
    { operation: "listNotifications", topic: "query › malformed percent-encoding", about: { place: "query" } },
    UNDECODABLE.map((text) =>
      statusLaw(text, citesOf(text), { operation: "listNotifications", rawQuery: `search=${text}` }, 400),
    ),
  ),
];
