// Computes a value once per object, and keeps it as long as the object.

export function memoize<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const values = new WeakMap<Key, { value: Value }>();
  return (key) => {
    const kept = values.get(key);
    if (kept) return kept.value;
    const value = make(key);
    values.set(key, { value });
    return value;
  };
}
