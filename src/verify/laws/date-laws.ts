// `after` and `before`: both ends excluded, the list cut without loss, every RFC 3339 form read alike, the plan's window.

import { expectByHand } from "../by-hand.js";
import { type Case, type Law, toCases } from "../case.js";
import { expectSame, expectStatus, NotApplicable } from "../check.js";
import { openNotificationList, type Query } from "../notification-list.js";
import type { World } from "../world.js";

export function createDateLaws(): Case[] {
  return toCases("listNotifications", LAWS, { needs: ["listing"] });
}

const LAWS: Law[] = [
  ...["after", "before"].map(
    (name): Law => ({
      title: `${name} › the instant itself is excluded`,
      cites: ["§4.2", "D-40"],
      async run(world) {
        for (const at of await instants(world)) {
          for (const ms of [-1, 0, 1]) await expectByHand(world, { [name]: shift(at, ms) });
        }
      },
    }),
  ),
  {
    title: "after and before › cut the list without loss",
    cites: ["§4.2", "D-40"],
    async run(world) {
      const { records, base } = await world.snapshot();
      const { collect } = openNotificationList(world);
      for (const at of await instants(world)) {
        const [later, earlier] = [await collect({ after: at }), await collect({ ...base, before: at })];
        const same = records.filter(({ createdAt }) => createdAt === at);
        expectSame(`records after, at and before ${at}`, records.length, later.length + same.length + earlier.length);
      }
    },
  },
  {
    title: "after and before › together they leave what lies between",
    cites: ["§4.2", "D-36", "D-40"],
    async run(world) {
      const [newest = "", middle = "", oldest = ""] = await instants(world);
      await expectByHand(world, { after: oldest, before: newest });
      await expectByHand(world, { after: middle, before: newest, channels: ["email"] });
      await expectByHand(world, { after: middle, before: middle });
    },
  },
  {
    title: "after and before › every way to write an instant means the same",
    cites: ["D-39"],
    async run(world) {
      const [, at = ""] = await instants(world);
      const local = new Date(Date.parse(at) + 5.5 * 3_600_000).toISOString().replace("Z", "+05:30");
      const west = new Date(Date.parse(at) - 8 * 3_600_000).toISOString().replace("Z", "-08:00");
      const finer = [at.replace("Z", "000Z"), at.replace("Z", "5Z")];
      for (const written of [local, west, at.toLowerCase(), ...finer, at.replace(/\.\d+/, "")]) {
        await expectByHand(world, { after: written });
        await expectByHand(world, { before: written });
      }
    },
  },
  {
    title: "after later than before › 400, equal ones an empty page",
    cites: ["D-41"],
    async run(world) {
      const [newest = "", , oldest = ""] = await instants(world);
      expectStatus(await ask(world, { after: newest, before: oldest }), 400);
      expectStatus(await ask(world, { after: shift(newest, 1), before: newest }), 400);
      await expectByHand(world, { after: newest, before: newest });
    },
  },
  {
    title: "an instant in the future › before hides nothing, after leaves nothing",
    cites: ["D-41", "D-43"],
    async run(world) {
      const [newest = ""] = await instants(world);
      for (const name of ["before", "after"]) await expectByHand(world, { [name]: shift(newest, 9_000_000_000) });
    },
  },
  ...["after", "before"].map(
    (name): Law => ({
      title: `${name} › earlier than the plan keeps is 402`,
      cites: ["§8", "D-42"],
      needs: ["checks-plan"],
      run: async (world) => expectStatus(await ask(world, { [name]: "1990-01-01T00:00:00Z" }), 402),
    }),
  ),
];

function ask(world: World, query: Query) {
  return world.send({ operation: world.operation("listNotifications"), query });
}

/** Times of a new, a middle and an old record; and of two that have the same, if there are. */
async function instants(world: World): Promise<string[]> {
  const times = (await world.snapshot()).records.map(({ createdAt = "" }) => createdAt);
  if (times.length < 3) throw new NotApplicable("the list has fewer than three records");
  const twice = times.find((time, index) => time === times[index + 1]);
  const some = [times[1], times[Math.floor(times.length / 2)], times.at(-2), twice];
  return some.filter((time) => time !== undefined);
}

function shift(instant: string, ms: number): string {
  return new Date(Date.parse(instant) + ms).toISOString();
}
