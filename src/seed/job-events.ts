// What happens to a job, event by event: each is an execution detail, and says how the job stands after it.

import type { Random } from "../domain/random.js";
import type { Job, JobShape } from "./catalogue/workflow-definition.js";
import type { Outcome, Story } from "./planned-notification.js";
import { toFailure, toSent } from "./provider-answers.js";

type Detail = Job["executionDetails"][number];

export interface JobEvent extends Pick<Detail, "status" | "detail" | "raw" | "providerId"> {
  /** Milliseconds. */
  at: number;
  /** The job's status from now on. */
  jobStatus: string;
  /** `Internal` unless it says otherwise. */
  source?: Detail["source"];
  isRetry?: boolean;
}

const HOUR = 3_600_000;

/** A digest or delay, which goes on at `until` (milliseconds). */
export function toWaitingEvents({ type }: JobShape, startAt: number, until: number): JobEvent[] {
  const noun = type === "digest" ? "Digest" : "Delay";
  return [
    toEvent(startAt, "Pending", `${noun} started`, "delayed"),
    toEvent(until + 250, "Success", `${noun} completed`, "completed"),
  ];
}

export interface ChannelRun {
  shape: JobShape;
  startAt: number;
  /** Whether the subscriber's preferences let it through. */
  isWanted: boolean;
  /** Whether the conditions of the step are met. */
  isDue: boolean;
  /** Whether the subscriber has an address for it. */
  isReachable: boolean;
  random: Random;
  story: Story;
}

/** A step that sends something, from its start to its end and, for some, to the reader. */
export function toChannelEvents(run: ChannelRun): JobEvent[] {
  const { shape, startAt, isWanted, isDue, isReachable, random, story } = run;
  if (shape.type === "throttle") return [toEvent(startAt, "Success", "Below the limit", "completed")];
  if (!isWanted) return [toEvent(startAt, "Success", "Filtered out by the preferences", "skipped")];
  if (!isDue) return [toEvent(startAt, "Success", "The conditions are not met", "skipped")];
  if (!isReachable) return [toEvent(startAt, "Failed", "The subscriber has no address", "failed", "Payload")];

  const queued = toEvent(startAt, "Queued", "Step queued", "queued");
  const message = toEvent(startAt + random.between(15, 60), "Success", "Message created", "running");
  // One in eight has to stand in line for minutes.
  const sentAt = message.at + (random.chance(0.12) ? random.between(20_000, 240_000) : random.between(120, 3_500));
  switch (story.outcomes?.[shape.type] ?? toOutcome(shape, random)) {
    case "queued":
      return [queued];
    case "running":
      return [queued, message];
    case "canceled":
      return [toEvent(sentAt, "Warning", "Called off by the sender", "canceled")];
    case "failed":
      return toFailure(shape.providerId, sentAt, random);
    case "completed":
      return toSuccess(run, { queued, message, sentAt });
  }
}

function toSuccess(
  { shape: { type, providerId }, startAt, random, story }: ChannelRun,
  { queued, message, sentAt }: { queued: JobEvent; message: JobEvent; sentAt: number },
): JobEvent[] {
  if (type === "in_app") {
    return [{ ...message, jobStatus: "completed" }, ...toReading(message.at, "Message read", random)];
  }
  if (story.extensions) {
    const putOff = toEvent(startAt, "Pending", "Put off by the subscriber's schedule", "delayed");
    return [putOff, toSent(providerId, sentAt + story.extensions * 4 * HOUR, random)];
  }
  const before = random.chance(0.15) ? [queued] : [];
  const after = type === "email" ? toReading(sentAt, "Message opened", random, "Webhook") : [];
  return [...before, toSent(providerId, sentAt, random), ...after];
}

function toOutcome({ type }: JobShape, random: Random): Outcome {
  const draw = random.fraction();
  if (draw < 0.01) return "canceled";
  return draw > 0.94 && type !== "in_app" ? "failed" : "completed";
}

/** A third is read, most within the hour. */
function toReading(sentAt: number, detail: string, random: Random, source?: Detail["source"]): JobEvent[] {
  if (!random.chance(0.35)) return [];
  const at = sentAt + Math.floor(random.fraction() ** 3 * 6 * HOUR) + 5_000;
  return [toEvent(at, "ReadConfirmation", detail, "completed", source)];
}

function toEvent(
  at: number,
  status: Detail["status"],
  detail: string,
  jobStatus: string,
  source: Detail["source"] = "Internal",
): JobEvent {
  return { at, status, detail, jobStatus, source };
}
