// Laws of records and of requests for them, beyond filters and pages. Decisions D-05, D-11, D-12, D-23, D-46, D-58, D-67, D-72.
import { isDeepStrictEqual } from "node:util";
import type { SchemaObject } from "../../contract/openapi-document.js";
import { responseSchemaOf } from "../../contract/operations.js";
import { flatten } from "../../contract/schema-flatten.js";
import type { NotificationPage } from "../../contract/schemas.js";
import { FILTER_VALUES, isMatch } from "../../oracle/notifications.js";
import { law, toCases } from "../case.js";
import { operationOf } from "../exchange.js";
import { assume, expectPage, expectSame, expectStatus } from "../expectation.js";
import { showRecord } from "../filter-oracle.js";

const PAGE = ["data", "hasMore", "page", "pageSize"];
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export const RECORD_LAWS = toCases("listNotifications", { needs: ["listing"] }, [
  law(
    "records belong to one environment and agree with the objects joined to them",
    ["D-11.1", "D-46.1"],
    async (context) => {
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
    },
  ),
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
  law(
    "an unencoded + is a plus sign where the contract says so, and a blank elsewhere",
    ["D-67.1"],
    async (context) => {
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
    },
  ),
  law("the page › its members, and no total", ["D-23.1", "D-23.3"], async ({ page, contract }) => {
    const { document } = contract;
    const schema = flatten(document, responseSchemaOf(document, operationOf(contract, "listNotifications")));
    assume(schema.required?.every((name) => PAGE.includes(name)) ?? true, "the contract requires further members");
    expectSame("members of body", PAGE, Object.keys(await page()).toSorted());
  }),
  law("an optional member without a value › is absent", ["D-12.1"], async ({ page, pageSizes, contract }) => {
    const { data } = await page({ limit: pageSizes.largest });
    const nullable = findNullable(contract.document.components.schemas);
    expectSame(
      "members that are null",
      [],
      findMembers(data, "body.data", (value, name) => value === null && !nullable.has(name)),
    );
  }),
  law("times › in UTC, with milliseconds", ["D-05.1"], async ({ page, pageSizes }) => {
    const { data } = await page({ limit: pageSizes.largest });
    const isOther = (value: unknown, name: string) => /^(createdAt|updatedAt)$/.test(name) && !TIME.test(String(value));
    expectSame("times in another form", [], findMembers(data, "body.data", isOther));
  }),
]);

/** The names of the members that may be null. */
function findNullable(value: unknown, name = "", names = new Set<string>()): Set<string> {
  if (typeof value !== "object" || value === null) return names;
  const schemas = [value, (value as SchemaObject).anyOf ?? []].flat() as SchemaObject[];
  if (schemas.some(({ type }) => [type].flat().includes("null"))) names.add(name);
  for (const [key, member] of Object.entries(value)) findNullable(member, key, names);
  return names;
}

/** Paths of the members for which a condition holds; payloads are the user's own. */
function findMembers(value: unknown, path: string, holds: (value: unknown, name: string) => boolean): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (["payload", "overrides", "data"].includes(name)) return [];
    const place = `${path}.${name}`;
    return holds(member, name) ? [place] : findMembers(member, place, holds);
  });
}
