// How long the first answer to an idempotent request is kept (D-60).
import type { RecordedAnswer } from "./state.js";

const KEPT_MS = 24 * 3_600_000;

/** Whether an answer is still replayed at an instant, in milliseconds since 1970. */
export function isKept({ recordedAt }: RecordedAnswer, now: number): boolean {
  return now - Date.parse(recordedAt) < KEPT_MS;
}

/** Adds an answer and drops those that have expired by then. The oldest come first, so that this costs what it drops. */
export function recordAnswer(answers: Map<string, RecordedAnswer>, answer: RecordedAnswer): void {
  const now = Date.parse(answer.recordedAt);
  for (const [key, older] of answers) {
    if (isKept(older, now)) break;
    answers.delete(key);
  }
  answers.delete(answer.key); // so that it goes to the end
  answers.set(answer.key, answer);
}
