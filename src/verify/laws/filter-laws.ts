// Filters: each against the same filter done by hand, and how they combine. Document §4.2, D-26, D-30 to D-38.

import { allowed, expectByHand, FILTER_VALUES, valuesOf } from "../by-hand.js";
import { type Case, type Law, toCases } from "../case.js";
import { expectSame } from "../check.js";
import { type Notification, openNotificationList } from "../notification-list.js";

export function createFilterLaws(): Case[] {
  return toCases("listNotifications", [...FILTERS, ...COMBINATIONS], { needs: ["listing"] });
}

const FILTERS: Law[] = Object.entries(FILTER_VALUES).flatMap(([name, { cite }]): Law[] => [
  {
    title: `${name} › gives what the same filter gives by hand`,
    cites: ["§4.2", cite],
    async run(world) {
      for (const value of (await valuesOf(world, name)).slice(0, 12)) await expectByHand(world, { [name]: value });
    },
  },
  {
    title: `${name} › case, parts, pattern characters and more are not taken for the value`,
    cites: ["§4.2", cite],
    async run(world) {
      const isFree = allowed(world, name);
      for (const value of (await valuesOf(world, name)).slice(0, 3)) {
        const variants = [
          value.toUpperCase(),
          value.toLowerCase(),
          value.slice(0, -1),
          value.slice(1),
          `${value}x`,
          ` ${value}`,
        ];
        const patterns = [
          value.replace(/[-.@]/, "_"),
          value.replace(/[a-z0-9]/, "."),
          ".*",
          "^",
          "%",
          "*",
          "@",
          value.split(/[@.]/)[0] ?? "",
        ];
        for (const variant of new Set([...variants, ...patterns])) {
          if (variant !== "" && isFree(variant)) await expectByHand(world, { [name]: variant });
        }
      }
    },
  },
  ...(["search", "transactionId", "topicKey"].includes(name) ? [] : [listLaw(name)]),
]);

function listLaw(name: string): Law {
  return {
    title: `${name} › several values are joined by OR, equal ones count once, their order does not`,
    cites: ["§4.2", "D-26", "D-36"],
    async run(world) {
      const [one, other = one, third = one] = await valuesOf(world, name);
      for (const list of [[one], [one, one], [one, other], [third, one, other], [one, other, third]]) {
        await expectByHand(world, { [name]: list });
      }
    },
  };
}

const COMBINATIONS: Law[] = [
  {
    title: "filters of different names are joined by AND",
    cites: ["D-36"],
    async run(world) {
      const { records } = await world.snapshot();
      const names = Object.keys(FILTER_VALUES).filter((name) => name !== "search");
      const isFree = new Map(names.map((name) => [name, allowed(world, name)]));
      const some = [0, 0.2, 0.5, 0.9].map((part) => records[Math.floor(part * records.length)]);
      const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other] as const));
      for (const [index, pair] of pairs.entries()) {
        const [one, other] = [some[index % 4], some[(index + 1) % 4]];
        // Both of one record, so that something is left; then of two records, so that AND and OR part.
        for (const sources of [
          [one, one],
          [one, other],
        ]) {
          const values = pair.map((name, at) =>
            FILTER_VALUES[name]?.of(sources[at] as Notification).find((value) => value && isFree.get(name)?.(value)),
          );
          if (values.every((value) => value !== undefined))
            await expectByHand(world, { [pair[0]]: values[0], [pair[1]]: values[1] });
        }
      }
    },
  },
  {
    title: "emails, subscriberIds and search together name one set of subscribers",
    cites: ["D-35"],
    async run(world) {
      const [emails, ids] = [await valuesOf(world, "emails"), await valuesOf(world, "subscriberIds")];
      const [first, second, third] = [emails[0], ids.at(-1), emails[Math.floor(emails.length / 2)]];
      await expectByHand(world, { emails: [first], subscriberIds: [second] });
      await expectByHand(world, { emails: [first], search: third });
      await expectByHand(world, { subscriberIds: ["nobody"], search: third });
      await expectByHand(world, { emails: [first], subscriberIds: [second], search: third, channels: ["email"] });
    },
  },
  {
    title: "a set of subscribers that is empty answers page 0, whatever was asked",
    cites: ["D-35"],
    async run(world) {
      for (const name of ["emails", "subscriberIds", "search"]) {
        const { page, data, hasMore, answer } = await openNotificationList(world).page({
          [name]: "nobody-7f3a9c",
          page: 3,
        });
        expectSame("body", { page: 0, data: [], hasMore: false }, { page, data, hasMore }, answer.request);
      }
    },
  },
];
