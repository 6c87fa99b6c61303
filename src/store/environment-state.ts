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
  EnvironmentData,
  RecordedAnswer,
  StoredNotification,
  StoredPreferences,
  Workflow,
} from "../domain/state.js";

export interface EnvironmentState extends EnvironmentView {
  /** Makes changes visible. Only for changes that are already durable. */
  apply(changes: readonly Change[]): void;
  /** The environment as data, as if `pending` had been applied. */
  toData(pending?: readonly Change[]): EnvironmentData;
}

/** What a batch of requests sees: the state and, on top of it, what the batch has changed so far. */
export interface Draft {
  view: EnvironmentView;
  changes: readonly Change[];
  /** Whether records have changed, which the view does not show. */
  hasRecordChanges: boolean;
  add(changes: readonly Change[]): void;
}

export function createEnvironmentState(initial: EnvironmentData): EnvironmentState {
  let records = createRecords(initial);
  return {
    get environmentId() {
      return records.data.environmentId;
    },
    get organizationId() {
      return records.data.organizationId;
    },
    get workflows() {
      return records.workflows;
    },
    get subscribers() {
      return records.data.subscribers;
    },
    get notifications() {
      return records.notifications;
    },
    workflowById: (id) => records.workflowsById.get(id),
    workflowByIdentifier: (identifier) => records.workflowsByIdentifier.get(identifier),
    subscriberById: (id) => records.subscribersById.get(id),
    subscriberBySubscriberId: (subscriberId) => records.subscribersBySubscriberId.get(subscriberId),
    preferencesOf: (subscriberId) => records.preferences.get(subscriberId) ?? nothingSet(subscriberId),
    recordedAnswer: (key) => records.answers.get(key),
    apply(changes) {
      for (const change of changes) {
        if (isRecordChange(change)) records = createRecords(withChange(toData(records), change));
        else put(change, records.preferences, records.answers);
      }
    },
    toData(pending = []) {
      const next = { ...records, preferences: new Map(records.preferences), answers: new Map(records.answers) };
      const operations = pending.filter((change): change is OperationChange => !isRecordChange(change));
      for (const change of operations) put(change, next.preferences, next.answers);
      return pending.filter(isRecordChange).reduce(withChange, toData(next));
    },
  };
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

function createRecords(data: EnvironmentData) {
  return {
    data,
    workflows: data.workflows.toSorted(byCreation),
    notifications: data.notifications.toSorted(byNewest),
    workflowsById: indexBy(data.workflows, (workflow) => workflow._id),
    workflowsByIdentifier: indexBy(data.workflows, (workflow) => workflow.identifier),
    subscribersById: indexBy(data.subscribers, (subscriber) => subscriber._id),
    subscribersBySubscriberId: indexBy(data.subscribers, (subscriber) => subscriber.subscriberId),
    preferences: indexBy(data.preferences, (stored) => stored.subscriberId),
    answers: indexBy(data.recordedAnswers, (answer) => answer.key),
  };
}

function toData({ data, preferences, answers }: Records): EnvironmentData {
  return { ...data, preferences: [...preferences.values()], recordedAnswers: [...answers.values()] };
}

function withChange(data: EnvironmentData, change: RecordChange): EnvironmentData {
  switch (change.type) {
    case "notificationsAdded":
      return { ...data, notifications: [...data.notifications, ...change.notifications] };
    case "notificationRemoved":
      return { ...data, notifications: data.notifications.filter(({ _id }) => _id !== change.notificationId) };
    case "subscriberAdded":
      return { ...data, subscribers: [...data.subscribers, change.subscriber] };
    case "subscriberRemoved": {
      const stays = ({ subscriberId }: { subscriberId: string }) => subscriberId !== change.subscriberId;
      return {
        ...data,
        subscribers: data.subscribers.filter(stays),
        preferences: data.preferences.filter(stays),
      };
    }
    case "workflowAdded":
      return { ...data, workflows: [...data.workflows, change.workflow] };
    case "workflowRemoved":
      return {
        ...data,
        workflows: data.workflows.filter(({ _id }) => _id !== change.workflowId),
        preferences: data.preferences.map((stored) => ({
          ...stored,
          workflows: stored.workflows.filter(({ workflowId }) => workflowId !== change.workflowId),
        })),
      };
    case "replaced": {
      const { keyHash: _keyHash, ...replacement } = change.data;
      const { name, keyHash } = data; // it stays the same environment, opened by the same key
      return { ...replacement, name, ...(keyHash === undefined ? {} : { keyHash }) };
    }
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

function byNewest(a: StoredNotification, b: StoredNotification): number {
  return compare(b.createdAt, a.createdAt) || compare(b._id, a._id);
}

/** Order of ASCII texts of one form: timestamps and ids. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
