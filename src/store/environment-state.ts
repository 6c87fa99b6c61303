// An environment in memory: its records behind look-ups, and drafts of changes that are not yet on disk.
import type { Change, EnvironmentView } from "../domain/environment-view.js";
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
  toData(pending: readonly Change[]): EnvironmentData;
}

/** What a batch of requests sees: the state and, on top of it, what the batch has changed so far. */
export interface Draft {
  view: EnvironmentView;
  changes: readonly Change[];
  add(changes: readonly Change[]): void;
}

type Overlay = Pick<EnvironmentView, "preferencesOf" | "recordedAnswer"> & { add(change: Change): void };

export function createEnvironmentState(data: EnvironmentData): EnvironmentState {
  const { preferences: _p, recordedAnswers: _r, ...fixed } = data;
  const workflows = data.workflows.toSorted(byCreation);
  const notifications = data.notifications.toSorted(byNewest);
  const workflowsById = indexBy(workflows, (workflow) => workflow._id);
  const workflowsByIdentifier = indexBy(workflows, (workflow) => workflow.identifier);
  const subscribersById = indexBy(data.subscribers, (subscriber) => subscriber._id);
  const subscribersBySubscriberId = indexBy(data.subscribers, (subscriber) => subscriber.subscriberId);
  const preferences = indexBy(data.preferences, (stored) => stored.subscriberId);
  const answers = indexBy(data.recordedAnswers, (answer) => answer.key);

  return {
    environmentId: data.environmentId,
    organizationId: data.organizationId,
    workflows,
    subscribers: data.subscribers,
    notifications,
    workflowById: (id) => workflowsById.get(id),
    workflowByIdentifier: (identifier) => workflowsByIdentifier.get(identifier),
    subscriberById: (id) => subscribersById.get(id),
    subscriberBySubscriberId: (subscriberId) => subscribersBySubscriberId.get(subscriberId),
    preferencesOf: (subscriberId) => preferences.get(subscriberId) ?? { subscriberId, global: {}, workflows: [] },
    recordedAnswer: (key) => answers.get(key),
    apply(changes) {
      for (const change of changes) put(change, preferences, answers);
    },
    toData(pending) {
      const next = { preferences: new Map(preferences), answers: new Map(answers) };
      for (const change of pending) put(change, next.preferences, next.answers);
      return { ...fixed, preferences: [...next.preferences.values()], recordedAnswers: [...next.answers.values()] };
    },
  };
}

export function createDraft(state: EnvironmentState): Draft {
  const overlay = createOverlay(state);
  const changes: Change[] = [];
  return {
    view: { ...state, preferencesOf: overlay.preferencesOf, recordedAnswer: overlay.recordedAnswer },
    changes,
    add(added) {
      for (const change of added) overlay.add(change);
      changes.push(...added);
    },
  };
}

function createOverlay(state: EnvironmentState): Overlay {
  const preferences = new Map<string, StoredPreferences>();
  const answers = new Map<string, RecordedAnswer>();
  return {
    preferencesOf: (subscriberId) => preferences.get(subscriberId) ?? state.preferencesOf(subscriberId),
    recordedAnswer: (key) => answers.get(key) ?? state.recordedAnswer(key),
    add: (change) => put(change, preferences, answers),
  };
}

function put(change: Change, preferences: Map<string, StoredPreferences>, answers: Map<string, RecordedAnswer>): void {
  switch (change.type) {
    case "preferencesSet":
      preferences.set(change.preferences.subscriberId, change.preferences);
      return;
    case "answerRecorded":
      recordAnswer(answers, change.answer);
      return;
  }
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
