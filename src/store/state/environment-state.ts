// An environment in memory: its records behind look-ups, and what each change makes of them. The look-ups belong to one
// environment; the records are never changed, so that environments and snapshots share them. Changes that are not yet
// durable are in draft.ts.
import type { Change } from "../../domain/change.js";
import type { EnvironmentView } from "../../domain/environment-view.js";
import { recordResponse } from "../../domain/recorded-responses.js";
import type { EnvironmentContents, StoredPreferences, Workflow } from "../../domain/state.js";
import { createNotificationIndex } from "./notification-index.js";
import { serialize } from "./serialized-notification.js";
import { createSubscriberIndex } from "./subscriber-index.js";

export interface EnvironmentState extends EnvironmentView {
  /** Increases with each change. */
  readonly revision: number;
  /** Makes changes visible. Only for changes that are already durable. */
  apply(changes: readonly Change[]): void;
  /** Everything as it is now. It shares the records, and nothing of it changes later. */
  toContents(): EnvironmentContents;
}

export function createEnvironmentState(contents: EnvironmentContents): EnvironmentState {
  let records = createRecords(contents);
  const state = { revision: 0, ...records.view, apply, toContents };

  function apply(changes: readonly Change[]): void {
    if (changes.length > 0) state.revision += 1;
    for (const change of changes) {
      if (change.type === "replaced") {
        const { name, keyHash } = records.head; // it stays the same environment, opened by the same key
        records = createRecords({ ...change.data, name, keyHash });
      } else applyChange(records, change);
    }
    Object.assign(state, records.view);
  }

  function toContents(): EnvironmentContents {
    const { head, view, preferences, responses } = records;
    return {
      ...head,
      workflows: [...view.workflows.all],
      subscribers: [...view.subscribers.all()],
      preferences: [...preferences.values()],
      notifications: [...view.notifications.newestFirst],
      recordedResponses: [...responses.values()],
    };
  }

  return state;
}

type EnvironmentRecords = ReturnType<typeof createRecords>;

function createRecords(contents: EnvironmentContents) {
  const { workflows, subscribers, preferences: stored, notifications, recordedResponses, ...head } = contents;
  const preferences = new Map(stored.map((entry) => [entry.subscriberId, entry]));
  const responses = new Map(recordedResponses.map((response) => [response.key, response]));
  const view = {
    environmentId: head.environmentId,
    organizationId: head.organizationId,
    workflows: createWorkflowIndex(workflows),
    subscribers: createSubscriberIndex(subscribers),
    notifications: createNotificationIndex(notifications),
    preferencesOf: (subscriberId: string): StoredPreferences =>
      preferences.get(subscriberId) ?? { subscriberId, global: {}, workflows: [] },
    recordedResponse: (key: string) => responses.get(key),
  };
  return { head, view, preferences, responses };
}

/** Workflows are few: a change makes a new index. */
function createWorkflowIndex(workflows: readonly Workflow[]) {
  return {
    all: workflows.toSorted((a, b) => compare(a.createdAt, b.createdAt) || compare(a._id, b._id)),
    byId: (id: string) => workflows.find(({ _id }) => _id === id),
    byIdentifier: (name: string) => workflows.find(({ identifier }) => identifier === name),
  };
}

/** Order of ASCII texts of one form: timestamps and ids. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function applyChange(
  { view, preferences, responses }: EnvironmentRecords,
  change: Exclude<Change, { type: "replaced" }>,
): void {
  const others = (id: string) => view.workflows.all.filter(({ _id }) => _id !== id);
  switch (change.type) {
    case "preferencesSet":
      preferences.set(change.preferences.subscriberId, change.preferences);
      return;
    case "responseRecorded":
      recordResponse(responses, change.response);
      return;
    case "notificationsAdded":
      for (const notification of change.notifications) view.notifications.add(serialize(notification));
      return;
    case "notificationRemoved":
      view.notifications.remove(change.notificationId);
      return;
    case "subscriberAdded":
      view.subscribers.add(change.subscriber);
      return;
    case "subscriberRemoved":
      view.subscribers.remove(change.subscriberId);
      preferences.delete(change.subscriberId);
      return;
    case "workflowAdded":
      view.workflows = createWorkflowIndex([...others(change.workflow._id), change.workflow]);
      return;
    case "workflowRemoved":
      view.workflows = createWorkflowIndex(others(change.workflowId));
      removePreferences(preferences, change.workflowId);
      return;
    case "removed": // nobody finds it from now on
  }
}

function removePreferences(preferences: Map<string, StoredPreferences>, workflowId: string): void {
  for (const [subscriberId, stored] of preferences) {
    const workflows = stored.workflows.filter((entry) => entry.workflowId !== workflowId);
    if (workflows.length < stored.workflows.length) preferences.set(subscriberId, { ...stored, workflows });
  }
}
