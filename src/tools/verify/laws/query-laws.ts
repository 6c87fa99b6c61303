// Laws of what a query means, as tables of values: spellings of integers, empty and repeated values. D-26 to D-29.
import type { NotificationPage } from "../../../contract/schemas.js";
import { law, toCases } from "../case.js";
import { operationOf } from "../exchange.js";
import { expectPage, expectStatus } from "../expectation.js";
import { toPair } from "../filter-model.js";
import type { TestContext } from "../test-context.js";

/** Programs take these for integers, and the contract does not. */
const NO_INTEGERS = [
  ...["1e1", "1E1", "5e0", "+5", "0x10", "0X1f", "0b11", "0o17", "5n", "5x", "x5", "--5", "5-", "0x", "1e"],
  ...["Infinity", "NaN", " 5", "5 ", "\t5", "5\n", "5\r\n", "\u00a05", "5\u3000", "5\u0000", "1.0", "5.", ".5"],
  ...["10.5", "1,0", "1_0", "1 0", "1'000", "５", "٥", "५", "1٠", "②", "Ⅴ", "true", "null", "[5]", '"5"', "5;", "5/1"],
  ...["5%"],
];
/** If they are read, they have this value. Programs take a leading zero for an octal number. */
const UNUSUAL_INTEGERS: [text: string, value: number][] = [
  ["01", 1],
  ["010", 10],
  ["007", 7],
  ["00000000000000000000005", 5],
];
const LARGE_PAGES = [2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 53 - 1];

/** Types of steps that are no channels, and channels spelled otherwise. */
const NO_CHANNELS = ["digest", "delay", "trigger", "custom", "throttle", "in-app", "inApp", "Email", "web"];

/** Some frameworks read these as a list, an object or a known name. */
const OTHER_NAMES = [
  ...["channels[]=email", "channels[0]=email", "channels%5B%5D=email", "channels%5B0%5D=email"],
  ...["limit[]=5", "page[0]=1", "page[gt]=1", "search[$ne]=x", "emails[]=a", "subscriberIds[0]=a"],
  ...["constructor=1", "__proto__=1", "__proto__[limit]=1", "toString=1", "=1", "LIMIT=1", "limit%20=1"],
  ...["templates[]=66e0f1a20c4b3d5e6f708101"],
];

export const QUERY_LAWS = toCases({ operation: "listNotifications" }, [
  ...(["page", "limit"] as const).map((name) =>
    law(`query.${name} › only decimal digits are an integer`, ["D-29.1"], async (context) => {
      const blank = `${name}=+5`;
      for (const query of [...NO_INTEGERS.map((text) => toPair(name, text)), blank])
        expectStatus(await context.list(query), 422);
      for (const [text, value] of UNUSUAL_INTEGERS) {
        const { status, body } = expectStatus(await context.list(toPair(name, text)), 200, 422);
        if (status === 200)
          expectPage(body as NotificationPage, name === "page" ? { page: value } : { pageSize: value });
      }
    }),
  ),
  law("query.page › however large, it is a page behind the last", ["D-76.1", "D-76.3"], async (context) => {
    for (const page of LARGE_PAGES) {
      const received = await context.page({ page });
      if (context.can("listing")) expectPage(received, { page, hasMore: false, data: [] });
    }
    expectStatus(await context.list(`page=${"9".repeat(320)}`), 422);
  }),
  law("query.limit › however large, it is over the maximum", ["§8", "D-29.2"], async ({ list }) => {
    for (const limit of LARGE_PAGES) expectStatus(await list({ limit }), 422);
  }),
  law("an empty value › means the same as none", ["D-27.1"], async (context) => {
    context.require("listing");
    const { parameters } = operationOf(context.contract, "listNotifications");
    for (const { name } of parameters.filter(({ allowEmptyValue }) => allowEmptyValue)) {
      const others = name === "channels" ? ["limit=7", "limit=7&page=1"] : ["limit=7&channels=email"];
      for (const rest of others.filter((text) => !text.includes(`${name}=`))) {
        for (const empty of [`${name}=`, name, `${name}=&${name}=`])
          await expectEqual(context, rest, `${empty}&${rest}`);
      }
    }
  }),
  law("an empty value › does not count where a parameter is repeated", ["D-84.1", "D-84.2"], async (context) => {
    context.require("listing");
    for (const name of ["search", "transactionId", "topicKey"]) {
      const item = toPair(name, "nobody-7f3a9c");
      for (const repeated of [`${name}=&${item}`, `${item}&${name}=`]) await expectEqual(context, item, repeated);
      await expectEqual(context, "limit=7", `${name}=&${name}=&limit=7`);
    }
  }),
  law("channels › any other name is 422, also a step or two", ["D-26.2", "D-30.1"], async ({ list }) => {
    for (const name of [...NO_CHANNELS, "email,sms", "email%2Csms"]) expectStatus(await list(`channels=${name}`), 422);
  }),
  law("brackets › are part of the name, and no parameter has such a name", ["D-26.3", "D-28.1"], async ({ list }) => {
    for (const query of OTHER_NAMES) expectStatus(await list(query), 422);
  }),
]);

/** Two queries that mean the same have the same records. */
async function expectEqual(context: TestContext, query: string, other: string): Promise<void> {
  const { base } = await context.snapshot();
  const since = base.after ? `${toPair("after", base.after)}&` : "";
  const { page, pageSize, hasMore, data } = await context.page(since + query);
  expectPage(await context.page(since + other), { page, pageSize, hasMore, data });
}
