// Everything that the tests of a front-end can see of a contract, item by item: when an item counts as seen, and what to paste to see it.
import type { Contract } from "../../contract/contract.js";
import { namedExamples } from "../../contract/examples.js";
import type { OpenApiDocument, ParameterObject } from "../../contract/openapi-document.js";
import { declaredStatusesOf, type Operation } from "../../contract/operations.js";
import { isObject } from "../domain/options.js";

export interface Observation {
  query: URLSearchParams;
  /** Names in lower case. */
  headers: Readonly<Record<string, unknown>>;
  /** The parsed body of the request, if it is JSON. */
  sent: unknown;
  /** Undefined where the client got no response. */
  status: number | undefined;
  /** Names in lower case. */
  responseHeaders: Readonly<Record<string, unknown>>;
  /** The parsed body of the response. */
  received: unknown;
  milliseconds: number;
}

export interface CoverageItem {
  operation: string;
  group: "status" | "parameter" | "state";
  name: string;
  /** JavaScript with the methods of the fetch handler or the control plane, and of the client, on the demo seed. */
  recipe: string;
  isSeen(observation: Observation): boolean;
}

type NewItem = Pick<CoverageItem, "name" | "recipe" | "isSeen">;

/** In the order of a report. */
export function toItems({ document, operations }: Pick<Contract, "document" | "operations">): CoverageItem[] {
  return operations.flatMap((operation) => {
    const inGroup = (group: CoverageItem["group"], items: NewItem[]) =>
      items.map((item) => ({ operation: operation.id, group, ...item }));
    const parameters = operation.parameters.filter(({ in: place }) => place === "query");
    return [
      ...inGroup(
        "status",
        declaredStatusesOf(operation).map((status) => toStatus(operation, status)),
      ),
      ...inGroup("parameter", [
        ...parameters.map((parameter) => toQuery(operation, parameter)),
        ...toHeaders(operation),
        ...toMembers(document, operation),
      ]),
      ...inGroup("state", toStates(operation)),
    ];
  });
}

function toStatus({ id }: Operation, status: number): NewItem {
  const fault = JSON.stringify({ operation: id, status, count: 1 });
  return { name: String(status), recipe: `addFault(${fault})`, isSeen: (observation) => observation.status === status };
}

/** A rejected request has exercised nothing but the rejection. */
const isAccepted = ({ status = 0 }: Observation) => status >= 200 && status < 300;

function toQuery({ id }: Operation, parameter: ParameterObject): NewItem {
  const { name } = parameter;
  return {
    name,
    recipe: `${id}({"${name}":${toSource(parameter)}})`,
    isSeen: (observation) => isAccepted(observation) && observation.query.has(name),
  };
}

/** A date of an example is too early for some plans one day. */
function toSource({ schema, example }: ParameterObject): string {
  return schema?.format === "date-time" ? "new Date(Date.now() - 6e4).toISOString()" : JSON.stringify(example);
}

/** Only the idempotency key of an update; that of a GET means nothing. */
function toHeaders({ id, method, parameters }: Operation): NewItem[] {
  const isKey = ({ name, in: place }: ParameterObject) => place === "header" && name === "idempotency-key";
  if (method === "get" || !parameters.some(isKey)) return [];
  return [
    {
      name: "idempotency-key",
      recipe: `${id}("ines-moreau", {"channels":{}}, {"idempotencyKey":true})`,
      isSeen: (observation) => isAccepted(observation) && Boolean(observation.headers["idempotency-key"]),
    },
  ];
}

/** The members that the examples of a request body have: `channels.email`. */
function toMembers(document: OpenApiDocument, { id, object }: Operation): NewItem[] {
  const items = new Map<string, NewItem>();
  for (const [, { value }] of namedExamples(document, object.requestBody)) {
    for (const name of membersOf(value)) {
      if (items.has(name)) continue;
      const isSeen = (observation: Observation) =>
        isAccepted(observation) && membersOf(observation.sent).includes(name);
      items.set(name, { name, recipe: `${id}("ines-moreau", ${JSON.stringify(value)})`, isSeen });
    }
  }
  return [...items.values()];
}

function membersOf(value: unknown, path = ""): string[] {
  if (!isObject(value)) return path ? [path] : [];
  return Object.entries(value).flatMap(([name, member]) => membersOf(member, path ? `${path}.${name}` : name));
}

const CHANNELS = ["in_app", "email", "sms", "chat", "push"];
const DELIVERY_STATUSES = [
  ...["pending", "queued", "running", "completed", "failed", "delayed", "canceled", "merged", "skipped"],
];
const SLOW_MS = 1_000;

type Records = Record<string, unknown>[];
type Test = (observation: Observation) => boolean;
type State = [name: string, recipe: string, isSeen: Test];
type ToFault = (effect: object) => string;

function toStates({ id }: Operation): NewItem[] {
  const fault: ToFault = (effect) => `addFault(${JSON.stringify({ operation: id, ...effect, count: 1 })})`;
  const own = id === "listNotifications" ? listStates(fault) : id === "updatePreferences" ? updateStates(fault) : [];
  return [...own, ...anyStates(fault)].map(([name, recipe, isSeen]) => ({ name, recipe, isSeen }));
}

function anyStates(fault: ToFault): State[] {
  const isLimited: Test = ({ status, responseHeaders }) =>
    status === 429 && responseHeaders["retry-after"] !== undefined;
  return [
    ["429 with Retry-After", fault({ preset: "rate-limited" }), isLimited],
    ["a slow response", fault({ delayMs: SLOW_MS + 200 }), ({ milliseconds }) => milliseconds >= SLOW_MS],
    ["no response", fault({ disconnect: true }), ({ status }) => status === undefined],
  ];
}

function listStates(fault: ToFault): State[] {
  const page = (isSeen: (data: Records, hasMore: boolean, observation: Observation) => boolean): Test => {
    return (observation) => {
      const { status, received } = observation;
      if (status !== 200 || !isObject(received) || !Array.isArray(received.data)) return false;
      return isSeen(received.data, received.hasMore === true, observation);
    };
  };
  const anyRecord = (isSeen: (record: Record<string, unknown>) => boolean) => page((data) => data.some(isSeen));
  const isLater = ({ query }: Observation) => Number(query.get("page")) > 0;
  const everything = `listNotifications({"limit":50})`;
  const isSecond = page((data, _hasMore, observation) => data.length > 0 && isLater(observation));
  const isFailing: Test = (observation) => isLater(observation) && Number(observation.status) >= 500;
  const isWithoutTopics = anyRecord(({ topics }) => !Array.isArray(topics) || topics.length === 0);
  return [
    ["an empty page", fault({ example: "emptyPage" }), page((data) => data.length === 0)],
    ["the last page", fault({ example: "lastPage" }), page((data, hasMore) => data.length > 0 && !hasMore)],
    ["a second page", `listNotifications({"limit":1,"page":1})`, isSecond],
    ["a second page that fails", `addFault({"preset":"second-page-fails"})`, isFailing],
    ["a record without template", fault({ example: "deletedTemplate" }), anyRecord(({ template }) => !template)],
    [
      "a record without subscriber",
      fault({ example: "deletedSubscriber" }),
      anyRecord(({ subscriber }) => !subscriber),
    ],
    ["a record without topics", everything, isWithoutTopics],
    ...CHANNELS.map((name): State => {
      const hasChannel = anyRecord(({ channels }) => Array.isArray(channels) && channels.includes(name));
      return [`the channel ${name}`, everything, hasChannel];
    }),
    ...DELIVERY_STATUSES.map((name): State => {
      const hasStatus = anyRecord(({ jobs }) => Array.isArray(jobs) && jobs.some(({ status }) => status === name));
      return [`the delivery status ${name}`, everything, hasStatus];
    }),
  ];
}

function updateStates(fault: ToFault): State[] {
  const update = `await updatePreferences("ines-moreau", {"channels":{}}, {"idempotencyKey":"replay"})`;
  const isCritical: Test = ({ status, received }) =>
    status === 400 && isObject(received) && isObject(received.ctx) && received.ctx.decision === "D-20";
  return [
    ["a critical workflow", fault({ example: "criticalWorkflow" }), isCritical],
    ["a replay", `${update}; ${update}`, ({ responseHeaders }) => responseHeaders["idempotency-replay"] === "true"],
  ];
}
