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
    title: "a path that is nearly the contract's does not exist",
    cites: ["§4.1", "§4.2"],
    async run(context) {
      const update = context.operation("updatePreferences");
      const preferences = update.path.replace(/{[^}]+}/, encodeURIComponent(context.target.subscriber));
      const { path } = context.operation("listNotifications");
      for (const url of toNearPaths(path)) {
        context.restart();
        expectStatus(await context.send({ url }), 404);
      }
      for (const url of toNearPaths(preferences)) {
        context.restart();
        expectStatus(await context.send({ url, method: "PATCH", rawBody: '{"channels":{}}', headers: JSON_TYPE }), 404);
      }
    },
  },
  {
    title: "each response has its own request id",
    cites: ["D-66"],
    async run({ send, operation, target }) {
      const list = operation("listNotifications");
      const requests: TestRequest[] = [
        { operation: list },
        { operation: list },
        { operation: list, query: { limit: 0 } },
      ];
      const responses = [];
      for (const request of [...requests, { url: "/v1/nothing-here" }]) responses.push(await send(request));
      const ids = responses.map(({ headers }) => headers["x-request-id"]);
      if (ids.every((id) => id === undefined) && !target.can.includes("exact-headers"))
        throw new NotApplicable("the target sends no X-Request-Id");
      for (const { headers, request } of responses) {
        const isUnique = ids.filter((id) => id === headers["x-request-id"]).length === 1;
        if (headers["x-request-id"] && isUnique) continue;
        const difference = { expected: "an id of its own", actual: headers["x-request-id"] };
        throw new ExpectationError({ what: "header.x-request-id", ...difference, request });
      }
    },
  },
  {
    title: "Accept does not change the media type of a response",
    cites: ["D-68"],
    async run(context) {
      const list = context.operation("listNotifications");
      for (const accept of ACCEPTS) {
        expectStatus(await context.send({ operation: list, headers: { accept } }), 200);
        expectStatus(await context.send({ operation: list, query: { limit: 0 }, headers: { accept } }), 422);
        expectStatus(
          await context.send({ ...update({ body: { channels: {} } })(context), headers: { accept } }),
          200,
          404,
        );
      }
    },
  },
  {
    title: "the timestamp of an error is the time of the request",
    cites: ["D-48"],
    async run(context) {
      const times = [];
      for (const wait of [0, 30]) {
        await new Promise((resolve) => setTimeout(resolve, wait));
        const { body, headers, request } = await context.send(list({ limit: 0 })(context));
        const { timestamp } = body as { timestamp: string };
        times.push(Date.parse(timestamp));
        const clocks = [Date.now(), Date.parse(headers.date ?? "")].filter((time) => !Number.isNaN(time));
        const isNear = clocks.some((time) => Math.abs(Date.parse(timestamp) - time) <= MOST_SKEW_MS);
        // A reference server may have a clock of its own (--now).
        if (!isNear && !context.target.can.includes("demo-seed")) {
          const expected = `within a minute of ${new Date().toISOString()}`;
          throw new ExpectationError({ what: "body.timestamp", expected, actual: timestamp, request });
        }
        if (times.length === 2 && times[0] === times[1] && isNear)
          throw new ExpectationError({ what: "body.timestamp", expected: "a later one", actual: timestamp, request });
      }
    },
  },
];

const MOST_SKEW_MS = 60_000;
const JSON_TYPE = { "content-type": "application/json" };
const ACCEPTS = [
  ...[
    "*/*",
    "application/json",
    "application/*",
    "text/html",
    "application/xml",
    "image/png",
    "text/html,application/xhtml+xml",
  ],
  ...[
    "application/json;q=0",
    "text/plain, */*;q=0.1",
    "application/vnd.api+json",
    "nonsense",
    "application/json; charset=utf-16",
  ],
];

function toNearPaths(path: string): string[] {
  const upper = path.replace(/^\/v\d\/\w+/, (start) => start.toUpperCase());
  return [
    `${path}/`,
    `${path}//`,
    `/${path}`,
    path.replace(/^(\/v\d)/, "$1/"),
    upper,
    `${path}.json`,
    `${path};x=1`,
    `${path}%2F`,
    `${path}/x`,
  ];
}

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
