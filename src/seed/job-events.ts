// The events of a job, in order: its execution details, and its status after each.
import type { Random } from "../domain/random.js";
import { type Job, type JobOutcome, PRODUCT } from "./catalogue.js";
import type { NotificationPlan } from "./notification-plan.js";
import { SCHEDULES } from "./schedules.js";
import type { JobTemplate } from "./workflows.js";

const HOUR = 3_600_000;

type Detail = Job["executionDetails"][number];

export interface JobEvent extends Pick<Detail, "status" | "detail" | "raw"> {
  /** Milliseconds. */
  at: number;
  jobStatus: string;
  /** Default: `Internal`. */
  source?: Detail["source"];
  /** Default: false. */
  isRetry?: boolean;
}

const EVENTS = {
  created: { status: "Pending", detail: "Step created", jobStatus: "pending" },
  merged: { status: "Success", detail: "Taken in by an earlier digest", jobStatus: "merged" },
  digestStarted: { status: "Pending", detail: "Digest started", jobStatus: "delayed" },
  digestCompleted: { status: "Success", detail: "Digest completed", jobStatus: "completed" },
  delayStarted: { status: "Pending", detail: "Delay started", jobStatus: "delayed" },
  delayCompleted: { status: "Success", detail: "Delay completed", jobStatus: "completed" },
  belowLimit: { status: "Success", detail: "Below the limit", jobStatus: "completed" },
  disabled: { status: "Success", detail: "Filtered out by the preferences", jobStatus: "skipped" },
  conditionsNotMet: { status: "Success", detail: "The conditions are not met", jobStatus: "skipped" },
  noAddress: { status: "Failed", detail: "The subscriber has no address", jobStatus: "failed", source: "Payload" },
  postponed: { status: "Pending", detail: "Put off by the subscriber's schedule", jobStatus: "delayed" },
  queued: { status: "Queued", detail: "Step queued", jobStatus: "queued" },
  messageCreated: { status: "Success", detail: "Message created", jobStatus: "running" },
  messageSent: { status: "Success", detail: "Message sent", jobStatus: "completed" },
  messageRead: { status: "ReadConfirmation", detail: "Message read", jobStatus: "completed" },
  messageOpened: { status: "ReadConfirmation", detail: "Message opened", jobStatus: "completed", source: "Webhook" },
  canceled: { status: "Warning", detail: "Called off by the sender", jobStatus: "canceled" },
  retried: { status: "Warning", detail: "No answer, trying once more", jobStatus: "running" },
} satisfies Record<string, Omit<JobEvent, "at">>;

export function toEvent(name: keyof typeof EVENTS, at: number): JobEvent {
  return { ...EVENTS[name], at };
}

interface Run {
  plan: NotificationPlan;
  template: JobTemplate;
  startAt: number;
  /** Whether the subscriber's preferences enable the channel. */
  isEnabled: boolean;
  random: Random;
}

/** The events of a step that starts at `startAt`; some may be later than the seed's `asOf`. */
export function toJobEvents(run: Run): JobEvent[] {
  const { plan, template, startAt, isEnabled } = run;
  const { type, until } = template;
  if (plan.digestedInto && type === "digest") return [toEvent("merged", startAt)];
  if (until) {
    const kind = type === "digest" ? "digest" : "delay";
    return [toEvent(`${kind}Started`, startAt), toEvent(`${kind}Completed`, SCHEDULES[until](plan.at) + 250)];
  }
  if (type === "custom") return [toEvent("belowLimit", startAt)];
  if (!isEnabled) return [toEvent("disabled", startAt)];
  // The catalogue has one kind of condition: a member of the payload does not have a certain value.
  const conditions = template.step.filters.flatMap(({ children }) => children);
  const isMet = conditions.every(({ field, value }) => plan.payload[field] !== value);
  if (!isMet) return [toEvent("conditionsNotMet", startAt)];
  const { email, phone } = plan.recipient;
  if ((type === "email" && !email) || (type === "sms" && !phone)) return [toEvent("noAddress", startAt)];
  return toMessageEvents(run);
}

/** Of a step that sends a message: from its start to its end and, for some, until it is read. */
function toMessageEvents({ plan: { scenario }, template: { type, providerId }, startAt, random }: Run): JobEvent[] {
  const queueing = toEvent("queued", startAt);
  const creation = toEvent("messageCreated", startAt + random.between(15, 60));
  // One in eight is queued for minutes.
  const sentAt = creation.at + (random.chance(0.12) ? random.between(20_000, 240_000) : random.between(120, 3_500));
  const outcome = scenario?.outcomes?.[type] ?? drawOutcome(type, random);
  if (outcome === "queued") return [queueing];
  if (outcome === "running") return [queueing, creation];
  if (outcome === "canceled") return [toEvent("canceled", sentAt)];
  if (outcome === "failed") return toFailure(providerId, sentAt, random);
  if (type === "in_app") {
    return [{ ...creation, jobStatus: "completed" }, ...toReading("messageRead", creation.at, random)];
  }
  if (scenario?.extensions) {
    const postponedTo = sentAt + scenario.extensions * 4 * HOUR;
    return [toEvent("postponed", startAt), toSending(postponedTo, random)];
  }
  const before = random.chance(0.15) ? [queueing] : [];
  const after = type === "email" ? toReading("messageOpened", sentAt, random) : [];
  return [...before, toSending(sentAt, random), ...after];
}

function drawOutcome(type: Job["type"], random: Random): JobOutcome {
  const draw = random.fraction();
  if (draw < 0.01) return "canceled";
  return draw > 0.94 && type !== "in_app" ? "failed" : "completed";
}

function toSending(at: number, random: Random): JobEvent {
  const sending = toEvent("messageSent", at);
  // Some providers respond without a body, and most responses are not stored.
  if (random.chance(0.04)) return { ...sending, raw: null };
  if (random.chance(0.08)) return { ...sending, raw: JSON.stringify({ id: `m-${random.between(100_000, 999_999)}` }) };
  return sending;
}

/** A third is read, most within the hour. */
function toReading(name: "messageRead" | "messageOpened", sentAt: number, random: Random): JobEvent[] {
  if (!random.chance(0.35)) return [];
  return [toEvent(name, sentAt + Math.floor(random.fraction() ** 3 * 6 * HOUR) + 5_000)];
}

/** A failure, at once or after a retry. */
function toFailure(providerId: Job["providerId"], at: number, random: Random): JobEvent[] {
  const { response, ...kind } = random.pick(PRODUCT.failures[providerId] ?? []);
  const failure: JobEvent = { at, status: "Failed", jobStatus: "failed", ...kind, raw: JSON.stringify(response) };
  if (random.chance(0.5)) return [failure];
  return [toEvent("retried", at), { ...failure, at: at + 30_000, isRetry: true }];
}
