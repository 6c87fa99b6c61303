// Variants of the second independent implementation that are no bugs: one that takes every liberty that the contract leaves, and
// one that differs as the live service is known to.
import { type Backend, CHANNELS, NAMES, Rejection, type Reply } from "./backend.js";

/** Behind a gateway that removes this prefix. */
export const PREFIX = "/api/";

/** Of one media type (D-68). */
const JSON_TYPES = [
  ...["application/json", "application/json;charset=UTF-8", 'Application/JSON; charset="utf-8"'],
  "application/json ; charset=Utf-8",
];

/** Every so many requests one is told to come back. */
const EVERY = 9;

export function withLatitude(backend: Backend): void {
  const { respond, parseBody } = bindAll(backend, "respond", "parseBody");
  let count = 0;
  backend.respond = async (request) => {
    request.url = request.url?.replace(PREFIX, "/") ?? "";
    if (++count % EVERY === 0) throw new Rejection(429, {}, { "retry-after": "0" });
    return respond(request);
  };
  backend.parseBody = (headers, bytes) => {
    if (headers["content-encoding"]) throw new Rejection(415);
    if (bytes.length === 0 && headers["content-type"]) throw new Rejection(400);
    return parseBody(headers, bytes);
  };
  const { readInteger, isInTime } = bindAll(backend, "readInteger", "isInTime");
  backend.readInteger = (text) => (/^0\d/.test(text) ? undefined : readInteger(text)); // leading zeros
  for (const { records } of backend.environments.values())
    for (const index of [1, 30]) delete records[index]?.createdAt; // optional (D-11)
  backend.isInTime = (created, after, before) =>
    Number.isNaN(created) ? after === undefined && before === undefined : isInTime(created, after, before);
  backend.contentType = (_status, { url = "" }) => JSON_TYPES[url.length % JSON_TYPES.length] ?? ""; // HEAD as GET
}

/** The differences of `SERVICE_DIFFERENCES`, each with its decision. */
export function asService(backend: Backend): void {
  const original = bindAll(backend, "respond", "checkQuery", "parseInstant", "checkUpdate", "parseBody", "readQuery");
  const { toError, update } = bindAll(backend, "toError", "update");
  backend.respond = async (request) => {
    const { url = "" } = request;
    request.url = toLooseUrl(url);
    return original
      .respond(request)
      .catch((error): Reply => {
        if (!(error instanceof Rejection)) throw error;
        if (error.status === 405) throw new Rejection(404); // D-51
        if (error.status === 401) throw new Rejection(401, { error: "Unauthorized" }); // D-45, D-48
        throw error;
      })
      .finally(() => Object.assign(request, { url }));
  };
  const more = { ctx: { statusCode: 0 }, error: "of some kind" };
  backend.toError = (status, request) => ({ ...toError(status, request), ...more }); // D-48
  backend.readQuery = (text) => {
    const query = original.readQuery(text.replaceAll(/(\[\d*\]|%5B\d*%5D)(?==)/gi, "")); // D-26
    if (query.has("transactionId")) query.set("transactionId", query.get("transactionId")?.slice(0, 1) ?? []); // D-37
    return query;
  };
  backend.checkQuery = (query) => {
    const errors = original.checkQuery(query);
    for (const name of Object.keys(errors)) {
      if (!NAMES.includes(name.slice(6))) delete errors[name]; // D-28
      if (/^query\.(after|before)$/.test(name)) throw new Rejection(400); // D-39
    }
    return Object.keys(errors).length > 0 ? { general: { messages: Object.keys(errors) } } : errors; // D-49
  };
  backend.parseInstant = (text) => {
    const ms = original.parseInstant(text) ?? Date.parse(text); // D-39
    return Number.isNaN(ms) ? undefined : ms;
  };
  backend.isInTime = (created, after, before) => created >= (after ?? 0) && created <= (before ?? Date.now()); // D-40
  backend.hasMore = (_total, _end, count, pageSize) => count === pageSize; // D-24
  backend.parseBody = (headers, bytes) =>
    bytes.length > 0 && !/^application\/json/i.test(headers["content-type"] ?? "")
      ? { channels: {} } // D-53
      : original.parseBody(headers, bytes);
  backend.checkUpdate = (body, headers, query) => {
    const errors = original.checkUpdate(body, headers, query);
    if (errors["header.idempotency-key"]) throw new Rejection(400); // D-62
    for (const name of Object.keys(errors)) {
      if (name.startsWith("query.") || !/^body(\.channels(\.(email|sms|in_app|chat|push))?|\.workflowId)?$/.test(name))
        delete errors[name]; // D-28, D-03
      const [, member = "", channel] = name.split(".");
      const value = channel === undefined ? body?.[member] : body?.[member]?.[channel];
      if (value === null || (name === "body.workflowId" && String(value) === "")) delete errors[name]; // D-03, D-17
    }
    return errors;
  };
  backend.update = (environment, id, body) => {
    const { workflowId, channels, ...rest } = body;
    return update(environment, id, { ...rest, channels: withoutNull(channels), ...(workflowId ? { workflowId } : {}) }); // D-17
  };
  backend.toPrint = (_subscriberId, body) => JSON.stringify(body); // D-59
}

/** Express reads paths in any case, and with a slash at the end. */
function toLooseUrl(url: string): string {
  const [path = "", query] = url.split(/\?(.*)/s);
  const loose = path.replace(/\/$/, "").replace(/^\/v(\d)\/\w+/i, (start) => start.toLowerCase());
  return query === undefined ? loose : `${loose}?${query}`;
}

function withoutNull(channels: Record<string, unknown> | undefined): Record<string, unknown> {
  const members = Object.entries(channels ?? {});
  return Object.fromEntries(members.filter(([name, value]) => value !== null && CHANNELS.includes(name)));
}

function bindAll<Name extends keyof Backend>(backend: Backend, ...names: Name[]): Pick<Backend, Name> {
  const bound = names.map((name) => [name, (backend[name] as () => unknown).bind(backend)]);
  return Object.fromEntries(bound) as Pick<Backend, Name>;
}
