// What an environment holds, as plain data, and how the domain sees it. No behaviour here: rules are in preferences.ts and
// notifications.ts.
import type { ChannelPreferences, Notification, Schemas } from "../contract/schemas.js";

/** The preferences that a workflow brings itself: from its code, or from the dashboard on top of that (D-14). */
export interface PreferenceLayer {
  /** The value of channels that the layer does not name. */
  enabled?: boolean;
  /** Subscribers have no say. From the dashboard it makes the workflow critical (D-20). */
  readOnly?: boolean;
  channels?: ChannelPreferences;
}

export interface WorkflowStep {
  _id: string;
  type: Schemas["StepType"];
  name: string;
  active: boolean;
}

export interface Workflow {
  _id: string;
  identifier: string;
  name: string;
  active: boolean;
  origin: NonNullable<Schemas["NotificationTemplate"]["origin"]>;
  tags: string[];
  /** Payload members that the trigger reads. */
  variables: string[];
  steps: WorkflowStep[];
  defaults?: { code?: PreferenceLayer; dashboard?: PreferenceLayer };
  createdAt: string;
  updatedAt: string;
}

export interface Subscriber {
  _id: string;
  subscriberId: string;
  firstName?: string;
  lastName?: string;
  email?: string;
  phone?: string;
}

/** What a subscriber has set: only channels with a value of their own. */
export interface StoredPreferences {
  subscriberId: string;
  global: ChannelPreferences;
  workflows: { workflowId: string; channels: ChannelPreferences }[];
}

/** A notification without what is joined to it when it is read: environment, subscriber and workflow. */
export type StoredNotification = Omit<
  Notification,
  "_environmentId" | "_organizationId" | "subscriber" | "template" | "_id" | "createdAt" | "channels"
> &
  Required<Pick<Notification, "_id" | "createdAt" | "channels">>;

/**
 * A notification in memory: its JSON, and as values only what look-ups need. A hundred thousand of them take the room of
 * their text, and a page of them is neither parsed nor serialized again.
 */
export interface SerializedNotification {
  readonly _id: string;
  readonly _subscriberId: string;
  readonly transactionId: string;
  readonly _templateId: string | undefined;
  /** `createdAt` in milliseconds since 1970. */
  readonly instant: number;
  readonly channels: readonly string[];
  readonly topicKeys: readonly string[];
  /** A StoredNotification as JSON in UTF-8, without line ends. */
  readonly json: Uint8Array;
}

/** The first response to an idempotent request, kept to be replayed (D-60, D-61). */
export interface RecordedResponse {
  key: string;
  /** Hash of method, path and body: the same key with another fingerprint is rejected (D-59). */
  fingerprint: string;
  recordedAt: string;
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** One environment, as it is written to its file. */
export interface EnvironmentData {
  format: "notifications-contract/environment";
  version: 2;
  name: string;
  /** SHA-256 of the API key that opens it, hexadecimal. The default environment is opened by the server's own key. */
  keyHash?: string;
  /** Digest of the contract that the file was made under. */
  contract?: string;
  environmentId: string;
  organizationId: string;
  workflows: Workflow[];
  subscribers: Subscriber[];
  preferences: StoredPreferences[];
  notifications: StoredNotification[];
  recordedResponses: RecordedResponse[];
}

/** The same in memory. */
export type EnvironmentContents = Omit<EnvironmentData, "notifications"> & {
  notifications: readonly SerializedNotification[];
};

/** A committed fixture. All its times are shifted on load so that `asOf` becomes the present. */
export interface Seed extends EnvironmentData {
  /** For editors. */
  $schema?: string;
  asOf: string;
}

/** What notifications are looked up by. */
export type NotificationKey = "channel" | "subscriber" | "template" | "topic" | "transaction";

/** Look-ups only. The store implements them, over memory or over a pending change. */
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
