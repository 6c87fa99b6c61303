// Methods, paths, HEAD, and which of several faults is answered. Decisions D-47, D-49, D-51, D-65, D-66.
import type { Contract } from "../../contract/contract.js";
import { allowedMethods } from "../../contract/operations.js";
import type { Ask } from "../ask.js";
import { type Case, type Law, toCases } from "../case.js";
import { expectSame, expectStatus, Mismatch, NotApplicable } from "../check.js";
import type { Capability } from "../target.js";
import type { World } from "../world.js";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "QUERY"].filter((method) => method !== "QUERY");
const EARLY = { after: "1990-01-02T00:00:00Z" };

export function createHttpLaws({ operations }: Contract): Case[] {
  const methods = operations.flatMap((operation) => {
    const allowed = [...allowedMethods([operation]), "OPTIONS"];
    return METHODS.filter((method) => !allowed.includes(method)).map(
      (method): Case => ({
        id: `${operation.id} › method › ${method}`,
        cites: [operation.id === "updatePreferences" ? "§4.1" : "§4.2", "D-51"],
        covers: { operation: operation.id, place: "method", keyword: method, status: 405 },
        async run(world) {
          const answer = await world.send({ operation, method });
          expectStatus(answer, 405);
          const names = String(answer.headers.allow)
            .split(",")
            .map((name) => name.trim());
          expectSame("header.allow", allowed.toSorted(), names.toSorted(), answer.request);
        },
      }),
    );
  });
  return [...methods, ...toCases("HTTP", [...PATHS, ...HEADS, ...FAULTS])];
}

const PATHS: Law[] = [
  ...[
    ["/v1/subscribers/x/preferences", "§9.1"],
    ["/v2/notifications", "§9.2"],
    ["/v1/nothing-here", "§4"],
  ].map(
    ([url = "", cite = ""]): Law => ({
      title: `${url} is no path`,
      cites: [cite],
      run: async (world) => expectStatus(await world.send({ operation: undefined, url }), 404),
    }),
  ),
  {
    title: "each answer has an id of its own",
    cites: ["D-66"],
    needs: ["exact-headers"],
    async run(world) {
      const ask: Ask = { operation: world.operation("listNotifications"), query: { limit: 0 } };
      const [one, other] = [await world.send(ask), await world.send(ask)];
      if (one.headers["x-request-id"] !== other.headers["x-request-id"]) return;
      throw new Mismatch("header.x-request-id", "another one", one.headers["x-request-id"], other.request);
    },
  },
];

const HEADS: Law[] = [{}, { limit: 1 }, { limit: 0 }, { emails: "nobody" }].map((query: Record<string, unknown>) => ({
  title: `HEAD answers as GET does, without a body › ${JSON.stringify(query)}`,
  cites: ["D-65"],
  async run(world) {
    const operation = world.operation("listNotifications");
    const get = await world.send({ operation, query });
    const head = await world.send({ operation, query, method: "HEAD" });
    expectSame("status", get.status, head.status, head.request);
    expectSame("text", "", head.text, head.request);
    const names = ["content-type", ...(get.status === 200 ? ["content-length"] : [])];
    for (const name of names)
      expectSame(`header.${name}`, get.headers[name], head.headers[name] ?? get.headers[name], head.request);
  },
}));

type Row = [
  title: string,
  cites: string[],
  ask: (world: World) => Ask,
  status: number,
  needs: Capability[],
  more?: (body: never) => void,
];

const update =
  (more: Partial<Ask>) =>
  (world: World): Ask => ({ operation: world.operation("updatePreferences"), ...more });
const list =
  (query: Record<string, unknown>) =>
  (world: World): Ask => ({ operation: world.operation("listNotifications"), query });
const NOBODY = { subscriberId: "nobody-7f3a9c" };
const UNKNOWN = { channels: {}, workflowId: "no-such-workflow-7f3a9c" };
const LARGE = `{"x":"${"x".repeat(102_400)}`;

const ROWS: Row[] = [
  [
    "a path that is none, before a body that is not JSON",
    ["D-47"],
    () => ({ url: "/v2/nothing-here", method: "PATCH", rawBody: "{" }),
    404,
    [],
  ],
  ["a wrong method, before a body that is not JSON", ["D-47"], update({ method: "PUT", rawBody: "{" }), 405, []],
  ["a large body, before its not being JSON", ["D-47"], update({ rawBody: LARGE }), 413, []],
  [
    "a body that is not JSON, before an unknown parameter",
    ["D-47"],
    update({ rawBody: "{", query: { x: 1 } }),
    400,
    [],
  ],
  [
    "a body outside the contract, before an unknown workflow",
    ["D-47"],
    update({ body: { ...UNKNOWN, channels: { email: 1 } } }),
    422,
    [],
  ],
  ["a body outside the contract, before an unknown subscriber", ["D-47"], update({ body: {}, path: NOBODY }), 422, []],
  [
    "an unknown workflow, before an unknown subscriber",
    ["D-18", "D-47"],
    update({ body: UNKNOWN, path: NOBODY }),
    404,
    ["stateful", "exact-errors"],
  ],
  [
    "an unknown subscriber, before a critical workflow",
    ["D-47"],
    (world) => update({ body: { channels: {}, workflowId: criticalOf(world) }, path: NOBODY })(world),
    404,
    ["stateful"],
  ],
  ["a bad query, before dates outside the plan", ["D-47"], list({ ...EARLY, limit: 0 }), 422, []],
  [
    "dates outside the plan, before an inverted range",
    ["D-47"],
    list({ ...EARLY, before: "1990-01-01T00:00:00Z" }),
    402,
    ["checks-plan"],
  ],
  [
    "an inverted range, before a subscriber that nobody is",
    ["D-47", "D-41"],
    list({ after: "2026-07-02T00:00:00Z", before: "2026-07-01T00:00:00Z", emails: "nobody" }),
    400,
    ["listing"],
  ],
];

const FAULTS: Law[] = [
  ...ROWS.map(
    ([title, cites, ask, status, needs]): Law => ({
      title: `which fault is answered › ${title}`,
      cites,
      needs,
      async run(world) {
        const answer = await world.send(ask(world));
        expectStatus(answer, status);
        if (!cites.includes("D-18")) return;
        expectSame(
          "body.ctx.workflowId",
          UNKNOWN.workflowId,
          (answer.body as { ctx?: { workflowId?: string } }).ctx?.workflowId,
          answer.request,
        );
      },
    }),
  ),
  {
    title: "all faults at once › in a query",
    cites: ["D-49"],
    run: async (world) =>
      expectFaults(world, list({ limit: 51, page: -1, chanels: "email", after: "yesterday" })(world), [
        "query.after",
        "query.chanels",
        "query.limit",
        "query.page",
      ]),
  },
  {
    title: "all faults at once › in a body",
    cites: ["D-49"],
    run: async (world) =>
      expectFaults(world, update({ body: { channels: { emial: true, sms: "no" }, workflowId: 1 } })(world), [
        "body.channels.emial",
        "body.channels.sms",
        "body.workflowId",
      ]),
  },
];

async function expectFaults(world: World, ask: Ask, locations: string[]): Promise<void> {
  const answer = await world.send(ask);
  expectStatus(answer, 422);
  expectSame(
    "body.errors",
    locations,
    Object.keys((answer.body as { errors: object }).errors).toSorted(),
    answer.request,
  );
}

function criticalOf({ target }: World): string {
  if (target.criticalWorkflow === undefined) throw new NotApplicable("--critical-workflow is not given");
  return target.criticalWorkflow;
}
