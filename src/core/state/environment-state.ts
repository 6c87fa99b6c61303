// The state of an environment in memory: its records and what each change makes of them; and what a batch of requests sees on
// top of it. Records themselves are never changed, so that environments share them.
import { compareNewest, indexIn } from "../domain/notification-query.js";
import type {
  Change,
  EnvironmentData,
  EnvironmentState,
  OperationChange,
  RecordChange,
  RecordedResponse,
  SerializedNotification,
  StoredPreferences,
  Subscriber,
  Workflow,
} from "../domain/state.js";
import { serialize } from "./serialized-notification.js";

/** With `apply`, which makes changes visible. Only for changes that are already durable. */
export type ChangingState = EnvironmentState & { apply(changes: readonly Change[]): void };

export function createEnvironmentState(data: EnvironmentData<SerializedNotification>): ChangingState {
  const state: ChangingState & Records & { revision: number } = {
    ...toRecords(data),
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

/**
 * Read by the later operations of a batch: the durable state with the changes of the operations before them. It does not show
 * changes of records.
 */
export function createDraft(durable: EnvironmentState) {
  const overlay: OperationRecords = { preferences: new Map(), responses: new Map() };
  const changes: Change[] = [];
  return {
    changes,
    state: {
      ...durable,
      preferencesOf: (subscriberId: string) =>
        overlay.preferences.get(subscriberId) ?? durable.preferencesOf(subscriberId),
      recordedResponse: (key: string) => overlay.responses.get(key) ?? durable.recordedResponse(key),
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

/** Records that the contract's operations change. */
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
  /** Built by the first list by `emails`, and again after a change of subscribers: a pass over 10,000 takes longer than the list. */
  emails: Map<string, Subscriber[]> | undefined;
  notifications: SerializedNotification[];
  notificationsById: Map<string, SerializedNotification>;
}

function toRecords(data: EnvironmentData<SerializedNotification>): Records {
  const { workflows, subscribers, preferences, notifications, recordedResponses, ...head } = data;
  return {
    head,
    workflows: toListingOrder(workflows),
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
  const groups = new Map<string, Subscriber[]>();
  for (const subscriber of subscribers) {
    if (subscriber.email === undefined) continue;
    const group = groups.get(subscriber.email);
    if (group) group.push(subscriber);
    else groups.set(subscriber.email, [subscriber]);
  }
  return groups;
}

/** Oldest first, ties by id (D-10). */
function toListingOrder(workflows: readonly Workflow[]): readonly Workflow[] {
  return workflows.toSorted((a, b) => compare(a.createdAt, b.createdAt) || compare(a._id, b._id));
}

/** Order of ASCII texts of one form: timestamps and ids. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function applyOperationChange({ preferences, responses }: OperationRecords, change: OperationChange): void {
  if (change.type === "preferencesSet") preferences.set(change.preferences.subscriberId, change.preferences);
  else recordResponse(responses, change.response);
}

const KEPT_MS = 24 * 3_600_000;
const MAX_RECORDED = 10_000; // each with its body: some 50 MB at most

/** True if a response to an idempotent request is still replayed at an instant, in milliseconds since 1970 (D-60). */
export function isKept({ recordedAt }: RecordedResponse, now: number): boolean {
  return now - Date.parse(recordedAt) < KEPT_MS;
}

/**
 * Adds a response and drops those that have expired by then, and the oldest where there are too many. The oldest come
 * first, so that this costs what it drops.
 */
export function recordResponse(responses: Map<string, RecordedResponse>, response: RecordedResponse): void {
  const now = Date.parse(response.recordedAt);
  responses.delete(response.key); // so that it goes to the end
  for (const [key, older] of responses) {
    if (responses.size < MAX_RECORDED && isKept(older, now)) break;
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
      const others = records.workflows.filter((other) => other._id !== _id && other.identifier !== identifier);
      records.workflows = toListingOrder([...others, change.workflow]);
      return;
    }
    case "workflowRemoved":
      records.workflows = records.workflows.filter(({ _id }) => _id !== change.workflowId);
      removePreferences(records.preferences, change.workflowId);
      return;
    case "replaced": {
      const { keyHash: _keyHash, ...data } = change.data;
      const { name, keyHash } = records.head; // it stays the same environment, opened by the same key
      Object.assign(records, toRecords({ ...data, name, ...(keyHash === undefined ? {} : { keyHash }) }));
      return;
    }
    case "removed": // nobody finds it from now on
      return;
    default:
      applyOperationChange(records, change);
  }
}

/** One with the same id is replaced. */
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

/** One with the same id or subscriberId is replaced. */
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
