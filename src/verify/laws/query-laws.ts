// Laws of what a query means, as tables of values: spellings of integers, empty and repeated values. D-26 to D-29.
import { type Case, type Law, law, toCases } from "../case.js";
import { expectSame, expectStatus } from "../expectation.js";
import { idsOf, type Page } from "../notification.js";
import type { TestContext } from "../test-context.js";
import type { TestResponse } from "../test-response.js";

export function createQueryLaws(): Case[] {
  return toCases("listNotifications", [...INTEGERS, ...EMPTY, ...REPEATED]);
}

/** What programs take for integers, and the contract does not. */
const NO_INTEGERS = [
  ...["1e1", "1E1", "5e0", "+5", "0x10", "0X1f", "0b11", "0o17", "5n", "5x", "x5", "--5", "5-", "0x", "1e"],
  ...["Infinity", "NaN"],
  ...[" 5", "5 ", "\t5", "5\n", "5\r\n", "\u00a05", "5\u3000", "5\u0000", "1.0", "5.", ".5", "10.5", "1,0", "1_0"],
  ...["1 0", "1'000"],
  ...["５", "٥", "५", "1٠", "②", "Ⅴ", "true", "null", "[5]", '"5"', "5;", "5/1", "5%"],
];
/** Where they are read, they have this value. Programs take a leading zero for an octal number. */
const UNUSUAL_INTEGERS: [text: string, value: number][] = [
  ["01", 1],
  ["010", 10],
  ["007", 7],
  ["00000000000000000000005", 5],
];
const LARGE_PAGES = [2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 53 - 1];
const LARGER_PAGES = ["9007199254740993", "9223372036854775808", "100000000000000000000", `1${"0".repeat(30)}`];

const INTEGERS: Law[] = [
  ...["page", "limit"].map((name) =>
    law(`query.${name} › only decimal digits are an integer`, ["D-29"], async (context) => {
      for (const text of NO_INTEGERS) expectStatus(await list(context, encode(name, text)), 422);
      expectStatus(await list(context, `${name}=+5`), 422); // a blank
      for (const [text, value] of UNUSUAL_INTEGERS) {
        const response = expectStatus(await list(context, encode(name, text)), 200, 422);
        if (response.status === 422) continue;
        const { page, pageSize } = response.body as Page;
        expectSame("body", value, name === "page" ? page : pageSize, response.request);
      }
    }),
  ),
  law("query.page › however large, it is a page behind the last", ["D-29"], async (context) => {
    for (const wanted of LARGE_PAGES) {
      const response = expectStatus(await list(context, `page=${wanted}`), 200);
      const { page, hasMore, data } = response.body as Page;
      if (!context.target.can.includes("listing")) continue;
      expectSame("body", { page: wanted, hasMore: false, data: [] }, { page, hasMore, data }, response.request);
    }
    for (const text of LARGER_PAGES) {
      const response = expectStatus(await list(context, `page=${text}`), 200, 422);
      if (response.status === 422 || !context.target.can.includes("listing")) continue;
      const { page, data } = response.body as Page;
      expectSame("body", { page: Number(text), data: [] }, { page, data }, response.request);
    }
  }),
  law("query.limit › however large, it is over the maximum", ["§8", "D-29"], async (context) => {
    for (const text of [...LARGE_PAGES, ...LARGER_PAGES]) expectStatus(await list(context, `limit=${text}`), 422);
  }),
];

const EMPTY: Law[] = [
  {
    ...law("an empty value › means the same as none", ["D-27"], async (context) => {
      const { parameters } = context.operation("listNotifications");
      for (const { name } of parameters.filter(({ allowEmptyValue }) => allowEmptyValue)) {
        const others = name === "channels" ? ["limit=7", "limit=7&page=1"] : ["limit=7&channels=email"];
        for (const rest of others.filter((text) => !text.includes(`${name}=`))) {
          for (const empty of [`${name}=`, name, `${name}=&${name}=`])
            await expectEqual(context, rest, `${empty}&${rest}`);
        }
      }
    }),
    needs: ["listing"],
  },
  {
    ...law("an empty value › in a list is no item of it", ["D-27"], async (context) => {
      const { records } = await context.snapshot();
      const { email, subscriberId } = records.find(({ subscriber }) => subscriber?.email)?.subscriber ?? {};
      for (const [name, value = "nobody-7f3a9c"] of Object.entries({ emails: email, subscriberIds: subscriberId })) {
        const item = encode(name, value).replaceAll("%20", " ").replaceAll(" ", "%20");
        for (const list of [`${name}=&${item}`, `${item}&${name}=`]) await expectEqual(context, item, list);
      }
      for (const [one, other] of [["channels=email", "channels=&channels=email"]] as const)
        await expectEqual(context, one, other);
    }),
    needs: ["listing"],
  },
  law("query.limit › empty is 422", ["D-27"], async (context) => {
    for (const query of ["limit=", "limit", "limit=&page=0"]) expectStatus(await list(context, query), 422);
  }),
];

const VALUES: Record<string, [string, string]> = {
  page: ["0", "1"],
  limit: ["5", "6"],
  after: ["2026-06-30T00:00:00Z", "2026-06-30T00:00:01Z"],
  before: ["2026-06-30T00:00:00Z", "2026-06-30T00:00:01Z"],
};

const REPEATED: Law[] = [
  law("a repeated parameter that is no list › 422", ["D-26", "D-37", "D-38"], async (context) => {
    for (const { name, schema, in: source } of context.operation("listNotifications").parameters) {
      if (source !== "query" || schema.type === "array") continue;
      const [one, other] = VALUES[name] ?? ["a-7f3a9c", "b-7f3a9c"];
      for (const pair of [
        [one, other],
        [one, one],
        [one, other, one],
      ])
        expectStatus(await list(context, pair.map((value) => encode(name, value)).join("&")), 422);
    }
  }),
  law("brackets › are part of the name, and no parameter has such a name", ["D-26", "D-28"], async (context) => {
    const items = ["channels[]=email", "channels[0]=email", "channels%5B%5D=email", "channels%5B0%5D=email"];
    const scalars = ["limit[]=5", "page[0]=1", "page[gt]=1", "search[$ne]=x", "emails[]=a", "subscriberIds[0]=a"];
    const names = ["constructor=1", "__proto__=1", "__proto__[limit]=1", "toString=1", "=1", "LIMIT=1", "limit%20=1"];
    for (const query of [...items, ...scalars, ...names, "templates[]=66e0f1a20c4b3d5e6f708101"])
      expectStatus(await list(context, query), 422);
  }),
];

/** Two queries that mean the same have the same records. */
async function expectEqual(context: TestContext, one: string, other: string): Promise<void> {
  const { base } = await context.snapshot();
  const since = base.after ? `${encode("after", base.after)}&` : "";
  const [wanted, response] = [await list(context, since + one), await list(context, since + other)];
  expectStatus(wanted, 200);
  expectStatus(response, 200);
  const toShown = ({ body }: TestResponse) => {
    const { page, pageSize, hasMore, data } = body as Page;
    return { page, pageSize, hasMore, data: idsOf(data) };
  };
  expectSame("body", toShown(wanted), toShown(response), response.request);
}

function list(context: TestContext, rawQuery: string): Promise<TestResponse> {
  context.restart();
  return context.send({ operation: context.operation("listNotifications"), rawQuery });
}

function encode(name: string, value: string): string {
  return `${name}=${encodeURIComponent(value)}`;
}
