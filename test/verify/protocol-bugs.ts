// Bugs around an operation: keys, methods, the form of errors, recorded responses. Those that no front-end's traffic shows say so.
import type { IncomingMessage } from "node:http";
import { type Backend, Rejection, type Reply } from "./backend.js";
import { MAIN_KEY, OTHER_KEY } from "./backend-data.js";
import { around, type Bug, CRAFTED, inErrors, type Json, type Plant, type Row, toBugs } from "./plant.js";

type Headers = Record<string, string>;

const KEY = "idempotency-key";
const REPLAY = "idempotency-replay";
const GENUINE = `ApiKey ${MAIN_KEY}`;

/** Reads another key from the headers: undefined leaves it as it is. */
const readKey = (read: (headers: Headers) => string | undefined): Plant =>
  around(
    "authenticate",
    (original) => (headers) =>
      original({ ...headers, authorization: read(headers as Headers) ?? headers.authorization }),
  );
const letIn = (isMeant: (headers: Headers) => boolean) =>
  readKey((headers) => (isMeant(headers) ? GENUINE : undefined));

/** Another request in the place of the one that was sent. Errors name the path that was sent. */
const rewrite = (change: (request: IncomingMessage) => Partial<IncomingMessage> | undefined): Plant =>
  around("respond", (original) => (request) => {
    const { url } = request;
    return original(Object.assign(request, change(request))).finally(() => Object.assign(request, { url }));
  });

/** Changes a response, or what stands for one. */
const onReply = (change: (reply: Reply, request: IncomingMessage, backend: Backend) => Reply): Plant =>
  around("respond", (original, backend) => async (request) => {
    const reply = await original(request).catch((error): Reply => {
      if (error instanceof Rejection) return [error.status, error.body, error.headers];
      throw error;
    });
    const [status, body, headers = {}] = change(reply, request, backend);
    if (status >= 400) throw new Rejection(status, body, headers);
    return [status, body, headers];
  });
const onHeaders = (change: (headers: Headers, request: IncomingMessage, status: number) => Headers): Plant =>
  onReply(([status, body, headers = {}], request) => [status, body, change(headers, request, status)]);
const without = (name: string): Plant => onHeaders(({ [name]: _removed, ...headers }) => headers);
const withStatus = (from: number, to: number, isMeant: (request: IncomingMessage) => boolean = () => true): Plant =>
  onReply((reply, request) => (reply[0] === from && isMeant(request) ? [to, reply[1], reply[2] ?? {}] : reply));

/** Without a key, what a request with the key would be rejected with is reported first. */
const beforeKey = (status: number): Plant =>
  around("respond", (original) => async (request) => {
    if (request.headers.authorization !== undefined) return original(request);
    const { headers } = request;
    const open = Object.assign(request, { headers: { ...headers, authorization: GENUINE } });
    const error = await original(open).catch((reason) => reason);
    Object.assign(request, { headers });
    if (error instanceof Rejection && error.status === status) throw error;
    return original(request);
  });

const isHead = ({ method }: IncomingMessage) => method === "HEAD";
const isPreferences = ({ url = "" }: IncomingMessage) => url.endsWith("/preferences");

const KEYS: Row[] = [
  ["a request without a key is let in", letIn(({ authorization }) => authorization === undefined)],
  [
    "an unknown key opens the first environment",
    letIn(({ authorization }) => /^ApiKey [0-9a-f]{8}-/.test(authorization ?? "")),
  ],
  ["Bearer is a scheme", readKey(({ authorization }) => authorization?.replace(/^Bearer /, "ApiKey "))],
  ["Basic is let in", letIn(({ authorization }) => /^Basic/.test(authorization ?? ""))],
  ["the key needs no scheme", letIn(({ authorization }) => authorization === MAIN_KEY)],
  ["the scheme is read in any case", readKey(({ authorization }) => authorization?.replace(/^apikey /i, "ApiKey "))],
  ["the scheme needs no blank", letIn(({ authorization }) => authorization === `ApiKey${MAIN_KEY}`)],
  [
    "the key is read from the query",
    rewrite(({ url = "", headers }) =>
      url.includes(encodeURIComponent(GENUINE))
        ? { url: url.replace(/\?.*/, ""), headers: { ...headers, authorization: GENUINE } }
        : undefined,
    ),
  ],
  ["the key is read from x-api-key", letIn((headers) => headers["x-api-key"] !== undefined)],
  ["the key is read from a cookie", letIn(({ cookie }) => cookie !== undefined)],
  ["no key is 403", withStatus(401, 403)],
  ["401 has no WWW-Authenticate", without("www-authenticate")],
  [
    "WWW-Authenticate names Bearer",
    onHeaders((headers, _request, status) => (status === 401 ? { "www-authenticate": "Bearer" } : headers)),
  ],
  ["a bad query is reported before the missing key", beforeKey(422)],
  ["a wrong method is reported before the missing key", beforeKey(405)],
  [
    "two keys open one environment",
    around("findEnvironment", (original) => (key) => original(key === OTHER_KEY ? MAIN_KEY : key)),
  ],
  [
    "an update changes the environment of another key too",
    around("update", (original, { environments }) => async (environment, id, body) => {
      const response = await original(environment, id, body);
      for (const other of environments.values())
        if (other !== environment) await original(other, id, body).catch(() => undefined);
      return response;
    }),
  ],
];

const METHODS: Row[] = [
  ["a wrong method is 404", withStatus(405, 404)],
  ["405 has no Allow", without("allow")],
  [
    "Allow forgets HEAD",
    onHeaders(({ allow, ...rest }) => (allow ? { ...rest, allow: allow.replace("HEAD, ", "") } : rest)),
  ],
  [
    "Allow has a method too many",
    onHeaders(({ allow, ...rest }) => (allow ? { ...rest, allow: `${allow}, PUT` } : rest)),
  ],
  [
    "POST updates too",
    rewrite((request) => (isPreferences(request) ? withMethod(request, "POST", "PATCH") : undefined)),
  ],
  ["POST lists too", rewrite((request) => (isPreferences(request) ? undefined : withMethod(request, "POST", "GET")))],
  ["HEAD is always 200", onReply((reply, request) => (isHead(request) && reply[0] === 422 ? [200, {}] : reply))],
  [
    "HEAD has another media type",
    around(
      "contentType",
      (original) => (status, request) => (isHead(request) ? "text/html" : original(status, request)),
    ),
  ],
  [
    "preferences stand under /v1 too",
    around("matchUpdatePath", (original) => (path) => original(path.replace("/v1/", "/v2/"))),
  ],
  [
    "notifications stand under /v2 too",
    around("isListPath", (original) => (path) => original(path.replace("/v2/", "/v1/"))),
  ],
  ["an unknown path is 400", withStatus(404, 400, ({ url }) => url?.includes("nothing-here") === true)],
  [
    "an unknown subscriber is reported before a body outside the contract",
    around("replayOrUpdate", (original, backend) => async (environment, id, ...rest) => {
      if (!backend.findPerson(environment, id)) throw new Rejection(404, { ctx: { subscriberId: id } });
      return original(environment, id, ...rest);
    }),
  ],
  [
    "an inverted range is reported before the plan",
    around("checkDates", (original, backend) => (query) => {
      const [after, before] = [backend.bound(query, "after"), backend.bound(query, "before")];
      if (after !== undefined && before !== undefined && after > before) throw new Rejection(400);
      original(query);
    }),
  ],
  [
    "dates outside the plan are reported before a bad query",
    around("checkQuery", (original, backend) => (query) => {
      backend.checkDates(query);
      return original(query);
    }),
  ],
];

function withMethod({ method, headers }: IncomingMessage, from: string, to: string): Partial<IncomingMessage> {
  return method === from ? { method: to, headers: { ...headers, "content-type": "application/json" } } : {};
}

const ERRORS: Row[] = [
  ...["text/plain", "application/problem+json; charset=utf-8"].map(
    (type): Row => [
      `errors are ${type}`,
      around("contentType", (original) => (status, request) => (status >= 400 ? type : original(status, request))),
    ],
  ),
  ...["statusCode", "timestamp", "message"].map(
    (name): Row => [`errors have no ${name}`, inErrors(({ [name]: _removed, ...error }) => error)],
  ),
  ["errors have another statusCode", inErrors((error) => ({ ...error, statusCode: 499 }))],
  ["errors show where they were thrown", inErrors((error) => ({ ...error, stack: "at respond (app.ts:1)" }))],
  ["an error is 200", withStatus(422, 200)],
  [
    "every hundredth response is 500",
    onReply((reply, _request, backend) => (isHundredth(backend) ? [500, {}] : reply)),
  ],
  [
    "every hundredth connection is cut",
    around(
      "handle",
      (original, backend) => async (request, response) =>
        isHundredth(backend) ? void request.socket.destroy() : original(request, response),
    ),
    "a connection that fails is no response",
  ],
];

function isHundredth({ memory }: Backend): boolean {
  memory.count = (memory.count ?? 0) + 1;
  return memory.count % 100 === 0;
}

/** Rejects a key by its length, or accepts it. */
const keyLength = (isWrong: (length: number) => boolean): Plant =>
  around("checkUpdate", (original) => (body, headers, query) => {
    const { [`header.${KEY}`]: _removed, ...errors } = original(body, headers, query);
    const isRejected = isWrong(String(headers[KEY] ?? "").length);
    return isRejected ? { ...errors, [`header.${KEY}`]: { messages: ["is too long"] } } : errors;
  });

const REPLAYS: Row[] = [
  [
    "the idempotency key is ignored",
    around(
      "replayOrUpdate",
      (original) =>
        (environment, id, body, { [KEY]: _key, ...headers }, query) =>
          original(environment, id, body, headers, query),
    ),
  ],
  ["a replay is not marked", without(REPLAY)],
  [
    "every response with a key is marked as a replay",
    onHeaders((headers) => (headers[KEY] ? { ...headers, [REPLAY]: "true" } : headers)),
  ],
  ["the key is not repeated", without(KEY)],
  ["Idempotency-Replay is 1", onHeaders((headers) => (headers[REPLAY] ? { ...headers, [REPLAY]: "1" } : headers))],
  [
    "rejections are not recorded",
    around("findReplay", (original) => (environment, key) => {
      const replay = original(environment, key);
      return replay?.response?.[0] === 404 ? undefined : replay;
    }),
  ],
  [
    "422 of the contract is recorded",
    around("checkUpdate", (original, { memory }) => (body, headers, query) => {
      const errors = memory[String(headers[KEY])] ?? original(body, headers, query);
      if (headers[KEY] && Object.keys(errors).some((name) => name.startsWith("body")))
        memory[String(headers[KEY])] = errors;
      return errors;
    }),
    CRAFTED,
  ],
  [
    "white space is part of the fingerprint",
    (backend) => {
      around("parseJson", (original) => (bytes) => {
        backend.memory.text = bytes.toString();
        return original(bytes);
      })(backend);
      around("toPrint", () => (id) => id + backend.memory.text)(backend);
    },
    CRAFTED,
  ],
  [
    "a reused key is 409",
    onReply((reply) => (isReused(reply) ? [409, reply[1], { ...reply[2], "retry-after": "1" }] : reply)),
  ],
  ["a key of 256 characters is accepted", keyLength((length) => length > 256), CRAFTED],
  ["a key of 255 characters is rejected", keyLength((length) => length > 254), CRAFTED],
  [
    "an empty key is a key",
    around("toReplayKey", () => (header) => (header === undefined ? undefined : String(header))),
    CRAFTED,
  ],
  [
    "the list repeats the key",
    onHeaders((headers, request) =>
      request.headers[KEY] ? { ...headers, [KEY]: String(request.headers[KEY]) } : headers,
    ),
    CRAFTED,
  ],
  [
    "the list is replayed",
    onReply((reply, { method, headers }, { memory }) => {
      const key = String(headers[KEY] ?? "");
      if (key === "" || method !== "GET") return reply;
      memory[key] ??= reply;
      return memory[key];
    }),
    CRAFTED,
  ],
  [
    "two environments share their keys",
    around(
      "findReplay",
      (_original, { environments }) =>
        (_environment, key) =>
          [...environments.values()].map(({ replays }) => replays.get(key)).find(Boolean),
    ),
    CRAFTED,
  ],
  ["409 has no Retry-After", without("retry-after")],
  ["several at once are 423", withStatus(409, 423)],
];

const isReused = ([status, body]: Reply) => status === 422 && `header.${KEY}` in ((body as Json).errors ?? {});

export const PROTOCOL: Bug[] = [
  ...toBugs("keys", KEYS, CRAFTED),
  ...toBugs("http", METHODS, CRAFTED),
  ...toBugs("errors", ERRORS),
  ...toBugs("replays", REPLAYS),
];
