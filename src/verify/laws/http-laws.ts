// Laws of methods, paths and HEAD, and the precedence of errors. Decisions D-47, D-49, D-51, D-65, D-66.
import type { Contract } from "../../contract/contract.js";
import { allowedMethods } from "../../contract/operations.js";
import { type Case, type Law, toCases } from "../case.js";
import { ExpectationError, expectSame, expectStatus, NotApplicable } from "../expectation.js";
import type { Capability } from "../target.js";
import type { TestContext } from "../test-context.js";
import type { TestRequest } from "../test-request.js";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
const EARLY = { after: "1990-01-02T00:00:00Z" };

export function createHttpLaws({ operations }: Contract): Case[] {
  const methods = operations.flatMap((operation) => {
    const allowed = [...allowedMethods([operation]), "OPTIONS"];
    return METHODS.filter((method) => !allowed.includes(method)).map(
      (method): Case => ({
        id: `${operation.id} › method › ${method}`,
        cites: [operation.id === "updatePreferences" ? "§4.1" : "§4.2", "D-51"],
        covers: { operation: operation.id, place: "method", keyword: method, status: 405 },
        async run(context) {
          const response = await context.send({ operation, method });
          expectStatus(response, 405);
          const names = String(response.headers.allow)
            .split(",")
            .map((name) => name.trim());
          expectSame("header.allow", allowed.toSorted(), names.toSorted(), response.request);
        },
      }),
    );
  });
  return [...methods, ...toCases("HTTP", [...PATHS, ...HEADS, ...ERRORS])];
}

const PATHS: Law[] = [
  ...[
    ["/v1/subscribers/x/preferences", "§9.1"],
    ["/v2/notifications", "§9.2"],
    ["/v1/nothing-here", "§4"],
  ].map(
    ([url = "", cite = ""]): Law => ({
      title: `${url} does not exist`,
      cites: [cite],
      run: async (context) => expectStatus(await context.send({ operation: undefined, url }), 404),
    }),
  ),
  {
    title: "each response has its own request id",
    cites: ["D-66"],
    needs: ["exact-headers"],
    async run(context) {
      const request: TestRequest = { operation: context.operation("listNotifications"), query: { limit: 0 } };
      const [one, other] = [await context.send(request), await context.send(request)];
      if (one.headers["x-request-id"] !== other.headers["x-request-id"]) return;
      const actual = one.headers["x-request-id"];
      throw new ExpectationError({
        what: "header.x-request-id",
        expected: "another id",
        actual,
        request: other.request,
      });
    },
  },
];

const HEADS: Law[] = [{}, { limit: 1 }, { limit: 0 }, { emails: "nobody" }].map((query: Record<string, unknown>) => ({
  title: `HEAD responds like GET, without a body › ${JSON.stringify(query)}`,
  cites: ["D-65"],
  async run(context) {
    const operation = context.operation("listNotifications");
    const get = await context.send({ operation, query });
    const head = await context.send({ operation, query, method: "HEAD" });
    expectSame("status", get.status, head.status, head.request);
    expectSame("text", "", head.text, head.request);
    const names = ["content-type", ...(get.status === 200 ? ["content-length"] : [])];
    for (const name of names)
      expectSame(`header.${name}`, get.headers[name], head.headers[name] ?? get.headers[name], head.request);
  },
}));

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
    ["stateful", "cited-errors"],
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

const ERRORS: Law[] = [
  ...ROWS.map(
    ([title, toRequest, status, needs = [], cites = ["D-47"]]): Law => ({
      title: `error precedence › ${title}`,
      cites,
      needs,
      async run(context) {
        const response = await context.send(toRequest(context));
        expectStatus(response, status);
        if (!cites.includes("D-18")) return;
        expectSame(
          "body.ctx.workflowId",
          UNKNOWN.workflowId,
          (response.body as { ctx?: { workflowId?: string } }).ctx?.workflowId,
          response.request,
        );
      },
    }),
  ),
  {
    title: "every violation at once › in a query",
    cites: ["D-49"],
    run: async (context) =>
      expectViolations(context, list({ limit: 51, page: -1, chanels: "email", after: "yesterday" })(context), [
        "query.after",
        "query.chanels",
        "query.limit",
        "query.page",
      ]),
  },
  {
    title: "every violation at once › in a body",
    cites: ["D-49"],
    run: async (context) =>
      expectViolations(context, update({ body: { channels: { emial: true, sms: "no" }, workflowId: 1 } })(context), [
        "body.channels.emial",
        "body.channels.sms",
        "body.workflowId",
      ]),
  },
];

async function expectViolations(context: TestContext, request: TestRequest, locations: string[]): Promise<void> {
  const response = await context.send(request);
  expectStatus(response, 422);
  expectSame(
    "body.errors",
    locations,
    Object.keys((response.body as { errors: object }).errors).toSorted(),
    response.request,
  );
}

function criticalOf({ target }: TestContext): string {
  if (target.criticalWorkflow === undefined) throw new NotApplicable("--critical-workflow is not given");
  return target.criticalWorkflow;
}
