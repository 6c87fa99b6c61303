// Laws of filters: each compared with the oracle, and how they combine. Document §4.2, D-26, D-30 to D-38.

import { type Case, type Law, toCases } from "../case.js";
import { expectSame } from "../expectation.js";
import { createIsAllowed, expectFiltered, FILTER_VALUES, valuesOf } from "../filter-oracle.js";
import type { Notification } from "../notification.js";
import { openNotificationList } from "../notification-list.js";

export function createFilterLaws(): Case[] {
  return toCases("listNotifications", [...FILTERS, ...COMBINATIONS], { needs: ["listing"] });
}

const FILTERS: Law[] = Object.entries(FILTER_VALUES).flatMap(([name, { cite }]): Law[] => [
  {
    title: `${name} › returns the records that the oracle returns`,
    cites: ["§4.2", cite],
    async run(context) {
      for (const value of (await valuesOf(context, name)).slice(0, 12))
        await expectFiltered(context, { [name]: value });
    },
  },
  {
    title: `${name} › another case, a part or a pattern does not match as the value does`,
    cites: ["§4.2", cite],
    async run(context) {
      const isAllowed = createIsAllowed(context, name);
      for (const value of (await valuesOf(context, name)).slice(0, 3)) {
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
          if (variant !== "" && isAllowed(variant)) await expectFiltered(context, { [name]: variant });
        }
      }
    },
  },
  ...(["search", "transactionId", "topicKey"].includes(name) ? [] : [listLaw(name)]),
]);

function listLaw(name: string): Law {
  return {
    title: `${name} › several values are joined by OR, whatever their order, equal ones once`,
    cites: ["§4.2", "D-26", "D-36"],
    async run(context) {
      const [one, other = one, third = one] = await valuesOf(context, name);
      for (const list of [[one], [one, one], [one, other], [third, one, other], [one, other, third]]) {
        await expectFiltered(context, { [name]: list });
      }
    },
  };
}

const COMBINATIONS: Law[] = [
  {
    title: "filters of different names are joined by AND",
    cites: ["D-36"],
    async run(context) {
      const { records } = await context.snapshot();
      const names = Object.keys(FILTER_VALUES).filter((name) => name !== "search");
      const isAllowed = new Map(names.map((name) => [name, createIsAllowed(context, name)]));
      const some = [0, 0.2, 0.5, 0.9].map((part) => records[Math.floor(part * records.length)]);
      const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other] as const));
      for (const [index, pair] of pairs.entries()) {
        const [one, other] = [some[index % 4], some[(index + 1) % 4]];
        // Both of one record, so that something matches; then of two records, so that AND and OR differ.
        for (const sources of [
          [one, one],
          [one, other],
        ]) {
          const values = pair.map((name, at) =>
            FILTER_VALUES[name]?.of(sources[at] as Notification).find((value) => value && isAllowed.get(name)?.(value)),
          );
          if (values.every((value) => value !== undefined))
            await expectFiltered(context, { [pair[0]]: values[0], [pair[1]]: values[1] });
        }
      }
    },
  },
  {
    title: "emails, subscriberIds and search together select one set of subscribers",
    cites: ["D-35"],
    async run(context) {
      const [emails, ids] = [await valuesOf(context, "emails"), await valuesOf(context, "subscriberIds")];
      const [first, second, third] = [emails[0], ids.at(-1), emails[Math.floor(emails.length / 2)]];
      await expectFiltered(context, { emails: [first], subscriberIds: [second] });
      await expectFiltered(context, { emails: [first], search: third });
      await expectFiltered(context, { subscriberIds: ["nobody"], search: third });
      await expectFiltered(context, { emails: [first], subscriberIds: [second], search: third, channels: ["email"] });
    },
  },
  {
    title: "an empty set of subscribers › page 0, whatever page was requested",
    cites: ["D-35"],
    async run(context) {
      for (const name of ["emails", "subscriberIds", "search"]) {
        const { page, data, hasMore, response } = await openNotificationList(context).page({
          [name]: "nobody-7f3a9c",
          page: 3,
        });
        expectSame("body", { page: 0, data: [], hasMore: false }, { page, data, hasMore }, response.request);
      }
    },
  },
];
