// How long, and how many, first answers to idempotent requests are kept (D-60).
import type { RecordedAnswer } from "./state.js";

const KEPT_MS = 24 * 3_600_000;
const MOST_KEPT = 10_000; // each with its body: some 50 MB at most

/** Whether an answer is still replayed at an instant, in milliseconds since 1970. */
export function isKept({ recordedAt }: RecordedAnswer, now: number): boolean {
  return now - Date.parse(recordedAt) < KEPT_MS;
}

/**
 * Adds an answer and drops those that have expired by then, and the oldest where there are too many. The oldest come
 * first, so that this costs what it drops.
 */
export function recordAnswer(answers: Map<string, RecordedAnswer>, answer: RecordedAnswer): void {
  const now = Date.parse(answer.recordedAt);
  answers.delete(answer.key); // so that it goes to the end
  for (const [key, older] of answers) {
    if (answers.size < MOST_KEPT && isKept(older, now)) break;
    answers.delete(key);
  }
  answers.set(answer.key, answer);
}
