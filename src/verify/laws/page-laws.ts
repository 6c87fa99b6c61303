// Laws of pages: their order, that they partition the list, and hasMore. Document §4.2, D-23 to D-25.

import { type Case, type Law, law, toCases } from "../case.js";
import { expectSame } from "../expectation.js";
import { idsOf } from "../notification.js";
import { openNotificationList } from "../notification-list.js";

export function createPageLaws(): Case[] {
  return toCases("listNotifications", PAGES, { needs: ["listing"] });
}

const PAGES: Law[] = [
  law("order › newest first, then by descending _id", ["D-25"], async (context) => {
    const keys = (await context.snapshot()).records.map(({ createdAt, _id }) => `${createdAt} ${_id}`);
    expectSame("createdAt and _id, each record once", [...new Set(keys)].toSorted().reverse(), keys);
  }),
  ...[7, 10, 50].map((limit) =>
    law(`pages of ${limit} › partition the list`, ["§4.2", "D-23", "D-25"], async (context) => {
      const { records, base } = await context.snapshot();
      const count = Math.ceil(records.length / limit);
      for (let number = 0; number < count; number++) {
        const { page, pageSize, data, response } = await openNotificationList(context).page({
          ...base,
          page: number,
          limit,
        });
        expectSame("body", { page: number, pageSize: limit }, { page, pageSize }, response.request);
        expectSame(
          "body.data",
          idsOf(records.slice(number * limit, (number + 1) * limit)),
          idsOf(data),
          response.request,
        );
      }
    }),
  ),
  law("hasMore › true exactly when the next page has a record", ["D-24"], async (context) => {
    const { records, base } = await context.snapshot();
    const total = records.length;
    const divisors = [50, 25, 10, 6, 5, 3, 2, 1].filter((limit) => limit <= total && total % limit === 0).slice(0, 3);
    for (const limit of [...divisors, 50, 10, 7]) {
      const last = Math.ceil(total / limit) - 1;
      for (const number of [0, last - 1, last, last + 1].filter((page) => page >= 0)) {
        const { hasMore, response } = await openNotificationList(context).page({ ...base, page: number, limit });
        expectSame("body.hasMore", number < last, hasMore, response.request);
      }
    }
  }),
  law("page › far behind the last it is empty", ["§4.2", "D-23"], async (context) => {
    const { page, data, hasMore, response } = await openNotificationList(context).page({ page: 100_000, limit: 50 });
    expectSame("body", { page: 100_000, data: [], hasMore: false }, { page, data, hasMore }, response.request);
  }),
  law("defaults › page 0, limit 10", ["§4.2", "§8"], async (context) => {
    const { page, pageSize, data, response } = await openNotificationList(context).page({});
    const { records } = await context.snapshot();
    expectSame("body", { page: 0, pageSize: 10 }, { page, pageSize }, response.request);
    expectSame("body.data", idsOf(records.slice(0, 10)), idsOf(data), response.request);
  }),
];
