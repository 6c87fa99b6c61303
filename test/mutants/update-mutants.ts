// Servers that update preferences wrongly, each in one way.

import type { Mutation, Request } from "./mutable-server.js";
import type { Mutant } from "./mutant.js";
import { isUpdate, onBody, onError, onHeaders, onRequest, onUpdated, readJson, withStatus } from "./mutate.js";

const CHANNELS = ["email", "sms", "in_app", "chat", "push"];
// biome-ignore lint/suspicious/noExplicitAny: bodies of all shapes
type Json = any;

/** Keeps the latest response of each subscriber, so that a mutation can response or restore what was. */
const remembering =
  (change: (now: Json, before: Json, body: Json) => void): Mutation =>
  async (request, { forward, memory }) => {
    const response = await forward(request);
    if (!isUpdate(request) || response.status !== 200 || request.headers.prefer) return response;
    const truth = structuredClone(response.body);
    change(response.body, memory.get(request.path) ?? truth, readJson(request.body));
    memory.set(request.path, truth);
    return response;
  };

/** Sends a second update beside the requested one. */
const alsoUpdating =
  (toOther: (request: Request, body: Json) => { path?: string; body: Json } | undefined): Mutation =>
  async (request, { forward }) => {
    const response = await forward(request);
    const body = readJson(request.body);
    const other = isUpdate(request) && response.status === 200 && body?.channels ? toOther(request, body) : undefined;
    if (!other) return response;
    const { "idempotency-key": _key, ...headers } = request.headers;
    await forward({ ...request, headers, path: other.path ?? request.path, body: JSON.stringify(other.body) });
    return response;
  };

const SUBSCRIBERS = ["ines-moreau", "tomas-novak"];
const other = (path: string) =>
  path.replace(/ines-moreau|tomas-novak/, (id) => SUBSCRIBERS[1 - SUBSCRIBERS.indexOf(id)] ?? id);
const entry = (preferences: Json, identifier = "comment-mention") =>
  preferences.workflows.find(({ workflow }: Json) => workflow.identifier === identifier);

export const UPDATE_MUTANTS: Mutant[] = [
  // What a body may hold
  [
    "D-03",
    "unknown channels are ignored",
    onBody((body) => ({ ...body, ...(isObject(body.channels) ? { channels: pick(body.channels, CHANNELS) } : {}) })),
  ],
  [
    "D-03",
    "unknown members are ignored",
    onBody((body) => (isObject(body) ? pick(body, ["channels", "workflowId"]) : body)),
  ],
  [
    "D-03",
    "null means unset",
    onBody((body) => ({
      ...body,
      ...(isObject(body.channels)
        ? { channels: Object.fromEntries(Object.entries(body.channels).filter(([, value]) => value !== null)) }
        : {}),
    })),
    "body.channels",
  ],
  [
    "§2.1",
    `"true" is read as true`,
    onBody((body) => replaceIn(body, (value) => (value === "true" ? true : value))),
    "body.channels",
  ],
  [
    "§2.1",
    "1 is read as true",
    onBody((body) => replaceIn(body, (value) => (value === 1 ? true : value))),
    "body.channels",
  ],
  ...CHANNELS.map(
    (channel): Mutant => [
      "§2.1",
      `${channel} is rejected`,
      onBody((body) => (isObject(body.channels) && channel in body.channels ? { ...body, channels: 1 } : body)),
      `body.channels.${channel}`,
    ],
  ),
  [
    "§4.1",
    "channels may be left out",
    onBody((body) => (isObject(body) ? { channels: {}, ...body } : body)),
    "body.channels",
  ],
  [
    "D-17",
    "an empty workflowId means the global level",
    onBody(({ workflowId, ...body }) =>
      workflowId === "" || workflowId === undefined ? body : { ...body, workflowId },
    ),
  ],
  [
    "D-17",
    "a null workflowId means the global level",
    onBody(({ workflowId, ...body }) =>
      workflowId === null || workflowId === undefined ? body : { ...body, workflowId },
    ),
    "body.workflowId",
  ],
  [
    "D-49",
    "an array counts as an empty update",
    onBody((body) => (Array.isArray(body) ? { channels: {} } : body)),
    "updatePreferences › body",
  ],
  [
    "D-49",
    "only the first violation is listed",
    onError(422, ({ body }) => {
      body.errors = Object.fromEntries(Object.entries(body.errors).slice(0, 1));
    }),
  ],
  [
    "D-49",
    "violations are not keyed by location",
    onError(422, ({ body }) => {
      body.errors = { general: Object.values(body.errors)[0] };
    }),
  ],
  [
    "D-49",
    "422 comes without errors",
    onError(422, ({ body }) => {
      delete body.errors;
    }),
  ],
  ["D-49", "400 in place of 422", withStatus(422, 400)],
  // How a body arrives
  [
    "D-53",
    "text/plain is read as JSON",
    onHeaders((headers) => ({
      ...headers,
      ...(headers["content-type"] === "text/plain" ? { "content-type": "application/json" } : {}),
    })),
  ],
  [
    "D-53",
    "a body without a type is read as JSON",
    onHeaders((headers) => ({ "content-type": "application/json", ...headers })),
  ],
  [
    "D-53",
    "the charset is not looked at",
    onHeaders((headers) => ({
      ...headers,
      ...(headers["content-type"] ? { "content-type": headers["content-type"].replace(/;.*/, "") } : {}),
    })),
  ],
  ["D-53", "an unknown encoding is 400", withStatus(415, 400)],
  [
    "§4.1",
    "application/json with a charset is rejected",
    onHeaders((headers) => ({
      ...headers,
      ...(/;/.test(headers["content-type"] ?? "") ? { "content-type": "text/plain" } : {}),
    })),
    "media type",
  ],
  [
    "D-50",
    "a body that is not JSON is 422",
    withStatus(400, 422, (request) => isUpdate(request) && readJson(request.body) === undefined),
  ],
  [
    "D-50",
    "a body that is not JSON is 500",
    withStatus(400, 500, (request) => isUpdate(request) && readJson(request.body) === undefined),
  ],
  ["D-50", "a trailing comma is read", onRequest((request) => ({ body: request.body.replace(/,\s*}$/, "}") }))],
  ["D-50", "a broken percent-encoding in the path is 404", withStatus(400, 404, ({ path }) => path.includes("%ZZ"))],
  [
    "D-52",
    "a body of a byte too many is read",
    onRequest((request) => (request.bytes.length > 102_400 ? { body: request.body.trim() } : {})),
  ],
  [
    "D-52",
    "the largest body is rejected",
    onRequest((request) => (request.bytes.length === 102_400 ? { body: `${request.body} ` } : {})),
  ],
  ["D-52", "too large is 400", withStatus(413, 400)],
  [
    "D-52",
    "gzip is not looked at",
    onHeaders(({ "content-encoding": coding, ...headers }) =>
      coding === "gzip" ? headers : { ...headers, ...(coding ? { "content-encoding": coding } : {}) },
    ),
  ],
  // What an update does
  [
    "D-02",
    "channels that are not named become true",
    onBody((body) =>
      isPlain(body) && !isEmpty(body.channels)
        ? { ...body, channels: { email: true, sms: true, in_app: true, chat: true, push: true, ...body.channels } }
        : body,
    ),
  ],
  [
    "D-02",
    "channels that are not named become false",
    onBody((body) =>
      isPlain(body) && !isEmpty(body.channels)
        ? { ...body, channels: { email: false, sms: false, in_app: false, chat: false, push: false, ...body.channels } }
        : body,
    ),
  ],
  [
    "D-04",
    "an empty update resets",
    onBody((body) =>
      isPlain(body) && isEmpty(body.channels) && !body.workflowId
        ? { ...body, channels: { email: true, sms: true } }
        : body,
    ),
  ],
  ["D-04", "an empty update is rejected", onBody((body) => (isPlain(body) && isEmpty(body.channels) ? {} : body))],
  [
    "§4.1",
    "push is dropped",
    onBody((body) => (isPlain(body) ? { ...body, channels: pick(body.channels, CHANNELS.slice(0, 4)) } : body)),
    "each channel",
    "keeps its value",
  ],
  [
    "§4.1",
    "the response has the former state",
    remembering((now, before) => Object.assign(now, structuredClone(before))),
    "updatePreferences",
  ],
  [
    "§4.1",
    "nothing is stored",
    async (request, { forward }) => {
      const body = readJson(request.body);
      const isChange = isUpdate(request) && isPlain(body) && !isEmpty(body.channels);
      if (!isChange) return forward(request);
      const response = await forward({ ...request, body: JSON.stringify({ ...body, channels: {} }) });
      if (response.status === 200 && response.body.global && !body.workflowId)
        Object.assign(response.body.global.channels, body.channels);
      return response;
    },
    "keeps its value",
    "global level",
  ],
  [
    "D-14",
    "a workflow update changes the global level too",
    alsoUpdating((_request, body) => (body.workflowId ? { body: { channels: body.channels } } : undefined)),
    "updatePreferences",
  ],
  [
    "D-14",
    "workflowId is not looked at",
    onBody(({ workflowId, ...body }) =>
      typeof workflowId === "string" && !/no-such|nobody/.test(workflowId)
        ? body
        : { ...body, ...(workflowId === undefined ? {} : { workflowId }) },
    ),
  ],
  [
    "D-15",
    "a global update leaves workflow values",
    async (request, { forward, memory }) => {
      const response = await forward(request);
      const body = readJson(request.body);
      if (!isUpdate(request) || response.status !== 200 || !isPlain(body) || !response.body.global) return response;
      if (body.workflowId === "comment-mention")
        memory.set(request.path, { ...(memory.get(request.path) as object), ...body.channels });
      const own = memory.get(request.path) as object | undefined;
      if (own && !body.workflowId) {
        const { "idempotency-key": _key, ...headers } = request.headers;
        return forward({ ...request, headers, body: JSON.stringify({ channels: own, workflowId: "comment-mention" }) });
      }
      return response;
    },
  ],
  [
    "D-15",
    "a workflow update is undone by a global one of other channels",
    alsoUpdating((_request, { workflowId, channels }) =>
      !workflowId && Object.keys(channels).length === 1
        ? { body: { channels: { email: true, ...channels } } }
        : undefined,
    ),
    "updatePreferences",
  ],
  [
    "§4.1",
    "another subscriber changes too",
    alsoUpdating((request, body) => ({ path: other(request.path), body: { channels: body.channels } })),
    "other subscribers",
  ],
  [
    "D-03",
    "the valid part of a rejected update is applied",
    async (request, { forward }) => {
      const response = await forward(request);
      if (isUpdate(request) && response.status === 422)
        await forward({ ...request, body: '{"channels":{"email":false}}' });
      return response;
    },
    "a rejected update changes nothing",
  ],
  [
    "D-20",
    "an update of a critical workflow is accepted and ignored",
    onBody((body) =>
      body.workflowId === "password-reset" ? { ...body, channels: {}, workflowId: "billing-receipt" } : body,
    ),
  ],
  ["D-20", "a critical workflow is 403", withStatus(400, 403, (request) => request.body.includes("password-reset"))],
  [
    "D-20",
    "a workflow read-only from code is rejected",
    onBody((body) => (body.workflowId === "billing-receipt" ? { ...body, workflowId: "password-reset" } : body)),
  ],
  [
    "D-21",
    "an inactive workflow is 404",
    onBody((body) => (body.workflowId === "legacy-newsletter" ? { ...body, workflowId: "nope" } : body)),
  ],
  [
    "D-21",
    "an inactive workflow is listed once it was updated",
    onUpdated((preferences, body) => {
      if (body?.workflowId === "legacy-newsletter")
        preferences.workflows.push(structuredClone(preferences.workflows[0]));
    }),
  ],
  // Which workflow, which subscriber
  [
    "D-16",
    "a slug is unknown",
    onBody((body) => (/_wf_/.test(body.workflowId) ? { ...body, workflowId: "nope" } : body)),
  ],
  [
    "D-16",
    "an _id is unknown",
    onBody((body) => (/^[0-9a-f]{24}$/i.test(body.workflowId) ? { ...body, workflowId: "nope" } : body)),
  ],
  [
    "D-16",
    "an _id in capitals is unknown",
    onBody((body) => (/^(?=.*[A-F])[0-9A-F]{24}$/.test(body.workflowId) ? { ...body, workflowId: "nope" } : body)),
  ],
  [
    "D-16",
    "a slug from before a renaming is unknown",
    onBody((body) => (/^old-name_wf_/.test(body.workflowId) ? { ...body, workflowId: "nope" } : body)),
  ],
  [
    "D-16",
    "identifiers match in any case",
    onBody((body) =>
      typeof body.workflowId === "string"
        ? {
            ...body,
            workflowId: /_wf_|^[0-9a-f]{24}$/i.test(body.workflowId) ? body.workflowId : body.workflowId.toLowerCase(),
          }
        : body,
    ),
  ],
  [
    "D-16",
    "white space around an identifier is cut off",
    onBody((body) => (typeof body.workflowId === "string" ? { ...body, workflowId: body.workflowId.trim() } : body)),
  ],
  [
    "D-18",
    "an unknown workflow means the global level",
    onBody(({ workflowId, ...body }) =>
      /no-such/.test(workflowId) ? body : { ...body, ...(workflowId === undefined ? {} : { workflowId }) },
    ),
  ],
  ["D-18", "an unknown workflow is 400", withStatus(404, 400, isUpdate)],
  [
    "D-18",
    "ctx does not say which workflow was looked for",
    onError(404, ({ body }) => {
      delete body.ctx.workflowId;
    }),
  ],
  [
    "D-19",
    "an unknown subscriber gets the response of another",
    onRequest((request) => ({ path: request.path.replace(/nobody[^/]*/, "10482") })),
  ],
  [
    "D-19",
    "an unknown subscriber is created by a request",
    async (request, { forward, memory }) => {
      const response = await forward(request);
      if (!isUpdate(request) || response.status !== 404) return response;
      if (memory.has(request.path)) return forward({ ...request, path: "/v2/subscribers/10482/preferences" });
      memory.set(request.path, true);
      return response;
    },
  ],
  [
    "D-19",
    "subscriberIds match in any case",
    onRequest((request) => ({ path: request.path.replace(/INES-MOREAU/, "ines-moreau") })),
  ],
  [
    "D-19",
    "a subscriber is found by its internal _id",
    onRequest((request, { seed }) => ({
      path: request.path.replace(/[0-9a-f]{24}/, (id) =>
        encodeURIComponent(seed.subscribers.find(({ _id }) => _id === id)?.subscriberId ?? id),
      ),
    })),
  ],
  [
    "D-69",
    "a subscriberId with a slash is not found",
    onRequest((request) => ({ path: request.path.replace("crew%2Fnight", "crew%252Fnight") })),
  ],
  [
    "D-69",
    "a subscriberId with an @ is not found",
    onRequest((request) => ({ path: request.path.replace("%40", "%2540") })),
  ],
  // What the response shows
  [
    "D-09",
    "enabled says whether a channel is on",
    onUpdated(({ global }) => {
      global.enabled = Object.values(global.channels).some(Boolean);
    }),
  ],
  [
    "D-09",
    "a workflow's enabled is false once it was updated",
    onUpdated((preferences, body) => {
      if (body?.workflowId && entry(preferences)) entry(preferences).enabled = false;
    }),
  ],
  [
    "D-06",
    "an override is missing",
    onUpdated(({ workflows }) => {
      workflows[0].overrides.pop();
    }),
  ],
  [
    "D-06",
    "the source is template",
    onUpdated(({ workflows }) => {
      workflows[1].overrides[0].source = "template";
    }),
  ],
  [
    "D-06",
    "overrides in the order of the channels",
    onUpdated(({ workflows }) => {
      for (const { overrides } of workflows) overrides.reverse();
    }),
  ],
  [
    "D-07",
    "global lists only what some workflow lists",
    onUpdated(({ global }) => {
      delete global.channels.sms;
    }),
  ],
  [
    "D-08",
    "channels in the order of the alphabet",
    onUpdated(({ workflows }) => {
      for (const one of workflows) one.channels = Object.fromEntries(Object.entries(one.channels).toSorted().reverse());
    }),
  ],
  [
    "D-08",
    "a workflow lists all channels",
    onUpdated(({ workflows, global }) => {
      for (const one of workflows) one.channels = { ...global.channels, ...one.channels };
    }),
  ],
  [
    "D-10",
    "newest workflow first",
    onUpdated(({ workflows }) => {
      workflows.reverse();
    }),
  ],
  [
    "D-10",
    "the workflow that was updated comes first",
    onUpdated((preferences, body) => {
      if (body?.workflowId)
        preferences.workflows.sort(
          (a: Json, b: Json) =>
            Number(b.workflow.identifier === body.workflowId) - Number(a.workflow.identifier === body.workflowId),
        );
    }),
    "updatePreferences",
  ],
  [
    "D-10",
    "only the workflow that was updated is listed",
    onUpdated((preferences, body) => {
      if (body?.workflowId)
        preferences.workflows = preferences.workflows.filter(
          ({ workflow }: Json) => workflow.identifier === body.workflowId,
        );
    }),
    "updatePreferences",
  ],
  [
    "D-05",
    "updatedAt says when the preference changed",
    onUpdated((preferences, body) => {
      if (body?.workflowId && entry(preferences)) entry(preferences).workflow.updatedAt = new Date().toISOString();
    }),
    "updatePreferences",
  ],
  [
    "D-22",
    "a slug without the _id",
    onUpdated(({ workflows }) => {
      for (const { workflow } of workflows) workflow.slug = workflow.identifier;
    }),
  ],
  [
    "§2.2",
    "the workflow's name is missing",
    onUpdated(({ workflows }) => {
      delete workflows[0].workflow.name;
    }),
  ],
  [
    "§2.2",
    "workflows are wrapped in data",
    onUpdated((preferences) => {
      preferences.data = preferences.workflows;
      delete preferences.workflows;
    }),
  ],
  [
    "§2.2",
    "a member beside global and workflows",
    onUpdated((preferences) => {
      preferences.schedule = {};
    }),
  ],
  ["§4.1", "success is 201", withStatus(200, 201, isUpdate)],
];

function pick(value: Record<string, unknown>, names: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));
}

function replaceIn(body: Json, replace: (value: unknown) => unknown): Json {
  return isObject(body.channels)
    ? {
        ...body,
        channels: Object.fromEntries(Object.entries(body.channels).map(([name, value]) => [name, replace(value)])),
      }
    : body;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A body that the contract lets through. */
function isPlain(body: Json): boolean {
  return (
    isObject(body) &&
    isObject(body.channels) &&
    Object.entries(body.channels).every(([name, value]) => CHANNELS.includes(name) && typeof value === "boolean")
  );
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}
