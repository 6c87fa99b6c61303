// What an exchange says about the upstream's behavior, beyond the shape of its response: a valid request is not rejected, a page
// is the requested one, its records match the filters, an update shows what it has set. None of it needs the upstream's data.
import type { IncomingMessage } from "node:http";
import { createReadQuery, type Query } from "../api/query.js";
import type { Contract } from "../contract/contract.js";
import type { SuccessBody } from "../contract/operations.js";
import { isMatch, toMs } from "../verify/filter-match.js";
import { toIdInSlug, type Update } from "../verify/preferences.js";
import type { CitedViolation } from "./report-entry.js";
import type { RequestVerdict } from "./request-verdict.js";

export type Page = SuccessBody<"listNotifications">;
export type Preferences = SuccessBody<"updatePreferences">;

/** An exchange that was forwarded in full. */
export interface Exchange {
  method: string;
  target: string;
  headers: IncomingMessage["headers"];
  /** Parsed; undefined where it is no JSON. */
  sent: unknown;
  verdict: RequestVerdict;
  status: number;
  responseHeaders: Readonly<Record<string, readonly string[] | undefined>>;
  /** The response's body, parsed; undefined when its shape is wrong. */
  received: unknown;
  /** Whether another update of the same subscriber was under way at the same time. */
  isOverlapped: boolean;
}

export type BehaviorCheck = (exchange: Exchange) => CitedViolation[];

export function createBehaviorCheck({ operations }: Contract): BehaviorCheck {
  const list = operations.find(({ id }) => id === "listNotifications");
  const readQuery = list && createReadQuery(list);
  return function checkBehavior(exchange) {
    const { verdict, status, method, received } = exchange;
    const query = verdict.operation === list && verdict.rejection === undefined ? readValues(exchange) : undefined;
    const wrong = checkStatus(exchange, query);
    if (status !== 200 || verdict.rejection !== undefined || method === "HEAD" || received === undefined) return wrong;
    if (verdict.operation === list) return [...wrong, ...(query ? checkPage(received as Page, query) : [])];
    const isUpdate = verdict.operation?.id === "updatePreferences" && !exchange.isOverlapped;
    return [...wrong, ...(isUpdate ? checkUpdate(received as Preferences, exchange) : [])];
  };

  function readValues({ target }: Exchange): Query["values"] | undefined {
    return readQuery?.(target).values;
  }
}

export const at = (location: string, message: string, decision: string): CitedViolation => ({
  location,
  message,
  decision,
});

// What the upstream alone can know: its keys, its limits.
const ALWAYS_POSSIBLE = [401, 403, 429];

function checkStatus(
  { verdict, status, headers, sent, responseHeaders }: Exchange,
  query: Query["values"] = {},
): CitedViolation[] {
  const { operation, rejection, violations } = verdict;
  if (headers.prefer !== undefined) return []; // it may ask for any status (D-71)
  if (status >= 500 && !(status === 503 && responseHeaders["retry-after"]))
    return [at("status", `${status}: no request is to lead to an internal error`, "D-55")];
  if (operation?.object.responses[status] === undefined) return []; // reported as such
  if (status < 300 || ALWAYS_POSSIBLE.includes(status)) return [];
  if (rejection !== undefined) {
    const isOpen = headers["content-encoding"] !== undefined || (operation.hasBody && sent === undefined); // D-53; no body is 400 or 422
    if (status === rejection || status >= 500 || (isOpen && [400, 413, 415, 422].includes(status))) return [];
    const places = violations.map(({ location }) => location).join(", ");
    return [at("status", `${status} for a request that the contract rejects with ${rejection}: ${places}`, "D-47")];
  }
  const isKeyed = Boolean(headers["idempotency-key"]);
  const possible: Record<number, boolean> = {
    400: operation.hasBody ? (sent as Update | undefined)?.workflowId !== undefined : isInverted(query),
    402: query.after !== undefined || query.before !== undefined,
    404: operation.hasBody,
    409: isKeyed,
    415: headers["content-encoding"] !== undefined,
    422: isKeyed && operation.hasBody,
    503: true,
  };
  if (possible[status] ?? status < 400) return [];
  return [at("status", `${status} for a request that the contract accepts`, "D-49")];
}

function isInverted({ after, before }: Query["values"]): boolean {
  return after !== undefined && before !== undefined && toMs(String(after)) > toMs(String(before));
}

const LEEWAY_MS = 60_000; // the upstream's clock need not be ours

function checkPage({ page, pageSize, hasMore, data }: Page, values: Query["values"]): CitedViolation[] {
  const { page: askedPage = "0", limit = "10", ...filters } = values;
  const isNamed = ["emails", "subscriberIds", "search"].some((name) => name in filters);
  const found: CitedViolation[] = [];
  if (isInverted(values)) return [at("status", "200, though after is later than before", "D-41")];
  if (page !== Number(askedPage) && !(isNamed && page === 0 && data.length === 0))
    found.push(at("body.page", `is ${page}, the request's is ${askedPage}`, "D-23"));
  if (pageSize !== Number(limit))
    found.push(at("body.pageSize", `is ${pageSize}, the request's limit is ${limit}`, "D-23"));
  if (data.length > Number(limit))
    found.push(at("body.data", `has ${data.length} records, the limit is ${limit}`, "D-23"));
  if (hasMore && data.length < Number(limit))
    found.push(at("body.hasMore", "is true, and the page is not full", "D-24"));
  const latest = Date.now() + LEEWAY_MS;
  for (const [index, record] of data.entries()) {
    const { _id, createdAt, _environmentId } = record;
    const before = data[index - 1];
    const place = `body.data.${index}`;
    if (!isMatch(record, filters))
      found.push(at(place, "does not match the request's filters", toDecision(record, filters)));
    if (createdAt !== undefined && filters.before === undefined && Date.parse(createdAt) > latest)
      found.push(at(`${place}.createdAt`, "is in the future", "D-43"));
    if (!before) continue;
    if (_environmentId !== before._environmentId)
      found.push(at(`${place}._environmentId`, "is of another environment", "D-46"));
    if (_id !== undefined && data.findIndex((other) => other._id === _id) < index)
      found.push(at(`${place}._id`, "occurs twice in the page", "D-25"));
    else if (`${before.createdAt} ${before._id}` < `${createdAt} ${_id}`)
      found.push(at(place, "comes after an older record", "D-25"));
  }
  return found;
}

const DECISIONS = {
  channels: "D-30",
  templates: "D-31",
  transactionId: "D-37",
  topicKey: "D-38",
  after: "D-40",
  before: "D-40",
};

/** The decision on the first filter that a record does not match by itself. */
function toDecision(record: Page["data"][number], filters: Query["values"]): string {
  const [, decision = "D-35"] =
    Object.entries(DECISIONS).find(([name]) => name in filters && !isMatch(record, { [name]: filters[name] })) ?? [];
  return decision;
}

function checkUpdate({ global, workflows }: Preferences, { sent }: Exchange): CitedViolation[] {
  const { channels, workflowId } = sent as Update; // the contract accepts it
  const found: CitedViolation[] = [];
  const expectShown = (place: string, shown: Preferences["global"]["channels"]) => {
    for (const [name, value] of Object.entries(channels))
      if (name in shown && shown[name as keyof typeof shown] !== value)
        found.push(at(`${place}.channels.${name}`, `is ${!value}, the request has set ${value}`, "D-15"));
  };
  if (workflowId === undefined) expectShown("body.global", global.channels);
  if (global.enabled !== true) found.push(at("body.global.enabled", "must be true", "D-09"));
  for (const [index, entry] of workflows.entries()) {
    const place = `body.workflows.${index}`;
    const { identifier, slug } = entry.workflow;
    const forms = [undefined, identifier, slug, toIdInSlug(slug)];
    if (forms.includes(/^[0-9A-F]{24}$/i.test(workflowId ?? "") ? workflowId?.toLowerCase() : workflowId))
      expectShown(place, entry.channels);
    const names = Object.keys(entry.channels);
    if (entry.enabled !== true) found.push(at(`${place}.enabled`, "must be true", "D-09"));
    const unused = names.find((name) => !(name in global.channels));
    if (unused) found.push(at(`${place}.channels.${unused}`, "is no channel of global.channels", "D-07"));
    const expected = OVERRIDES.filter((name) => names.includes(name)).map((name) => `${name} subscriber`);
    const actual = entry.overrides.map(({ channel, source }) => `${channel} ${source}`);
    if (String(expected) !== String(actual))
      found.push(
        at(`${place}.overrides`, `must be one for each channel, in this order: ${expected.join(", ")}`, "D-06"),
      );
    if (workflows.findIndex(({ workflow }) => workflow.identifier === identifier) < index)
      found.push(at(place, "lists a workflow twice", "D-10"));
  }
  return found;
}

const OVERRIDES = ["in_app", "sms", "email", "push", "chat"];
