// What ordinary traffic shows of an upstream's bugs: the second independent implementation behind the proxy, correct and wrong.
import { describe, expect, test } from "vitest";
import { isFull } from "../support/sizes.js";
import { type Backend, Rejection, startBackend } from "../verify/backend.js";
import { MAIN_KEY } from "../verify/backend-data.js";
import { watch } from "./proxied.js";

const HOUR_MS = 3_600_000;
const ago = (hours: number) => encodeURIComponent(new Date(Date.now() - hours * HOUR_MS).toISOString());
const list = (query: string): [string, RequestInit?] => [`/v1/notifications?${query}`];
const update = (body: unknown, headers: Record<string, string> = {}, id = "ada"): [string, RequestInit] => [
  `/v2/subscribers/${encodeURIComponent(id)}/preferences`,
  {
    method: "PATCH",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  },
];
const key = (value: string) => ({ "idempotency-key": value });

/** What the end-to-end tests of a front-end send: a preference centre, a feed, retries, and mistakes. */
const TRAFFIC: [string, RequestInit?][] = [
  list(""),
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((page) => list(`limit=10&page=${page}`)),
  ...[
    "channels=email",
    "channels=push&channels=chat",
    "channels=sms",
    "channels=email&page=1&limit=5",
    "channels=",
  ].map(list),
  ...[
    "subscriberIds=ada",
    "subscriberIds=lin%40corp&subscriberIds=ada",
    "subscriberIds=nobody&page=2",
    "subscriberIds=team%2FZo%C3%AB%201%25",
  ].map(list),
  ...["emails=Ada.Lovelace%40example.com", "emails=g%2Bhopper%40example.com", "emails=ada.lovelace%40example.com"].map(
    list,
  ),
  ...[
    "search=ada",
    "search=EXAMPLE.ORG",
    "search=no-mail",
    "search=lin%40corp",
    "search=zoe_k",
    "search=.",
    "search=",
  ].map(list),
  ...[
    "transactionId=txn_4",
    "transactionId=Deploy%200%2Ba",
    "topicKey=project%3Ax",
    "topicKey=50%25_off",
    "topicKey=a.b*c",
    "topicKey=",
  ].map(list),
  ...[
    `after=${ago(10)}`,
    `before=${ago(10)}`,
    `after=${ago(20)}&before=${ago(5)}&channels=email`,
    `after=${ago(-1000)}`,
    `before=${ago(-24)}`,
  ].map(list),
  ...[
    `after=${ago(5)}&before=${ago(20)}`,
    "limit=50",
    "limit=51",
    "limit=0",
    "limit=",
    "page=-1",
    "limit=ten",
    "page=1.5",
    "page=1e1",
  ].map(list),
  ...[
    "limit=5x",
    "limit=%205",
    "chanels=email",
    "channels[]=email",
    "channels=fax",
    "after=yesterday",
    "after=2026-06-31T00:00:00Z",
    "page=3000000000",
  ].map(list),
  ...[
    "limit=5&limit=6",
    "templates=65a1b1c2000000000000003".padEnd(34, "0"),
    "templates=x",
    "after=2026-01-01",
    "after=1990-01-01T00:00:00Z",
  ].map(list),
  ["/v1/notifications", { method: "POST" }],
  ["/v1/notifications", { method: "HEAD" }],
  ["/v1/notifications?limit=5", { headers: { accept: "text/html" } }],
  ["/v1/notifications", { headers: { authorization: "" } }],
  ["/v1/notifications", { headers: { authorization: `Bearer ${MAIN_KEY}` } }],
  update({ channels: {} }),
  update({ channels: { email: false } }),
  update({ channels: { email: true, push: false } }),
  update({ channels: { email: false }, workflowId: "zebra-welcome" }),
  update({ channels: { in_app: false, email: true }, workflowId: "zebra-welcome" }),
  update({ channels: { push: true, chat: false }, workflowId: "incident.alert" }),
  update({ channels: { email: false } }),
  update({ channels: { email: true } }, {}, "team/Zoë 1%"),
  update({ channels: { email: true }, workflowId: "password" }),
  update({ channels: { email: true }, workflowId: "newsletter" }),
  update({ channels: {}, workflowId: "no-such" }),
  update({ channels: {} }, {}, "nobody"),
  update({ channels: { email: false, push: true } }, key("k-1")),
  update({ channels: { email: false, push: true } }, key("k-1")),
  update({ channels: { push: true, email: false } }, key("k-1")),
  update({ channels: { email: true } }, key("k-1")),
  update({ channels: { email: true } }, key("K-1")),
  update({ channels: { email: true } }, key("k-1"), "grace-42"),
  ...["k-2", "k-3", "k-4", "k-5"].map((name) => update({ channels: { sms: true } }, key(name))),
  update({ channels: { email: false, push: true } }, key("k-1")),
  update({ channels: {}, workflowId: "no-such" }, key("k-6")),
  update({ channels: {}, workflowId: "no-such" }, key("k-6")),
  update({ channels: { emial: true } }),
  update({ channels: { email: "yes" } }),
  update({ channels: { email: null } }),
  update({ channels: {}, workflowId: "" }),
  update({}),
  update([]),
  update("{"),
  update("", {}),
  update({ channels: {} }, { "content-type": "text/plain" }),
  update({ channels: {} }, { "content-type": "application/merge-patch+json" }),
  update({ channels: {} }, key("x".repeat(256))),
];

async function send(plant?: (backend: Backend) => void) {
  const backend = await startBackend(plant);
  const proxy = await watch({ upstream: backend.url.href.replace(/\/$/, "") });
  for (const [path, init = {}] of TRAFFIC) {
    const headers = { authorization: `ApiKey ${MAIN_KEY}`, ...(init.headers as Record<string, string>) };
    await (await fetch(proxy.url + path, { ...init, headers })).arrayBuffer();
  }
  await proxy.close();
  await backend.close();
  expect(proxy.internalErrors).toEqual([]);
  return proxy.entries.filter(({ direction }) => direction === "response");
}

const replace =
  <Name extends keyof Backend>(name: Name, make: (original: Backend[Name], backend: Backend) => unknown) =>
  (backend: Backend): void => {
    const original = (backend[name] as () => unknown).bind(backend) as Backend[Name];
    Object.assign(backend, { [name]: make(original, backend) });
  };
// biome-ignore lint/suspicious/noExplicitAny: bodies of all shapes
type Json = any;
const inPages = (change: (page: Json) => object) =>
  replace("list", (original) => (...args: Parameters<Backend["list"]>) => {
    const [status, body] = original(...args);
    return [status, { ...body, ...change(body) }];
  });
const inResults = (change: (result: Json) => void) =>
  replace("show", (original) => (...args: Parameters<Backend["show"]>) => {
    const result = structuredClone(original(...args));
    change(result);
    return result;
  });
const reject = (status: number) => () => {
  throw new Rejection(status);
};

/** Bugs that show in single exchanges, beside those of the table. */
const PLAIN: [title: string, location: RegExp, plant: (backend: Backend) => void][] = [
  ["the page is not the requested one", /body\.page$/, inPages(() => ({ page: 0 }))],
  [
    "the pageSize is the number of records",
    /body\.pageSize/,
    inPages(({ data }) => ({ pageSize: Math.max(data.length, 1) })),
  ],
  ["a record too many", /body\.data/, inPages(({ data }) => ({ data: [...data, ...data.slice(0, 1)] }))],
  ["oldest first", /body\.data\.\d/, inPages(({ data }) => ({ data: data.toReversed() }))],
  ["hasMore is always true", /body\.hasMore/, inPages(() => ({ hasMore: true }))],
  ["hasMore is always false", /body\.data/, inPages(() => ({ hasMore: false }))],
  ["filters are not applied", /body\.data\.\d/, replace("isMatch", () => () => true)],
  ["records of the future", /createdAt/, replace("isInTime", () => () => true)],
  ["an inverted range is accepted", /status/, replace("checkDates", () => () => {})],
  [
    "a valid query is rejected",
    /status/,
    replace(
      "isValid",
      (original) => (name: string, value: string) => value !== "50" && (original as Backend["isValid"])(name, value),
    ),
  ],
  ["a valid update is rejected", /status/, replace("update", () => async () => reject(400)())],
  [
    "an internal error",
    /status/,
    replace("findWorkflow", () => () => {
      throw new Error("x");
    }),
  ],
  [
    "400 in place of 422",
    /status/,
    replace(
      "checkQuery",
      (original) =>
        (...args: Parameters<Backend["checkQuery"]>) =>
          Object.keys((original as Backend["checkQuery"])(...args)).length > 0 ? reject(400)() : {},
    ),
  ],
  ["the update is not shown", /channels/, replace("apply", () => () => {})],
  [
    "a workflow update is not shown",
    /workflows\.\d\.channels/,
    replace(
      "apply",
      (original) =>
        (...args: Parameters<Backend["apply"]>) =>
          args[2] ? undefined : (original as Backend["apply"])(...args),
    ),
  ],
  [
    "enabled says whether a channel is on",
    /enabled/,
    inResults((result) => {
      result.global.enabled = Object.values(result.global.channels).every(Boolean);
    }),
  ],
  [
    "an override is missing",
    /overrides/,
    inResults((result) => {
      result.workflows[0].overrides.pop();
    }),
  ],
  [
    "global lists fewer channels",
    /workflows\.\d\.channels/,
    inResults((result) => {
      delete result.global.channels.email;
    }),
  ],
  [
    "a workflow twice",
    /workflows\.\d/,
    inResults((result) => {
      result.workflows.push(result.workflows[0]);
    }),
  ],
  ["a replay is not marked", /idempotency-replay/, replace("findReplay", () => () => undefined)],
  ["a key for another body is replayed", /status/, replace("toPrint", () => () => "")],
];

const CHOSEN = PLAIN.filter((_bug, index) => isFull || index % 4 === 0);

describe("ordinary traffic", () => {
  test("shows nothing of a correct upstream", async () => {
    expect((await send()).map(({ target, location, message }) => [target, location, message])).toEqual([]);
  });

  test.each(CHOSEN)("shows that %s", async (_title, location, plant) => {
    const entries = await send(plant);
    expect(
      entries.some((entry) => location.test(entry.location)),
      JSON.stringify(entries.map((entry) => entry.location)),
    ).toBe(true);
  });
});
