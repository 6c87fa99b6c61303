// How the domain sees an environment: look-ups only. The store implements them, over memory or over a pending change.
import type { RecordedResponse, SerializedNotification, StoredPreferences, Subscriber, Workflow } from "./state.js";

/** What notifications are looked up by. */
export type NotificationKey = "channel" | "subscriber" | "template" | "topic" | "transaction";

export interface EnvironmentView {
  readonly environmentId: string;
  readonly organizationId: string;
  /** Oldest first, ties by id (D-10). */
  readonly workflows: readonly Workflow[];
  /** Newest first, ties by greater id (D-25). */
  readonly notifications: readonly SerializedNotification[];
  notificationById(id: string): SerializedNotification | undefined;
  /** In the same order. Subscribers and templates are named by their internal ids. */
  notificationsBy(key: NotificationKey, value: string): readonly SerializedNotification[];
  workflowById(id: string): Workflow | undefined;
  workflowByIdentifier(identifier: string): Workflow | undefined;
  subscribers(): Iterable<Subscriber>;
  subscriberById(id: string): Subscriber | undefined;
  subscriberBySubscriberId(subscriberId: string): Subscriber | undefined;
  subscribersByEmail(email: string): readonly Subscriber[];
  /** What the subscriber has set; empty levels when nothing. */
  preferencesOf(subscriberId: string): StoredPreferences;
  recordedResponse(key: string): RecordedResponse | undefined;
}
