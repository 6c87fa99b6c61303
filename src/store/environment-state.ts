// An environment in memory: its records behind look-ups, and drafts of changes that are not yet on disk.
import {
  type Change,
  type EnvironmentView,
  isRecordChange,
  type OperationChange,
  type RecordChange,
} from "../domain/environment-view.js";
import { recordAnswer } from "../domain/recorded-answers.js";
import type {
  EnvironmentContents,
  EnvironmentData,
  KeptNotification,
  RecordedAnswer,
  StoredNotification,
  StoredPreferences,
  Workflow,
} from "../domain/state.js";
import { keepNotification, toStored } from "./kept-notification.js";
import { createNotificationIndex } from "./notification-index.js";
import { createShareIndex } from "./shared-index.js";
import { createSubscriberIndex } from "./subscriber-index.js";

export interface EnvironmentState extends EnvironmentView {
  /** Makes changes visible. Only for changes that are already durable. */
  apply(changes: readonly Change[]): void;
  /** Everything at once becomes something else; name and key stay. */
  replace(contents: EnvironmentContents): void;
  /** Everything as it is now. It shares the records, and nothing of it changes later. */
  toContents(): EnvironmentContents;
  /** The same as plain data. */
  toData(): EnvironmentData;
}

/** What a batch of requests sees: the state and, on top of it, what the batch has changed so far. */
export interface Draft {
  view: EnvironmentView;
  changes: readonly Change[];
  /** Whether records have changed, which the view does not show. */
  hasRecordChanges: boolean;
  add(changes: readonly Change[]): void;
}

const keptLists = new WeakMap<readonly StoredNotification[], readonly KeptNotification[]>();

/** Data that share their lists share what is kept of them. */
export function toContents(data: EnvironmentData): EnvironmentContents {
  const notifications = keptLists.get(data.notifications) ?? data.notifications.map(keepNotification);
  keptLists.set(data.notifications, notifications);
  return { ...data, notifications };
}

const shareSubscribers = createShareIndex(createSubscriberIndex);
const shareNotifications = createShareIndex(createNotificationIndex);

export function createEnvironmentState(initial: EnvironmentContents): EnvironmentState {
  let records = createRecords(initial);
  const state: EnvironmentState = {
    get environmentId() {
      return records.head.environmentId;
    },
    get organizationId() {
      return records.head.organizationId;
    },
    get workflows() {
      return records.workflows;
    },
    get subscribers() {
      return records.subscribers.index.all;
    },
    get notifications() {
      return records.notifications.index.newestFirst;
    },
    notificationById: (id) => records.notifications.index.byId(id),
    notificationsOf: (member, key) => records.notifications.index.of(member, key),
    notificationGroups: (topicKey) => records.notifications.index.groups(topicKey),
    workflowById: (id) => records.workflowsById.get(id),
    workflowByIdentifier: (identifier) => records.workflowsByIdentifier.get(identifier),
    subscriberById: (id) => records.subscribers.index.byId(id),
    subscriberBySubscriberId: (subscriberId) => records.subscribers.index.bySubscriberId(subscriberId),
    subscribersByEmail: (email) => records.subscribers.index.byEmail(email),
    subscribersByPartOfEmail: (text) => records.subscribers.index.byPartOfEmail(text),
    preferencesOf: (subscriberId) => records.preferences.get(subscriberId) ?? nothingSet(subscriberId),
    recordedAnswer: (key) => records.answers.get(key),
    apply(changes) {
      for (const change of changes) {
        if (!isRecordChange(change)) put(change, records.preferences, records.answers);
        else if (change.type === "replaced") state.replace(toContents(change.data));
        else changeRecords(records, change);
      }
    },
    replace(contents) {
      const { keyHash: _keyHash, ...replacement } = contents;
      const { name, keyHash } = records.head; // it stays the same environment, opened by the same key
      records = createRecords({ ...replacement, name, ...(keyHash === undefined ? {} : { keyHash }) });
    },
    toContents: () => ({
      ...records.head,
      workflows: records.workflows,
      subscribers: records.subscribers.index.toArray(),
      preferences: [...records.preferences.values()],
      notifications: records.notifications.index.newestFirst.slice(),
      recordedAnswers: [...records.answers.values()],
    }),
    toData() {
      const contents = state.toContents();
      return { ...contents, notifications: contents.notifications.map(toStored) };
    },
  };
  return state;
}

export function createDraft(state: EnvironmentState): Draft {
  const preferences = new Map<string, StoredPreferences>();
  const answers = new Map<string, RecordedAnswer>();
  const changes: Change[] = [];
  const draft: Draft = {
    view: {
      ...state,
      preferencesOf: (subscriberId) => preferences.get(subscriberId) ?? state.preferencesOf(subscriberId),
      recordedAnswer: (key) => answers.get(key) ?? state.recordedAnswer(key),
    },
    changes,
    hasRecordChanges: false,
    add(added) {
      for (const change of added) {
        if (isRecordChange(change)) draft.hasRecordChanges = true;
        else put(change, preferences, answers);
      }
      changes.push(...added);
    },
  };
  return draft;
}

type Records = ReturnType<typeof createRecords>;

function createRecords(contents: EnvironmentContents) {
  const { workflows, subscribers, preferences, notifications, recordedAnswers, ...head } = contents;
  return {
    head,
    ...indexWorkflows(workflows),
    subscribers: shareSubscribers(subscribers),
    notifications: shareNotifications(notifications),
    preferences: indexBy(preferences, (stored) => stored.subscriberId),
    answers: indexBy(recordedAnswers, (answer) => answer.key),
  };
}

/** Workflows are few: they are indexed anew when one comes or goes. */
function indexWorkflows(workflows: readonly Workflow[]) {
  return {
    workflows: workflows.toSorted(byCreation),
    workflowsById: indexBy(workflows, (workflow) => workflow._id),
    workflowsByIdentifier: indexBy(workflows, (workflow) => workflow.identifier),
  };
}

/** Each change says what is there afterwards: made twice, it is as if it had been made once (see journaled-file.ts). */
function changeRecords(records: Records, change: Exclude<RecordChange, { type: "replaced" }>): void {
  switch (change.type) {
    case "notificationsAdded":
      for (const notification of change.notifications) records.notifications.own().add(keepNotification(notification));
      return;
    case "notificationRemoved":
      records.notifications.own().remove(change.notificationId);
      return;
    case "subscriberAdded":
      records.subscribers.own().add(change.subscriber);
      return;
    case "subscriberRemoved":
      records.subscribers.own().remove(change.subscriberId);
      records.preferences.delete(change.subscriberId);
      return;
    case "workflowAdded": {
      const others = records.workflows.filter(({ _id }) => _id !== change.workflow._id);
      Object.assign(records, indexWorkflows([...others, change.workflow]));
      return;
    }
    case "workflowRemoved":
      Object.assign(records, indexWorkflows(records.workflows.filter(({ _id }) => _id !== change.workflowId)));
      forgetWorkflow(change.workflowId, records.preferences);
      return;
  }
}

function forgetWorkflow(id: string, preferences: Map<string, StoredPreferences>): void {
  for (const [subscriberId, stored] of preferences) {
    if (!stored.workflows.some(({ workflowId }) => workflowId === id)) continue;
    const workflows = stored.workflows.filter(({ workflowId }) => workflowId !== id);
    preferences.set(subscriberId, { ...stored, workflows });
  }
}

function put(
  change: OperationChange,
  preferences: Map<string, StoredPreferences>,
  answers: Map<string, RecordedAnswer>,
): void {
  switch (change.type) {
    case "preferencesSet":
      preferences.set(change.preferences.subscriberId, change.preferences);
      return;
    case "answerRecorded":
      recordAnswer(answers, change.answer);
      return;
  }
}

function nothingSet(subscriberId: string): StoredPreferences {
  return { subscriberId, global: {}, workflows: [] };
}

function indexBy<T>(records: readonly T[], keyOf: (record: T) => string): Map<string, T> {
  return new Map(records.map((record) => [keyOf(record), record]));
}

function byCreation(a: Workflow, b: Workflow): number {
  return compare(a.createdAt, b.createdAt) || compare(a._id, b._id);
}

/** Order of ASCII texts of one form: timestamps and ids. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
