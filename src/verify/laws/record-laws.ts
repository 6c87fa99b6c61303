// Laws of records and of requests for them, beyond filters and pages. Decisions D-11, D-46, D-58, D-67, D-72.

import { type Case, type Law, law, toCases } from "../case.js";
import { expectSame, expectStatus } from "../expectation.js";
import { FILTER_VALUES, isMatch } from "../filter-match.js";
import { idsOf, type Notification } from "../notification.js";
import { openNotificationList } from "../notification-list.js";

export function createRecordLaws(): Case[] {
  return toCases("listNotifications", READING, { needs: ["listing"] });
}

const READING: Law[] = [
  law(
    "records belong to one environment and agree with the objects joined to them",
    ["D-11", "D-46"],
    async (context) => {
      const { records } = await context.snapshot();
      const [first] = records;
      for (const record of records) {
        const {
          _id,
          _environmentId,
          _organizationId,
          _subscriberId,
          _templateId,
          subscriber,
          template,
          jobs = [],
        } = record;
        const what = `record ${_id}`;
        expectSame(
          what,
          { e: first?._environmentId, o: first?._organizationId },
          { e: _environmentId, o: _organizationId },
        );
        if (subscriber) expectSame(`${what}.subscriber._id`, _subscriberId, subscriber._id);
        if (template?._id) expectSame(`${what}.template._id`, _templateId, template._id);
        for (const { executionDetails } of jobs) {
          const times = executionDetails.map(({ createdAt = "" }) => createdAt);
          expectSame(`${what}.jobs.executionDetails, oldest first`, times.toSorted(), times);
        }
      }
    },
  ),
  law("a body is ignored", ["§4.2", "D-72"], async (context) => {
    const operation = context.operation("listNotifications");
    expectStatus(await context.send({ operation, query: { limit: 1 }, method: "GET", rawBody: "{" }), 200);
  }),
  law("an Idempotency-Key is accepted and ignored", ["§4", "D-58"], async (context) => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const { page } = openNotificationList(context);
    const first = await page({ limit: 1 }, headers);
    const second = await page({ limit: 2 }, headers);
    expectSame("body.data", [1, 2], [first.data.length, second.data.length], second.response.request);
    for (const name of ["idempotency-key", "idempotency-replay"]) {
      expectSame(`header.${name}`, undefined, second.response.headers[name], second.response.request);
    }
  }),
  law("an unencoded + is a plus sign where the contract says so, and a blank elsewhere", ["D-67"], async (context) => {
    const { records, base } = await context.snapshot();
    const operation = context.operation("listNotifications");
    const since = base.after ? `after=${base.after}&` : "";
    for (const { name, "x-literal-plus": isLiteral = false } of operation.parameters) {
      if (["after", "before"].includes(name)) {
        expectStatus(
          await context.send({ operation, rawQuery: `${name}=2026-07-01T02:00:00+02:00` }),
          isLiteral ? 200 : 422,
        );
      }
      const values = records.flatMap((record) => FILTER_VALUES[name]?.of(record) ?? []);
      const value = values.find((one) => one && /[+ ]/.test(one));
      if (value === undefined) continue;
      const written = encodeURIComponent(value).replaceAll(/%2B|%20/g, "+");
      const meant = value.replaceAll(/[+ ]/g, isLiteral ? "+" : " ");
      const response = expectStatus(
        await context.send({ operation, rawQuery: `${since}limit=50&${name}=${written}` }),
        200,
      );
      const wanted = records.filter((record) => isMatch(record, { [name]: meant })).slice(0, 50);
      const { data } = response.body as { data: Notification[] }; // `send` has checked it
      expectSame("body.data", idsOf(wanted), idsOf(data), response.request);
    }
  }),
];
