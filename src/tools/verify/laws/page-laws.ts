// Laws of the list: the order of records, pages, records themselves, and further parts of a request for them. Document
// §4.2, D-05, D-11, D-12, D-23 to D-25, D-46, D-58, D-67, D-72.

import { isDeepStrictEqual } from "node:util";
import type { Notification, NotificationPage } from "../../../contract/contract-types.js";
import { comesBefore, createIsMatch, filterValuesOf, type Query } from "../../model/notifications.js";
import { createCases, law, statusLaw } from "../case.js";
import { datedOf, ExpectationError, expectPage, expectSame, expectStatus } from "../expectation.js";
import { createFilters, findExpected, showRecord } from "../filter-model.js";
import { limitTo, PAGE_SIZE, type TestContext, USUAL_SIZE } from "../test-context.js";
import { operationOf } from "../test-request.js";
import { INVERTED } from "./error-laws.js";

/** The response schema covers these. */
const IN_SCHEMA = ["D-05.1", "D-12.1", "D-23.1", "D-23.3"];

/** Page sizes that divide a number of records, so that the last page is full. */
const sizesOf = (total: number, count: number) =>
  [50, 25, 10, 6, 5, 3, 2, 1].filter((limit) => limit <= total && total % limit === 0).slice(0, count);

/** Requests the first and the last pages of a list, and the one behind them. */
async function expectHasMore(context: TestContext, query: Query, limits: readonly number[]): Promise<void> {
  const { length } = await findExpected(context, query);
  const limited = limitTo(await context.snapshot(), query) as Record<string, string>;
  for (const limit of limits) {
    const last = Math.ceil(length / limit) - 1;
    for (const page of new Set([0, last - 1, last, last + 1].filter((number) => number >= 0)))
      expectPage(await context.page({ ...limited, page, limit }), { hasMore: page < last });
  }
}

export const PAGE_LAWS = createCases({ operation: "listNotifications", needs: ["listing"] }, [
  law("order › newest first, then by descending _id", ["D-25.1", "D-25.2"], async (context) => {
    const { received: records } = await context.snapshot();
    const wrong = records.findIndex((record, index) => index > 0 && comesBefore(record, records[index - 1] ?? record));
    const ids = records.flatMap(({ _id }) => _id ?? []);
    const twice = ids.find((id, index) => ids.indexOf(id) !== index);
    const isSecond = ({ _id }: Notification) => twice !== undefined && _id === twice;
    const at = Math.max(wrong, records.findLastIndex(isSecond));
    if (at === -1) return;
    await showRecord(context, at);
    const [before, after] = [records[at - 1], records[at]].map((record) => `${record?._id} of ${record?.createdAt}`);
    const order = { what: "body.data", expected: [after, before], actual: [before, after], kind: "order" } as const;
    if (at === wrong) throw new ExpectationError({ ...order, sentence: `The record ${before} comes before ${after}.` });
    const repetition = { what: "body.data", expected: "each record once", actual: twice, kind: "foreign" } as const;
    throw new ExpectationError({ ...repetition, sentence: `The record ${twice} is listed twice.` });
  }),
  ...[7, 10, 50].map((limit) =>
    law(`pages of ${limit} › partition the list`, ["§4.2", "D-23.2", "D-25", ...IN_SCHEMA], async (context) => {
      const { records, base } = await context.snapshot();
      for (let page = 0; page * limit < records.length; page++) {
        const data = records.slice(page * limit, (page + 1) * limit);
        expectPage(await context.page({ ...base, page, limit }), { page, pageSize: limit, data });
      }
    }),
  ),
  law("hasMore › true exactly when the next page has a record", ["D-24.1"], async (context) => {
    const { records } = await context.snapshot();
    await expectHasMore(context, {}, [...sizesOf(records.length, 3), 50, 10, 7]);
  }),
  law("a filtered list › says whether a page follows", ["D-24", "D-36"], async (context) => {
    const { records } = await context.snapshot();
    const middle = datedOf(records)[Math.floor(records.length / 2)]?.createdAt;
    const dates = middle === undefined ? [] : [{ after: middle }, { before: middle }];
    for (const query of [...dates, ...createFilters(context, records)]) {
      const { length } = await findExpected(context, query);
      await expectHasMore(context, query, sizesOf(length, 1));
    }
  }),
  law("defaults › page 0, and the limit of the contract", ["§4.2", "§8"], async ({ page, snapshot }) => {
    const { records } = await snapshot();
    expectPage(await page(), { page: 0, pageSize: USUAL_SIZE, data: records.slice(0, USUAL_SIZE) });
  }),
  law("records agree with the objects joined to them", ["D-11.1", "D-46.1"], async (context) => {
    const { records } = await context.snapshot();
    const [first] = records;
    for (const [index, { subscriber, template, jobs = [], ...record }] of records.entries()) {
      const details = jobs.map(({ executionDetails = [] }) => executionDetails.map(({ createdAt = "" }) => createdAt));
      const actual = {
        _environmentId: record._environmentId,
        _organizationId: record._organizationId,
        "subscriber._id": subscriber?._id,
        "template._id": template?._id,
        "times of executionDetails, oldest first": details,
      };
      // What is missing violates the contract, not this law.
      const expected = {
        _environmentId: record._environmentId && first?._environmentId,
        _organizationId: record._organizationId && first?._organizationId,
        "subscriber._id": subscriber?._id && (record._subscriberId ?? subscriber._id),
        "template._id": template?._id && record._templateId,
        "times of executionDetails, oldest first": details.map((times) => times.toSorted()),
      };
      if (!isDeepStrictEqual(expected, actual)) await showRecord(context, index);
      expectSame(`body.data.${index % PAGE_SIZE}`, expected, actual);
    }
  }),
  law("a rejected list leaves nothing to the next one", ["§4.2", "D-41.1"], async ({ list, page }) => {
    for (const wrong of [{ ...INVERTED, page: 2 }, { page: -1 }]) {
      await list({ ...wrong, limit: 7 });
      const received = await page(); // at once, since another request may get what is left
      const { data } = await page({ limit: USUAL_SIZE });
      expectPage(received, { page: 0, pageSize: USUAL_SIZE, data });
    }
  }),
  statusLaw("a body is ignored", ["§4.2", "D-72.1"], { operation: "listNotifications", rawBody: "{" }, 200),
  law("an Idempotency-Key is accepted and ignored", ["§4", "D-58.2"], async ({ list }) => {
    const key = { headers: { "idempotency-key": crypto.randomUUID() } };
    for (const limit of [1, 2]) {
      const { body, headers } = expectStatus(await list({ limit }, key), 200);
      expectSame("records in body.data", limit, (body as NotificationPage).data.length);
      for (const name of ["idempotency-key", "idempotency-replay"])
        expectSame(`header.${name}`, undefined, headers[name]);
    }
  }),
  law("an unencoded + is a plus sign, or a blank", ["D-67.1"], async (context) => {
    const { records, base, sent } = await context.snapshot();
    const since = base.after ? `after=${base.after}&` : "";
    const { parameters } = operationOf(context.contract, "listNotifications");
    for (const { name, hasLiteralPlus: isLiteral } of parameters) {
      if (["after", "before"].includes(name))
        expectStatus(await context.list(`${name}=2026-07-01T02:00:00+02:00`), ...(isLiteral ? [200, 402] : [422]));
      const value = records.flatMap((record) => filterValuesOf(record, name)).find((text) => /[+ ]/.test(text));
      if (value === undefined) continue;
      const encoded = encodeURIComponent(value).replaceAll(/%2B|%20/g, "+");
      const meant = value.replaceAll(/[+ ]/g, isLiteral ? "+" : " ");
      const data = records.filter(createIsMatch({ [name]: meant }, sent)).slice(0, PAGE_SIZE);
      expectPage(await context.page(`${since}limit=${PAGE_SIZE}&${name}=${encoded}`), { data });
    }
  }),
]);
