// Changes as the journal holds them: plain JSON, of this release or of 0.1.0.
import type { Change } from "../../domain/change.js";
import type { EnvironmentData, RecordedResponse } from "../../domain/state.js";
import { toContents, toData } from "../format/environment-contents.js";
import { toCurrentVersion } from "../format/environment-version.js";

type StoredChange = Exclude<Change, { type: "replaced" }> | { type: "replaced"; data: EnvironmentData };

/** Version 1 (release 0.1.0) named recorded responses otherwise. */
export type FormerChange = StoredChange | { type: "answerRecorded"; answer: RecordedResponse };

export function toStoredChange(change: Change): StoredChange {
  return change.type === "replaced" ? { type: "replaced", data: toData(change.data) } : change;
}

export function readChange(change: FormerChange): Change {
  if (change.type === "answerRecorded") return { type: "responseRecorded", response: change.answer };
  if (change.type !== "replaced") return change;
  return { type: "replaced", data: toContents(toCurrentVersion(change.data) as EnvironmentData) };
}
