// The states that break front-ends, for the operations that have them.
import type { Operation } from "../../contract/operations.js";
import { isObject } from "../domain/options.js";
import type { NewItem, Observation } from "./observation.js";

const CHANNELS = ["in_app", "email", "sms", "chat", "push"];
const DELIVERY_STATUSES = [
  ...["pending", "queued", "running", "completed", "failed", "delayed", "canceled", "merged", "skipped"],
];
const SLOW_MS = 1_000;

type Records = Record<string, unknown>[];
type Test = (observation: Observation) => boolean;
type State = [name: string, recipe: string, isSeen: Test];
type ToFault = (effect: object) => string;

export function toStates({ id }: Operation): NewItem[] {
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
