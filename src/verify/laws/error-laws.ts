// Laws of errors: their precedence, what they list, and their time. Decisions D-47 to D-49.
import { type Case, type Law, law, toCases } from "../case.js";
import { ExpectationError, expectSame, expectStatus, NotApplicable } from "../expectation.js";
import type { Capability } from "../target.js";
import type { TestContext } from "../test-context.js";
import type { TestRequest } from "../test-request.js";

export function createErrorLaws(): Case[] {
  return toCases("HTTP", ERRORS);
}

const MAX_SKEW_MS = 60_000;
const EARLY = { after: "1990-01-02T00:00:00Z" };

type ToRequest = (context: TestContext) => TestRequest;
type Row = [title: string, toRequest: ToRequest, status: number, needs?: Capability[], cites?: string[]];

const update =
  (more: Partial<TestRequest>) =>
  (context: TestContext): TestRequest => ({ operation: context.operation("updatePreferences"), ...more });
const list =
  (query: Record<string, unknown>) =>
  (context: TestContext): TestRequest => ({ operation: context.operation("listNotifications"), query });
const NOBODY = { subscriberId: "nobody-7f3a9c" };
const UNKNOWN = { channels: {}, workflowId: "no-such-workflow-7f3a9c" };
const LARGE = `{"x":"${"x".repeat(102_400)}`;

const ROWS: Row[] = [
  [
    "an unknown path, before a body that is not JSON",
    () => ({ url: "/v2/nothing-here", method: "PATCH", rawBody: "{" }),
    404,
  ],
  ["a wrong method, before a body that is not JSON", update({ method: "PUT", rawBody: "{" }), 405],
  ["a large body, before its not being JSON", update({ rawBody: LARGE }), 413],
  ["a body that is not JSON, before an unknown parameter", update({ rawBody: "{", query: { x: 1 } }), 400],
  ["an invalid body, before an unknown workflow", update({ body: { ...UNKNOWN, channels: { email: 1 } } }), 422],
  ["an invalid body, before an unknown subscriber", update({ body: {}, path: NOBODY }), 422],
  [
    "an unknown workflow, before an unknown subscriber",
    update({ body: UNKNOWN, path: NOBODY }),
    404,
    ["stateful"],
    ["D-18", "D-47"],
  ],
  [
    "an unknown subscriber, before a critical workflow",
    (context) => update({ body: { channels: {}, workflowId: criticalOf(context) }, path: NOBODY })(context),
    404,
    ["stateful"],
  ],
  ["an invalid query, before dates outside the plan", list({ ...EARLY, limit: 0 }), 422],
  [
    "dates outside the plan, before an inverted range",
    list({ ...EARLY, before: "1990-01-01T00:00:00Z" }),
    402,
    ["checks-plan"],
  ],
  [
    "an inverted range, before an unknown subscriber",
    list({ after: "2026-07-02T00:00:00Z", before: "2026-07-01T00:00:00Z", emails: "nobody" }),
    400,
    ["listing"],
    ["D-47", "D-41"],
  ],
];

const VIOLATIONS: [place: string, toRequest: ToRequest, locations: string[]][] = [
  [
    "query",
    list({ limit: 51, page: -1, chanels: "email", after: "yesterday" }),
    ["query.after", "query.chanels", "query.limit", "query.page"],
  ],
  [
    "body",
    update({ body: { channels: { emial: true, sms: "no" }, workflowId: 1 } }),
    ["body.channels.emial", "body.channels.sms", "body.workflowId"],
  ],
];

const ERRORS: Law[] = [
  law("the timestamp of an error is the time of the request", ["D-48"], async (context) => {
    const times = [];
    for (const wait of [0, 30]) {
      await new Promise((resolve) => setTimeout(resolve, wait));
      const { body, headers, request } = await context.send(list({ limit: 0 })(context));
      const { timestamp } = body as { timestamp: string };
      times.push(Date.parse(timestamp));
      const clocks = [Date.now(), Date.parse(headers.date ?? "")].filter((time) => !Number.isNaN(time));
      const isNear = clocks.some((time) => Math.abs(Date.parse(timestamp) - time) <= MAX_SKEW_MS);
      // A reference server may have a clock of its own (--now).
      if (!isNear && !context.target.can.includes("demo-seed")) {
        const expected = `within a minute of ${new Date().toISOString()}`;
        throw new ExpectationError({ what: "body.timestamp", expected, actual: timestamp, request });
      }
      if (times.length === 2 && times[0] === times[1] && isNear)
        throw new ExpectationError({ what: "body.timestamp", expected: "a later one", actual: timestamp, request });
    }
  }),

  ...ROWS.map(([title, toRequest, status, needs = [], cites = ["D-47"]]) => ({
    ...law(`error precedence › ${title}`, cites, async (context) => {
      const response = expectStatus(await context.send(toRequest(context)), status);
      if (!cites.includes("D-18")) return;
      const { ctx } = response.body as { ctx?: { workflowId?: string } };
      expectSame("body.ctx.workflowId", UNKNOWN.workflowId, ctx?.workflowId, response.request);
    }),
    needs,
  })),
  ...VIOLATIONS.map(([place, toRequest, locations]) =>
    law(`every violation at once › in a ${place}`, ["D-49"], async (context) => {
      const { body, request } = expectStatus(await context.send(toRequest(context)), 422);
      const { errors } = body as { errors: object };
      expectSame("body.errors", locations, Object.keys(errors).toSorted(), request);
    }),
  ),
];

function criticalOf({ target }: TestContext): string {
  if (target.criticalWorkflow === undefined) throw new NotApplicable("--critical-workflow is not given");
  return target.criticalWorkflow;
}
