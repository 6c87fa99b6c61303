// The states that break front-ends, for the operations that have them.
import type { Operation } from "../contract/operations.js";
import { isObject } from "../domain/options.js";
import type { Exchange, NewItem } from "./exchange.js";

const CHANNELS = ["in_app", "email", "sms", "chat", "push"];
const DELIVERY_STATUSES = [
  ...["pending", "queued", "running", "completed", "failed", "delayed", "canceled", "merged", "skipped"],
];
const SLOW_MS = 1_000;

type Records = Record<string, unknown>[];
type Test = (exchange: Exchange) => boolean;

export function toStates({ id }: Operation): NewItem[] {
  const fault = (effect: object) => `addFault(${JSON.stringify({ operation: id, ...effect, count: 1 })})`;
  const item = (name: string, recipe: string, isSeen: Test): NewItem => ({ name, recipe, isSeen });
  const own =
    id === "listNotifications"
      ? toListStates(item, fault)
      : id === "updatePreferences"
        ? toUpdateStates(item, fault)
        : [];
  return [
    ...own,
    item("429 with Retry-After", fault({ status: 429 }), ({ status, responseHeaders }) => {
      return status === 429 && responseHeaders["retry-after"] !== undefined;
    }),
    item("a slow response", fault({ delayMs: SLOW_MS + 200 }), ({ milliseconds }) => milliseconds >= SLOW_MS),
    item("no response", fault({ disconnect: true }), ({ status }) => status === undefined),
  ];
}

type ToItem = (name: string, recipe: string, isSeen: Test) => NewItem;
type ToFault = (effect: object) => string;

function toListStates(item: ToItem, fault: ToFault): NewItem[] {
  const page = (isSeen: (data: Records, hasMore: boolean, exchange: Exchange) => boolean): Test => {
    return (exchange) => {
      const { status, received } = exchange;
      if (status !== 200 || !isObject(received) || !Array.isArray(received.data)) return false;
      return isSeen(received.data, received.hasMore === true, exchange);
    };
  };
  const anyRecord = (isSeen: (record: Record<string, unknown>) => boolean) => page((data) => data.some(isSeen));
  const isLater = ({ query }: Exchange) => Number(query.get("page")) > 0;
  const everything = `listNotifications({"limit":50})`;
  return [
    item(
      "an empty page",
      fault({ example: "emptyPage" }),
      page((data) => data.length === 0),
    ),
    item(
      "the last page",
      fault({ example: "lastPage" }),
      page((data, hasMore) => data.length > 0 && !hasMore),
    ),
    item(
      "a second page",
      `listNotifications({"limit":1,"page":1})`,
      page((data, _hasMore, exchange) => data.length > 0 && isLater(exchange)),
    ),
    item(
      "a second page that fails",
      `addFault({"preset":"second-page-fails"})`,
      (exchange) => isLater(exchange) && Number(exchange.status) >= 500,
    ),
    item(
      "a record without template",
      fault({ example: "deletedTemplate" }),
      anyRecord(({ template }) => !template),
    ),
    item(
      "a record without subscriber",
      fault({ example: "deletedSubscriber" }),
      anyRecord(({ subscriber }) => !subscriber),
    ),
    item(
      "a record without topics",
      everything,
      anyRecord(({ topics }) => !Array.isArray(topics) || topics.length === 0),
    ),
    ...CHANNELS.map((channel) =>
      item(
        `the channel ${channel}`,
        everything,
        anyRecord(({ channels }) => Array.isArray(channels) && channels.includes(channel)),
      ),
    ),
    ...DELIVERY_STATUSES.map((status) =>
      item(
        `the delivery status ${status}`,
        everything,
        anyRecord(({ jobs }) => Array.isArray(jobs) && jobs.some((job) => job.status === status)),
      ),
    ),
  ];
}

function toUpdateStates(item: ToItem, fault: ToFault): NewItem[] {
  const update = `await updatePreferences("ines-moreau", {"channels":{}}, {"idempotencyKey":"replay"})`;
  return [
    item("a critical workflow", fault({ example: "criticalWorkflow" }), ({ status, received }) => {
      return status === 400 && isObject(received) && isObject(received.ctx) && received.ctx.decision === "D-20";
    }),
    item("a replay", `${update}; ${update}`, ({ responseHeaders }) => responseHeaders["idempotency-replay"] === "true"),
  ];
}
