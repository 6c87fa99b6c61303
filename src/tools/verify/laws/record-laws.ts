// Laws of records and of requests for them, beyond filters and pages. Decisions D-05, D-11, D-12, D-23, D-46, D-58, D-67, D-72.
import { isDeepStrictEqual } from "node:util";
import type { NotificationPage } from "../../../contract/schemas.js";
import { FILTER_VALUES, isMatch } from "../../judge/notifications.js";
import { law, toCases } from "../case.js";
import { operationOf } from "../exchange.js";
import { expectPage, expectSame, expectStatus } from "../expectation.js";
import { showRecord } from "../filter-model.js";

/** The schema of the response covers these, and each response is checked against it. */
const IN_SCHEMA = ["D-05.1", "D-12.1", "D-23.1", "D-23.3"];

export const RECORD_LAWS = toCases({ operation: "listNotifications", needs: ["listing"] }, [
  law("records agree with the objects joined to them", ["D-11.1", "D-46.1"], async (context) => {
    const { records } = await context.snapshot();
    const [first] = records;
    for (const [index, { _id, subscriber, template, jobs = [], ...record }] of records.entries()) {
      const details = jobs.map(({ executionDetails }) => executionDetails.map(({ createdAt = "" }) => createdAt));
      const actual = {
        _environmentId: record._environmentId,
        _organizationId: record._organizationId,
        "subscriber._id": subscriber?._id,
        "template._id": template?._id,
        "times of executionDetails, oldest first": details,
      };
      const expected: typeof actual = {
        _environmentId: first?._environmentId ?? "",
        _organizationId: first?._organizationId ?? "",
        "subscriber._id": subscriber && record._subscriberId,
        "template._id": template?._id && record._templateId,
        "times of executionDetails, oldest first": details.map((times) => times.toSorted()),
      };
      if (!isDeepStrictEqual(expected, actual)) await showRecord(context, index);
      expectSame(`record ${_id}`, expected, actual);
    }
  }),
  law("a body is ignored", ["§4.2", "D-72.1"], async ({ list }) => {
    expectStatus(await list({ limit: 1 }, { rawBody: "{" }), 200);
  }),
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
    const { records, base } = await context.snapshot();
    const { largest: limit } = context.pageSizes;
    const since = base.after ? `after=${base.after}&` : "";
    for (const { name, "x-literal-plus": isLiteral = false } of operationOf(context.contract, "listNotifications")
      .parameters) {
      if (["after", "before"].includes(name))
        expectStatus(await context.list(`${name}=2026-07-01T02:00:00+02:00`), ...(isLiteral ? [200, 402] : [422]));
      const values = records.flatMap((record) => FILTER_VALUES[name]?.of(record) ?? []);
      const value = values.find((text) => text && /[+ ]/.test(text));
      if (value === undefined) continue;
      const encoded = encodeURIComponent(value).replaceAll(/%2B|%20/g, "+");
      const meant = value.replaceAll(/[+ ]/g, isLiteral ? "+" : " ");
      const data = records.filter((record) => isMatch(record, { [name]: meant })).slice(0, limit);
      expectPage(await context.page(`${since}limit=${limit}&${name}=${encoded}`), { data });
    }
  }),
  law("the list › is as its schema says", IN_SCHEMA, async ({ page, pageSizes }) => page({ limit: pageSizes.largest })),
]);
