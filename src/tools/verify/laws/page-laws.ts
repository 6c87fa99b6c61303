// Laws of pages: their order, that they partition the list, hasMore. Document §4.2, D-23 to D-25.
import { law, toCases } from "../case.js";
import { datedOf, expectPage, expectSame, expectStatus, idsOf } from "../expectation.js";
import { showRecord } from "../filter-model.js";

export const PAGE_LAWS = toCases({ operation: "listNotifications", needs: ["listing"] }, [
  law("order › newest first, then by descending _id", ["D-25.1", "D-25.2"], async (context) => {
    const { records } = await context.snapshot();
    const dated = datedOf(records);
    const keys = dated.map(({ createdAt, _id }) => `${createdAt} ${_id}`);
    const wrong = keys.findIndex((key, index) => index > 0 && key >= (keys[index - 1] ?? ""));
    if (wrong !== -1) await showRecord(context, idsOf(records).indexOf(dated[wrong]?._id));
    expectSame("createdAt and _id, each record once", [...new Set(keys)].toSorted().reverse(), keys);
  }),
  ...[7, 10, 50].map((limit) =>
    law(`pages of ${limit} › partition the list`, ["§4.2", "D-23.2", "D-25"], async (context) => {
      const { records, base } = await context.snapshot();
      for (let page = 0; page * limit < records.length; page++) {
        const data = records.slice(page * limit, (page + 1) * limit);
        expectPage(await context.page({ ...base, page, limit }), { page, pageSize: limit, data });
      }
    }),
  ),
  law("hasMore › true exactly when the next page has a record", ["D-24.1"], async (context) => {
    const { records, base } = await context.snapshot();
    const total = records.length;
    const divisors = [50, 25, 10, 6, 5, 3, 2, 1].filter((limit) => limit <= total && total % limit === 0).slice(0, 3);
    for (const limit of [...divisors, 50, 10, 7].filter((size) => size <= context.pageSizes.largest)) {
      const last = Math.ceil(total / limit) - 1;
      for (const page of [0, last - 1, last, last + 1].filter((number) => number >= 0))
        expectPage(await context.page({ ...base, page, limit }), { hasMore: page < last });
    }
  }),
  law("defaults › page 0, and the limit of the contract", ["§4.2", "§8"], async ({ page, snapshot, pageSizes }) => {
    const { records } = await snapshot();
    expectPage(await page(), { page: 0, pageSize: pageSizes.standard, data: records.slice(0, pageSizes.standard) });
  }),
  law("one URL by HEAD and GET in turn › each GET has the records", ["D-65.1"], async ({ list, page, snapshot }) => {
    const { records } = await snapshot();
    for (const [limit, order] of [
      [33, ["HEAD", "GET", "HEAD", "GET"]],
      [39, ["GET", "HEAD", "GET"]],
    ] as const)
      for (const method of order)
        if (method === "HEAD") expectStatus(await list({ limit }, { method }), 200);
        else expectPage(await page({ limit }), { data: records.slice(0, limit) });
  }),
]);
