// Laws of bodies: media type, charset, encoding, size, JSON. And what cannot be decoded in paths and queries.
import { gzipSync } from "node:zlib";
import type { Case } from "../case.js";
import { expectStatus } from "../expectation.js";
import type { TestContext } from "../test-context.js";

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

const ROWS: readonly Row[] = [
  ["media type › application/json; charset=utf-8", ["§4.1"], EMPTY, type("application/json; charset=utf-8"), 200],
  ["media type › upper case", ["§4.1"], EMPTY, type("Application/JSON;charset=UTF-8"), 200],
  ["media type › text/plain", ["§4.1", "D-53"], EMPTY, type("text/plain"), 415],
  ["media type › a form", ["§4.1", "D-53"], "channels=email", type("application/x-www-form-urlencoded"), 415],
  ["media type › application/jsonp", ["§4.1", "D-53"], EMPTY, type("application/jsonp"), 415],
  ...[
    "application/merge-patch+json",
    "application/vnd.api+json",
    "text/json",
    "application/x-json",
    "application/json5",
    "*/*",
  ].map((name): Row => [`media type › ${name}`, ["§4.1", "D-53"], EMPTY, type(name), 415]),
  ["media type › none", ["§4.1", "D-53"], EMPTY, { "content-type": null }, 415],
  ["charset › latin1", ["D-53"], EMPTY, type("application/json; charset=iso-8859-1"), 415],
  ["charset › utf-16", ["D-53"], Buffer.from(EMPTY, "utf16le"), type("application/json; charset=utf-16"), 415],
  ["charset › unknown", ["D-53"], EMPTY, type("application/json; charset=nope"), 415],
  ["framing › chunked", ["§4.1"], EMPTY, chunked, 200],
  ["framing › chunked, and outside the contract", ["§4.1", "D-49"], '{"channels":{"email":1}}', chunked, 422],
  ["framing › Expect: 100-continue", ["§4.1"], EMPTY, { expect: "100-continue" }, 200],
  // D-53 leaves gzip open: a server that does not decode it rejects it.
  ["content encoding › gzip", ["D-52", "D-53"], gzipSync(EMPTY), gzipped, 200, 415],
  ["content encoding › unknown", ["D-53"], EMPTY, { "content-encoding": "nope" }, 415],
  ["content encoding › not the declared one", ["D-50", "D-53"], EMPTY, gzipped, 400, 415],
  ["size › the largest", ["D-52"], padded(LARGEST), {}, 200],
  ["size › a byte more", ["D-52"], padded(LARGEST + 1), {}, 413],
  ["size › a byte more, chunked", ["D-52"], padded(LARGEST + 1), chunked, 413],
  ["size › more only after decoding", ["D-52", "D-53"], gzipSync(padded(LARGEST + 1)), gzipped, 413, 415],
  // No JSON, or no object: the contract does not say which.
  ["required › empty", ["§4.1", "D-49", "D-50"], "", type("application/json"), 422, 400],
  ...[100, 2000].map((depth): Row => [`depth › ${depth} lists`, ["D-03", "D-49"], deep(depth, "[", "]"), {}, 422, 400]),
  ...[100, 2000].map(
    (depth): Row => [`depth › ${depth} objects`, ["D-03", "D-49"], deep(depth, '{"a":', "}"), {}, 422, 400],
  ),
  ["UTF-8 › a byte that cannot be", ["D-50"], withBytes(0xff), {}, 400],
  ["UTF-8 › a character cut off", ["D-50"], withBytes(0xe2, 0x82), {}, 400],
  ["UTF-8 › a longer form than needed", ["D-50"], withBytes(0xc0, 0xaf), {}, 400],
  ["UTF-8 › an encoded surrogate", ["D-50"], withBytes(0xed, 0xa0, 0x80), {}, 400],
  ["JSON › cut off", ["D-50"], '{"channels":{', {}, 400],
  ["JSON › trailing comma", ["D-50"], '{"channels":{},}', {}, 400],
  ["JSON › single quotes", ["D-50"], "{'channels':{}}", {}, 400],
  ["JSON › two values", ["D-50"], `${EMPTY}${EMPTY}`, {}, 400],
  ["JSON › NaN", ["D-50"], "NaN", {}, 400],
];

export function createBodyLaws(): Case[] {
  const bodies = ROWS.map(
    ([title, cites, rawBody, headers, ...statuses]): Case => ({
      id: `updatePreferences › body › ${title}`,
      cites,
      covers: {
        operation: "updatePreferences",
        place: "body",
        keyword: title.split(" › ")[0] ?? title,
        status: statuses[0] ?? 200,
      },
      async run(context) {
        const operation = context.operation("updatePreferences");
        expectStatus(await context.send({ operation, rawBody, headers }), ...statuses);
      },
    }),
  );
  return [
    ...bodies,
    ...UNDECODABLE.map(
      ([title, toRequest]): Case => ({
        id: title,
        cites: ["D-50"],
        run: async (context) => expectStatus(await context.send(toRequest(context)), 400),
      }),
    ),
  ];
}

const UNDECODABLE: [string, (context: TestContext) => Parameters<TestContext["send"]>[0]][] = [
  "%ZZ",
  "%",
  "%E0%A4%A",
  "%ED%A0%80",
  "%FF",
].flatMap((text) => [
  [
    `updatePreferences › path.subscriberId › malformed percent-encoding › ${text}`,
    ({ operation }) => {
      const update = operation("updatePreferences");
      return { operation: update, url: update.path.replace(/{[^}]+}/, text), body: { channels: {} } };
    },
  ],
  [
    `listNotifications › query › malformed percent-encoding › ${text}`,
    ({ operation }) => ({ operation: operation("listNotifications"), rawQuery: `search=${text}` }),
  ],
]);
