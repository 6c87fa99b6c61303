// Laws of `after` and `before`: exclusive bounds, a split without loss, every form of RFC 3339, the plan's window.

import { type Case, type Law, toCases } from "../case.js";
import { expectSame, expectStatus, NotApplicable } from "../expectation.js";
import { expectFiltered } from "../filter-oracle.js";
import type { Query } from "../notification.js";
import { openNotificationList } from "../notification-list.js";
import type { TestContext } from "../test-context.js";

export function createDateLaws(): Case[] {
  return toCases("listNotifications", LAWS, { needs: ["listing"] });
}

const LAWS: Law[] = [
  ...["after", "before"].map(
    (name): Law => ({
      title: `${name} › the instant itself is excluded`,
      cites: ["§4.2", "D-40"],
      async run(context) {
        for (const at of await instants(context)) {
          for (const ms of [-1, 0, 1]) await expectFiltered(context, { [name]: shift(at, ms) });
        }
      },
    }),
  ),
  {
    title: "after and before › split the list without loss",
    cites: ["§4.2", "D-40"],
    async run(context) {
      const { records, base } = await context.snapshot();
      const { collect } = openNotificationList(context);
      for (const at of await instants(context)) {
        const [later, earlier] = [await collect({ after: at }), await collect({ ...base, before: at })];
        const same = records.filter(({ createdAt }) => createdAt === at);
        expectSame(`records after, at and before ${at}`, records.length, later.length + same.length + earlier.length);
      }
    },
  },
  {
    title: "after and before › together they match what lies between",
    cites: ["§4.2", "D-36", "D-40"],
    async run(context) {
      const [newest = "", middle = "", oldest = ""] = await instants(context);
      await expectFiltered(context, { after: oldest, before: newest });
      await expectFiltered(context, { after: middle, before: newest, channels: ["email"] });
      await expectFiltered(context, { after: middle, before: middle });
    },
  },
  {
    title: "after and before › every form of an instant means the same",
    cites: ["D-39"],
    async run(context) {
      const [, at = ""] = await instants(context);
      const local = new Date(Date.parse(at) + 5.5 * 3_600_000).toISOString().replace("Z", "+05:30");
      const west = new Date(Date.parse(at) - 8 * 3_600_000).toISOString().replace("Z", "-08:00");
      const finer = [at.replace("Z", "000Z"), at.replace("Z", "5Z")];
      for (const written of [local, west, at.toLowerCase(), ...finer, at.replace(/\.\d+/, "")]) {
        await expectFiltered(context, { after: written });
        await expectFiltered(context, { before: written });
      }
    },
  },
  {
    title: "after later than before › 400, equal ones an empty page",
    cites: ["D-41"],
    async run(context) {
      const [newest = "", , oldest = ""] = await instants(context);
      expectStatus(await send(context, { after: newest, before: oldest }), 400);
      expectStatus(await send(context, { after: shift(newest, 1), before: newest }), 400);
      await expectFiltered(context, { after: newest, before: newest });
    },
  },
  {
    title: "an instant in the future › before matches everything, after nothing",
    cites: ["D-41", "D-43"],
    async run(context) {
      const [newest = ""] = await instants(context);
      for (const name of ["before", "after"]) await expectFiltered(context, { [name]: shift(newest, 9_000_000_000) });
    },
  },
  ...["after", "before"].map(
    (name): Law => ({
      title: `${name} › earlier than the plan keeps is 402`,
      cites: ["§8", "D-42"],
      needs: ["checks-plan"],
      run: async (context) => expectStatus(await send(context, { [name]: "1990-01-01T00:00:00Z" }), 402),
    }),
  ),
];

function send(context: TestContext, query: Query) {
  return context.send({ operation: context.operation("listNotifications"), query });
}

/** Times of a new, a middle and an old record, and one that two records share, if there is one. */
async function instants(context: TestContext): Promise<string[]> {
  const times = (await context.snapshot()).records.map(({ createdAt = "" }) => createdAt);
  if (times.length < 3) throw new NotApplicable("the list has fewer than three records");
  const twice = times.find((time, index) => time === times[index + 1]);
  const some = [times[1], times[Math.floor(times.length / 2)], times.at(-2), twice];
  return some.filter((time) => time !== undefined);
}

function shift(instant: string, ms: number): string {
  return new Date(Date.parse(instant) + ms).toISOString();
}
