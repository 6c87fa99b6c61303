// What a batch of requests sees: the durable state and, on top of it, what the batch has changed so far.
import type { Change } from "../../domain/change.js";
import type { EnvironmentView } from "../../domain/environment-view.js";
import type { RecordedResponse, StoredPreferences } from "../../domain/state.js";

export interface Draft {
  readonly view: EnvironmentView;
  /** The view shows what the operations of the contract change; changed records it does not show. */
  add(changes: readonly Change[]): void;
}

export function createDraft(state: EnvironmentView): Draft {
  const preferences = new Map<string, StoredPreferences>();
  const responses = new Map<string, RecordedResponse>();
  return {
    view: {
      ...state,
      preferencesOf: (subscriberId) => preferences.get(subscriberId) ?? state.preferencesOf(subscriberId),
      recordedResponse: (key) => responses.get(key) ?? state.recordedResponse(key),
    },
    add(changes) {
      for (const change of changes) {
        if (change.type === "preferencesSet") preferences.set(change.preferences.subscriberId, change.preferences);
        if (change.type === "responseRecorded") responses.set(change.response.key, change.response);
      }
    },
  };
}
