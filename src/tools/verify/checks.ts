// What a case has checked, in words, so that the report of a case that passed shows what was right.
import { AsyncLocalStorage } from "node:async_hooks";
import { plural } from "../../contract/violation.js";

/** How often each check of a case held. */
const running = new AsyncLocalStorage<Map<string, number>>();

const MOST = 100;

/** Runs a case; what it notes, also in what it waits for, is counted in `checks`. */
export const noteIn = <T>(checks: Map<string, number>, run: () => Promise<T>): Promise<T> => running.run(checks, run);

/** Notes that a check of the case that runs holds: `Status 422`. */
export function noteCheck(text: string): void {
  const checks = running.getStore();
  checks?.set(text, (checks.get(text) ?? 0) + 1);
}

/** The first of them, with how often each held. */
export function formatChecks(checks: ReadonlyMap<string, number>): string[] {
  const lines = [...checks].map(([text, count]) => (count > 1 ? `${text} (${count} times)` : text));
  const more = lines.length - MOST;
  return more > 1 ? [...lines.slice(0, MOST), `and ${plural(more, "more check")}`] : lines;
}
