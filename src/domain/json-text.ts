// JSON that is text already. What is kept as text and sent as text need not become a value in between.

/** The text of a `T`. */
export class JsonText<T> {
  /** Never there: it gives the text its type. */
  declare readonly value: T;

  constructor(readonly text: string) {}
}

/** The text of a value, whichever of the two it is given as. */
export function toJsonText(value: unknown): string {
  return value instanceof JsonText ? value.text : JSON.stringify(value);
}
