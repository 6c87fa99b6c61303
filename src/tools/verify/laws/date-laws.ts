// Laws of `after` and `before`: exclusive bounds, a split without loss, every form of RFC 3339, the plan's window.
import { law, toCases } from "../case.js";
import { assume, datedOf, expectSame, expectStatus, idsOf } from "../expectation.js";
import { createIsAllowed, expectFiltered } from "../filter-model.js";
import { PLAN_DAYS } from "../target.js";
import type { TestContext } from "../test-context.js";

const BOUNDS = ["after", "before"];
const LEEWAY_MS = 2000;
const DISTANT_PAST = ["1990-01-01T00:00:00Z", "0000-01-01T00:00:00Z", "0099-12-31T23:59:59Z", "1969-12-31T23:59:59Z"];

/** The contract's schema decides which of these are valid. */
const EDGES = [
  ...["2016-12-31T23:59:60Z", "2016-12-31T23:59:60.5Z", "2017-01-01T00:59:60+01:00", "2016-12-31T15:59:60-08:00"], // leap seconds
  ...["2016-12-31T12:00:60Z", "2016-12-31T23:59:60+01:00", "2016-12-31T23:59:61Z", "2026-06-30T12:30:60Z"], // none
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

export const DATE_LAWS = toCases({ operation: "listNotifications", needs: ["listing"] }, [
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
    law(`${name} › earlier than the plan keeps is 402`, ["§8", "D-42.2"], async ({ require, list }) => {
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
  law("an instant in the future › is after all", ["D-41.2", "D-43.1", "D-43.2"], async (context) => {
    const { records: listed, base } = await context.snapshot();
    const records = datedOf(listed);
    const [newest = ""] = await instants(context);
    const due = new Set(idsOf(records)); // and records of the future, which only such a query lists
    for (const before of [shift(newest, 9_000_000_000), "9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59-23:59"]) {
      const all = await context.collect({ ...base, before });
      const ids = idsOf(all).filter((id) => due.has(id));
      expectSame(`records before ${before}`, idsOf(records), ids);
      const isDue = (createdAt: string) => createdAt <= (records[0]?.createdAt ?? "");
      const others = datedOf(all).filter(({ _id, createdAt }) => !due.has(_id) && isDue(createdAt));
      expectSame(`records before ${before} that the list lacks`, [], idsOf(others));
    }
    for (const after of [shift(newest, 900_000_000_000), "9999-12-31T23:59:59.999Z"])
      await expectFiltered(context, { after });
  }),
  law("a record of the future is not listed", ["§4.2"], async (context) => {
    const { records } = await context.snapshot();
    const now = (await timeOf(context)) + LEEWAY_MS;
    const future = datedOf(records).filter(({ createdAt }) => Date.parse(createdAt) > now);
    expectSame("records later than the request", [], idsOf(future));
  }),
]);

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];

export const PLAN_LAWS = toCases({ operation: "listNotifications", needs: ["checks-plan"] }, [
  law("the plan › its days and an hour are allowed, and nothing earlier", ["D-42.1", "D-42.2"], async (context) => {
    const { plan } = context.target;
    assume(plan !== undefined, "no plan is described");
    const now = await timeOf(context);
    const back = (ms: number) => new Date(now - PLAN_DAYS[plan] * DAY_MS - ms).toISOString();
    for (const name of ["after", "before"]) {
      for (const ms of [-HOUR_MS, HOUR_MS / 2]) expectStatus(await context.list({ [name]: back(ms) }), 200);
      for (const ms of [1.5 * HOUR_MS, DAY_MS]) expectStatus(await context.list({ [name]: back(ms) }), 402);
    }
  }),
]);

/** The target's clock. */
async function timeOf({ list }: TestContext): Promise<number> {
  const { body } = expectStatus(await list({ limit: 0 }), 422);
  return Date.parse((body as { timestamp: string }).timestamp);
}

/** Times of a new, a middle and an old record, and one that two records share, if there is one. */
async function instants(context: TestContext): Promise<string[]> {
  const times = datedOf((await context.snapshot()).records).map(({ createdAt }) => createdAt);
  assume(times.length >= 3, "the list has fewer than three records");
  const twice = times.find((time, index) => time === times[index + 1]);
  const some = [times[1], times[Math.floor(times.length / 2)], times.at(-2), twice];
  return some.filter((time) => time !== undefined);
}

/** Texts that mean the instant. */
function toForms(at: string): string[] {
  const offsets = { "+05:30": 5.5, "-08:00": -8, "+13:45": 13.75, "-23:30": -23.5 };
  const local = Object.entries(offsets).map(([offset, hours]) => shift(at, hours * 3_600_000).replace("Z", offset));
  const finer = ["0Z", "000Z", "000000000000Z"].map((end) => shift(at, 0).replace("Z", end));
  return [...local, at.toLowerCase(), ...finer, at.replace(/\.\d+/, "")];
}

function shift(instant: string, ms: number): string {
  return new Date(Date.parse(instant) + ms).toISOString();
}
