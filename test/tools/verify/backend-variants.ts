// The second independent implementation with many records, and as different from the contract as the live service is.
import { type Backend, CHANNELS, NAMES, Rejection, type Reply } from "./backend.js";
import { createRecord } from "./backend-data.js";
import { around, inErrors, type Json, plantAll } from "./plant.js";

/** Older than all others; a run reads the newest 1,000. */
export function withManyRecords({ environments }: Backend): void {
  const orderOf = ({ createdAt, _id }: Json) => `${createdAt} ${_id}`;
  for (const environment of environments.values()) {
    for (let number = 100; number < 1200; number++)
      environment.records.push(createRecord(environment, number, Date.now()));
    environment.records.sort((one, other) => (orderOf(one) < orderOf(other) ? 1 : -1));
  }
}

/** The differences of `SERVICE_DIFFERENCES`, each with its decision. */
export const asService = plantAll(
  around("respond", async ({ original }, request) => {
    const { url = "" } = request;
    request.url = toLooseUrl(url);
    return original(request)
      .catch((error): Reply => {
        if (!(error instanceof Rejection)) throw error;
        if (error.status === 405) throw new Rejection(404); // D-51
        if (error.status === 401) throw new Rejection(401, { error: "Unauthorized" }); // D-45, D-48
        throw error;
      })
      .finally(() => Object.assign(request, { url }));
  }),
  inErrors((error) => ({ ...error, ctx: { statusCode: 0 }, error: "of some kind" })), // D-48
  around("readQuery", ({ original }, text) => {
    const query = original(text.replaceAll(/(\[\d*\]|%5B\d*%5D)(?==)/gi, "")); // D-26
    if (query.has("transactionId")) query.set("transactionId", query.get("transactionId")?.slice(0, 1) ?? []); // D-37
    return query;
  }),
  around("checkQuery", ({ original }, query) => {
    const errors = original(query);
    for (const name of Object.keys(errors)) {
      if (!NAMES.includes(name.slice(6))) delete errors[name]; // D-28
      if (/^query\.(after|before)$/.test(name)) throw new Rejection(400); // D-39
    }
    return Object.keys(errors).length > 0 ? { general: { messages: Object.keys(errors) } } : errors; // D-49
  }),
  around("parseInstant", ({ original }, text) => {
    const ms = original(text) ?? Date.parse(text); // D-39
    return Number.isNaN(ms) ? undefined : ms;
  }),
  around("isInTime", (_, created, after = 0, before = Date.now()) => {
    return created >= after && created <= before; // D-40
  }),
  around("hasMore", (_, _total, _end, count, pageSize) => count === pageSize), // D-24
  around("parseBody", ({ original }, headers, bytes) => {
    const isOther = bytes.length > 0 && !/^application\/json/i.test(headers["content-type"] ?? "");
    return isOther ? { channels: {} } : original(headers, bytes); // D-53
  }),
  around("checkUpdate", ({ original }, body, headers, query) => {
    const errors = original(body, headers, query);
    if (errors["header.idempotency-key"]) throw new Rejection(400); // D-62
    for (const name of Object.keys(errors)) {
      if (name.startsWith("query.") || !/^body(\.channels(\.(email|sms|in_app|chat|push))?|\.workflowId)?$/.test(name))
        delete errors[name]; // D-28, D-03
      const [, member = "", channel] = name.split(".");
      const value = channel === undefined ? body?.[member] : body?.[member]?.[channel];
      if (value === null || (name === "body.workflowId" && String(value) === "")) delete errors[name]; // D-03, D-17
    }
    return errors;
  }),
  around("update", async ({ original }, environment, id, { workflowId, channels, ...rest }) => {
    const named = workflowId ? { workflowId } : {}; // D-17
    return original(environment, id, { ...rest, channels: withoutNull(channels), ...named });
  }),
  around("toPrint", (_, _subscriberId, body) => JSON.stringify(body)), // D-59
);

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
