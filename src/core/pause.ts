// A delay that a signal can end, and a signal of several.

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

interface JoinedSignal {
  signal: AbortSignal;
  abort(): void;
  release(): void;
}

/** A signal that aborts with any of these, until it is released: `AbortSignal.any` leaks on Node 20. */
export function joinSignals(...signals: (AbortSignal | undefined)[]): JoinedSignal {
  const joined = new AbortController();
  const abort = () => joined.abort(signals.find((signal) => signal?.aborted)?.reason);
  for (const signal of signals) signal?.addEventListener("abort", abort);
  if (signals.some((signal) => signal?.aborted)) abort();
  const release = () => {
    for (const signal of signals) signal?.removeEventListener("abort", abort);
  };
  return { signal: joined.signal, abort: () => joined.abort(), release };
}
