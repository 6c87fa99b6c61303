// Directed cases for sentences of decisions that no other case is about, as far as a client can see them.
import type { Contract } from "../../contract/contract.js";
import { type SchemaObject, valueAt } from "../../contract/openapi-document.js";
import { mainContent } from "../../contract/operations.js";
import { findErrorSchema } from "../../contract/response-check.js";
import { findResponse } from "../../contract/responses.js";
import { flatten } from "../../contract/schema-flatten.js";
import { law, toCases } from "../case.js";
import { operationOf } from "../exchange.js";
import { assume, expectSame, expectStatus, idsOf } from "../expectation.js";
import { expectFiltered, valuesOf } from "../filter-oracle.js";
import { PLAN_DAYS } from "../target.js";
import type { TestContext } from "../test-context.js";

const LISTS = ["channels", "templates", "emails", "subscriberIds"];
const MOST_VALUES = 20;
/** Types of steps that are no channels, and channels spelled otherwise. */
const NO_CHANNELS = ["digest", "delay", "trigger", "custom", "throttle", "in-app", "inApp", "Email", "web"];
const UNKNOWN_ID = "f".repeat(24);
const PAGE = ["data", "hasMore", "page", "pageSize"];
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const VIOLATIONS = 150;

export const DIRECTED_LIST_LAWS = toCases("listNotifications", { needs: ["listing"] }, [
  law("lists › a comma is part of a value", ["D-26.2"], async (context) => {
    for (const name of ["emails", "subscriberIds"]) {
      const [first = "a", second = "b"] = await valuesOf(context, name);
      const raw = `${name}=${encodeURIComponent(first)},${encodeURIComponent(second)}`;
      await expectFiltered(context, { [name]: `${first},${second}` }, raw);
    }
  }),
  law("lists › 20 values, equal ones counted and empty ones not", ["D-26.5", "D-27.1"], async (context) => {
    for (const name of LISTS) {
      const [value = ""] = await valuesOf(context, name);
      const some = (count: number) => Array.from({ length: count }, () => `${name}=${encodeURIComponent(value)}`);
      const empty = Array.from({ length: 5 }, () => `${name}=`);
      await expectFiltered(context, { [name]: value }, [...empty, ...some(MOST_VALUES), ...empty].join("&"));
      expectStatus(await context.list([...some(MOST_VALUES + 1), ...empty].join("&")), 422);
    }
  }),
  law("templates › digits in either case; an unknown id matches nothing", ["D-31.1", "D-31.2"], async (context) => {
    const [id = ""] = await valuesOf(context, "templates");
    await expectFiltered(context, { templates: id.toUpperCase() });
    await expectFiltered(context, { templates: UNKNOWN_ID });
  }),
  law("the page › its members, and no total", ["D-23.1", "D-23.3"], async ({ page, contract }) => {
    const schema = successSchemaOf(contract, "listNotifications");
    assume(schema.required?.every((name) => PAGE.includes(name)) ?? true, "the contract requires further members");
    expectSame("members of body", PAGE, Object.keys(await page()).toSorted());
  }),
  law(
    "a record without its subscriber › is listed; no filter by subscriber matches it",
    ["D-44.1", "D-44.2"],
    async (context) => {
      const { records } = await context.snapshot();
      const lost = records.filter(({ subscriber }) => subscriber === undefined);
      assume(lost.length > 0, "no record lacks its subscriber");
      await expectFiltered(context, { search: "@" });
      for (const { transactionId } of lost.slice(0, 3)) await expectFiltered(context, { transactionId });
    },
  ),
  law("an optional member without a value › is absent", ["D-12.1"], async ({ page, contract }) => {
    const { data } = await page({ limit: 50 });
    const nullable = findNullable(contract.document.components.schemas);
    expectSame(
      "members that are null",
      [],
      findMembers(data, "body.data", (value, name) => value === null && !nullable.has(name)),
    );
  }),
  law("times › in UTC, with milliseconds", ["D-05.1"], async ({ page }) => {
    const { data } = await page({ limit: 50 });
    const isOther = (value: unknown, name: string) => /^(createdAt|updatedAt)$/.test(name) && !TIME.test(String(value));
    expectSame("times in another form", [], findMembers(data, "body.data", isOther));
  }),
]);

/** Paths of the members for which a condition holds; payloads are the user's own. */
function successSchemaOf(contract: Contract, id: string): SchemaObject {
  const { object } = findResponse(contract.document, operationOf(contract, id), 200) ?? {};
  return flatten(contract.document, mainContent(object?.content)?.[1].schema);
}

/** The names of the members that may be null. */
function findNullable(value: unknown, name = "", names = new Set<string>()): Set<string> {
  if (typeof value !== "object" || value === null) return names;
  const schemas = [value, (value as SchemaObject).anyOf ?? []].flat() as SchemaObject[];
  if (schemas.some(({ type }) => [type].flat().includes("null"))) names.add(name);
  for (const [key, member] of Object.entries(value)) findNullable(member, key, names);
  return names;
}

function findMembers(value: unknown, path: string, holds: (value: unknown, name: string) => boolean): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (["payload", "overrides", "data"].includes(name)) return [];
    const place = `${path}.${name}`;
    return holds(member, name) ? [place] : findMembers(member, place, holds);
  });
}

export const DIRECTED_REQUEST_LAWS = toCases("listNotifications", {}, [
  law("channels › any other name is 422, also that of a step", ["D-30.1"], async ({ list }) => {
    for (const name of [...NO_CHANNELS, "email,sms"]) expectStatus(await list({ channels: name }), 422);
  }),
  law("channels › a comma does not split", ["D-26.2"], async ({ list }) => {
    expectStatus(await list("channels=email,sms"), 422);
  }),
  law("of many violations, the first hundred are listed", ["D-49.1"], async ({ list }) => {
    const query = Array.from({ length: VIOLATIONS }, (_, index) => `x${index}=1`).join("&");
    const { body } = expectStatus(await list(query), 422);
    expectSame("number of errors", 100, Object.keys((body as { errors: object }).errors).length);
  }),
  law(
    "an error › has the members of an error, and a ctx that cites",
    ["D-48.3", "D-48.4"],
    async ({ can, list, update, contract }) => {
      const members = ["ctx", "errorId", "errors", "message", "path", "statusCode", "timestamp"];
      const { required = [] } = flatten(
        contract.document,
        valueAt(contract.document, findErrorSchema(contract.document) ?? []),
      );
      assume(
        required.every((name) => members.includes(name)),
        "the contract requires further members",
      );
      for (const response of [await list({ limit: 0 }), await update(undefined, { rawBody: "{" })]) {
        const body = response.body as Record<string, unknown>;
        expectSame(
          "further members of body",
          [],
          Object.keys(body).filter((name) => !members.includes(name)),
        );
        if (can("cited-errors"))
          expectSame("whether body.ctx cites", true, /"(clause|decision)"/.test(JSON.stringify(body.ctx)));
      }
    },
  ),
  law("a key in the query › is not repeated", ["D-48.2"], async ({ target, list }) => {
    const response = expectStatus(await list({ limit: 0, apiKey: target.apiKey }), 422);
    expectSame("whether the response has the key", false, response.text.includes(encodeURIComponent(target.apiKey)));
  }),
  law("an error for a browser › has the address of its explanation", ["D-48.5"], async ({ require, list }) => {
    require("cited-errors");
    const { body } = await list({ limit: 0 }, { headers: { accept: "text/html,*/*;q=0.8" } });
    const { docs } = (body as { ctx: { docs?: string } }).ctx;
    expectSame("whether body.ctx.docs is an address", true, docs !== undefined && URL.canParse(docs));
  }),
]);

export const DIRECTED_UPDATE_LAWS = toCases("updatePreferences", { changes: true }, [
  law("workflowId › empty or null is 422", ["D-17.1"], async ({ update }) => {
    for (const workflowId of ["", null]) expectStatus(await update({ channels: {}, workflowId }), 422);
  }),
  law("workflows › have the time of their latest change", ["D-74.2"], async ({ require, read }) => {
    require("demo-seed");
    const { workflows } = await read();
    expectSame(
      "workflows without updatedAt",
      [],
      workflows.filter(({ workflow }) => workflow.updatedAt === undefined),
    );
  }),
  law("idempotency-key › a response selected by Prefer is not recorded", ["D-61.4"], async ({ require, update }) => {
    require("idempotent", "prefer");
    const headers = { "idempotency-key": crypto.randomUUID() };
    expectStatus(await update({ channels: {} }, { headers: { ...headers, prefer: "code=503" } }), 503);
    const { headers: received } = expectStatus(await update({ channels: {} }, { headers }), 200);
    expectSame("header.idempotency-replay", undefined, received["idempotency-replay"]);
  }),
  law("idempotency-key › a rejected reuse links to its decision", ["D-57.4", "D-59.3"], async ({ require, update }) => {
    require("idempotent", "cited-errors");
    const more = { headers: { "idempotency-key": crypto.randomUUID() } };
    expectStatus(await update({ channels: {} }, more), 200);
    const { headers } = expectStatus(await update({ channels: { email: true } }, more), 422);
    expectSame("whether header.link leads to a decision", true, /\/docs#.*D-\d+/i.test(String(headers.link)));
  }),
  law("path.subscriberId › an unencoded slash is 404", ["D-69.2"], async ({ target, send, can }) => {
    const url = `/v2/subscribers/${encodeURIComponent(target.subscriber)}/x/preferences`;
    const { body } = expectStatus(await send({ url, method: "PATCH", body: { channels: {} } }), 404);
    if (can("cited-errors")) expectSame("whether body.message names %2F", true, JSON.stringify(body).includes("%2F"));
  }),
]);

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];

export const PLAN_LAWS = toCases("listNotifications", { needs: ["checks-plan"] }, [
  law("the plan › its days and an hour are allowed, and nothing earlier", ["D-42.1", "D-42.2"], async (context) => {
    const { plan } = context.target;
    assume(plan !== undefined, "--plan is not given");
    const now = await timeOf(context);
    const back = (ms: number) => new Date(now - PLAN_DAYS[plan] * DAY_MS - ms).toISOString();
    for (const name of ["after", "before"]) {
      for (const ms of [-HOUR_MS, HOUR_MS / 2]) expectStatus(await context.list({ [name]: back(ms) }), 200);
      for (const ms of [1.5 * HOUR_MS, DAY_MS]) expectStatus(await context.list({ [name]: back(ms) }), 402);
    }
  }),
]);

/** The target's clock. */
async function timeOf({ list }: TestContext): Promise<number> {
  const { body } = expectStatus(await list({ limit: 0 }), 422);
  return Date.parse((body as { timestamp: string }).timestamp);
}

/** One URL, whose response a server may have stored: with both keys in both orders, by HEAD and GET. */
export const CACHE_LAWS = toCases("listNotifications", { needs: ["listing"] }, [
  law("one URL with two keys › each gets its own records", ["§5.1", "D-46.2"], async (context) => {
    const { otherApiKey } = context.target;
    assume(otherApiKey !== undefined, "--other-api-key is not given");
    const { records } = await context.snapshot();
    const own = new Set(records.map(({ _environmentId }) => _environmentId));
    const other = { headers: { authorization: `ApiKey ${otherApiKey}` } };
    for (const [limit, order] of [
      [31, [{}, other, {}]],
      [37, [other, {}, other]],
    ] as const)
      for (const more of order) {
        const { body } = expectStatus(await context.list({ limit }, more), 200);
        const { data } = body as { data: typeof records };
        const wrong = data.filter(({ _environmentId }) => own.has(_environmentId) === (more === other));
        expectSame("records of the environment of the other key", [], idsOf(wrong));
        if (more !== other) expectSame("body.data", idsOf(records.slice(0, limit)), idsOf(data));
      }
  }),
  law("one URL by HEAD and GET in turn › each GET has the records", ["D-65.1"], async (context) => {
    const { records } = await context.snapshot();
    for (const [limit, order] of [
      [33, ["HEAD", "GET", "HEAD", "GET"]],
      [39, ["GET", "HEAD", "GET"]],
    ] as const)
      for (const method of order) {
        const { body } = expectStatus(await context.list({ limit }, { method }), 200);
        if (method === "GET")
          expectSame("body.data", idsOf(records.slice(0, limit)), idsOf((body as { data: typeof records }).data));
      }
  }),
]);
