// A value as the bytes that are sent.
import { JsonText } from "../domain/json-text.js";

/** A value as JSON in UTF-8. */
export function toJsonBytes(value: unknown, { isIndented = false }: { isIndented?: boolean | undefined } = {}): Buffer {
  if (!(value instanceof JsonText)) return Buffer.from(JSON.stringify(value, null, isIndented ? 2 : undefined));
  return Buffer.concat(value.parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
}
