// A map that forgets: entries that are too old, and the oldest of too many.

export interface RecentMap<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
  /** The entries whose keys begin so, oldest first. */
  startingWith(start: string): [key: string, value: Value][];
}

export function createRecentMap<Value>(longestMs: number, most = 1000): RecentMap<Value> {
  const entries = new Map<string, { at: number; value: Value }>();
  const isRecent = ({ at }: { at: number }) => Date.now() - at < longestMs;
  return {
    get(key) {
      const entry = entries.get(key);
      return entry && isRecent(entry) ? entry.value : undefined;
    },
    set(key, value) {
      entries.delete(key); // to the end
      entries.set(key, { at: Date.now(), value });
      const [oldest] = entries.keys();
      if (entries.size > most && oldest !== undefined) entries.delete(oldest);
    },
    delete: (key) => void entries.delete(key),
    startingWith: (start) =>
      [...entries].flatMap(([key, entry]) => (key.startsWith(start) && isRecent(entry) ? [[key, entry.value]] : [])),
  };
}
