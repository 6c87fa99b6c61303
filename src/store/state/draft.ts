// What a batch of requests sees: the durable state and, on top of it, what the batch has changed so far.
import { type Change, isRecordChange } from "../../domain/change.js";
import type { EnvironmentView } from "../../domain/environment-view.js";
import { applyOperationChange, type OperationRecords } from "./environment-records.js";

export interface Draft {
  readonly view: EnvironmentView;
  readonly changes: readonly Change[];
  /** Whether records have changed, which the view does not show. */
  readonly hasRecordChanges: boolean;
  add(changes: readonly Change[]): void;
}

export function createDraft(state: EnvironmentView): Draft {
  const overlay: OperationRecords = { preferences: new Map(), responses: new Map() };
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
