// The items of a contract that a front-end's tests can cover: when one counts as seen, and code to paste that shows it.
import { isObject } from "../../contract/json.js";
import { mapDefined, toList } from "../../contract/lists.js";
import type { ContractModel, DeclaredResponse, ExampleObject, Operation, Parameter } from "../../contract/model.js";
import { mainMedia } from "../../contract/operation-responses.js";
import { sampleOf } from "../../contract/values/example.js";

export interface Observation {
  query: URLSearchParams;
  /** Names in lower case. */
  headers: Readonly<Record<string, unknown>>;
  /** The body of the request, parsed if it is JSON. */
  sent: unknown;
  /** Undefined if the client got no response. */
  status: number | undefined;
  /** Names in lower case. */
  responseHeaders: Readonly<Record<string, unknown>>;
  /** The body of the response, parsed. */
  received: unknown;
  milliseconds: number;
}

export interface CoverageItem {
  operation: string;
  group: "status" | "parameter" | "state";
  name: string;
  /** JavaScript that shows the item on the demo seed, with the client, and the fetch handler or control plane. */
  recipe: string;
  isSeen(observation: Observation): boolean;
}

type Test = (observation: Observation) => boolean;
type Item = readonly [name: string, recipe: string, isSeen: Test];

export function findItems({ operations }: Pick<ContractModel, "operations">): CoverageItem[] {
  return operations.flatMap((operation) => {
    const inGroup = (group: CoverageItem["group"], items: readonly Item[]) =>
      items.map(([name, recipe, isSeen]) => ({ operation: operation.id, group, name, recipe, isSeen }));
    return [
      ...inGroup("status", findStatuses(operation)),
      ...inGroup("parameter", findParameters(operation)),
      ...inGroup("parameter", [...findHeaders(operation), ...findMembers(operation)]),
      ...inGroup("state", findStates(operation)),
    ];
  });
}

/** A fault shows what a client cannot cause, such as a 503. */
function findStatuses(operation: Operation): Item[] {
  return operation.responses.map((response) => {
    const { status } = response;
    const [call] = findCalls(operation, response);
    const fault = JSON.stringify({ operation: operation.id, status, count: 1 });
    return [String(status), call ?? `addFault(${fault})`, (observation) => observation.status === status];
  });
}

/** The calls that cause a response, from the requests of its examples; of one example, if it is named. */
function findCalls(operation: Operation, response: DeclaredResponse, name?: string): string[] {
  const examples = (mainMedia(response)?.examples ?? []).filter(
    (example) => name === undefined || example.name === name,
  );
  return mapDefined(examples, ({ object }) => formatExampleCall(operation, object));
}

/** Undefined if the client cannot cause it: without a key, by malformed text, under another condition, by a preference. */
function formatExampleCall(
  operation: Operation,
  { "x-request": request, "x-given": setting }: ExampleObject,
): string | undefined {
  const { operation: of = operation.id, method, path, query = {}, headers = {}, rawBody, bodyBytes } = request ?? {};
  const isMalformed = rawBody !== undefined && headers["content-type"] === undefined;
  const isOdd = Object.entries(headers).some(([name, value]) => value === null || name.toLowerCase() === "prefer");
  if (!request || setting || of !== operation.id || isMalformed || isOdd) return undefined;
  const members = Object.entries(query).map(([member, value]) => {
    const parameter = operation.parameters.find(({ name }) => name === member);
    const isList = parameter?.schema.types.includes("array");
    return `"${member}":${formatDate(value) ?? JSON.stringify(isList ? toList(value) : value)}`;
  });
  const body = JSON.stringify(request.body ?? (rawBody && mainMedia(operation.body)?.examples[0]?.value));
  return formatCall(operation, {
    method: method?.toLowerCase(),
    path,
    query: members.join(),
    body: bodyBytes ? body?.replace("{", `{"padding":"x".repeat(${bodyBytes}),`) : body,
    headers: Object.keys(headers).length > 0 ? headers : undefined,
  });
}

/** Examples are written for this time. */
const EXAMPLES_NOW = Date.parse("2026-11-02T09:00:00Z");

/** A date as long ago as in an example; undefined for any other value. */
function formatDate(value: unknown): string | undefined {
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(String(value))) return undefined;
  return `new Date(Date.now() - ${EXAMPLES_NOW - Date.parse(String(value))}).toISOString()`;
}

/** A rejected request covers its rejection only. */
const isAccepted = ({ status = 0 }: Observation) => status >= 200 && status < 300;

function findParameters(operation: Operation): Item[] {
  const ofQuery = operation.parameters.filter(({ in: place }) => place === "query");
  return ofQuery.map((parameter) => {
    const { name } = parameter;
    const recipe = formatCall(operation, { query: `"${name}":${formatExample(parameter)}` });
    return [name, recipe, (observation) => isAccepted(observation) && observation.query.has(name)];
  });
}

/** In JavaScript, but for path and headers. */
interface Call {
  method?: string | undefined;
  path?: Record<string, string> | undefined;
  /** Members, separated by commas. */
  query?: string;
  body?: string | undefined;
  headers?: object | undefined;
}

/** A call of the client, in JavaScript: its own method of the operation, or `request`. */
function formatCall(operation: Operation, call: Call): string {
  const { id, parameters } = operation;
  const { method = operation.method, path = {}, query, body, headers } = call;
  const options = headers ? [JSON.stringify({ headers })] : [];
  const isOwn = method === operation.method;
  if (isOwn && id === "listNotifications") return `${id}(${[`{${query}}`, ...options].join(", ")})`;
  if (isOwn && id === "updatePreferences") {
    const { subscriberId = "ines-moreau" } = path;
    return `${id}(${[JSON.stringify(subscriberId), body ?? '{"channels":{}}', ...options].join(", ")})`;
  }
  const required = (place: Parameter["in"]) => {
    const own = parameters.filter((parameter) => parameter.in === place && parameter.isRequired);
    return own.map((parameter) => {
      return `"${parameter.name}":${JSON.stringify(path[parameter.name]) ?? formatExample(parameter)}`;
    });
  };
  const queries = [...required("query"), ...(query ? [query] : [])];
  const input = { path: required("path").join(), query: queries.join(), body };
  const parts = mapDefined(Object.entries(input), ([name, value]) =>
    value ? `"${name}":${name === "body" ? value : `{${value}}`}` : undefined,
  );
  return `request(${[`"${method} ${operation.path}"`, `{${parts.join()}}`, ...options].join(", ")})`;
}

/** A fixed date would some day be outside of a plan's retention. */
function formatExample({ name, schema, examples }: Parameter): string {
  const [example = sampleOf(schema, name)] = examples;
  return schema.flat.format === "date-time" ? "new Date(Date.now() - 6e4).toISOString()" : JSON.stringify(example);
}

/** Only the idempotency key of an update counts; a GET ignores it. */
function findHeaders({ id, parameters }: Operation): Item[] {
  const name = "idempotency-key";
  const hasKey = parameters.some((parameter) => parameter.in === "header" && parameter.name === name);
  if (id !== "updatePreferences" || !hasKey) return [];
  const recipe = `${id}("ines-moreau", {"channels":{}}, {"idempotencyKey":true})`;
  return [[name, recipe, (observation) => isAccepted(observation) && Boolean(observation.headers[name])]];
}

/** Lists the members in the examples of a request body, such as `channels.email`. */
function findMembers(operation: Operation): Item[] {
  const items = new Map<string, Item>();
  for (const { value } of mainMedia(operation.body)?.examples ?? []) {
    for (const name of membersOf(value)) {
      if (items.has(name)) continue;
      const isSeen: Test = (observation) => isAccepted(observation) && membersOf(observation.sent).includes(name);
      items.set(name, [name, formatCall(operation, { body: JSON.stringify(value) }), isSeen]);
    }
  }
  return [...items.values()];
}

function membersOf(value: unknown, path = ""): string[] {
  if (!isObject(value)) return path ? [path] : [];
  return Object.entries(value).flatMap(([name, member]) => membersOf(member, path ? `${path}.${name}` : name));
}

const CHANNELS = ["in_app", "email", "sms", "chat", "push"];
const DELIVERY_STATUSES = "pending queued running completed failed delayed canceled merged skipped".split(" ");
const SLOW_MS = 1_000;

type Page = { data: Record<string, unknown>[]; hasMore?: unknown };
type ToFault = (effect: object) => string;
/** Shows an example of the contract. */
type ToCall = (example: string) => string;

function findStates(operation: Operation): Item[] {
  const { id, responses } = operation;
  const fault: ToFault = (effect) => `addFault(${JSON.stringify({ operation: id, ...effect, count: 1 })})`;
  const show: ToCall = (example) => {
    const [call] = responses.flatMap((response) => findCalls(operation, response, example));
    return call ?? fault({ example });
  };
  const own =
    id === "listNotifications" ? listStates(show, fault) : id === "updatePreferences" ? updateStates(show) : [];
  return [...own, ...anyStates(fault)];
}

function anyStates(fault: ToFault): Item[] {
  const isLimited: Test = ({ status, responseHeaders }) =>
    status === 429 && responseHeaders["retry-after"] !== undefined;
  return [
    ["429 with Retry-After", fault({ preset: "rate-limited" }), isLimited],
    ["a slow response", fault({ delayMs: SLOW_MS + 200 }), ({ milliseconds }) => milliseconds >= SLOW_MS],
    ["no response", fault({ disconnect: true }), ({ status }) => status === undefined],
  ];
}

function listStates(show: ToCall, fault: ToFault): Item[] {
  const everything = `listNotifications({"limit":50})`;
  const anyRecord = (isSeen: (record: Record<string, unknown>) => boolean): Test => {
    return (observation) => recordsIn(observation)?.some(isSeen) ?? false;
  };
  const hasRecords = anyRecord(() => true);
  const isEmpty: Test = (observation) => recordsIn(observation)?.length === 0;
  const isLast: Test = (observation) => hasRecords(observation) && (observation.received as Page).hasMore !== true;
  const isLater: Test = ({ query }) => Number(query.get("page")) > 0;
  const isSecond: Test = (observation) => isLater(observation) && hasRecords(observation);
  const isFailing: Test = (observation) => isLater(observation) && Number(observation.status) >= 500;
  const isWithoutTopics = anyRecord(({ topics }) => !Array.isArray(topics) || topics.length === 0);
  return [
    ["an empty page", show("emptyPage"), isEmpty],
    ["the last page", show("lastPage"), isLast],
    ["a second page", `listNotifications({"limit":1,"page":1})`, isSecond],
    ["a second page that fails", `addFault({"preset":"second-page-fails"})`, isFailing],
    ["a record without template", fault({ example: "deletedTemplate" }), anyRecord(({ template }) => !template)],
    [
      "a record without subscriber",
      fault({ example: "deletedSubscriber" }),
      anyRecord(({ subscriber }) => !subscriber),
    ],
    ["a record without topics", everything, isWithoutTopics],
    ...CHANNELS.map((name): Item => {
      const hasChannel = anyRecord(({ channels }) => Array.isArray(channels) && channels.includes(name));
      return [`the channel ${name}`, everything, hasChannel];
    }),
    ...DELIVERY_STATUSES.map((name): Item => {
      const hasStatus = anyRecord(({ jobs }) => Array.isArray(jobs) && jobs.some(({ status }) => status === name));
      return [`the delivery status ${name}`, everything, hasStatus];
    }),
  ];
}

/** Returns the records of a received page, if it is one. */
function recordsIn({ status, received }: Observation): Page["data"] | undefined {
  return status === 200 && isObject(received) && Array.isArray(received.data) ? received.data : undefined;
}

function updateStates(show: ToCall): Item[] {
  const update = `await updatePreferences("ines-moreau", {"channels":{}}, {"idempotencyKey":"replay"})`;
  const isCritical: Test = ({ status, received }) =>
    status === 400 && isObject(received) && isObject(received.ctx) && received.ctx.decision === "D-20";
  return [
    ["a critical workflow", show("criticalWorkflow"), isCritical],
    ["a replay", `${update}; ${update}`, ({ responseHeaders }) => responseHeaders["idempotency-replay"] === "true"],
  ];
}
