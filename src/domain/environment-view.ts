// How the domain sees an environment: look-ups only. The store implements them, over memory or over a pending change.
import type { NotificationKey } from "./notification-keys.js";
import type { RecordedResponse, SerializedNotification, StoredPreferences, Subscriber, Workflow } from "./state.js";

export interface EnvironmentView {
  readonly environmentId: string;
  readonly organizationId: string;
  readonly workflows: {
    /** Oldest first, ties by id (D-10). */
    readonly all: readonly Workflow[];
    byId(id: string): Workflow | undefined;
    byIdentifier(identifier: string): Workflow | undefined;
  };
  readonly subscribers: {
    all(): Iterable<Subscriber>;
    byId(id: string): Subscriber | undefined;
    bySubscriberId(subscriberId: string): Subscriber | undefined;
    byEmail(email: string): readonly Subscriber[];
  };
  readonly notifications: {
    /** Ties by greater id (D-25). */
    readonly newestFirst: readonly SerializedNotification[];
    byId(id: string): SerializedNotification | undefined;
    /** In the same order. */
    by(key: NotificationKey, value: string): readonly SerializedNotification[];
  };
  /** What the subscriber has set; empty levels when nothing. */
  preferencesOf(subscriberId: string): StoredPreferences;
  recordedResponse(key: string): RecordedResponse | undefined;
}
