// Servers that read unusual input wrongly, or lose what happens at the same time, each in one way. Their responses keep the
// contract's shapes, so that only a law can detect them.
import type { Mutation, Request, Response } from "./mutable-server.js";
import type { Mutant } from "./mutant.js";
import {
  isList,
  isUpdate,
  onBody,
  onError,
  onHeaders,
  onParameter,
  onQuery,
  onRecords,
  onRequest,
  onUpdated,
  readJson,
  readPairs,
} from "./mutate.js";

/** An internal error in the contract's shape. */
function toError({ path, query }: Request, status = 500): Response {
  const url = query === "" ? path : `${path}?${query}`;
  const headers = { "content-type": "application/json; charset=utf-8", "x-request-id": crypto.randomUUID() };
  const shown = { statusCode: status, timestamp: new Date().toISOString(), path: url, message: "error" };
  return { status, headers, body: { ...shown, ctx: { decision: "D-55" }, errorId: "e-1" } };
}

const failing =
  (isMeant: (request: Request) => boolean, status = 500): Mutation =>
  async (request, { forward }) =>
    isMeant(request) ? toError(request, status) : forward(request);

const parameterOf = ({ query }: Request, name: string) => readPairs(query)?.find(([own]) => own === name)?.[1] ?? "";
const keyOf = ({ headers }: Request) => headers["idempotency-key"] ?? "";

/** Another idempotency key, while the response repeats the one that was sent. */
const withReplayKey =
  (change: (key: string) => string): Mutation =>
  async (request, { forward }) => {
    if (!keyOf(request)) return forward(request);
    const headers = { ...request.headers, "idempotency-key": change(keyOf(request)) };
    const response = await forward({ ...request, headers });
    if (response.headers["idempotency-key"]) response.headers["idempotency-key"] = keyOf(request);
    return response;
  };

/** Updates that change nothing while others are under way. */
const losing =
  (isLost: (underWay: Request[], request: Request) => boolean): Mutation =>
  async (request, { forward, memory }) => {
    if (!isUpdate(request)) return forward(request);
    const underWay = (memory.get("under way") ?? []) as Request[];
    memory.set("under way", underWay);
    const body = readJson(request.body);
    const isMeant = Object.keys(body?.channels ?? {}).length > 0 && isLost(underWay, request);
    underWay.push(request);
    const response = await forward(isMeant ? { ...request, body: JSON.stringify({ ...body, channels: {} }) } : request);
    underWay.splice(underWay.indexOf(request), 1);
    if (isMeant && response.body?.global && body.workflowId === undefined)
      Object.assign(response.body.global.channels, body.channels);
    return response;
  };
const workflowOf = ({ body }: Request) => readJson(body)?.workflowId;

export const INPUT_MUTANTS: Mutant[] = [
  ...["page", "limit"].map(
    (name): Mutant => [
      "D-29",
      `${name} is read as JavaScript reads numbers`,
      onParameter(name, (value) =>
        value.trim() !== "" && Number.isInteger(Number(value)) ? String(Number(value)) : value,
      ),
      `query.${name} › only decimal digits`,
    ],
  ),
  [
    "D-29",
    "a page of 32 bits or more is 500",
    failing((request) => isList(request) && Number(parameterOf(request, "page")) >= 2 ** 31),
    "however large, it is a page",
  ],
  [
    "D-29",
    "a limit that no number can hold is the largest",
    onParameter("limit", (value) => (Number(value) > Number.MAX_SAFE_INTEGER ? "50" : value)),
    "over the maximum",
  ],
  [
    "D-27",
    "an empty topicKey matches nothing",
    onQuery((pairs) => pairs.map(([name, value]) => [name, name === "topicKey" && value === "" ? "none" : value])),
    "means the same as none",
  ],
  [
    "D-27",
    "an empty item of a list matches nothing",
    onQuery((pairs) =>
      pairs.length > 1 && pairs.some(([name, value]) => name === "subscriberIds" && value === "")
        ? [["subscriberIds", "nobody"]]
        : pairs,
    ),
    "in a list is no item",
  ],
  [
    "D-26",
    "of two searches the last counts",
    onQuery((pairs) =>
      pairs.filter(
        ([name], index) => name !== "search" || !pairs.slice(index + 1).some(([other]) => other === "search"),
      ),
    ),
    "that is no list",
  ],
  [
    "D-26",
    "an index in brackets is read",
    onQuery((pairs) => pairs.map(([name, value]) => [name.replace("[0]", ""), value])),
    "brackets ›",
  ],
  ...[
    ["search", "D-34"],
    ["transactionId", "D-37"],
    ["topicKey", "D-38"],
    ["emails", "D-32"],
    ["subscriberIds", "D-33"],
  ].map(
    ([name = "", cite = ""]): Mutant => [
      cite,
      `NUL in ${name} is 500`,
      failing((request) => isList(request) && new RegExp(`${name}=[^&]*%00`).test(request.query)),
      `${name} › any text`,
    ],
  ),
  [
    "D-19",
    "a subscriberId of 256 characters is 500",
    failing((request) => isUpdate(request) && request.path.length > 275),
    "any text that is no subscriber's",
  ],
  [
    "D-69",
    "paths are decoded twice",
    onRequest((request) => (isUpdate(request) ? { path: request.path.replaceAll("%25", "%") } : {})),
    "is decoded once",
  ],
  [
    "D-19",
    "blanks around a subscriberId are cut off",
    onRequest((request) => (isUpdate(request) ? { path: request.path.replaceAll("%20/", "/") } : {})),
    "is decoded once",
  ],
  [
    "D-19",
    "a subscriber is found by its email",
    onRequest((request, { seed }) => ({
      path: request.path.replace(
        /[^/]*%40[^/]*/,
        (text) => seed.subscribers.find(({ email }) => email === decodeURIComponent(text))?.subscriberId ?? text,
      ),
    })),
    "or its email",
  ],
  [
    "D-16",
    "a workflow is found by its name",
    onBody((body) => (body.workflowId === "Comment Mention" ? { ...body, workflowId: "comment-mention" } : body)),
    "any text that is no workflow's",
  ],
  [
    "D-03",
    "names that every object has are ignored",
    onBody((body) => ({
      ...body,
      channels: Object.fromEntries(
        Object.entries(body.channels).filter(([name]) => name === "__proto__" || !(name in {})),
      ),
    })),
    "a member with any other name",
  ],
  [
    "D-18",
    "an error names the end of a slug, not the slug",
    onError(404, ({ body }, request) => {
      if (body.ctx?.workflowId) body.ctx.workflowId = workflowOf(request)?.split("_wf_").at(-1);
    }),
    "names the workflow as it was sent",
  ],
  [
    "D-02",
    "of global updates at the same time one survives",
    losing((underWay, request) => workflowOf(request) === undefined && underWay.length > 0),
    "each channel of one subscriber",
  ],
  [
    "D-02",
    "of updates of a workflow at the same time one survives",
    losing((underWay, request) => workflowOf(request) !== undefined && underWay.length > 0),
    "each channel of each workflow",
  ],
  ["D-02", "of many updates at the same time some are lost", losing((underWay) => underWay.length > 15), "20 at once"],
  [
    "D-02",
    "an update among empty ones is lost",
    losing((underWay) => underWay.filter(({ body }) => body === '{"channels":{}}').length > 5),
    "20 empty ones",
  ],
  [
    "§4.1",
    "updates of two subscribers at the same time change one",
    async (request, { forward, memory }) => {
      if (!isUpdate(request)) return forward(request);
      const underWay = (memory.get("paths") ?? []) as string[];
      memory.set("paths", underWay);
      underWay.push(request.path);
      const response = await forward({ ...request, path: underWay[0] ?? request.path });
      underWay.pop();
      return response;
    },
    "two subscribers at once",
  ],
  [
    "D-60",
    "a response is stored for a second",
    async (request, { forward, memory }) => {
      const key = keyOf(request);
      if (!key) return forward(request);
      const at = (memory.get(key) as number | undefined) ?? Date.now();
      memory.set(key, at);
      const own = Date.now() - at > 1000 ? `${key}-later` : key;
      const response = await forward({ ...request, headers: { ...request.headers, "idempotency-key": own } });
      if (response.headers["idempotency-key"]) response.headers["idempotency-key"] = key;
      return response;
    },
    "after a second",
  ],
  ["D-58", "idempotency keys match in any case", withReplayKey((key) => key.toLowerCase()), "compared in full"],
  ["D-58", "idempotency keys are cut at 200 characters", withReplayKey((key) => key.slice(0, 200)), "compared in full"],
  [
    "D-62",
    "of a repeated idempotency-key the first counts",
    withReplayKey((key) => key.split(", ")[0] ?? key),
    "a repeated header",
  ],
  [
    "§4",
    "a quote in an idempotency key is 500",
    failing((request) => keyOf(request) === '"'),
    "any text that a header",
  ],
  [
    "§4.1",
    "a slash at the end of a path is ignored",
    onRequest(({ path }) => ({ path: path.replace(/\/$/, "") })),
    "nearly the contract's",
  ],
  [
    "D-68",
    "Accept: application/xml is 500",
    failing(({ headers }) => headers.accept === "application/xml"),
    "Accept does not",
  ],
  [
    "D-48",
    "the timestamp of errors is that of the first",
    async (request, { forward, memory }) => {
      const response = await forward(request);
      if (response.status === 422) response.body.timestamp = memory.get("time") ?? response.body.timestamp;
      if (response.status === 422) memory.set("time", response.body.timestamp);
      return response;
    },
    "the timestamp of an error",
  ],
  ...["after", "before"].map(
    (name): Mutant => [
      "D-39",
      `a leap second in ${name} is rejected`,
      onParameter(name, (value) => (value.includes(":60") ? "no" : value)),
      `${name} › at the edges`,
    ],
  ),
  [
    "§4.2",
    "a record of the future is listed",
    onRecords((record, index) => {
      if (index === 0) record.createdAt = new Date(Date.now() + 3_600_000).toISOString();
    }),
    "a record of the future",
  ],
  ...["billing-receipt", "password-reset"].map(
    (identifier): Mutant => [
      "D-20",
      `${identifier} is listed`,
      onUpdated(({ workflows }) => {
        workflows.push({ ...workflows[0], workflow: { ...workflows[0].workflow, identifier } });
      }),
      identifier === "password-reset" ? "a critical workflow › 400" : "unlisted workflows accept",
    ],
  ),
  [
    "D-08",
    "a channel without an active step is listed",
    onUpdated(({ workflows }) => {
      const entry = workflows.find(
        ({ workflow }: { workflow: { identifier: string } }) => workflow.identifier === "comment-mention",
      );
      if (!entry) return;
      entry.channels = { email: entry.channels.email, sms: true, ...entry.channels };
      entry.overrides.splice(1, 0, { channel: "sms", source: "subscriber" });
    }),
    "channels of its active steps",
  ],
  [
    "§5.1",
    "the beginning of a key opens",
    onHeaders((headers, _request, { apiKey }) => {
      const [, sent = ""] = /^ApiKey (.+)$/.exec(headers.authorization ?? "") ?? [];
      return sent.length > 5 && apiKey.startsWith(sent) ? { ...headers, authorization: `ApiKey ${apiKey}` } : headers;
    }),
    "the key without its end",
  ],
  [
    "§4.1",
    "a chunked body is empty",
    onRequest(({ headers }) => (headers["transfer-encoding"] ? { body: "" } : {})),
    "framing ›",
  ],
  [
    "D-50",
    "bytes that are not UTF-8 are replaced",
    onRequest(({ body }) => (body.includes("\ufffd") ? { bytes: Buffer.from(body) } : {})),
    "UTF-8 ›",
  ],
  [
    "D-53",
    "+json is JSON",
    onHeaders((headers) => ({
      ...headers,
      ...(headers["content-type"]?.endsWith("+json") ? { "content-type": "application/json" } : {}),
    })),
    "media type ›",
  ],
  ["D-49", "a deep body is 500", failing(({ body }) => body.split('{"a":').length > 50), "depth ›"],
];
