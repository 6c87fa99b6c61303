// Laws of errors: which of two is reported, that all violations are, their time and their members. Decisions D-47 to
// D-49.
import { setTimeout as wait } from "node:timers/promises";
import { plural } from "../../../contract/violation.js";
import { isAt } from "../../model/operations.js";
import { createCases, law, statusLaw } from "../case.js";
import type { Capability } from "../declared-target.js";
import { assume, expectSame, expectStatus, expectThat } from "../expectation.js";
import type { TestContext } from "../test-context.js";
import type { TestRequest } from "../test-request.js";
import { assumeOurTime } from "./root-laws.js";

const EARLY = { after: "1990-01-02T00:00:00Z" };
const EARLIER = { before: "1990-01-01T00:00:00Z" };
// Both are within every plan.
const [MINUTE_AGO, HOUR_AGO] = [60_000, 3_600_000].map((ms) => new Date(Date.now() - ms).toISOString());
export const INVERTED = { after: MINUTE_AGO, before: HOUR_AGO, emails: "nobody" };
const LACKING = { url: "/v2/nothing-here" };
const NOBODY = { subscriberId: "nobody-7f3a9c" };
const UNKNOWN = { channels: {}, workflowId: "no-such-workflow-7f3a9c" };
/** Too large, and not JSON. */
export const LARGE = `{"x":"${"x".repeat(102_400)}`;
export const TEXT_TYPE = { "content-type": "text/plain" };
const OTHER_CHARSET = { "content-type": "application/json; charset=utf-16" };
/** A body of another media type. */
const OTHER_TYPE = { rawBody: "x", headers: TEXT_TYPE };
/** The path of an update whose subscriberId cannot be decoded. */
export const UNDECODABLE = "/v2/subscribers/%ZZ/preferences";

const update = (more: TestRequest): TestRequest => ({ operation: "updatePreferences", ...more });
const list = (query: TestRequest["query"] = {}): TestRequest => ({ operation: "listNotifications", query });

type Row = [title: string, request: TestRequest, status: number, ...needs: Capability[]];

/** Requests with two errors, and the status of the one that is reported. */
const PRECEDENCE: Row[] = [
  ["an unknown path, before a body that is not JSON", { ...LACKING, method: "PATCH", rawBody: "{" }, 404],
  ["a wrong method, before a body that is not JSON", update({ method: "PUT", rawBody: "{" }), 405],
  ["a large body, before its not being JSON", update({ rawBody: LARGE }), 413],
  ["a body that is not JSON, before an unknown parameter", update({ rawBody: "{", query: { x: 1 } }), 400],
  ["an unknown path, before a media type", { ...LACKING, method: "PATCH", ...OTHER_TYPE }, 404],
  ["an unknown path of v1, before a media type", { url: "/v1/nothing-here", method: "PATCH", ...OTHER_TYPE }, 404],
  ["an unknown path, before a query that cannot be decoded", { url: `${LACKING.url}?x=%ZZ` }, 404],
  ["a path that cannot be decoded, before a wrong method", { url: UNDECODABLE, method: "PUT" }, 400],
  ["a path that cannot be decoded, before a media type", { url: UNDECODABLE, method: "PATCH", ...OTHER_TYPE }, 400],
  ["a wrong method, before a media type", update({ method: "PUT", ...OTHER_TYPE }), 405],
  ["a wrong method, before a query that cannot be decoded", { ...list(), method: "PUT", rawQuery: "x=%ZZ" }, 405],
  ["another media type, before a large body", update({ rawBody: LARGE, headers: TEXT_TYPE }), 415],
  ["another media type, before an unknown parameter", update({ ...OTHER_TYPE, query: { x: 1 } }), 415],
  ["a large body, before its charset", update({ rawBody: LARGE, headers: OTHER_CHARSET }), 413],
  ["another charset, before a body that is not JSON", update({ rawBody: "{", headers: OTHER_CHARSET }), 415],
  ["a query that cannot be decoded, before an invalid body", update({ body: {}, rawQuery: "x=%ZZ" }), 400],
  ["a query that cannot be decoded, before an invalid one", { ...list(), rawQuery: "limit=0&x=%ZZ" }, 400],
  ["another media type, before a query that cannot be decoded", update({ ...OTHER_TYPE, rawQuery: "x=%ZZ" }), 415],
  ["an invalid body, before an unknown workflow", update({ body: { ...UNKNOWN, channels: 1 } }), 422],
  ["an invalid body, before an unknown subscriber", update({ body: {}, path: NOBODY }), 422],
  ["an invalid query, before dates outside the plan", list({ ...EARLY, limit: 0 }), 422],
  ["dates outside the plan, before an inverted range", list({ ...EARLY, ...EARLIER }), 402, "checks-plan"],
  ["an inverted range, before an unknown subscriber", list(INVERTED), 400, "listing"],
];

const PARAMETERS = ["workflowId", "channels", "channels[email]", "subscriberId", "limit"];
const namesOf = (count: number) => Array.from({ length: count }, (_, index) => `x${index}`);
const MOST_VIOLATIONS = 100;

const INVALID_BODY = { channels: { emial: true, sms: "no" }, workflowId: 1 };
const LONG_KEY = { "idempotency-key": "k".repeat(256) };
const VIOLATIONS: [title: string, request: TestRequest, locations: string[]][] = [
  [
    "in a query",
    list({ limit: 0, page: -1, chanels: "email", after: "yesterday" }),
    ["query.after", "query.chanels", "query.limit", "query.page"],
  ],
  ["in a body", update({ body: INVALID_BODY }), ["body.channels.emial", "body.channels.sms", "body.workflowId"]],
  [
    "in a header, a query and a body",
    update({ headers: LONG_KEY, query: { x: 1 }, body: {} }),
    ["body.channels", "header.idempotency-key", "query.x"],
  ],
];

export const ERROR_LAWS = createCases({ topic: "HTTP" }, [
  ...PRECEDENCE.map(([title, request, status, ...needs]) => {
    const cites = title.includes("be decoded") ? ["D-47.1", "D-50.1"] : ["D-47.1"];
    return { ...statusLaw(`error precedence › ${title}`, cites, request, status), needs };
  }),
  law("error precedence › an unknown workflow, before an unknown subscriber", ["D-18.1", "D-47.1"], async (context) => {
    context.require("stateful");
    context.assumeUnchanged("updatePreferences", { reads: ["404 ctx"] });
    const { body } = expectStatus(await context.update(UNKNOWN, { path: NOBODY }), 404);
    expectSame("body.ctx.workflowId", UNKNOWN.workflowId, (body as { ctx?: typeof UNKNOWN }).ctx?.workflowId);
  }),
  law("error precedence › an unknown subscriber, before a critical workflow", ["D-47.1"], async (context) => {
    context.require("stateful");
    const { criticalWorkflow: workflowId } = context.target;
    assume(workflowId !== undefined, "needs `criticalWorkflow` in verify.config.json", "criticalWorkflow");
    expectStatus(await context.update({ channels: {}, workflowId }, { path: NOBODY }), 404);
  }),
  ...VIOLATIONS.map(([title, request, locations]) =>
    law(`every violation at once › ${title}`, ["D-49.1"], async (context) => {
      const found = await findViolations(context, request);
      const foreign = found.filter((name) => !locations.some((location) => isAt(name, location)));
      const missing = locations.filter((location) => !found.some((name) => isAt(name, location)));
      const places = [
        ...foreign.map((name) => `\`${name}\`, which is right`),
        ...missing.map((name) => `not \`${name}\``),
      ];
      const sentence = `The error names ${places.join(", ")}.`;
      expectThat(places.length === 0, { what: "body.errors", expected: locations, actual: found, sentence });
    }),
  ),
  ...[12, MOST_VIOLATIONS + 1].flatMap((count) => {
    const members = Object.fromEntries(namesOf(count).map((name) => [name, 1]));
    const requests = { query: list(members), body: update({ body: { channels: {}, ...members } }) };
    return Object.entries(requests).map(([place, request]) =>
      law(`every violation at once › ${count} in a ${place}`, ["D-49.1"], async (context) => {
        const { length } = await findViolations(context, request);
        const sentence = `The error lists ${plural(length, "violation")} instead of ${Math.min(count, MOST_VIOLATIONS)}.`;
        const values = { what: "body.errors", expected: Math.min(count, MOST_VIOLATIONS), actual: length, sentence };
        expectThat(length === values.expected, values);
      }),
    );
  }),
  law("error precedence › an invalid body, before a reused key", ["D-47.1"], (context) =>
    expectFirst(context, { channels: 1 }, "body.channels"),
  ),
  law("error precedence › a reused key, before an unknown workflow", ["D-47.1"], (context) =>
    expectFirst(context, UNKNOWN, "header.idempotency-key"),
  ),
  statusLaw(
    "an update has no parameters in the query, whatever their names",
    ["D-28.1"],
    PARAMETERS.map((name) => update({ body: { channels: {} }, query: { [name]: "x" } })),
    422,
    { place: "query", keyword: "unknown parameter" },
  ),
  law("each error has its own timestamp", ["D-48.1"], async ({ list, can, assumeUnchanged }) => {
    assumeUnchanged("listNotifications", { reads: ["422 timestamp"] });
    await assumeOurTime({ list, can });
    const timestamps: string[] = [];
    for (const pauseMs of [30, 1000]) {
      const { timestamp } = expectStatus(await list({ limit: 0 }), 422).body as { timestamp: string };
      timestamps.push(timestamp);
      if (new Set(timestamps).size > 1) return;
      await wait(pauseMs); // a clock may count whole seconds
    }
    const [earlier] = timestamps;
    const { timestamp } = expectStatus(await list({ limit: 0 }), 422).body as { timestamp: string };
    const expected = `later than ${earlier}`;
    const sentence = "Two errors have the same timestamp.";
    expectThat(earlier !== timestamp, { what: "body.timestamp", expected, actual: timestamp, sentence });
  }),
]);

/** Sends another body with a key that is used, and expects the 422 to name the place. */
async function expectFirst(context: TestContext, body: object, location: string): Promise<void> {
  context.require("idempotent");
  const headers = { "idempotency-key": crypto.randomUUID() };
  expectStatus(await context.update({ channels: {} }, { headers }), 200, 404);
  await expectViolationAt(context, update({ body, headers }), location);
}

/** Expects that a request is rejected for one place alone. */
export async function expectViolationAt(context: TestContext, request: TestRequest, location: string): Promise<void> {
  const found = await findViolations(context, request);
  if (!found.every((name) => isAt(name, location))) expectSame("body.errors", [location], found);
}

/** Where the violations of a request are, in alphabetical order. */
async function findViolations({ send, assumeUnchanged }: TestContext, request: TestRequest): Promise<string[]> {
  assumeUnchanged(String(request.operation), { reads: ["422 errors"] });
  const { errors } = expectStatus(await send(request), 422).body as { errors: object };
  return Object.keys(errors).toSorted();
}
