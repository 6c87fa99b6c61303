// The events of a job, in order: its execution details, and its status after each.
import type { Random } from "../domain/random.js";
import type { Job, JobShape } from "./catalogue/workflow-definition.js";
import type { JobOutcome, ScenarioDetails } from "./notification-spec.js";

const HOUR = 3_600_000;

type Detail = Job["executionDetails"][number];

export interface JobEvent extends Pick<Detail, "status" | "detail" | "raw"> {
  /** Milliseconds. */
  at: number;
  jobStatus: string;
  /** Default: `Internal`. */
  source?: Detail["source"];
  isRetry?: boolean;
}

type ProviderId = Job["providerId"];
type Failure = [source: NonNullable<JobEvent["source"]>, detail: string, response: object];

const REJECTED = "The provider refused the message";
const FAILURES: Partial<Record<ProviderId, readonly Failure[]>> = {
  sendgrid: [
    ["Webhook", REJECTED, { statusCode: 550, message: "Mailbox unavailable" }],
    ["Credentials", "The provider refused the credentials", { statusCode: 401, message: "Bad API key" }],
  ],
  ses: [["Webhook", REJECTED, { bounceType: "Permanent", bounceSubType: "Suppressed" }]],
  twilio: [["Webhook", REJECTED, { code: 21610, message: "The recipient has opted out" }]],
  fcm: [["Credentials", "The device is not registered any more", { code: "registration-token-not-registered" }]],
  slack: [["Payload", REJECTED, { ok: false, error: "channel_not_found" }]],
};

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

function toSentEvent(at: number, random: Random): JobEvent {
  const sent = toEvent(at, "Success", "Message sent", "completed");
  // Some providers respond without a body, and most responses are not stored.
  if (random.chance(0.04)) return { ...sent, raw: null };
  if (random.chance(0.08)) return { ...sent, raw: JSON.stringify({ id: `m-${random.between(100_000, 999_999)}` }) };
  return sent;
}

/** A failure, at once or after a retry. */
function toFailureEvents(providerId: ProviderId, at: number, random: Random): JobEvent[] {
  const [source, detail, response] = random.pick(FAILURES[providerId] ?? []);
  const failed = { ...toEvent(at, "Failed", detail, "failed", source), raw: JSON.stringify(response) };
  if (random.chance(0.5)) return [failed];
  return [
    toEvent(at, "Warning", "No answer, trying once more", "running"),
    { ...failed, at: at + 30_000, isRetry: true },
  ];
}

function toEvent(
  at: number,
  status: Detail["status"],
  detail: string,
  jobStatus: string,
  source: JobEvent["source"] = "Internal",
): JobEvent {
  return { at, status, detail, jobStatus, source };
}
