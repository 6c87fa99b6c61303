// The state of an environment in memory: its records behind look-ups, and what each change makes of them; and what a batch of
// requests sees on top of it. Indexes belong to one environment, the records may be shared.
import type { Change, OperationChange, RecordChange } from "../../domain/change.js";
import { recordResponse } from "../../domain/recorded-responses.js";
import type { EnvironmentContents, EnvironmentView, RecordedResponse, StoredPreferences } from "../../domain/state.js";
import { createNotificationIndex, createSubscriberIndex, createWorkflowIndex } from "./record-indexes.js";
import { serialize } from "./serialized-notification.js";

export interface EnvironmentState extends EnvironmentView {
  /** Increases with each change. */
  readonly revision: number;
  /** Makes changes visible. Only for changes that are already durable. */
  apply(changes: readonly Change[]): void;
  /** Everything as it is now. It shares the records, and nothing of it changes later. */
  toContents(): EnvironmentContents;
}

export function createEnvironmentState(contents: EnvironmentContents): EnvironmentState {
  const lookups = createLookups(contents);
  let revision = 0;
  return {
    get revision() {
      return revision;
    },
    get environmentId() {
      return lookups.head.environmentId;
    },
    get organizationId() {
      return lookups.head.organizationId;
    },
    get workflows() {
      return lookups.workflows.all;
    },
    get notifications() {
      return lookups.notifications.newestFirst;
    },
    notificationById: (id) => lookups.notifications.byId(id),
    notificationsBy: (key, value) => lookups.notifications.by(key, value),
    workflowById: (id) => lookups.workflows.byId.get(id),
    workflowByIdentifier: (identifier) => lookups.workflows.byIdentifier.get(identifier),
    subscribers: () => lookups.subscribers.all(),
    subscriberById: (id) => lookups.subscribers.byId(id),
    subscriberBySubscriberId: (subscriberId) => lookups.subscribers.bySubscriberId(subscriberId),
    subscribersByEmail: (email) => lookups.subscribers.byEmail(email),
    preferencesOf: (subscriberId) =>
      lookups.preferences.get(subscriberId) ?? { subscriberId, global: {}, workflows: [] },
    recordedResponse: (key) => lookups.responses.get(key),
    apply(changes) {
      if (changes.length > 0) revision += 1;
      for (const change of changes) applyChange(lookups, change);
    },
    toContents: () => ({
      ...lookups.head,
      workflows: [...lookups.workflows.all],
      subscribers: [...lookups.subscribers.all()],
      preferences: [...lookups.preferences.values()],
      notifications: [...lookups.notifications.newestFirst],
      recordedResponses: [...lookups.responses.values()],
    }),
  };
}

export interface Draft {
  readonly view: EnvironmentView;
  readonly changes: readonly Change[];
  /** Whether records have changed, which the view does not show. */
  readonly hasRecordChanges: boolean;
  add(changes: readonly Change[]): void;
}

export function createDraft(state: EnvironmentView): Draft {
  const overlay: OperationLookups = { preferences: new Map(), responses: new Map() };
  const changes: Change[] = [];
  let hasRecordChanges = false;
  return {
    view: {
      ...state,
      preferencesOf: (subscriberId) => overlay.preferences.get(subscriberId) ?? state.preferencesOf(subscriberId),
      recordedResponse: (key) => overlay.responses.get(key) ?? state.recordedResponse(key),
    },
    changes,
    get hasRecordChanges() {
      return hasRecordChanges;
    },
    add(added) {
      for (const change of added) {
        if (isRecordChange(change)) hasRecordChanges = true;
        else applyOperationChange(overlay, change);
      }
      changes.push(...added);
    },
  };
}

/** What the operations of the contract change. */
interface OperationLookups {
  preferences: Map<string, StoredPreferences>;
  responses: Map<string, RecordedResponse>;
}

type Lookups = ReturnType<typeof createLookups>;

function createLookups(contents: EnvironmentContents) {
  const { workflows, subscribers, preferences, notifications, recordedResponses, ...head } = contents;
  return {
    head,
    workflows: createWorkflowIndex(workflows),
    subscribers: createSubscriberIndex(subscribers),
    notifications: createNotificationIndex(notifications),
    preferences: new Map(preferences.map((stored) => [stored.subscriberId, stored])),
    responses: new Map(recordedResponses.map((response) => [response.key, response])),
  };
}

function applyOperationChange({ preferences, responses }: OperationLookups, change: OperationChange): void {
  if (change.type === "preferencesSet") preferences.set(change.preferences.subscriberId, change.preferences);
  else recordResponse(responses, change.response);
}

function applyChange(lookups: Lookups, change: Change): void {
  const { head, subscribers, notifications, preferences } = lookups;
  switch (change.type) {
    case "notificationsAdded":
      for (const notification of change.notifications) notifications.add(serialize(notification));
      return;
    case "notificationRemoved":
      notifications.remove(change.notificationId);
      return;
    case "subscriberAdded":
      subscribers.add(change.subscriber);
      return;
    case "subscriberRemoved":
      subscribers.remove(change.subscriberId);
      preferences.delete(change.subscriberId);
      return;
    case "workflowAdded": {
      const { _id, identifier } = change.workflow;
      const others = lookups.workflows.all.filter((other) => other._id !== _id && other.identifier !== identifier);
      lookups.workflows = createWorkflowIndex([...others, change.workflow]);
      return;
    }
    case "workflowRemoved":
      lookups.workflows = createWorkflowIndex(lookups.workflows.all.filter(({ _id }) => _id !== change.workflowId));
      removePreferences(preferences, change.workflowId);
      return;
    case "replaced": {
      const { keyHash: _keyHash, ...data } = change.data;
      const { name, keyHash } = head; // it stays the same environment, opened by the same key
      Object.assign(lookups, createLookups({ ...data, name, ...(keyHash === undefined ? {} : { keyHash }) }));
      return;
    }
    case "removed": // nobody finds it from now on
      return;
    default:
      applyOperationChange(lookups, change);
  }
}

function removePreferences(preferences: Map<string, StoredPreferences>, workflowId: string): void {
  for (const [subscriberId, stored] of preferences) {
    const workflows = stored.workflows.filter((entry) => entry.workflowId !== workflowId);
    if (workflows.length < stored.workflows.length) preferences.set(subscriberId, { ...stored, workflows });
  }
}

export function isRecordChange(change: Change): change is RecordChange {
  return change.type !== "preferencesSet" && change.type !== "responseRecorded";
}
