// What a seed's notification is generated from: who gets what, and when.
import type { Subscriber } from "../domain/state.js";
import type { Topic } from "./catalogue/product.js";
import type { Job, ProductWorkflow } from "./catalogue/workflow-definition.js";

/** The final state of a channel's job, where it is not random. */
export type JobOutcome = "completed" | "failed" | "canceled" | "queued" | "running";

export interface NotificationSpec {
  /** Milliseconds. Moved a little where two would be the same. */
  at: number;
  transactionId: string;
  recipient: Subscriber;
  /** Absent: the record is as small as possible. */
  workflow?: ProductWorkflow;
  payload: Record<string, unknown>;
  topics: readonly Topic[];
  /** All notifications of the transaction were created in the same millisecond. */
  sameInstant?: boolean;
  /** The notification whose digest contains this one. */
  digestedInto?: NotificationSpec;
  /** The payloads of other notifications that this one's digest contains. */
  digestedPayloads?: Record<string, unknown>[];
  details?: ScenarioDetails;
}

/** What a scenario of the catalogue sets beyond recipient, workflow and time. */
export interface ScenarioDetails {
  outcomes?: Partial<Record<Job["type"], JobOutcome>>;
  overrides?: Record<string, unknown>;
  controls?: Record<string, unknown>;
  contextKeys?: string[];
  /** How often the subscriber's schedule postponed it. */
  extensions?: number;
  isTest?: boolean;
}
