// JSON that is text already. What is kept as text and sent as text need not become a value in between.

/** Part of some bytes in UTF-8. Of a short one a view would cost more than its copy. */
export interface Bytes {
  source: Buffer;
  start: number;
  /** Not included. */
  end: number;
}

/** The text of a `T`: parts that follow each other, some of them bytes. */
export class JsonText<T> {
  /** Never there: it gives the text its type. */
  declare readonly value: T;

  constructor(readonly parts: readonly (string | Bytes)[]) {}
}

/** A value as JSON in UTF-8, whether it is given as a value or as text. */
export function toJsonBytes(value: unknown): Buffer {
  if (!(value instanceof JsonText)) return Buffer.from(JSON.stringify(value));
  let length = 0;
  for (const part of value.parts) length += typeof part === "string" ? Buffer.byteLength(part) : part.end - part.start;
  const bytes = Buffer.allocUnsafe(length);
  let end = 0;
  for (const part of value.parts) {
    end += typeof part === "string" ? bytes.write(part, end) : part.source.copy(bytes, end, part.start, part.end);
  }
  return bytes;
}
