// Laws of dates: exclusive bounds, every form of RFC 3339, and the plan. D-36, D-39 to D-43.
import { createCases, law, statusLaw } from "../case.js";
import { assume, datedOf, ExpectationError, expectIds, expectStatus, idsOf } from "../expectation.js";
import { createIsAllowed, expectFiltered } from "../filter-model.js";
import { PAGE_SIZE, type TestContext } from "../test-context.js";
import type { TestRequest } from "../test-request.js";
import { assumeOurTime } from "./root-laws.js";

const BOUNDS = ["after", "before"];
const LEEWAY_MS = 2000;
const END_OF_TIME = "9999-12-31T23:59:59.999Z";
const DISTANT_PAST = ["1990-01-01T00:00:00Z", "0000-01-01T00:00:00Z", "0099-12-31T23:59:59Z", "1969-12-31T23:59:59Z"];

/**
 * Leap seconds, times of day, offsets, digits of seconds, years, days and other forms: some are instants of RFC 3339.
 */
const EDGES = [
  ...`
    2016-12-31T23:59:60Z 2016-12-31T23:59:60.5Z 2017-01-01T00:59:60+01:00 2016-12-31T15:59:60-08:00
    2016-12-31T12:00:60Z 2016-12-31T23:59:60+01:00 2016-12-31T23:59:61Z 2026-06-30T12:30:60Z
    2026-06-30T24:00:00Z 2026-06-30T24:00:00.000Z 2026-06-30T24:00:01Z 2026-06-30T00:60:00Z 2026-06-30T25:00:00Z
    2026-06-30T12:00:00+23:59 2026-06-30T12:00:00-23:59 2026-06-30T12:00:00+24:00 2026-06-30T12:00:00-24:00
    2026-06-30T12:00:00+12:60 2026-06-30T12:00:00+00 2026-06-30T12:00:00+0000 2026-06-30T12:00:00+0100
    2026-06-30T12:00:00.Z 2026-06-30T12:00:00.1Z 2026-06-30T12:00:00,5Z 2026-06-30T12:00:00Z[UTC]
    0000-01-01T00:00:00Z 0000-02-29T00:00:00Z 0001-01-01T00:00:00Z 0099-12-31T23:59:59Z -0001-01-01T00:00:00Z
    9999-12-31T23:59:59.999Z 9999-12-31T23:59:59-23:59 9999-12-31T23:59:59+23:59 10000-01-01T00:00:00Z
    2025-02-29T00:00:00Z 2024-02-29T00:00:00Z 2026-02-30T00:00:00Z 2026-13-01T00:00:00Z 2026-04-31T00:00:00Z
    2026-00-10T00:00:00Z 2026-06-00T00:00:00Z +002026-06-30T12:00:00Z ２０２６-06-30T12:00:00Z 2026-W27-2T00:00:00Z
    2026-181T00:00:00Z 2026-06-30 2026-06-30T12:00Z 20260630T120000Z 06/30/2026 30.06.2026 /Date(1782820800000)/
    2026\u221206\u221230T12:00:00Z now today now-1d P1D 2026 2026-06 20260630 0 -1 NaN Infinity 1700000000 1793523600000
  `
    .trim()
    .split(/\s+/),
  "2026-06-30T12:00:00 Z",
  "2026-06-30T12:00:00Z ",
  "2026-06-30T12:00:00Z\n",
  "2026-06-30T12:00:00 UTC",
  "06/30/2026 12:00:00",
  "Mon, 02 Nov 2026 09:00:00 GMT",
  "Jun 30, 2026",
];
const INSTANT = "2026-06-05T01:02:03.04+01:00";
/** Without one of its characters, or with another separator. */
const MISSPELLED = [...INSTANT].flatMap((char, at) =>
  ["", ...(/\d/.test(char) ? [] : [" ", "/", ".", ":", ","])].map(
    (other) => INSTANT.slice(0, at) + other + INSTANT.slice(at + 1),
  ),
);
const distantPast = (name: string): TestRequest[] =>
  DISTANT_PAST.map((text) => ({ operation: "listNotifications", query: { [name]: text } }));
/** A target has one reader for both: each bound gets every other text. */
const ofBound = (texts: readonly string[], bound: number) => texts.filter((_text, index) => index % 2 === bound);

export const DATE_LAWS = createCases({ operation: "listNotifications", needs: ["listing"], assumes: ["clock"] }, [
  ...BOUNDS.flatMap((name, bound) => [
    law(`${name} › the instant itself is excluded`, ["§4.2", "D-40.1"], async (context) => {
      for (const at of await instants(context)) {
        for (const ms of [-1, 0, 1]) await expectFiltered(context, { [name]: shift(at, ms) });
      }
    }),
    {
      ...law(`${name} › at the edges of RFC 3339`, ["D-39.1"], async (context) => {
        const isAllowed = createIsAllowed(context, name);
        for (const text of [...ofBound(EDGES, bound), ...ofBound(MISSPELLED, bound)])
          expectStatus(await context.list({ [name]: text }), ...(isAllowed(text) ? [200, 402] : [422]));
      }),
      about: { place: `query.${name}`, keyword: "format" },
    },
    {
      ...statusLaw(`${name} › earlier than any plan keeps is 402`, ["§8", "D-42.1", "D-42.2"], distantPast(name), 402),
      needs: ["listing", "checks-plan"] as const,
    },
  ]),
  law("after and before › together they match what lies between", ["§4.2", "D-36.1", "D-40.1"], async (context) => {
    const [newest = "", middle = "", oldest = ""] = await instants(context);
    await expectFiltered(context, { after: oldest, before: newest });
    await expectFiltered(context, { after: middle, before: newest, channels: ["email"] });
  }),
  law("after and before › every form of an instant means the same", ["D-39.1"], async (context) => {
    const [newest = "", , oldest = ""] = await instants(context);
    // Each leaves few records.
    for (const [name, at] of Object.entries({ after: newest, before: oldest }))
      for (const text of findForms(at)) await expectFiltered(context, { [name]: text });
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
      await expectFiltered(context, { after: formatOffset(oldest, 14), before: formatOffset(newest, -12) });
      expectStatus(
        await context.list({ after: formatOffset(newest, -12), before: formatOffset(shift(newest, -1), 14) }),
        400,
      );
    },
  ),
  law("after › the edge of the plan is an hour earlier than its days", ["§8", "D-42.1", "D-42.2"], async (context) => {
    context.require("checks-plan");
    await assumeOurTime(context);
    const days = await findPlan(context);
    for (const name of BOUNDS) {
      expectStatus(await context.list({ [name]: ago(days, HALF_AN_HOUR_MS) }), 200);
      expectStatus(await context.list({ [name]: ago(days, 3 * HALF_AN_HOUR_MS) }), 402);
    }
    expectStatus(await context.list({ after: ago(days, 3 * HALF_AN_HOUR_MS), before: ago(days, 0) }), 402);
  }),
  law("without after › the list is that of the whole plan", ["§4.2", "§8"], async (context) => {
    context.require("checks-plan");
    await assumeOurTime(context);
    await expectFiltered(context, { after: ago(await findPlan(context), -HALF_AN_HOUR_MS) });
  }),
  law("lists at once › each has its own bounds", ["§4.2", "D-40.1"], async (context) => {
    const times = await instants(context);
    const queries = BOUNDS.flatMap((name) => times.map((at) => ({ [name]: at })));
    await Promise.all(queries.map((query) => expectFiltered(context, query)));
  }),
  law("an instant in the future › is after all", ["D-41.2", "D-43.1", "D-43.2"], async (context) => {
    const { records: listed, base } = await context.snapshot();
    assume(!listed.some(({ _id }) => _id === undefined), "records show no _id");
    const due = new Set(idsOf(datedOf(listed)));
    const [newest = ""] = await instants(context);
    for (const before of [shift(newest, 9_000_000_000), END_OF_TIME, "9999-12-31T23:59:59-23:59"]) {
      const ids = idsOf(await context.collect({ ...base, before }));
      const shown = ids.filter((id) => due.has(id)); // the target may list records of the future too
      expectIds("records before an instant in the future", { expected: [...due], actual: shown });
    }
    for (const after of [shift(newest, 900_000_000_000), END_OF_TIME]) await expectFiltered(context, { after });
  }),
  law("the list ends at the time of the request", ["§4.2", "D-43.1"], async (context) => {
    context.assumeUnchanged("listNotifications", { reads: ["422 timestamp"] });
    // The target's clock decides.
    const { timestamp } = expectStatus(await context.list({ limit: 0 }), 422).body as { timestamp: string };
    const now = Date.parse(timestamp);
    const { data, hasMore } = await context.page({ limit: PAGE_SIZE });
    const { data: further } = await context.page({ limit: PAGE_SIZE, before: END_OF_TIME });
    const timeOf = ({ createdAt }: { createdAt: string }) => Date.parse(createdAt);
    // Other records of its instant may be on the next page.
    const oldest = hasMore ? Math.min(...datedOf(data).map(timeOf)) : -Infinity;
    const future = datedOf(data).filter((record) => timeOf(record) > now + LEEWAY_MS);
    expectIds("records later than the request", { expected: [], actual: idsOf(future) });
    const due = datedOf(further).filter((record) => timeOf(record) > oldest && timeOf(record) < now - LEEWAY_MS);
    const shown = new Set(idsOf(data));
    const hidden = idsOf(due).filter((id) => !shown.has(id));
    expectIds("earlier records that only a later `before` shows", { expected: [], actual: hidden });
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
  const days = { what: "days of the plan", expected: PLANS, actual: "less than one" };
  throw new ExpectationError({ ...days, sentence: "The plan keeps records of less than a day.", cites: ["D-42.1"] });
}

/** An instant, written in another offset. */
function formatOffset(instant: string, hours: number): string {
  const offset = `${hours < 0 ? "-" : "+"}${String(Math.abs(hours)).padStart(2, "0")}:00`;
  return shift(instant, hours * 3_600_000).replace("Z", offset);
}

/** Other spellings of an instant, and near ones with fewer digits. */
function findForms(at: string): string[] {
  const offsets = { "+05:30": 5.5, "-08:00": -8, "+13:45": 13.75, "-23:30": -23.5 };
  const local = Object.entries(offsets).map(([offset, hours]) => shift(at, hours * 3_600_000).replace("Z", offset));
  const finer = ["0Z", "000Z", "000000000000Z"].map((end) => shift(at, 0).replace("Z", end));
  const [tenth, hundredth] = [100, 10].map((ms) => new Date(Math.ceil(Date.parse(at) / ms) * ms).toISOString());
  const coarser = [`${tenth?.slice(0, -3)}Z`, `${hundredth?.slice(0, -2)}Z`, at.replace(/\.\d+/, "")];
  return [...local, at.toLowerCase(), ...finer, ...coarser];
}

function shift(instant: string, ms: number): string {
  return new Date(Date.parse(instant) + ms).toISOString();
}
