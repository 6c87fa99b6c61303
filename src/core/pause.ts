// A delay that a signal can end.

export const MAX_TIMER_MS = 2 ** 31 - 1; // setTimeout treats a longer delay as none

/** Resolves after this time, or as soon as the signal aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, signal?.aborted ? 0 : Math.min(ms, MAX_TIMER_MS));
    signal?.addEventListener("abort", end);

    function end() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve(ms > MAX_TIMER_MS && !signal?.aborted ? pause(ms - MAX_TIMER_MS, signal) : undefined);
    }
  });
}
