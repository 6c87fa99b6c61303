// Pages: their order, that they are the whole list, and what is said about the next. Document §4.2, D-23 to D-25.

import { idsOf } from "../by-hand.js";
import { type Case, type Law, toCases } from "../case.js";
import { expectSame } from "../check.js";
import { openNotificationList } from "../notification-list.js";

export function createPageLaws(): Case[] {
  return toCases("listNotifications", PAGES, { needs: ["listing"] });
}

const PAGES: Law[] = [
  {
    title: "order › newest first, of equal times the greater _id",
    cites: ["D-25"],
    async run(world) {
      const keys = (await world.snapshot()).records.map(({ createdAt, _id }) => `${createdAt} ${_id}`);
      expectSame("createdAt and _id", keys.toSorted().reverse(), keys);
    },
  },
  ...[7, 10, 50].map(
    (limit): Law => ({
      title: `pages of ${limit} › together the whole list, each record once`,
      cites: ["§4.2", "D-23", "D-25"],
      async run(world) {
        const { records, base } = await world.snapshot();
        const count = Math.ceil(records.length / limit);
        for (let number = 0; number < count; number++) {
          const { page, pageSize, data, answer } = await openNotificationList(world).page({
            ...base,
            page: number,
            limit,
          });
          expectSame("body", { page: number, pageSize: limit }, { page, pageSize }, answer.request);
          expectSame(
            "body.data",
            idsOf(records.slice(number * limit, (number + 1) * limit)),
            idsOf(data),
            answer.request,
          );
        }
      },
    }),
  ),
  {
    title: "hasMore › true exactly when the next page has a record",
    cites: ["D-24"],
    async run(world) {
      const { records, base } = await world.snapshot();
      const total = records.length;
      const divisors = [50, 25, 10, 6, 5, 3, 2, 1].filter((limit) => limit <= total && total % limit === 0).slice(0, 3);
      for (const limit of [...divisors, 50, 10, 7]) {
        const last = Math.ceil(total / limit) - 1;
        for (const number of [0, last - 1, last, last + 1].filter((page) => page >= 0)) {
          const { hasMore, answer } = await openNotificationList(world).page({ ...base, page: number, limit });
          expectSame("body.hasMore", number < last, hasMore, answer.request);
        }
      }
    },
  },
  {
    title: "page › one far behind the last is empty",
    cites: ["§4.2", "D-23"],
    async run(world) {
      const { page, data, hasMore, answer } = await openNotificationList(world).page({ page: 100_000, limit: 50 });
      expectSame("body", { page: 100_000, data: [], hasMore: false }, { page, data, hasMore }, answer.request);
    },
  },
  {
    title: "defaults › page 0, limit 10",
    cites: ["§4.2", "§8"],
    async run(world) {
      const { page, pageSize, data, answer } = await openNotificationList(world).page({});
      const { records } = await world.snapshot();
      expectSame("body", { page: 0, pageSize: 10 }, { page, pageSize }, answer.request);
      expectSame("body.data", idsOf(records.slice(0, 10)), idsOf(data), answer.request);
    },
  },
];
