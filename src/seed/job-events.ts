// The events of a job, in order.
import type { Random } from "../domain/random.js";
import type { Job, JobShape } from "./catalogue/workflow-definition.js";
import type { JobEvent } from "./job-event.js";
import type { JobOutcome, ScenarioDetails } from "./notification-spec.js";
import { toFailureEvents, toSentEvent } from "./provider-events.js";

const HOUR = 3_600_000;

/** Of a digest or delay that ends at `until` (milliseconds). */
export function toDelayEvents({ type }: JobShape, startAt: number, until: number): JobEvent[] {
  const noun = type === "digest" ? "Digest" : "Delay";
  return [
    toEvent(startAt, "Pending", `${noun} started`, "delayed"),
    toEvent(until + 250, "Success", `${noun} completed`, "completed"),
  ];
}

export interface ChannelStep {
  shape: JobShape;
  startAt: number;
  /** Whether the subscriber's preferences enable the channel. */
  isEnabled: boolean;
  meetsConditions: boolean;
  /** Whether the subscriber has an address for the channel. */
  isReachable: boolean;
  random: Random;
  details: ScenarioDetails;
}

/** Of a step that sends something: from its start to its end and, for some, until it is read. */
export function toChannelEvents(channelStep: ChannelStep): JobEvent[] {
  const { shape, startAt, isEnabled, meetsConditions, isReachable, random, details } = channelStep;
  if (shape.type === "custom") return [toEvent(startAt, "Success", "Below the limit", "completed")];
  if (!isEnabled) return [toEvent(startAt, "Success", "Filtered out by the preferences", "skipped")];
  if (!meetsConditions) return [toEvent(startAt, "Success", "The conditions are not met", "skipped")];
  if (!isReachable) return [toEvent(startAt, "Failed", "The subscriber has no address", "failed", "Payload")];

  const queued = toEvent(startAt, "Queued", "Step queued", "queued");
  const message = toEvent(startAt + random.between(15, 60), "Success", "Message created", "running");
  // One in eight is queued for minutes.
  const sentAt = message.at + (random.chance(0.12) ? random.between(20_000, 240_000) : random.between(120, 3_500));
  switch (details.outcomes?.[shape.type] ?? toOutcome(shape, random)) {
    case "queued":
      return [queued];
    case "running":
      return [queued, message];
    case "canceled":
      return [toEvent(sentAt, "Warning", "Called off by the sender", "canceled")];
    case "failed":
      return toFailureEvents(shape.providerId, sentAt, random);
    case "completed":
      return toSuccess(channelStep, { queued, message, sentAt });
  }
}

function toSuccess(
  { shape: { type }, startAt, random, details }: ChannelStep,
  { queued, message, sentAt }: { queued: JobEvent; message: JobEvent; sentAt: number },
): JobEvent[] {
  if (type === "in_app") {
    return [{ ...message, jobStatus: "completed" }, ...toReadEvents(message.at, "Message read", random)];
  }
  if (details.extensions) {
    const postponed = toEvent(startAt, "Pending", "Put off by the subscriber's schedule", "delayed");
    return [postponed, toSentEvent(sentAt + details.extensions * 4 * HOUR, random)];
  }
  const before = random.chance(0.15) ? [queued] : [];
  const after = type === "email" ? toReadEvents(sentAt, "Message opened", random, "Webhook") : [];
  return [...before, toSentEvent(sentAt, random), ...after];
}

function toOutcome({ type }: JobShape, random: Random): JobOutcome {
  const draw = random.fraction();
  if (draw < 0.01) return "canceled";
  return draw > 0.94 && type !== "in_app" ? "failed" : "completed";
}

/** A third is read, most within the hour. */
function toReadEvents(sentAt: number, detail: string, random: Random, source?: JobEvent["source"]): JobEvent[] {
  if (!random.chance(0.35)) return [];
  const at = sentAt + Math.floor(random.fraction() ** 3 * 6 * HOUR) + 5_000;
  return [toEvent(at, "ReadConfirmation", detail, "completed", source)];
}

function toEvent(
  at: number,
  status: Job["executionDetails"][number]["status"],
  detail: string,
  jobStatus: string,
  source: JobEvent["source"] = "Internal",
): JobEvent {
  return { at, status, detail, jobStatus, source };
}
