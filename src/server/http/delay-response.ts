// A response that is delayed on purpose (`Prefer: delay`, and faults), and the wait for the end of something long that it needs.
import type { Response } from "express";
import { memoize } from "../../contract/memoize.js";

/** Settles after that time, or when the client disconnects or the server stops. */
export function delayResponse(ms: number, response: Response, stopping: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, response.destroyed ? 0 : ms);
    response.once("close", end);
    const forget = onAbort(stopping, end);

    function end() {
      clearTimeout(timer);
      response.off("close", end);
      forget();
      resolve();
    }
  });
}

/**
 * Runs `end` when the signal aborts, soon if it has, unless the returned function is called before. The signal has one
 * listener, however many wait: to add another takes as long as there are listeners, and AbortSignal.any leaks on Node 20.
 */
export function onAbort(signal: AbortSignal | undefined, end: () => void): () => void {
  if (!signal) return () => {};
  if (signal.aborted) queueMicrotask(end);
  const ends = listenTo(signal);
  ends.add(end);
  return () => void ends.delete(end);
}

/** Run by the one listener of a signal. */
const listenTo = memoize((signal: AbortSignal) => {
  const ends = new Set<() => void>();
  signal.addEventListener("abort", () => {
    for (const end of ends) end();
  });
  return ends;
});
