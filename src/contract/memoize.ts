// Values that are computed once per object, and kept as long as the object is.

/** The function, which makes the same value each time for the same object. */
export function memoize<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const values = new WeakMap<Key, { value: Value }>();
  return (key) => {
    const kept = values.get(key) ?? { value: make(key) };
    values.set(key, kept);
    return kept.value;
  };
}
