// Servers that read keys, methods, idempotency keys and Prefer wrongly, or send a malformed response, each in one way.

import type { Mutation, Response } from "./mutable-server.js";
import type { Mutant } from "./mutant.js";
import { isList, isUpdate, onError, onHeaders, onRequest, onResponse, readJson, withStatus } from "./mutate.js";

const withKey = (isMeant: (headers: Record<string, string>, query: string, apiKey: string) => boolean): Mutation =>
  onHeaders((headers, { query }, { apiKey }) =>
    isMeant(headers, query, apiKey) ? { ...headers, authorization: `ApiKey ${apiKey}` } : headers,
  );
const sent = ({ authorization = "" }: Record<string, string>) => authorization;
const isError = ({ status }: Response) => status >= 400;
const eachError = (change: (body: Record<string, unknown>) => void): Mutation =>
  onResponse((response) => {
    if (isError(response) && response.body) change(response.body);
  });
const noKey = ({ authorization }: Record<string, string>) => authorization === undefined;

const KEYS: Mutant[] = [
  ["§5.1", "a request without a key is let in", withKey(noKey)],
  ["§5.1", "an unknown key is let in", withKey((headers) => sent(headers).startsWith("ApiKey not-"))],
  [
    "§5.1",
    "keys are compared by their beginning",
    withKey((headers, _query, key) => sent(headers) === `ApiKey ${key}x`),
  ],
  [
    "§5.1",
    "keys are compared in any case",
    withKey(
      (headers, _query, key) =>
        sent(headers).toLowerCase() === `apikey ${key}`.toLowerCase() && sent(headers).startsWith("ApiKey "),
    ),
  ],
  ["§5.2", "Bearer is accepted", withKey((headers) => sent(headers).startsWith("Bearer"))],
  ["§5.2", "Basic is accepted", withKey((headers) => sent(headers).startsWith("Basic"))],
  ["§5.2", "the key alone is accepted", withKey((headers, _query, key) => sent(headers) === key)],
  ["§5.2", "the scheme is read in any case", withKey((headers) => sent(headers).startsWith("apikey"))],
  ["§5.2", "the blank may be left out", withKey((headers, _query, key) => sent(headers) === `ApiKey${key}`)],
  [
    "§5.3",
    "the key is read from the query",
    async (request, around) => {
      const isMeant = request.query.includes(`ApiKey%20${around.apiKey}`);
      return around.forward(
        isMeant
          ? { ...request, query: "", headers: { ...request.headers, authorization: `ApiKey ${around.apiKey}` } }
          : request,
      );
    },
  ],
  ["§5.3", "the key is read from x-api-key", withKey((headers) => headers["x-api-key"] !== undefined)],
  ["§5.3", "the key is read from a cookie", withKey((headers) => headers.cookie !== undefined)],
  ["D-45", "no key is 403", withStatus(401, 403)],
  [
    "D-45",
    "no WWW-Authenticate",
    onError(401, ({ headers }) => {
      delete headers["www-authenticate"];
    }),
  ],
  [
    "D-45",
    "WWW-Authenticate names Bearer",
    onError(401, ({ headers }) => {
      headers["www-authenticate"] = "Bearer";
    }),
  ],
  [
    "D-45",
    "401 repeats what was sent",
    onError(401, ({ body }, { headers }) => {
      body.message = `Not a key: ${headers.authorization}`;
    }),
  ],
  [
    "D-47",
    "a bad query has precedence over the missing key",
    async (request, { forward, apiKey }) => {
      const open = await forward({ ...request, headers: { ...request.headers, authorization: `ApiKey ${apiKey}` } });
      return noKey(request.headers) && open.status === 422 ? open : forward(request);
    },
  ],
  [
    "D-47",
    "a wrong method has precedence over the missing key",
    async (request, { forward, apiKey }) => {
      const open = await forward({ ...request, headers: { ...request.headers, authorization: `ApiKey ${apiKey}` } });
      return noKey(request.headers) && open.status === 405 ? open : forward(request);
    },
  ],
  [
    "D-46",
    "two keys open one environment",
    onHeaders((headers, _request, { apiKey, otherApiKey }) =>
      sent(headers) === `ApiKey ${otherApiKey}` ? { ...headers, authorization: `ApiKey ${apiKey}` } : headers,
    ),
  ],
  [
    "D-46",
    "an update changes the environment of another key too",
    async (request, { forward, apiKey, otherApiKey }) => {
      const response = await forward(request);
      if (isUpdate(request) && response.status === 200 && sent(request.headers) === `ApiKey ${apiKey}`) {
        const { "idempotency-key": _key, ...headers } = request.headers;
        await forward({ ...request, headers: { ...headers, authorization: `ApiKey ${otherApiKey}` } });
      }
      return response;
    },
    "keys ›",
  ],
];

const METHODS: Mutant[] = [
  ["D-51", "a wrong method is 404", withStatus(405, 404)],
  [
    "D-51",
    "no Allow",
    onError(405, ({ headers }) => {
      delete headers.allow;
    }),
  ],
  [
    "D-51",
    "Allow forgets HEAD",
    onError(405, ({ headers }) => {
      headers.allow = String(headers.allow).replace("HEAD, ", "");
    }),
  ],
  [
    "D-51",
    "Allow names a method too many",
    onError(405, ({ headers }) => {
      headers.allow = `${headers.allow}, PUT`;
    }),
  ],
  [
    "§4.1",
    "POST updates too",
    onRequest((request) =>
      request.method === "POST" && request.path.endsWith("/preferences")
        ? {
            method: "PATCH",
            body: '{"channels":{}}',
            headers: { ...request.headers, "content-type": "application/json" },
          }
        : {},
    ),
    "method",
  ],
  [
    "§4.2",
    "POST lists too",
    onRequest((request) => (request.method === "POST" && isList(request) ? { method: "GET" } : {})),
    "method",
  ],
  ["D-65", "HEAD is 405", withStatus(200, 405, ({ method }) => method === "HEAD")],
  ["D-65", "HEAD is always 200", withStatus(422, 200, ({ method }) => method === "HEAD")],
  [
    "D-65",
    "HEAD has another media type",
    onResponse((response, { method }) => {
      if (method === "HEAD") response.headers["content-type"] = "text/html";
    }),
  ],
  [
    "§9.1",
    "preferences under /v1 too",
    onRequest((request) => ({ path: request.path.replace("/v1/subscribers/x/", "/v2/subscribers/10482/") })),
  ],
  [
    "§9.2",
    "notifications under /v2 too",
    onRequest((request) => ({ path: request.path.replace("/v2/notifications", "/v1/notifications") })),
  ],
  ["§4", "an unknown path is 400", withStatus(404, 400, ({ path }) => path.includes("nothing-here")), "HTTP ›"],
  [
    "D-47",
    "an unknown subscriber has precedence over a body outside the contract",
    async (request, { forward }) => {
      const valid = await forward({ ...request, body: '{"channels":{}}' });
      return isUpdate(request) && valid.status === 404 && readJson(request.body) ? valid : forward(request);
    },
  ],
  [
    "D-47",
    "an unknown subscriber has precedence over an unknown workflow",
    async (request, { forward }) => {
      const plain = isUpdate(request) ? await forward({ ...request, body: '{"channels":{}}' }) : undefined;
      return plain?.status === 404 ? plain : forward(request);
    },
  ],
  [
    "D-47",
    "an inverted range has precedence over the plan",
    async (request, { forward }) =>
      request.query.includes("after=1990-01-02") && request.query.includes("before=1990-01-01")
        ? forward({ ...request, query: "after=2026-01-02T00:00:00Z&before=2026-01-01T00:00:00Z" })
        : forward(request),
  ],
  [
    "D-47",
    "dates outside the plan have precedence over a bad query",
    onRequest(({ query }) => (/1990.*limit=0/.test(query) ? { query: query.replace("&limit=0", "") } : {})),
  ],
];

const FORM: Mutant[] = [
  [
    "§1.1",
    "errors are text",
    onResponse((response) => {
      if (isError(response)) response.headers["content-type"] = "text/plain";
    }),
    "§4.2",
  ],
  [
    "D-68",
    "no charset",
    onResponse(({ headers }) => {
      headers["content-type"] = "application/json";
    }),
    "§4.2",
  ],
  [
    "D-68",
    "problem+json for errors",
    onResponse((response) => {
      if (isError(response)) response.headers["content-type"] = "application/problem+json";
    }),
    "§4.2",
  ],
  [
    "D-48",
    "no statusCode in errors",
    eachError((body) => {
      delete body.statusCode;
    }),
    "§4.2",
  ],
  [
    "D-48",
    "statusCode is another",
    eachError((body) => {
      body.statusCode = 499;
    }),
    "§4.2",
  ],
  [
    "D-48",
    "no timestamp in errors",
    eachError((body) => {
      delete body.timestamp;
    }),
    "§4.2",
  ],
  [
    "D-48",
    "path without the query",
    eachError((body) => {
      body.path = String(body.path).split("?")[0];
    }),
    "§4.2",
  ],
  [
    "D-48",
    "no message in errors",
    eachError((body) => {
      body.message = "";
    }),
    "§4.2",
  ],
  [
    "D-48",
    "no ctx in errors",
    eachError((body) => {
      delete body.ctx;
    }),
    "§4.2",
  ],
  [
    "D-48",
    "ctx names no decision of the contract",
    eachError((body) => {
      body.ctx = { decision: "D-99" };
    }),
    "§4.2",
  ],
  [
    "D-48",
    "ctx is copied to the top",
    eachError((body) => {
      Object.assign(body, body.ctx);
    }),
    "§4.2",
  ],
  [
    "D-55",
    "errors show where they were thrown",
    eachError((body) => {
      body.stack = "at response (app.ts:1)";
    }),
    "§4.2",
  ],
  [
    "D-66",
    "no X-Request-Id",
    onResponse(({ headers }) => {
      delete headers["x-request-id"];
    }),
    "§4.2",
  ],
  [
    "D-66",
    "X-Request-Id is always the same",
    onResponse(({ headers }) => {
      headers["x-request-id"] = "1";
    }),
  ],
  [
    "D-66",
    "no X-Request-Id on errors",
    onResponse((response) => {
      if (isError(response)) delete response.headers["x-request-id"];
    }),
    "§4.2",
  ],
  [
    "D-54",
    "RateLimit-Remaining without a limit",
    onResponse(({ headers }) => {
      headers["ratelimit-remaining"] = "5";
    }),
    "§4.2",
  ],
  [
    "D-54",
    "RateLimit-Limit is no number",
    onResponse(({ headers }) => {
      headers["ratelimit-limit"] = "many";
    }),
    "§4.2",
  ],
  [
    "§7",
    "a header that is not declared",
    onResponse(({ headers }) => {
      headers["x-powered-by"] = "Express";
    }),
    "§4.2",
  ],
  ["§7", "an error is 200", withStatus(422, 200), "query."],
  [
    "§7",
    "every hundredth response is 500",
    onResponse((response, _request, { memory }) => {
      const n = Number(memory.get("n") ?? 0) + 1;
      memory.set("n", n);
      if (n % 100 === 0) response.status = 500;
    }),
    "random",
    "query.",
  ],
  [
    "§7",
    "every hundredth connection is cut",
    async (request, { forward, memory }) => {
      const n = Number(memory.get("n") ?? 0) + 1;
      memory.set("n", n);
      if (n % 100 === 0) throw new Error("cut");
      return forward(request);
    },
    "random",
    "query.",
  ],
];

const KEY = "idempotency-key";
const REPLAY = "idempotency-replay";
const without = ({ [KEY]: _key, ...headers }: Record<string, string>) => headers;
/** Sends a keyed update as a new one, and dresses the response up as a replay where there was one before. */
const again =
  (toId: (request: { path: string; body: string }) => string): Mutation =>
  async (request, { forward, memory }) => {
    const key = request.headers[KEY];
    const id = `${key} ${toId(request)}`;
    if (!isUpdate(request) || !key || !memory.has(id)) {
      const response = await forward(request);
      if (key && response.status === 200) memory.set(id, response);
      return response;
    }
    const response = await forward({ ...request, headers: without(request.headers) });
    return { ...response, headers: { ...response.headers, [KEY]: key, [REPLAY]: "true" } };
  };

const IDEMPOTENCY: Mutant[] = [
  [
    "§4",
    "the idempotency key is ignored",
    onHeaders((headers, request) => (isUpdate(request) ? without(headers) : headers)),
    KEY,
  ],
  [
    "D-61",
    "a replay is not marked",
    onResponse(({ headers }) => {
      delete headers[REPLAY];
    }),
  ],
  [
    "D-61",
    "every response with an idempotency key is marked as a replay",
    onResponse(({ headers }) => {
      if (headers[KEY]) headers[REPLAY] = "true";
    }),
  ],
  [
    "D-61",
    "Idempotency-Key is not repeated",
    onResponse(({ headers }) => {
      delete headers[KEY];
    }),
  ],
  ["D-61", "a replay has the effect again", again(({ path, body }) => path + body)],
  [
    "D-61",
    "Idempotency-Replay is 1",
    onResponse(({ headers }) => {
      if (headers[REPLAY]) headers[REPLAY] = "1";
    }),
  ],
  [
    "D-61",
    "rejections are not recorded",
    onResponse((response) => {
      if (response.status === 404) delete response.headers[REPLAY];
    }),
  ],
  [
    "D-61",
    "422 of the contract is recorded",
    async (request, { forward, memory }) => {
      const key = request.headers[KEY] ?? "";
      const response = memory.get(key) ? (structuredClone(memory.get(key)) as Response) : await forward(request);
      if (key && response.status === 422 && !("header.idempotency-key" in response.body.errors))
        memory.set(key, structuredClone(response));
      return response;
    },
  ],
  [
    "D-59",
    "a key with another body is replayed",
    async (request, { forward, memory }) => {
      const id = `${request.headers[KEY]} ${request.path}`;
      if (!request.headers[KEY]) return forward(request);
      const first = memory.get(id) as string | undefined;
      if (first === undefined && readJson(request.body)?.channels && !/"email":1/.test(request.body))
        memory.set(id, request.body);
      return forward(first === undefined ? request : { ...request, body: first });
    },
  ],
  [
    "D-59",
    "a key on another path is replayed",
    async (request, { forward, memory }) => {
      const key = request.headers[KEY];
      if (!key || !isUpdate(request)) return forward(request);
      const first = memory.get(key) as string | undefined;
      if (first === undefined) memory.set(key, request.path);
      return forward({ ...request, path: first ?? request.path });
    },
  ],
  [
    "D-59",
    "white space counts",
    async (request, { forward }) =>
      forward(
        request.body.includes("\n") && request.headers[KEY]
          ? { ...request, body: '{"channels":{"chat":true}}' }
          : request,
      ),
  ],
  [
    "D-59",
    "the order of members does not count",
    onRequest((request) =>
      isUpdate(request) && request.headers[KEY] && readJson(request.body)
        ? { body: JSON.stringify(sorted(readJson(request.body))) }
        : {},
    ),
  ],
  ["D-59", "a reused key is 409", withStatus(422, 409, ({ headers }) => headers[KEY] !== undefined)],
  [
    "D-62",
    "a key of 256 characters is accepted",
    onHeaders((headers) => ({
      ...headers,
      ...(headers[KEY] && headers[KEY].length > 255 ? { [KEY]: headers[KEY].slice(0, 255) } : {}),
    })),
  ],
  [
    "D-62",
    "a key of 255 characters is rejected",
    onHeaders((headers) => ({ ...headers, ...(headers[KEY]?.length === 255 ? { [KEY]: `${headers[KEY]}x` } : {}) })),
    "header.idempotency-key",
  ],
  [
    "D-62",
    "an empty key is a key",
    onHeaders((headers) => ({ ...headers, ...(headers[KEY] === "" ? { [KEY]: "empty" } : {}) })),
  ],
  [
    "D-58",
    "the list repeats the key",
    onResponse((response, { headers, path }) => {
      if (path.startsWith("/v1") && headers[KEY] && response.status === 200) response.headers[KEY] = headers[KEY];
    }),
  ],
  [
    "D-58",
    "the list is replayed",
    async (request, { forward, memory }) => {
      const key = request.headers[KEY];
      if (!key || !isList(request)) return forward(request);
      if (!memory.has(key)) memory.set(key, await forward(request));
      return structuredClone(memory.get(key)) as Response;
    },
  ],
  [
    "D-58",
    "idempotency keys of two environments are one",
    async (request, { forward, memory, otherApiKey }) => {
      const key = request.headers[KEY];
      const response = await forward(request);
      if (key && isUpdate(request) && memory.has(key) && sent(request.headers) === `ApiKey ${otherApiKey}`)
        response.headers[REPLAY] = "true";
      if (key) memory.set(key, true);
      return response;
    },
  ],
  [
    "D-57",
    "several at once are all done",
    async (request, { forward }) => {
      const response = await forward(request);
      if (response.status !== 409) return response;
      const late = await forward({ ...request, headers: without(request.headers) });
      return { ...late, headers: { ...late.headers, [KEY]: request.headers[KEY] } };
    },
  ],
  [
    "D-57",
    "409 without Retry-After",
    onError(409, ({ headers }) => {
      delete headers["retry-after"];
    }),
  ],
  ["D-57", "several at once are 423", withStatus(409, 423)],
];

const PREFER: Mutant[] = [
  ["D-71", "Prefer is ignored", onHeaders(({ prefer: _prefer, ...headers }) => headers)],
  [
    "D-71",
    "no Preference-Applied",
    onResponse(({ headers }) => {
      delete headers["preference-applied"];
    }),
  ],
  [
    "D-71",
    "delay is not followed",
    onHeaders((headers) => ({
      ...headers,
      ...(headers.prefer ? { prefer: headers.prefer.replace(/delay=\d+/, "delay=0") } : {}),
    })),
  ],
  [
    "D-71",
    "a code that is not declared is ignored",
    onHeaders((headers) => ({ ...headers, ...(headers.prefer === "code=599" ? { prefer: "" } : {}) })),
  ],
  [
    "D-71",
    "an example that is not there is ignored",
    onHeaders((headers) => ({ ...headers, ...(headers.prefer === "example=no-such-example" ? { prefer: "" } : {}) })),
  ],
  [
    "D-71",
    "the first example instead of the requested one",
    onHeaders((headers) => ({
      ...headers,
      ...(headers.prefer ? { prefer: headers.prefer.replace(/, example=.*/, "") } : {}),
    })),
  ],
  [
    "D-56",
    "503 without Retry-After",
    onError(503, ({ headers }) => {
      delete headers["retry-after"];
    }),
    "Prefer",
  ],
  [
    "D-54",
    "429 without Retry-After",
    onError(429, ({ headers }) => {
      delete headers["retry-after"];
    }),
    "Prefer",
  ],
  [
    "D-55",
    "500 shows the inside",
    onError(500, ({ body }) => {
      body.cause = "ENOSPC";
    }),
    "Prefer",
  ],
];

export const HTTP_MUTANTS: Mutant[] = [...KEYS, ...METHODS, ...FORM, ...IDEMPOTENCY, ...PREFER];

// biome-ignore lint/suspicious/noExplicitAny: bodies of all shapes
function sorted(value: any): any {
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted()
      .map(([name, member]) => [name, sorted(member)]),
  );
}
