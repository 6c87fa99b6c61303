// What a notification is generated from: who gets what, and when.
import type { Random } from "../domain/random.js";
import type { StoredPreferences, Subscriber } from "../domain/state.js";
import { PRODUCT, type Scenario, type Topic } from "./catalogue.js";
import type { createObjectIds } from "./object-id.js";
import type { ProductWorkflow } from "./workflows.js";

/** What all notifications of a seed have in common. */
export interface SeedContext {
  /** Milliseconds. Later events have not happened. */
  asOf: number;
  subscribers: readonly Subscriber[];
  preferences: readonly StoredPreferences[];
  random: Random;
  nextId: ReturnType<typeof createObjectIds>;
}

export interface NotificationPlan {
  /** Milliseconds. */
  at: number;
  transactionId: string;
  recipient: Subscriber;
  /** Absent: the record is as small as possible. */
  workflow?: ProductWorkflow | undefined;
  payload: Record<string, unknown>;
  topics: readonly Topic[];
  /** What the catalogue says about it. */
  scenario?: Scenario;
  /** The notification whose digest contains this one. */
  digestedInto?: NotificationPlan;
  /** The payloads that its digest contains. Default: its own. */
  digestedPayloads?: Record<string, unknown>[];
}

/** The notifications of several triggers for one subscriber: the first one's digest contains the others. */
export function toDigest(first: NotificationPlan, others: NotificationPlan[]): NotificationPlan[] {
  first.digestedPayloads = [first, ...others].map(({ payload }) => payload);
  return [first, ...others.map((other) => ({ ...other, digestedInto: first, digestedPayloads: [] }))];
}

/** The payload of a trigger: one value for each variable of the workflow. The actor is never a recipient. */
export function toPayload(
  { workflow }: ProductWorkflow,
  recipients: readonly Subscriber[],
  random: Random,
): Record<string, unknown> {
  const own = recipients.flatMap(({ firstName, lastName }) => [`${firstName} ${lastName}`, `${lastName} ${firstName}`]);
  return Object.fromEntries(
    workflow.variables.map((name) => {
      const values = PRODUCT.payloadValues[name] ?? [];
      return [name, random.pick(values.filter((value) => !own.includes(String(value))))];
    }),
  );
}
