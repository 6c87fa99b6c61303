// The contents of an environment as plain data, the interface through which operations read them, and the changes that they return.
// The rules are in preferences.ts and notifications.ts.
import type { ChannelPreferences, Notification, Schemas } from "../../contract/schemas.js";

/** The preferences that a workflow brings itself: from its code, or from the dashboard on top of that (D-14). */
export interface PreferenceLayer {
  /** The value of channels that the layer does not name. */
  enabled?: boolean;
  /** Subscribers have no say. From the dashboard it makes the workflow critical (D-20). */
  readOnly?: boolean;
  channels?: ChannelPreferences;
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
  steps: { _id: string; type: Schemas["StepType"]; name: string; active: boolean }[];
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

/** A subscriber's own settings: only channels with a value of their own. */
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
 * A notification in memory: its JSON, and as values only what queries read. A hundred thousand of them take the room of
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

/** One environment as plain values, as in files; in memory, its notifications are serialized. */
export interface EnvironmentData<N = StoredNotification> {
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
  notifications: readonly N[];
  recordedResponses: RecordedResponse[];
}

/** A committed fixture. All its times are shifted on load so that `asOf` becomes the present. */
export interface Seed extends EnvironmentData {
  /** For editors. */
  $schema?: string;
  asOf: string;
}

/** An environment as operations read it: what is durable, or a draft on top of that. core/state/environment-state.ts implements it. */
export interface EnvironmentState {
  /** Increases with each durable change. */
  readonly revision: number;
  readonly environmentId: string;
  readonly organizationId: string;
  /** Oldest first, ties by id (D-10). */
  readonly workflows: readonly Workflow[];
  /** Newest first, ties by greater id (D-25). */
  readonly notifications: readonly SerializedNotification[];
  notificationById(id: string): SerializedNotification | undefined;
  workflowById(id: string): Workflow | undefined;
  workflowByIdentifier(identifier: string): Workflow | undefined;
  subscribers(): Iterable<Subscriber>;
  subscriberById(id: string): Subscriber | undefined;
  subscriberBySubscriberId(subscriberId: string): Subscriber | undefined;
  /** Several may have the same address. */
  subscribersByEmail(email: string): readonly Subscriber[];
  /** The subscriber's own settings; empty levels if there are none. */
  preferencesOf(subscriberId: string): StoredPreferences;
  recordedResponse(key: string): RecordedResponse | undefined;
  /** Everything durable as it is now. It shares the records, and nothing of it changes later. */
  toData(): EnvironmentData<SerializedNotification>;
}

/**
 * One change of an environment as data, so that it can be written down before it counts. It says what is there afterwards: made
 * twice, it is as if it had been made once.
 */
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
