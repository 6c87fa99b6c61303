// How the domain sees an environment: look-ups only. The store answers them, from memory or from a pending change.
import type {
  EnvironmentData,
  KeptNotification,
  RecordedAnswer,
  StoredNotification,
  StoredPreferences,
  Subscriber,
  Workflow,
} from "./state.js";

export interface EnvironmentView {
  readonly environmentId: string;
  readonly organizationId: string;
  /** Oldest first, ties by id (D-10). */
  readonly workflows: readonly Workflow[];
  readonly subscribers: Iterable<Subscriber>;
  /** Newest first, ties by greater id (D-25), as are all lists of notifications here. */
  readonly notifications: readonly KeptNotification[];
  notificationById(id: string): KeptNotification | undefined;
  notificationsOf(member: "subscriber" | "transaction", key: string): readonly KeptNotification[];
  /** All of a topic, or all: those with the same template and the same channels are one list. None is empty. */
  notificationGroups(topicKey?: string): Iterable<readonly KeptNotification[]>;
  workflowById(id: string): Workflow | undefined;
  workflowByIdentifier(identifier: string): Workflow | undefined;
  subscriberById(id: string): Subscriber | undefined;
  subscriberBySubscriberId(subscriberId: string): Subscriber | undefined;
  subscribersByEmail(email: string): readonly Subscriber[];
  /** The internal ids of those whose email contains the text, whatever the case of either. */
  subscribersByPartOfEmail(text: string): ReadonlySet<string>;
  /** What the subscriber has set; empty levels when nothing. */
  preferencesOf(subscriberId: string): StoredPreferences;
  recordedAnswer(key: string): RecordedAnswer | undefined;
}

/** One change of an environment, as data, so that it can be written down before it counts. */
export type Change = OperationChange | RecordChange;

/** What the operations of the contract change. */
export type OperationChange =
  | { type: "preferencesSet"; preferences: StoredPreferences }
  | { type: "answerRecorded"; answer: RecordedAnswer };

/** What the control plane changes. */
export type RecordChange =
  | { type: "notificationsAdded"; notifications: readonly StoredNotification[] }
  | { type: "notificationRemoved"; notificationId: string }
  | { type: "subscriberAdded"; subscriber: Subscriber }
  /** With what the subscriber has set; its notifications stay, without a subscriber. */
  | { type: "subscriberRemoved"; subscriberId: string }
  | { type: "workflowAdded"; workflow: Workflow }
  /** With what subscribers have set for it; its notifications stay, without a template. */
  | { type: "workflowRemoved"; workflowId: string }
  /** Everything at once: a reset, or a snapshot that is restored. */
  | { type: "replaced"; data: EnvironmentData };

export function isRecordChange(change: Change): change is RecordChange {
  return change.type !== "preferencesSet" && change.type !== "answerRecorded";
}
