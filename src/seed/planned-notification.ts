// A notification that is decided upon but not yet written out: who gets what, and when.
import type { Subscriber } from "../domain/state.js";
import type { Topic } from "./catalogue/product.js";
import type { Job, ProductWorkflow } from "./catalogue/workflow-definition.js";

/** How the job of a channel ends, where that is not left to chance. */
export type Outcome = "completed" | "failed" | "canceled" | "queued" | "running";

export interface PlannedNotification {
  /** Milliseconds. Moved a little where two would fall together. */
  at: number;
  transactionId: string;
  recipient: Subscriber;
  /** Absent: the record is as small as a record can be. */
  workflow?: ProductWorkflow;
  payload: Record<string, unknown>;
  topics: readonly Topic[];
  /** All of the transaction were created in the same millisecond. */
  sameInstant?: boolean;
  /** The notification whose digest took this one in. */
  digestedInto?: PlannedNotification;
  /** Payloads that this one's digest took in. */
  gathered?: Record<string, unknown>[];
  story?: Story;
}

/** What a scene of the catalogue says of its notifications beyond who, what and when. */
export interface Story {
  outcomes?: Partial<Record<Job["type"], Outcome>>;
  overrides?: Record<string, unknown>;
  controls?: Record<string, unknown>;
  contextKeys?: string[];
  /** How often the subscriber's schedule put it off. */
  extensions?: number;
  isTest?: boolean;
}
