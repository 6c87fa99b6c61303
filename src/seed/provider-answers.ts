// What the providers answer: they take a message, or they refuse it.

import type { Random } from "../domain/random.js";
import type { Job } from "./catalogue/workflow-definition.js";
import type { JobEvent } from "./job-events.js";

type ProviderId = Job["providerId"];
type Refusal = [source: NonNullable<JobEvent["source"]>, detail: string, answer: object];

const REFUSED = "The provider refused the message";
const REFUSALS: Partial<Record<ProviderId, readonly Refusal[]>> = {
  sendgrid: [
    ["Webhook", REFUSED, { statusCode: 550, message: "Mailbox unavailable" }],
    ["Credentials", "The provider refused the credentials", { statusCode: 401, message: "Bad API key" }],
  ],
  ses: [["Webhook", REFUSED, { bounceType: "Permanent", bounceSubType: "Suppressed" }]],
  twilio: [["Webhook", REFUSED, { code: 21610, message: "The recipient has opted out" }]],
  fcm: [["Credentials", "The device is not registered any more", { code: "registration-token-not-registered" }]],
  slack: [["Payload", REFUSED, { ok: false, error: "channel_not_found" }]],
};

export function toSent(providerId: ProviderId, at: number, random: Random): JobEvent {
  const sent: JobEvent = { at, status: "Success", detail: "Message sent", jobStatus: "completed", providerId };
  // Some providers say nothing, and of most the answer is not kept.
  if (random.chance(0.04)) return { ...sent, raw: null };
  if (random.chance(0.08)) return { ...sent, raw: JSON.stringify({ id: `m-${random.between(100_000, 999_999)}` }) };
  return sent;
}

/** A refusal, at once or after a second try. */
export function toFailure(providerId: ProviderId, at: number, random: Random): JobEvent[] {
  const [source, detail, answer] = random.pick(REFUSALS[providerId] ?? []);
  const raw = JSON.stringify(answer);
  const failed: JobEvent = { at, status: "Failed", detail, jobStatus: "failed", source, providerId, raw };
  if (random.chance(0.5)) return [failed];
  const noAnswer = "No answer, trying once more";
  const retry: JobEvent = { at, status: "Warning", detail: noAnswer, jobStatus: "running", providerId };
  return [retry, { ...failed, at: at + 30_000, isRetry: true }];
}
