// One change of an environment, as data, so that it can be written down before it counts. Each says what is there
// afterwards: made twice, it is as if it had been made once.
import type {
  EnvironmentData,
  RecordedResponse,
  SerializedNotification,
  StoredNotification,
  StoredPreferences,
  Subscriber,
  Workflow,
} from "./state.js";

export type Change = OperationChange | RecordChange;

/** Changes by the contract's operations. */
export type OperationChange =
  | { type: "preferencesSet"; preferences: StoredPreferences }
  | { type: "responseRecorded"; response: RecordedResponse };

/** Changes by the control plane. */
export type RecordChange =
  | { type: "notificationsAdded"; notifications: readonly StoredNotification[] }
  | { type: "notificationRemoved"; notificationId: string }
  | { type: "subscriberAdded"; subscriber: Subscriber }
  /** With what the subscriber has set; its notifications stay, without a subscriber. */
  | { type: "subscriberRemoved"; subscriberId: string }
  | { type: "workflowAdded"; workflow: Workflow }
  /** With what subscribers have set for it; its notifications stay, without a template. */
  | { type: "workflowRemoved"; workflowId: string }
  /** Everything at once: a reset. */
  | { type: "replaced"; data: EnvironmentData<SerializedNotification> }
  /** The environment itself, with its files. Nothing comes after it. */
  | { type: "removed" };
