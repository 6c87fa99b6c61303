// The events of providers: a message is sent, or fails.
import type { Random } from "../domain/random.js";
import type { Job } from "./catalogue/workflow-definition.js";
import type { JobEvent } from "./job-event.js";

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

export function toSentEvent(at: number, random: Random): JobEvent {
  const sent: JobEvent = { at, status: "Success", detail: "Message sent", jobStatus: "completed" };
  // Some providers respond without a body, and most responses are not stored.
  if (random.chance(0.04)) return { ...sent, raw: null };
  if (random.chance(0.08)) return { ...sent, raw: JSON.stringify({ id: `m-${random.between(100_000, 999_999)}` }) };
  return sent;
}

/** A failure, at once or after a retry. */
export function toFailureEvents(providerId: ProviderId, at: number, random: Random): JobEvent[] {
  const [source, detail, response] = random.pick(FAILURES[providerId] ?? []);
  const raw = JSON.stringify(response);
  const failed: JobEvent = { at, status: "Failed", detail, jobStatus: "failed", source, raw };
  if (random.chance(0.5)) return [failed];
  const timedOut = "No answer, trying once more";
  const retry: JobEvent = { at, status: "Warning", detail: timedOut, jobStatus: "running" };
  return [retry, { ...failed, at: at + 30_000, isRetry: true }];
}
