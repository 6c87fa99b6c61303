// JSON values.

/** True for an object that is neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value of a table under any name. Every object has a `constructor`, most tables have none. */
export function lookUp<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Removes values whose JSON is the same. */
export function distinct(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** True if two values are the same JSON, whatever the order of their members. Members may be called `constructor`. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every(
    (name) => Object.hasOwn(other, name) && isEqual(one[name as keyof object], other[name as keyof object]),
  );
}

/**
 * Copies what outlives its contract: V8 keeps the text from which a part was cut, so an operation's id would keep the
 * whole file.
 */
export function detach<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}

/** Undefined for a malformed text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value of a JSON text; any other text as it is. */
export function readJson(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? text : value;
}

/** A copy whose objects have no prototype, so that validators find no member `constructor` in them. */
export function withoutPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  if (!isObject(value)) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [name, member] of Object.entries(value)) copy[name] = withoutPrototypes(member);
  return copy;
}
