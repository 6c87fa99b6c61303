// Makes complete records from the few fields that a client of the control plane sends, and checks their times.
import { isClockTime, toInstant } from "../domain/instant.js";
import { isCritical } from "../domain/preferences.js";
import { randomHex } from "../domain/random.js";
import type { StoredNotification, Subscriber, Workflow } from "../domain/state.js";
import { ControlRejection } from "./control-rejection.js";
import type { ControlSchemas } from "./control-schemas.js";

type NewNotifications = ControlSchemas["NewNotifications"];
type Job = NonNullable<StoredNotification["jobs"]>[number];

const STEPS: Readonly<Record<string, { name: string; providerId: Job["providerId"] }>> = {
  in_app: { name: "In-App Step", providerId: "novu" },
  email: { name: "Email Step", providerId: "sendgrid" },
  sms: { name: "SMS Step", providerId: "twilio" },
  chat: { name: "Chat Step", providerId: "slack" },
  push: { name: "Push Step", providerId: "fcm" },
};

export function toWorkflow(
  { identifier, name, channels, tags, critical }: ControlSchemas["NewWorkflow"],
  now: Date,
): Workflow {
  const at = now.toISOString();
  return {
    _id: createId(now),
    identifier,
    name: name ?? toWords(identifier),
    active: true,
    origin: "external",
    tags: tags ?? [],
    variables: [],
    steps: (channels ?? []).map((type) => ({
      _id: createId(now),
      type,
      name: STEPS[type]?.name ?? type,
      active: true,
    })),
    ...(critical ? { defaults: { dashboard: { readOnly: true } } } : {}),
    createdAt: at,
    updatedAt: at,
  };
}

/** Derives missing members from the id; omits members that are null. */
export function toSubscriber({ subscriberId, ...fields }: ControlSchemas["NewSubscriber"], now: Date): Subscriber {
  const [firstName, ...rest] = toWords(subscriberId).split(" ");
  const mailbox = subscriberId.toLowerCase().replaceAll(/[^a-z0-9]+/g, ".");
  const derived = { firstName, lastName: rest.join(" ") || undefined, email: `${mailbox}@example.com` };
  const entries = Object.entries({ ...derived, ...fields }).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  return { _id: createId(now), subscriberId, ...Object.fromEntries(entries) };
}

/** Creates the notifications of one transaction, newest first, a second apart. */
export function toNotifications(
  { transactionId, payload, topics, outcome, count, createdAt }: NewNotifications,
  { subscriber, workflow, now }: { subscriber: Subscriber; workflow: Workflow; now: Date },
): StoredNotification[] {
  const newest = createdAt === undefined ? now.getTime() - 1 : toInstant(createdAt); // lists exclude the present itself (D-40)
  const transaction = transactionId ?? `txn_${createId(now)}`;
  return Array.from({ length: count ?? 1 }, (_, index) => {
    const at = new Date(newest - index * 1000);
    const steps = toSteps(workflow, outcome, at);
    return {
      _id: createId(at),
      _subscriberId: subscriber._id,
      transactionId: transaction,
      _templateId: workflow._id,
      createdAt: at.toISOString(),
      updatedAt: at.toISOString(),
      channels: steps.map(({ type }) => type),
      jobs: steps.map((step, position) => toJob(step, steps[position - 1]?._id ?? null, outcome ?? "completed", at)),
      payload: payload ?? {},
      to: { subscriberId: subscriber.subscriberId },
      tags: workflow.tags,
      ...(topics && topics.length > 0
        ? { topics: topics.map((topicKey) => ({ _topicId: createId(at), topicKey })) }
        : {}),
      severity: "none" as const,
      critical: isCritical(workflow),
    };
  });
}

/** Returns the active steps; adds a digest step for an open digest if the workflow has none. */
function toSteps({ steps }: Workflow, outcome: NewNotifications["outcome"], at: Date): Workflow["steps"] {
  const active = steps.filter((step) => step.active);
  if (outcome !== "digest" || active.some(({ type }) => type === "digest")) return active;
  return [{ _id: createId(at), type: "digest", name: "Digest Step", active: true }, ...active];
}

const CREATED = { status: "Pending", detail: "Step created" } as const;

/** The events of a step, a millisecond apart. */
const EVENTS = {
  completed: [CREATED, { status: "Success", detail: "Message sent" }],
  failed: [CREATED, { status: "Failed", detail: "The provider rejected the message" }],
  pending: [CREATED],
  digest: [CREATED],
} as const;

function toJob(
  { _id, type, name }: Workflow["steps"][number],
  parent: string | null,
  outcome: keyof typeof EVENTS,
  at: Date,
): Job {
  const providerId = STEPS[type]?.providerId ?? "novu";
  return {
    _id: createId(at),
    type,
    executionDetails: EVENTS[outcome].map((event, index) => ({
      _id: createId(at),
      createdAt: new Date(at.getTime() + index).toISOString(),
      ...event,
      source: "Internal",
      isRetry: false,
      isTest: false,
      providerId, // required by old clients (D-75)
    })),
    step: { _id, active: true, filters: [], _templateId: "", _parentId: parent, name },
    providerId,
    status: outcome === "digest" ? (type === "digest" ? "delayed" : "pending") : outcome,
    updatedAt: at.toISOString(),
  };
}

/** Creates an id like MongoDB's ObjectIds, which the live service uses: 24 hexadecimal digits that begin with the time. */
function createId(at: Date): string {
  const seconds = Math.max(0, Math.floor(at.getTime() / 1000)) % 2 ** 32;
  return seconds.toString(16).padStart(8, "0") + randomHex(8);
}

/** Turns `weekly-digest` into `Weekly Digest`. */
function toWords(identifier: string): string {
  const words = identifier.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ");
}

/** @throws ControlRejection for a time that clocks and records cannot have. */
export function toClockTime(at: number, location: string): Date {
  if (isClockTime(at)) return new Date(at);
  throw new ControlRejection("invalid", "It must be in the years 1000 to 8999.", location);
}
