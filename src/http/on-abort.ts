// Waits for the end of something long, such as the server, many times at once.

const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Runs `end` when the signal aborts, soon if it has, unless the returned function is called before. The signal has one
 * listener, however many wait: to add another takes as long as there are listeners, and AbortSignal.any leaks on Node 20.
 */
export function onAbort(signal: AbortSignal | undefined, end: () => void): () => void {
  if (!signal) return () => {};
  if (signal.aborted) queueMicrotask(end);
  const ends = waiting.get(signal) ?? listen(signal);
  ends.add(end);
  return () => void ends.delete(end);
}

function listen(signal: AbortSignal): Set<() => void> {
  const ends = new Set<() => void>();
  waiting.set(signal, ends);
  signal.addEventListener("abort", () => {
    for (const end of ends) end();
  });
  return ends;
}
