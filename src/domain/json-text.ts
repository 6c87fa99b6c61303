// JSON that is text already: what is stored as text and sent as text need not become a value in between.

/** The JSON of a `T`: parts that follow each other, each a text or its bytes in UTF-8. */
export class JsonText<T> {
  /** Never set: it gives the text its type. */
  declare readonly value: T;

  constructor(readonly parts: readonly (string | Uint8Array)[]) {}
}
