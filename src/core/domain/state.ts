// An environment as plain data, as operations read it, and the changes that they return. The rules are in
// preferences.ts and notifications.ts.
import type { ChannelPreferences, Notification, Schemas } from "../../contract/contract-types.js";

/** A workflow's default preferences, from its code or from the dashboard, which overrides code (D-14). */
export interface PreferenceLayer {
  /** The value of channels that are not listed. */
  enabled?: boolean;
  /** True if subscribers cannot change it. From the dashboard, it makes the workflow critical (D-20). */
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

/** A subscriber's own settings. Contains only the channels that the subscriber has set. */
export interface StoredPreferences {
  subscriberId: string;
  global: ChannelPreferences;
  workflows: { workflowId: string; channels: ChannelPreferences }[];
}

/** The first response to an idempotent request, for replays (D-60, D-61). */
export interface RecordedResponse {
  key: string;
  /** Hash of method, path and body: the same key with another fingerprint is rejected (D-59). */
  fingerprint: string;
  recordedAt: string;
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** An environment as plain values, as in files; its notifications are serialized in memory. */
export interface EnvironmentData<N = StoredNotification> {
  format: "notifications-contract/environment";
  version: 2;
  name: string;
  /** SHA-256 of its API key, hexadecimal. Absent in the default environment, which the server's own key opens. */
  keyHash?: string;
  /** Digest of the contract with which the file was created. */
  contract?: string;
  environmentId: string;
  organizationId: string;
  workflows: Workflow[];
  subscribers: Subscriber[];
  preferences: StoredPreferences[];
  notifications: readonly N[];
  recordedResponses: RecordedResponse[];
}

/** The same as in memory. */
export type MemoryData = EnvironmentData<SerializedNotification>;

/** A committed fixture. When it is loaded, all its times are shifted so that `asOf` becomes the present. */
export interface Seed extends EnvironmentData {
  $schema?: string;
  asOf: string;
}

/** An environment as operations read it: the durable state, or a draft on top. */
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
  /** Several subscribers may share an address. */
  subscribersByEmail(email: string): readonly Subscriber[];
  /** Returns empty settings if the subscriber has none. */
  preferencesOf(subscriberId: string): StoredPreferences;
  recordedResponse(key: string): RecordedResponse | undefined;
  /** Returns the durable state as it is now. Later changes do not affect it, although it shares the records. */
  toData(): MemoryData;
}

/** A change of an environment as data, written before it becomes visible. Applying it twice is the same as once. */
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
  /** Removes the subscriber's settings, too. Notifications stay, without a subscriber. */
  | { type: "subscriberRemoved"; subscriberId: string }
  | { type: "workflowAdded"; workflow: Workflow }
  /** Removes the subscribers' settings of it, too. Notifications stay, without a template. */
  | { type: "workflowRemoved"; workflowId: string }
  /** Replaces everything, for a reset. */
  | { type: "replaced"; data: MemoryData }
  /** Removes the environment with its files. No change follows. */
  | { type: "removed" };

/** A notification without environment, subscriber and workflow, which are joined when it is read. */
export type StoredNotification = Omit<
  Notification,
  "_environmentId" | "_organizationId" | "subscriber" | "template" | "_id" | "createdAt" | "channels"
> &
  Required<Pick<Notification, "_id" | "createdAt" | "channels">>;

/**
 * A notification as in memory: its JSON beside the members that queries read. A hundred thousand take little more memory
 * than their text, and a page is sent without parsing or serializing it.
 */
export type SerializedNotification = Readonly<ReturnType<typeof serialize>>;

const decoder = new TextDecoder();
const NO_TOPICS: readonly string[] = [];

/** Node's buffers share memory, which makes 100,000 small ones cheap. Browsers lack them. */
const encode: (text: string) => Uint8Array =
  typeof Buffer === "undefined" ? (text) => new TextEncoder().encode(text) : (text) => Buffer.from(text);

/** @param json the notification in UTF-8, without line breaks, if already known. */
export function serialize(stored: StoredNotification, json = encode(JSON.stringify(stored))) {
  const { _id, _subscriberId, transactionId, _templateId, createdAt, channels, topics } = stored;
  const instant = Date.parse(createdAt);
  const topicKeys = topics ? topics.map(({ topicKey }) => topicKey) : NO_TOPICS;
  const channelSet = channelSetOf(channels);
  return { _id, _subscriberId, transactionId, _templateId, instant, channelSet, topicKeys, json };
}

/** The distinct sets of channels, which are few: a deep page looks up a number for each record before it. */
const channelSets = new Map<string, { index: number; channels: readonly string[] }>();

function channelSetOf(channels: readonly string[]): number {
  const key = JSON.stringify([...new Set(channels)].sort());
  const known = channelSets.get(key);
  if (known) return known.index;
  const index = channelSets.size;
  channelSets.set(key, { index, channels });
  return index;
}

/** Tells for each `channelSet` whether it has one of these channels. */
export function matchChannelSets(channels: readonly string[]): readonly boolean[] {
  return Array.from(channelSets.values(), (set) => set.channels.some((channel) => channels.includes(channel)));
}

/** Converts an environment to its form in memory. */
export function toMemory<T extends { notifications: readonly StoredNotification[] }>(data: T) {
  return { ...data, notifications: data.notifications.map((stored) => serialize(stored)) };
}

/** Converts an environment to its form in files. */
export function toPlain<T extends { notifications: readonly SerializedNotification[] }>(data: T) {
  const notifications = data.notifications.map(({ json }): StoredNotification => JSON.parse(decoder.decode(json)));
  return { ...data, notifications };
}
