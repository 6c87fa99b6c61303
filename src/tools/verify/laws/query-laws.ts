// Laws of what a query means: spellings of integers, empty and repeated values, and names. D-26 to D-30, D-48, D-76,
// D-84.
import type { NotificationPage } from "../../../contract/contract-types.js";
import { createCases, law, statusLaw } from "../case.js";
import { expectPage, expectStatus, expectThat } from "../expectation.js";
import { formatPair } from "../filter-model.js";
import type { TestContext } from "../test-context.js";
import { operationOf, type TestRequest } from "../test-request.js";

const WITH_EXPONENT = ["1e1", "1E1", "5e0"];
const OTHER_BASES = ["0x10", "0X1f", "0b11", "0o17"];
const PARTLY_NUMBERS = ["5n", "5L", "5d", "5f", "5x", "x5", "--5", "5-", "(5)", "$5", "0x", "1e"];
const NOT_FINITE = ["Infinity", "NaN"];
const BLANKS = [" 5", "5 ", "\t5", "5\n", "5\r\n", "\u00a05", "5\u3000", "5\u0000"];
const FRACTIONS = ["1.0", "5.", ".5", "10.5"];
const GROUPED_DIGITS = ["1,0", "1_0", "1 0", "1'000", "1,000", "1.000"];
const OTHER_DIGITS = ["５", "٥", "५", "1٠", "②", "Ⅴ"];
const OTHER_VALUES = ["true", "null", "[5]", '"5"', "5;", "5/1", "5%"];
/** Programs read these as integers, and the contract does not. */
const NO_INTEGERS = [
  ["+5", WITH_EXPONENT, OTHER_BASES, PARTLY_NUMBERS, NOT_FINITE, BLANKS],
  [FRACTIONS, GROUPED_DIGITS, OTHER_DIGITS, OTHER_VALUES],
].flat(2);
/** A target may accept these, but not as octal numbers. */
const UNUSUAL_INTEGERS = { "01": 1, "010": 10, "007": 7, "00000000000000000000005": 5 };
const LARGE_PAGES = [2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 53 - 1];
/** An integer of so many bits holds 10 in their place. */
const WRAPPED = [8, 16, 32, 64].map((bits) => 2n ** BigInt(bits) + 10n);
/** The digits of these are up to the target (D-76). */
const VAST_PAGES = [
  ...[10n ** 18n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n].map(String),
  ...[40, 300].map((zeros) => `1${"0".repeat(zeros)}`),
];
const TOO_LARGE = [320, 3000, 5000].map((length) => "9".repeat(length));

/** Step types that are not channels, and misspelled channels. */
const NO_CHANNELS = "0 1 4 01 None All digest delay trigger custom throttle in-app inApp Email web".split(" ");

/** Some frameworks read these as a list, an object or a known name. */
const OTHER_NAMES = [
  ..."channels[] channels[0] channels%5B%5D channels%5B0%5D limit[] page[0] page[gt] search[$ne] emails[]".split(" "),
  ..."subscriberIds[0] templates[] constructor __proto__ __proto__[limit] toString LIMIT limit%20".split(" "),
  ..."%7B0%7D %25s %3Cx%3E%22'".split(" "), // no pattern of a message, and no HTML
  "",
];

const listed = (rawQuery: string): TestRequest => ({ operation: "listNotifications", rawQuery });

export const QUERY_LAWS = createCases({ operation: "listNotifications" }, [
  ...(["page", "limit"] as const).map((name, parameter) =>
    law(
      `query.${name} › only decimal digits are an integer`,
      ["D-29.1"],
      async (context) => {
        const texts = NO_INTEGERS.filter((_text, index) => index % 2 === parameter); // a target has one reader for both
        for (const query of [...texts.map((text) => formatPair(name, text)), `${name}=+5`])
          expectStatus(await context.list(query), 422);
        const unusual = { ...UNUSUAL_INTEGERS, ...(name === "page" ? { "-0": 0 } : {}) };
        for (const [text, value] of Object.entries(unusual)) {
          const { status, body } = expectStatus(await context.list(formatPair(name, text)), 200, 422);
          if (status === 200)
            expectPage(body as NotificationPage, name === "page" ? { page: value } : { pageSize: value });
        }
      },
      { place: `query.${name}`, keyword: "type" },
    ),
  ),
  law("query.page › however large, it is a page behind the last", ["D-76.1", "D-76.3"], async (context) => {
    for (const page of LARGE_PAGES) {
      const received = await context.page({ page });
      if (context.can("listing")) expectPage(received, { page, hasMore: false, data: [] });
    }
    for (const page of VAST_PAGES) {
      const received = await context.page(`page=${page}`);
      if (context.can("listing")) expectPage(received, { hasMore: false, data: [] });
    }
    for (const page of TOO_LARGE) expectStatus(await context.list(`page=${page}`), 422);
  }),
  statusLaw(
    "query.limit › however large, it is over the maximum",
    ["§8", "D-29.2"],
    [...WRAPPED, ...LARGE_PAGES, ...VAST_PAGES, ...TOO_LARGE].map((limit) => listed(`limit=${limit}`)),
    422,
    { place: "query.limit", keyword: "maximum" },
  ),
  law("an empty value › means the same as none", ["D-27.1"], async (context) => {
    context.require("listing");
    const { parameters } = operationOf(context.contract, "listNotifications");
    for (const { name } of parameters.filter(({ allowsEmptyValue }) => allowsEmptyValue)) {
      const queries = name === "channels" ? ["limit=7", "limit=7&page=1"] : ["limit=7&channels=email"];
      for (const rest of queries.filter((text) => !text.includes(`${name}=`))) {
        const empty = [`${name}=`, name, `${name}=&${name}=`];
        await expectEqual(context, rest, ...empty.map((pair) => `${pair}&${rest}`));
      }
    }
  }),
  law("an empty value › does not count where a parameter is repeated", ["D-84.1", "D-84.2"], async (context) => {
    context.require("listing");
    for (const name of ["search", "transactionId", "topicKey"]) {
      const item = formatPair(name, "nobody-7f3a9c");
      await expectEqual(context, item, `${name}=&${item}`, `${item}&${name}=`);
      await expectEqual(context, "limit=7", `${name}=&${name}=&limit=7`);
    }
  }),
  statusLaw(
    "channels › any other name is 422, also a step or two",
    ["D-26.2", "D-30.1"],
    [...NO_CHANNELS, "email,sms", "email%2Csms"].map((name) => listed(`channels=${name}`)),
    422,
    { place: "query.channels", keyword: "enum" },
  ),
  law("a key in the query › is not repeated", ["D-48.2"], async ({ target, list }) => {
    const { text } = expectStatus(await list({ limit: 0, apiKey: target.apiKey }), 422);
    const sentence = "The response repeats a key that was sent in the query.";
    const holds = !text.includes(encodeURIComponent(target.apiKey));
    expectThat(holds, { what: "body", expected: "no key", actual: "the key", sentence });
  }),
  statusLaw(
    "brackets › are part of the name, and no parameter has such a name",
    ["D-26.3", "D-28.1"],
    OTHER_NAMES.map((name) => listed(`${name}=1`)),
    422,
    { place: "query", keyword: "unknown parameter" },
  ),
]);

/** Queries that mean the same as the first have the same records. */
async function expectEqual(context: TestContext, query: string, ...equivalents: string[]): Promise<void> {
  const { base } = await context.snapshot();
  const since = base.after ? `${formatPair("after", base.after)}&` : "";
  const { page, pageSize, hasMore, data } = await context.page(since + query);
  for (const other of equivalents) expectPage(await context.page(since + other), { page, pageSize, hasMore, data });
}
