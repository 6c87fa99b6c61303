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
  status: number,
];

const padded = (length: number) => EMPTY.padEnd(length, " ");
const type = (value: string) => ({ "content-type": value });
const gzipped = { "content-encoding": "gzip" };

const ROWS: readonly Row[] = [
  ["media type › application/json; charset=utf-8", ["§4.1"], EMPTY, type("application/json; charset=utf-8"), 200],
  ["media type › upper case", ["§4.1"], EMPTY, type("Application/JSON;charset=UTF-8"), 200],
  ["media type › text/plain", ["§4.1", "D-53"], EMPTY, type("text/plain"), 415],
  ["media type › a form", ["§4.1", "D-53"], "channels=email", type("application/x-www-form-urlencoded"), 415],
  ["media type › application/jsonp", ["§4.1", "D-53"], EMPTY, type("application/jsonp"), 415],
  ["media type › none", ["§4.1", "D-53"], EMPTY, { "content-type": null }, 415],
  ["charset › latin1", ["D-53"], EMPTY, type("application/json; charset=iso-8859-1"), 415],
  ["content encoding › gzip", ["D-52"], gzipSync(EMPTY), gzipped, 200],
  ["content encoding › unknown", ["D-53"], EMPTY, { "content-encoding": "nope" }, 415],
  ["content encoding › not the declared one", ["D-50"], EMPTY, gzipped, 400],
  ["size › the largest", ["D-52"], padded(LARGEST), {}, 200],
  ["size › a byte more", ["D-52"], padded(LARGEST + 1), {}, 413],
  ["size › more only after decoding", ["D-52"], gzipSync(padded(LARGEST + 1)), gzipped, 413],
  ["required › empty", ["§4.1", "D-49"], "", type("application/json"), 422],
  ["JSON › cut off", ["D-50"], '{"channels":{', {}, 400],
  ["JSON › trailing comma", ["D-50"], '{"channels":{},}', {}, 400],
  ["JSON › single quotes", ["D-50"], "{'channels':{}}", {}, 400],
  ["JSON › two values", ["D-50"], `${EMPTY}${EMPTY}`, {}, 400],
  ["JSON › NaN", ["D-50"], "NaN", {}, 400],
];

export function createBodyLaws(): Case[] {
  const bodies = ROWS.map(
    ([title, cites, rawBody, headers, status]): Case => ({
      id: `updatePreferences › body › ${title}`,
      cites,
      covers: { operation: "updatePreferences", place: "body", keyword: title.split(" › ")[0] ?? title, status },
      async run(context) {
        const operation = context.operation("updatePreferences");
        expectStatus(await context.send({ operation, rawBody, headers }), status);
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
  [
    "updatePreferences › path.subscriberId › malformed percent-encoding",
    (context) => ({
      operation: context.operation("updatePreferences"),
      url: context.operation("updatePreferences").path.replace(/{[^}]+}/, "%ZZ"),
      body: { channels: {} },
    }),
  ],
  [
    "listNotifications › query › malformed percent-encoding",
    (context) => ({ operation: context.operation("listNotifications"), rawQuery: "search=%E0%A4%A" }),
  ],
];
