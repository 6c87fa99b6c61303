// The records of an environment behind their look-ups, and what each change makes of them. Indexes belong to one
// environment; the records themselves are never changed, so that environments and snapshots share them.
import type { Change, OperationChange } from "../../domain/change.js";
import { recordResponse } from "../../domain/recorded-responses.js";
import type { EnvironmentContents, RecordedResponse, StoredPreferences } from "../../domain/state.js";
import { createNotificationIndex } from "./notification-index.js";
import { serialize } from "./serialized-notification.js";
import { createSubscriberIndex } from "./subscriber-index.js";
import { createWorkflowIndex } from "./workflow-index.js";

/** What the operations of the contract change. */
export interface OperationRecords {
  preferences: Map<string, StoredPreferences>;
  responses: Map<string, RecordedResponse>;
}

type EnvironmentRecords = ReturnType<typeof createRecords>;

export function createRecords(contents: EnvironmentContents) {
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

export function applyOperationChange({ preferences, responses }: OperationRecords, change: OperationChange): void {
  if (change.type === "preferencesSet") preferences.set(change.preferences.subscriberId, change.preferences);
  else recordResponse(responses, change.response);
}

export function applyChange(records: EnvironmentRecords, change: Change): void {
  const { head, subscribers, notifications, preferences } = records;
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
    case "workflowAdded":
      records.workflows = createWorkflowIndex([...withoutWorkflow(records, change.workflow._id), change.workflow]);
      return;
    case "workflowRemoved":
      records.workflows = createWorkflowIndex(withoutWorkflow(records, change.workflowId));
      removePreferences(preferences, change.workflowId);
      return;
    case "replaced": {
      const { keyHash: _keyHash, ...data } = change.data;
      const { name, keyHash } = head; // it stays the same environment, opened by the same key
      Object.assign(records, createRecords({ ...data, name, ...(keyHash === undefined ? {} : { keyHash }) }));
      return;
    }
    case "removed": // nobody finds it from now on
      return;
    default:
      applyOperationChange(records, change);
  }
}

function withoutWorkflow({ workflows }: EnvironmentRecords, id: string) {
  return workflows.all.filter(({ _id }) => _id !== id);
}

function removePreferences(preferences: Map<string, StoredPreferences>, workflowId: string): void {
  for (const [subscriberId, stored] of preferences) {
    const workflows = stored.workflows.filter((entry) => entry.workflowId !== workflowId);
    if (workflows.length < stored.workflows.length) preferences.set(subscriberId, { ...stored, workflows });
  }
}
