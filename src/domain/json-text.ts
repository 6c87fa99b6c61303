// JSON that is text already. What is kept as text and sent as text need not become a value in between.

/** Part of some bytes in UTF-8. Of a short one a view would cost more than its copy. */
export interface Bytes {
  source: Buffer;
  start: number;
  /** Not included. */
  end: number;
}

/** A text, or the bytes of one. */
export type TextPart = string | Bytes;

/** The text of a `T`: parts that follow each other. */
export class JsonText<T> {
  /** Never there: it gives the text its type. */
  declare readonly value: T;

  constructor(readonly parts: readonly TextPart[]) {}
}

/** A value as JSON in UTF-8, whether it is given as a value or as text. */
export function toJsonBytes(value: unknown): Buffer {
  return value instanceof JsonText ? joinParts(value.parts) : Buffer.from(JSON.stringify(value));
}

/** Parts of a text, one after the other. */
export function joinParts(parts: readonly TextPart[]): Buffer {
  let length = 0;
  for (const part of parts) length += lengthOf(part);
  const bytes = Buffer.allocUnsafe(length);
  let end = 0;
  for (const part of parts) end += copyPart(part, bytes, end);
  return bytes;
}

/** How many bytes a part has. */
export function lengthOf(part: TextPart): number {
  return typeof part === "string" ? Buffer.byteLength(part) : part.end - part.start;
}

/** Writes a part where there is room for all of it, and says how many bytes it has. */
export function copyPart(part: TextPart, target: Buffer, at: number): number {
  return typeof part === "string" ? target.write(part, at) : part.source.copy(target, at, part.start, part.end);
}
