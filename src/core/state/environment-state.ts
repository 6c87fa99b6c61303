// The state of an environment in memory, how changes are applied to it, and the draft that a batch of requests sees.
// Records are never mutated, so environments can share them.
import { groupBy } from "../../contract/lists.js";
import { compareNewest, indexIn } from "../domain/query.js";
import {
  type Change,
  type EnvironmentData,
  type EnvironmentState,
  type MemoryData,
  type OperationChange,
  type RecordChange,
  type RecordedResponse,
  type SerializedNotification,
  type StoredPreferences,
  type Subscriber,
  serialize,
  type Workflow,
} from "../domain/state.js";

/** `apply` makes changes visible, once they are durable. */
export type ChangingState = EnvironmentState & { apply(changes: readonly Change[]): void };

export function createEnvironmentState(data: MemoryData): ChangingState {
  const state: ChangingState & Records & { revision: number } = {
    ...indexRecords(data),
    revision: 0,
    get environmentId() {
      return state.head.environmentId;
    },
    get organizationId() {
      return state.head.organizationId;
    },
    notificationById: (id) => state.notificationsById.get(id),
    workflowById: (id) => state.workflows.find(({ _id }) => _id === id),
    workflowByIdentifier: (wanted) => state.workflows.find(({ identifier }) => identifier === wanted),
    subscribers: () => state.subscribersById.values(),
    subscriberById: (id) => state.subscribersById.get(id),
    subscriberBySubscriberId: (subscriberId) => state.subscribersBySubscriberId.get(subscriberId),
    subscribersByEmail(email) {
      state.emails ??= groupByEmail(state.subscribers());
      return state.emails.get(email) ?? [];
    },
    preferencesOf: (subscriberId) => state.preferences.get(subscriberId) ?? { subscriberId, global: {}, workflows: [] },
    recordedResponse: (key) => state.responses.get(key),
    apply(changes) {
      if (changes.length > 0) state.revision += 1;
      for (const change of changes) applyChange(state, change);
    },
    toData: () => ({
      ...state.head,
      workflows: [...state.workflows],
      subscribers: [...state.subscribers()],
      preferences: [...state.preferences.values()],
      notifications: [...state.notifications],
      recordedResponses: [...state.responses.values()],
    }),
  };
  return state;
}

/** Creates the state that later operations of a batch read: with earlier changes, except those of records. */
export function createDraft(state: EnvironmentState) {
  const overlay: OperationRecords = { preferences: new Map(), responses: new Map() };
  const changes: Change[] = [];
  return {
    changes,
    state: {
      ...state,
      preferencesOf: (subscriberId: string) =>
        overlay.preferences.get(subscriberId) ?? state.preferencesOf(subscriberId),
      recordedResponse: (key: string) => overlay.responses.get(key) ?? state.recordedResponse(key),
    },
    add(added: readonly Change[]): void {
      for (const change of added) if (!isRecordChange(change)) applyOperationChange(overlay, change);
      changes.push(...added);
    },
  };
}

export function isRecordChange(change: Change): change is RecordChange {
  return change.type !== "preferencesSet" && change.type !== "responseRecorded";
}

/** The records that the contract's operations change. */
interface OperationRecords {
  preferences: Map<string, StoredPreferences>;
  responses: Map<string, RecordedResponse>;
}

interface Records extends OperationRecords {
  /** The members that are not lists. */
  head: Omit<EnvironmentData, "workflows" | "subscribers" | "preferences" | "notifications" | "recordedResponses">;
  workflows: readonly Workflow[];
  subscribersById: Map<string, Subscriber>;
  subscribersBySubscriberId: Map<string, Subscriber>;
  /** Built lazily, since scanning 10,000 subscribers takes longer than a list by `emails`. */
  emails: Map<string, Subscriber[]> | undefined;
  notifications: SerializedNotification[];
  notificationsById: Map<string, SerializedNotification>;
}

function indexRecords(data: MemoryData): Records {
  const { workflows, subscribers, preferences, notifications, recordedResponses, ...head } = data;
  return {
    head,
    workflows: sortForListing(workflows),
    subscribersById: new Map(subscribers.map((subscriber) => [subscriber._id, subscriber])),
    subscribersBySubscriberId: new Map(subscribers.map((subscriber) => [subscriber.subscriberId, subscriber])),
    emails: undefined,
    notifications: notifications.toSorted(compareNewest),
    notificationsById: new Map(notifications.map((notification) => [notification._id, notification])),
    preferences: new Map(preferences.map((stored) => [stored.subscriberId, stored])),
    responses: new Map(recordedResponses.map((response) => [response.key, response])),
  };
}

function groupByEmail(subscribers: Iterable<Subscriber>): Map<string, Subscriber[]> {
  const reachable = [...subscribers].filter(({ email }) => email !== undefined);
  const toEmail = ({ email = "" }: Subscriber) => email;
  return new Map(groupBy(reachable, toEmail).map((group) => [toEmail(group[0]), group]));
}

/** Sorts oldest first, ties by id (D-10). */
function sortForListing(workflows: readonly Workflow[]): readonly Workflow[] {
  return workflows.toSorted((a, b) => compare(a.createdAt, b.createdAt) || compare(a._id, b._id));
}

/** Compares ASCII texts of one form, such as timestamps and ids. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function applyOperationChange({ preferences, responses }: OperationRecords, change: OperationChange): void {
  if (change.type === "preferencesSet") preferences.set(change.preferences.subscriberId, change.preferences);
  else recordResponse(responses, change.response);
}

const KEPT_MS = 24 * 3_600_000;
const MAX_REPLAYED = 10_000; // each with its body: some 50 MB at most

/** True if a response to an idempotent request is still replayed at `now`, in milliseconds since 1970 (D-60). */
export function isKept({ recordedAt }: RecordedResponse, now: number): boolean {
  return now - Date.parse(recordedAt) < KEPT_MS;
}

/** Adds a response, and drops those that expired or are too many: the oldest, which come first. */
export function recordResponse(responses: Map<string, RecordedResponse>, response: RecordedResponse): void {
  const now = Date.parse(response.recordedAt);
  responses.delete(response.key); // moves it to the end
  for (const [key, older] of responses) {
    if (responses.size < MAX_REPLAYED && isKept(older, now)) break;
    responses.delete(key);
  }
  responses.set(response.key, response);
}

function applyChange(records: Records, change: Change): void {
  switch (change.type) {
    case "notificationsAdded":
      for (const notification of change.notifications) addNotification(records, serialize(notification));
      return;
    case "notificationRemoved":
      removeNotification(records, change.notificationId);
      return;
    case "subscriberAdded":
      addSubscriber(records, change.subscriber);
      return;
    case "subscriberRemoved":
      removeSubscriber(records, records.subscribersBySubscriberId.get(change.subscriberId));
      records.preferences.delete(change.subscriberId);
      return;
    case "workflowAdded": {
      const { _id, identifier } = change.workflow;
      const remaining = records.workflows.filter((other) => other._id !== _id && other.identifier !== identifier);
      records.workflows = sortForListing([...remaining, change.workflow]);
      return;
    }
    case "workflowRemoved":
      records.workflows = records.workflows.filter(({ _id }) => _id !== change.workflowId);
      removePreferences(records.preferences, change.workflowId);
      return;
    case "replaced": {
      const { keyHash: _keyHash, ...data } = change.data;
      const { name, keyHash } = records.head; // a reset keeps name and key
      Object.assign(records, indexRecords({ ...data, name, ...(keyHash === undefined ? {} : { keyHash }) }));
      return;
    }
    case "removed": // not read again
      return;
    default:
      applyOperationChange(records, change);
  }
}

/** Replaces a notification with the same id. */
function addNotification(records: Records, notification: SerializedNotification): void {
  removeNotification(records, notification._id);
  records.notificationsById.set(notification._id, notification);
  records.notifications.splice(indexIn(records.notifications, notification), 0, notification);
}

function removeNotification({ notifications, notificationsById }: Records, id: string): void {
  const notification = notificationsById.get(id);
  if (!notification) return;
  notificationsById.delete(id);
  notifications.splice(indexIn(notifications, notification), 1);
}

/** Replaces subscribers with the same id or subscriberId. */
function addSubscriber(records: Records, subscriber: Subscriber): void {
  const { _id, subscriberId } = subscriber;
  removeSubscriber(records, records.subscribersById.get(_id));
  removeSubscriber(records, records.subscribersBySubscriberId.get(subscriberId));
  records.emails = undefined;
  records.subscribersById.set(_id, subscriber);
  records.subscribersBySubscriberId.set(subscriberId, subscriber);
}

function removeSubscriber(records: Records, subscriber: Subscriber | undefined): void {
  if (!subscriber) return;
  records.emails = undefined;
  records.subscribersById.delete(subscriber._id);
  records.subscribersBySubscriberId.delete(subscriber.subscriberId);
}

function removePreferences(preferences: Map<string, StoredPreferences>, workflowId: string): void {
  for (const [subscriberId, stored] of preferences) {
    const workflows = stored.workflows.filter((entry) => entry.workflowId !== workflowId);
    if (workflows.length < stored.workflows.length) preferences.set(subscriberId, { ...stored, workflows });
  }
}
