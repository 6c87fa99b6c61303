// Which parts of a contract requests and responses have shown: the items that a front-end's tests can cover, and how
// often each was seen. Counts of several runs can be merged.
import { operationFor } from "../../contract/find-operation.js";
import { isObject } from "../../contract/json.js";
import { memoize } from "../../contract/memoize.js";
import type { ContractModel, Operation } from "../../contract/model.js";
import { mainMedia } from "../../contract/operation-responses.js";
import { splitTarget } from "../../contract/target.js";
import { findCalls, formatCall, formatExample } from "./recipes.js";

type Parts = Pick<ContractModel, "findPath" | "operations">;

/** An item with the number of observations that showed it. */
export interface CountedItem extends Omit<CoverageItem, "isSeen"> {
  count: number;
}

export interface Coverage {
  items: CountedItem[];
  /** The number of responses in bursts that were not inspected. They may contain items that count as never seen. */
  uninspected: number;
}

export type CoverageCounter = ReturnType<typeof createCoverageCounter>;

export function createCoverageCounter() {
  const counts = new Map<string, number>();
  const itemsOf = memoize(findItems);
  let uninspected = 0;
  return {
    add(contract: Parts, request: { method: string; target: string }, observation: Observation): void {
      const operations = findOperations(contract, request);
      for (const item of itemsOf(contract)) {
        if (!operations.includes(item.operation) || !item.isSeen(observation)) continue;
        counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
      }
    },
    skip(): void {
      uninspected += 1;
    },
    /** Returns the counts for the items of this contract. */
    list: (contract: Parts): Coverage => ({
      items: itemsOf(contract).map(({ isSeen: _isSeen, ...item }) => ({
        ...item,
        count: counts.get(keyOf(item)) ?? 0,
      })),
      uninspected,
    }),
  };
}

/** Adds up the counts of several processes. */
export function mergeCoverage(coverages: readonly Coverage[]): Coverage {
  const items = new Map<string, CountedItem>();
  for (const item of coverages.flatMap((coverage) => coverage.items)) {
    items.set(keyOf(item), { ...item, count: item.count + (items.get(keyOf(item))?.count ?? 0) });
  }
  const uninspected = coverages.reduce((sum, coverage) => sum + coverage.uninspected, 0);
  return { items: [...items.values()], uninspected };
}

const keyOf = ({ operation, group, name }: Omit<CountedItem, "count">) => `${operation} ${group} ${name}`;

/** Finds the operations of a path: those of the method, or else all of them, since a 401 and a 405 count for each. */
function findOperations(
  { findPath }: Pick<Parts, "findPath">,
  { method, target }: { method: string; target: string },
): readonly string[] {
  const match = findPath(splitTarget(target).path);
  const exact = operationFor(match, method);
  return (exact ? [exact] : (match?.operations ?? [])).map(({ id }) => id);
}

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
  /** The status of the response that shows it; 0 if none arrives. Undefined if it is that of a success. */
  status?: number;
  /** JavaScript that shows the item on the demo seed, with the client, and the fetch handler or control plane. */
  recipe: string;
  isSeen(observation: Observation): boolean;
}

type Test = (observation: Observation) => boolean;
type Item = readonly [name: string, recipe: string, isSeen: Test, status?: number];

export function findItems({ operations }: Pick<ContractModel, "operations">): CoverageItem[] {
  return operations.flatMap((operation) => {
    const inGroup = (group: CoverageItem["group"], items: readonly Item[]) =>
      items.map(([name, recipe, isSeen, status]) => {
        const item = { operation: operation.id, group, name, recipe, isSeen };
        return status === undefined ? item : { ...item, status };
      });
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
    return [String(status), call ?? `addFault(${fault})`, (observation) => observation.status === status, status];
  });
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
    ["429 with Retry-After", fault({ preset: "rate-limited" }), isLimited, 429],
    [
      `a slow response (${SLOW_MS / 1000} s or more)`,
      fault({ delayMs: SLOW_MS + 200 }),
      ({ milliseconds }) => milliseconds >= SLOW_MS,
    ],
    ["no response", fault({ disconnect: true }), ({ status }) => status === undefined, 0],
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
    ["a second page that fails", `addFault({"preset":"second-page-fails"})`, isFailing, 503],
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
    ["a critical workflow", show("criticalWorkflow"), isCritical, 400],
    ["a replay", `${update}; ${update}`, ({ responseHeaders }) => responseHeaders["idempotency-replay"] === "true"],
  ];
}
