// How long, and how many, first responses to idempotent requests are kept (D-60).
import type { RecordedResponse } from "./state.js";

const KEPT_MS = 24 * 3_600_000;
const MAX_RECORDED = 10_000; // each with its body: some 50 MB at most

/** True if a response is still replayed at an instant, in milliseconds since 1970. */
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
