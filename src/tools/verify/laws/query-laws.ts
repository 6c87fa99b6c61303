// Laws of what a query means: spellings of integers, empty and repeated values, and dates (exclusive bounds, every form of RFC
// 3339). D-26 to D-29, D-36, D-39 to D-43.
import type { NotificationPage } from "../../../contract/schemas.js";
import { law, toCases } from "../case.js";
import { operationOf } from "../exchange.js";
import { assume, datedOf, ExpectationError, expectPage, expectSame, expectStatus, idsOf } from "../expectation.js";
import { createIsAllowed, expectFiltered, toPair } from "../filter-model.js";
import type { TestContext } from "../test-context.js";

/** Programs read these as integers, and the contract does not. */
const NO_INTEGERS = [
  ...["1e1", "1E1", "5e0", "+5", "0x10", "0X1f", "0b11", "0o17", "5n", "5x", "x5", "--5", "5-", "0x", "1e"],
  ...["Infinity", "NaN", " 5", "5 ", "\t5", "5\n", "5\r\n", "\u00a05", "5\u3000", "5\u0000", "1.0", "5.", ".5"],
  ...["10.5", "1,0", "1_0", "1 0", "1'000", "５", "٥", "५", "1٠", "②", "Ⅴ", "true", "null", "[5]", '"5"', "5;", "5/1"],
  ...["5%"],
];
/** A target may accept these, but not as octal numbers. */
const UNUSUAL_INTEGERS = { "01": 1, "010": 10, "007": 7, "00000000000000000000005": 5 };
const LARGE_PAGES = [2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 53 - 1];
/** The digits of these are up to the target (D-76). */
const VAST_PAGES = [
  ...["1000000000000000000", "9223372036854775807", "9223372036854775808", "18446744073709551616"],
  ...[`1${"0".repeat(40)}`, `1${"0".repeat(300)}`],
];
const TOO_LARGE = [320, 3000, 5000].map((length) => "9".repeat(length));

/** Step types that are not channels, and misspelled channels. */
const NO_CHANNELS = "0 1 4 01 None All digest delay trigger custom throttle in-app inApp Email web".split(" ");

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
      for (const [text, value] of Object.entries(UNUSUAL_INTEGERS)) {
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
    for (const page of VAST_PAGES) {
      const received = await context.page(`page=${page}`);
      if (context.can("listing")) expectPage(received, { hasMore: false, data: [] });
    }
    for (const page of TOO_LARGE) expectStatus(await context.list(`page=${page}`), 422);
  }),
  law("query.limit › however large, it is over the maximum", ["§8", "D-29.2"], async ({ list }) => {
    for (const limit of [...LARGE_PAGES, ...VAST_PAGES, ...TOO_LARGE]) expectStatus(await list(`limit=${limit}`), 422);
  }),
  law("an empty value › means the same as none", ["D-27.1"], async (context) => {
    context.require("listing");
    const { parameters } = operationOf(context.contract, "listNotifications");
    for (const { name } of parameters.filter(({ allowsEmptyValue }) => allowsEmptyValue)) {
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
  law("a key in the query › is not repeated", ["D-48.2"], async ({ target, list }) => {
    const response = expectStatus(await list({ limit: 0, apiKey: target.apiKey }), 422);
    expectSame("whether the response has the key", false, response.text.includes(encodeURIComponent(target.apiKey)));
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

const BOUNDS = ["after", "before"];
const LEEWAY_MS = 2000;
const DISTANT_PAST = ["1990-01-01T00:00:00Z", "0000-01-01T00:00:00Z", "0099-12-31T23:59:59Z", "1969-12-31T23:59:59Z"];

/** The contract's schema decides which of these are valid. */
const EDGES = [
  ...["2016-12-31T23:59:60Z", "2016-12-31T23:59:60.5Z", "2017-01-01T00:59:60+01:00", "2016-12-31T15:59:60-08:00"], // leap seconds
  ...["2016-12-31T12:00:60Z", "2016-12-31T23:59:60+01:00", "2016-12-31T23:59:61Z", "2026-06-30T12:30:60Z"], // not leap seconds
  ...["2026-06-30T24:00:00Z", "2026-06-30T24:00:00.000Z", "2026-06-30T23:60:00Z", "2026-06-30T25:00:00Z"],
  ...["2026-06-30T12:00:00+23:59", "2026-06-30T12:00:00-23:59", "2026-06-30T12:00:00+24:00"],
  ...["2026-06-30T12:00:00-24:00", "2026-06-30T12:00:00+12:60", "2026-06-30T12:00:00+00", "2026-06-30T12:00:00+0000"],
  ...["2026-06-30T12:00:00 Z", "2026-06-30T12:00:00.Z", "2026-06-30T12:00:00.1Z"],
  ...["0000-01-01T00:00:00Z", "0000-02-29T00:00:00Z"],
  ...["0001-01-01T00:00:00Z", "0099-12-31T23:59:59Z", "-0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"],
  ...["9999-12-31T23:59:59-23:59", "9999-12-31T23:59:59+23:59", "10000-01-01T00:00:00Z", "+002026-06-30T12:00:00Z"],
  ...["2025-02-29T00:00:00Z", "2024-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-00-10T00:00:00Z"],
  ...["2026-06-00T00:00:00Z", "2026-06-30", "2026-06-30T12:00Z", "20260630T120000Z", "2026-W27-2T00:00:00Z"],
  ...["2026-181T00:00:00Z", "２０２６-06-30T12:00:00Z", "2026-06-30T12:00:00Z\n", "2026\u221206\u221230T12:00:00Z"],
  ...["now", "0", "-1", "NaN", "Infinity"],
];

export const DATE_LAWS = toCases({ operation: "listNotifications", needs: ["listing"], assumes: ["clock"] }, [
  ...BOUNDS.flatMap((name) => [
    law(`${name} › the instant itself is excluded`, ["§4.2", "D-40.1"], async (context) => {
      for (const at of await instants(context)) {
        for (const ms of [-1, 0, 1]) await expectFiltered(context, { [name]: shift(at, ms) });
      }
    }),
    law(`${name} › at the edges of RFC 3339`, ["D-39.1"], async (context) => {
      const isAllowed = createIsAllowed(context, name);
      for (const text of EDGES)
        expectStatus(await context.list({ [name]: text }), ...(isAllowed(text) ? [200, 402] : [422]));
    }),
    law(`${name} › earlier than any plan keeps is 402`, ["§8", "D-42.1", "D-42.2"], async ({ require, list }) => {
      require("checks-plan");
      for (const text of DISTANT_PAST) expectStatus(await list({ [name]: text }), 402);
    }),
  ]),
  law("after and before › together they match what lies between", ["§4.2", "D-36.1", "D-40.1"], async (context) => {
    const [newest = "", middle = "", oldest = ""] = await instants(context);
    await expectFiltered(context, { after: oldest, before: newest });
    await expectFiltered(context, { after: middle, before: newest, channels: ["email"] });
    await expectFiltered(context, { after: middle, before: middle });
  }),
  law("after and before › every form of an instant means the same", ["D-39.1"], async (context) => {
    const [newest = "", , oldest = ""] = await instants(context);
    // Each leaves few records.
    for (const [name, at] of Object.entries({ after: newest, before: oldest }))
      for (const text of toForms(at)) await expectFiltered(context, { [name]: text });
  }),
  law("after later than before › 400, equal ones an empty page", ["D-40.1", "D-41.1", "D-41.2"], async (context) => {
    const [newest = "", , oldest = ""] = await instants(context);
    expectStatus(await context.list({ after: newest, before: oldest }), 400);
    expectStatus(await context.list({ after: shift(newest, 1), before: newest }), 400);
    await expectFiltered(context, { after: newest, before: newest });
  }),
  law(
    "after and before › in different offsets they are in order as instants, not as texts",
    ["D-39.1", "D-41.1"],
    async (context) => {
      const [newest = "", , oldest = ""] = await instants(context);
      await expectFiltered(context, { after: toOffset(oldest, 14), before: toOffset(newest, -12) });
      expectStatus(await context.list({ after: toOffset(newest, -12), before: toOffset(shift(newest, -1), 14) }), 400);
    },
  ),
  law("after › the edge of the plan is an hour earlier than its days", ["§8", "D-42.1", "D-42.2"], async (context) => {
    context.require("checks-plan");
    const days = await findPlan(context);
    for (const name of BOUNDS) {
      expectStatus(await context.list({ [name]: ago(days, HALF_AN_HOUR_MS) }), 200);
      expectStatus(await context.list({ [name]: ago(days, 3 * HALF_AN_HOUR_MS) }), 402);
    }
    expectStatus(await context.list({ after: ago(days, 3 * HALF_AN_HOUR_MS), before: ago(days, 0) }), 402);
  }),
  law("without after › the list is that of the whole plan", ["§4.2", "§8"], async (context) => {
    context.require("checks-plan");
    await expectFiltered(context, { after: ago(await findPlan(context), -HALF_AN_HOUR_MS) });
  }),
  law("an instant in the future › is after all", ["D-41.2", "D-43.1", "D-43.2"], async (context) => {
    const { records: listed, base } = await context.snapshot();
    assume(!listed.some(({ _id }) => _id === undefined), "records show no _id");
    const due = new Set(idsOf(datedOf(listed)));
    const [newest = ""] = await instants(context);
    for (const before of [shift(newest, 9_000_000_000), "9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59-23:59"]) {
      const ids = idsOf(await context.collect({ ...base, before }));
      const shown = ids.filter((id) => due.has(id)); // the target may list records of the future too
      expectSame(`records before ${before}`, [...due], shown);
    }
    for (const after of [shift(newest, 900_000_000_000), "9999-12-31T23:59:59.999Z"])
      await expectFiltered(context, { after });
  }),
  law("a record of the future is not listed", ["§4.2"], async (context) => {
    const { records } = await context.snapshot();
    context.assumeError("listNotifications", 422, "timestamp");
    const { timestamp } = expectStatus(await context.list({ limit: 0 }), 422).body as { timestamp: string }; // by the target's clock
    const future = datedOf(records).filter(
      ({ createdAt }) => Date.parse(createdAt) > Date.parse(timestamp) + LEEWAY_MS,
    );
    expectSame("records later than the request", [], idsOf(future));
  }),
]);

/** Times of a new, a middle and an old record, and one that two records share, if there is one. */
async function instants(context: TestContext): Promise<string[]> {
  const times = datedOf((await context.snapshot()).records).map(({ createdAt }) => createdAt);
  assume(times.length >= 3, "the list has fewer than three records");
  const twice = times.find((time, index) => time === times[index + 1]);
  const some = [times[1], times[Math.floor(times.length / 2)], times.at(-2), twice];
  return some.filter((time) => time !== undefined);
}

const DAY_MS = 86_400_000;
const HALF_AN_HOUR_MS = 1_800_000;
/** Days that a plan keeps (D-42). */
const PLANS = [9999, 90, 7, 1];

const ago = (days: number, ms: number) => new Date(Date.now() - days * DAY_MS - ms).toISOString();

/** The days that the target's plan keeps: the most of which a date is accepted. */
async function findPlan(context: TestContext): Promise<number> {
  for (const days of PLANS) {
    const { status } = expectStatus(await context.list({ after: ago(days, -HALF_AN_HOUR_MS), limit: 1 }), 200, 402);
    if (status === 200) return days;
  }
  throw new ExpectationError({ what: "days of the plan", expected: PLANS, actual: "less than one", cites: ["D-42.1"] });
}

/** An instant, written in another offset. */
function toOffset(instant: string, hours: number): string {
  const offset = `${hours < 0 ? "-" : "+"}${String(Math.abs(hours)).padStart(2, "0")}:00`;
  return shift(instant, hours * 3_600_000).replace("Z", offset);
}

/** Other spellings of an instant, and near ones with fewer digits. */
function toForms(at: string): string[] {
  const offsets = { "+05:30": 5.5, "-08:00": -8, "+13:45": 13.75, "-23:30": -23.5 };
  const local = Object.entries(offsets).map(([offset, hours]) => shift(at, hours * 3_600_000).replace("Z", offset));
  const finer = ["0Z", "000Z", "000000000000Z"].map((end) => shift(at, 0).replace("Z", end));
  const nextTenth = new Date(Math.ceil(Date.parse(at) / 100) * 100).toISOString().replace("00Z", "Z");
  return [...local, at.toLowerCase(), ...finer, nextTenth, at.replace(/\.\d+/, "")];
}

function shift(instant: string, ms: number): string {
  return new Date(Date.parse(instant) + ms).toISOString();
}
