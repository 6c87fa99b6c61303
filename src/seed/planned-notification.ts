// What a notification is generated from: who gets what, and when.
import type { Random } from "../domain/random.js";
import type { Subscriber } from "../domain/state.js";
import { PRODUCT, type Scenario, type Topic } from "./catalogue.js";
import type { ProductWorkflow } from "./workflows.js";

export interface PlannedNotification {
  /** Milliseconds. Moved a little where two would be the same. */
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
  digestedInto?: PlannedNotification;
  /** The payloads of other notifications that this one's digest contains. */
  digestedPayloads?: Record<string, unknown>[];
}

/** The notifications of several triggers for one subscriber: the first one's digest contains the others. */
export function toDigest(first: PlannedNotification, others: PlannedNotification[]): PlannedNotification[] {
  first.digestedPayloads = others.map(({ payload }) => payload);
  return [first, ...others.map((other) => ({ ...other, digestedInto: first }))];
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
