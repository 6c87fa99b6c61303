// Another implementation of the contract, on node:http alone: it imports nothing of ours, so that the suite is tested
// against what others may build. `bug` makes it wrong in one way.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";

export const BUGS = ["limit", "hasMore", "partial", "auth", "allow"] as const;
export type Bug = (typeof BUGS)[number];

const CHANNELS = ["email", "in_app"];
const ALL_CHANNELS = ["email", "sms", "in_app", "chat", "push"];
const LISTS = ["channels", "templates", "emails", "subscriberIds"];
const TEXTS = ["search", "transactionId", "topicKey", "page", "limit", "after", "before"];
const DATE = /^\d{4}-(\d\d)-(\d\d)[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d)(?:\.\d+)?(?:[Zz]|[+-][0-2]\d:[0-5]\d)$/;
const ID = "66e0f1a20c4b3d5e6f708101";
const SLUG = "welcome_wf_fPKLJHzjJkkYlbIf";
const ENVIRONMENT = { _environmentId: "a".repeat(24), _organizationId: "b".repeat(24) };

const people = new Map(
  ["ada", "grace"].map((subscriberId, n) => [
    subscriberId,
    { _id: String(n).repeat(24), subscriberId, email: `${subscriberId}@example.com` },
  ]),
);
const records = Array.from({ length: 23 }, (_, n) => {
  const subscriber = people.get(n % 3 === 0 ? "grace" : "ada");
  const trigger = { type: "event", identifier: "welcome", variables: [] };
  const createdAt = new Date(Date.now() - n * 3_600_000).toISOString();
  const topics = n % 4 === 0 ? [{ _topicId: "e".repeat(24), topicKey: "project:x" }] : [];
  const template = { _id: ID, name: "Welcome", triggers: [trigger] };
  const own = {
    _id: (1000 - n).toString(16).padStart(24, "0"),
    _subscriberId: subscriber?._id,
    _templateId: ID,
    createdAt,
    topics,
  };
  return {
    ...own,
    ...ENVIRONMENT,
    transactionId: `t-${n >> 1}`,
    channels: n % 2 ? ["email"] : ["in_app", "email"],
    subscriber,
    template,
  };
});

type Errors = Record<string, { messages: string[] }>;
type Response = [status: number, body: object, headers?: Record<string, string>];

export async function startIndependentServer(key: string, bug?: Bug) {
  const preferences = new Map([...people.keys()].map((id) => [id, { global: fill(true), workflow: fill(true) }]));
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const [status, body, headers] = respond(request, Buffer.concat(chunks));
    const error = { statusCode: status, timestamp: new Date().toISOString(), path: request.url, message: "see status" };
    const text = JSON.stringify(status < 400 ? body : { ...error, ...body });
    response.writeHead(status, {
      "content-type": "application/json",
      server: "another",
      "content-length": Buffer.byteLength(text),
      ...headers,
    });
    response.end(text);
  });

  function respond(request: IncomingMessage, raw: Buffer): Response {
    const [path = "", query = ""] = (request.url ?? "").split("?");
    const [scheme, sent] = (request.headers.authorization ?? "").split(" ");
    if ((scheme !== "ApiKey" && bug !== "auth") || sent !== key) return [401, {}, { "www-authenticate": "ApiKey" }];
    const [, id] = /^\/v2\/subscribers\/([^/]+)\/preferences$/.exec(path) ?? [];
    const allow = id ? "PATCH, OPTIONS" : "GET, HEAD, OPTIONS";
    if (!id && path !== "/v1/notifications") return [404, {}];
    if (!allow.includes(request.method ?? "")) return [405, {}, bug === "allow" ? {} : { allow }];
    try {
      return id ? update(decodeURIComponent(id), request, raw, query) : list(readQuery(query));
    } catch {
      return [400, {}];
    }
  }

  function update(id: string, { headers }: IncomingMessage, raw: Buffer, query: string): Response {
    const [type, parameter] = (headers["content-type"] ?? "").toLowerCase().split(/; */);
    const encoding = headers["content-encoding"] ?? "gzip";
    if (
      raw.length > 0 &&
      (type !== "application/json" || encoding !== "gzip" || (parameter ?? "charset=utf-8") !== "charset=utf-8")
    )
      return [415, {}];
    const text = (headers["content-encoding"] ? gunzipSync(raw) : raw).toString();
    if (text.length > 102_400) return [413, {}];
    const body = text === "" ? undefined : JSON.parse(text);
    const errors: Errors = Object.fromEntries(
      [...readQuery(query).keys()].map((name) => [`query.${name}`, { messages: ["is unknown"] }]),
    );
    const add = (location: string) => Object.assign(errors, { [location]: { messages: ["is wrong"] } });
    if ((headers["idempotency-key"] ?? "").length > 255) add("header.idempotency-key");
    if (!isObject(body)) add("body");
    else {
      for (const name of Object.keys(body)) if (name !== "channels" && name !== "workflowId") add(`body.${name}`);
      if ("workflowId" in body && (typeof body.workflowId !== "string" || body.workflowId === ""))
        add("body.workflowId");
      if (!isObject(body.channels)) add("body.channels");
      else
        for (const [name, on] of Object.entries(body.channels))
          if (!ALL_CHANNELS.includes(name) || typeof on !== "boolean") add(`body.channels.${name}`);
    }
    if (Object.keys(errors).length > 0) return [422, { errors }];
    const { channels, workflowId = "" } = body;
    const isSlug = workflowId.endsWith(SLUG.slice(7)) && workflowId.length > SLUG.length - 7;
    if (workflowId && workflowId !== "welcome" && workflowId.toLowerCase() !== ID && !isSlug) return [404, {}];
    const own = preferences.get(id);
    if (!own) return [404, {}];
    const known = Object.fromEntries(Object.entries(channels as object).filter(([name]) => CHANNELS.includes(name)));
    Object.assign(own.workflow, known);
    if (!workflowId) own.global = { ...(bug === "partial" ? fill(true) : own.global), ...known };
    const overrides = ["in_app", "email"].map((channel) => ({ channel, source: "subscriber" }));
    const workflow = { slug: SLUG, identifier: "welcome", name: "Welcome" };
    return [
      200,
      {
        global: { enabled: true, channels: own.global },
        workflows: [{ enabled: true, channels: own.workflow, overrides, workflow }],
      },
    ];
  }

  function list(query: Map<string, string[]>): Response {
    const errors: Errors = {};
    const add = (name: string) => Object.assign(errors, { [`query.${name}`]: { messages: ["is wrong"] } });
    for (const [name, values] of query) {
      const isRight = (value: string) => {
        if (name === "channels") return ALL_CHANNELS.includes(value);
        if (name === "templates") return /^[0-9a-f]{24}$/i.test(value) && !value.includes("\n");
        if (name === "page") return /^\d+$/.test(value);
        if (name === "limit") return /^\d+$/.test(value) && +value > 0 && +value <= (bug === "limit" ? 100 : 50);
        if (name !== "after" && name !== "before") return true;
        return (
          DATE.test(value) && new Date(`${value.slice(0, 10)}T00:00:00Z`).toJSON()?.slice(0, 10) === value.slice(0, 10)
        );
      };
      const most = LISTS.includes(name) ? 20 : 1;
      if (!(LISTS.includes(name) || TEXTS.includes(name)) || values.length > most || !values.every(isRight)) add(name);
    }
    if (Object.keys(errors).length > 0) return [422, { errors }];
    const one = (name: string) => query.get(name)?.[0];
    const [after, before] = [toMs(one("after")) ?? 0, toMs(one("before")) ?? Date.now()];
    if (one("after") && one("before") && after > before) return [400, {}];
    const search = one("search")?.toLowerCase();
    const isNamed = ["emails", "subscriberIds", "search"].some((name) => query.has(name));
    const isFound = ({ subscriberId, email }: { subscriberId: string; email: string }) =>
      query.get("emails")?.includes(email) ||
      query.get("subscriberIds")?.includes(subscriberId) ||
      subscriberId === one("search") ||
      (search && email.includes(search));
    const found = records.filter(
      ({ createdAt, subscriber, channels, transactionId, topics }) =>
        Date.parse(createdAt) > after &&
        Date.parse(createdAt) < before &&
        (!isNamed || (subscriber && isFound(subscriber))) &&
        (!query.has("channels") || channels.some((name) => query.get("channels")?.includes(name))) &&
        (!query.has("templates") || query.get("templates")?.some((id) => id.toLowerCase() === ID)) &&
        (!query.has("transactionId") || one("transactionId") === transactionId) &&
        (!query.has("topicKey") || topics.some(({ topicKey }) => topicKey === one("topicKey"))),
    );
    const nobody = isNamed && ![...people.values()].some(isFound);
    const [page, pageSize] = [nobody ? 0 : Number(one("page") ?? 0), Number(one("limit") ?? 10)];
    const end = (page + 1) * pageSize;
    return [
      200,
      {
        page,
        pageSize,
        hasMore: bug === "hasMore" ? found.length >= end : found.length > end,
        data: found.slice(end - pageSize, end),
      },
    ];
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, close };
}

/** Empty values count as none, but for `limit`; a plus sign is one in addresses and instants. */
function readQuery(text: string): Map<string, string[]> {
  const query = new Map<string, string[]>();
  for (const pair of text.split("&").filter(Boolean)) {
    const [name = "", value = ""] = pair
      .split(/=(.*)/s)
      .map((part) => decodeURIComponent(part.replaceAll("+", /^(emails|after|before)=/.test(pair) ? "+" : " ")));
    if (value !== "" || ![...LISTS, ...TEXTS].includes(name) || name === "limit")
      query.set(name, [...(query.get(name) ?? []), value]);
  }
  return query;
}

function toMs(text: string | undefined): number | undefined {
  return text === undefined
    ? undefined
    : Date.parse(text.toUpperCase().replace(/(\.\d{3})\d+/, "$1")) + Number(`0.${/\.\d{3}(\d+)/.exec(text)?.[1] ?? 0}`);
}

function fill(value: boolean): Record<string, boolean> {
  return Object.fromEntries(CHANNELS.map((name) => [name, value]));
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
function isObject(value: any): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
