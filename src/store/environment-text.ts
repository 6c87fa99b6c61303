// How an environment looks as text: JSON with one record a line, so that a person can read it and git can diff it.
import { copyPart, joinParts, lengthOf, type TextPart } from "../domain/json-text.js";
import type { EnvironmentContents } from "../domain/state.js";
import { isKept, keepBytes } from "./kept-notification.js";

const INDENT = "    ";
const NOTIFICATIONS = '\n  "notifications": [\n';
const END_OF_LIST = "\n  ]";
const SLICE_BYTES = 64 * 1024; // a millisecond or two: to make it, to hash it, and to hand it to the system
const COMMA = 0x2c;
const LINE_END = 0x0a;

/**
 * The text of an environment file: plain JSON, each member on its own line and each record of a list on its own line.
 * `JSON.parse` gives the value back.
 */
export function toEnvironmentText(environment: object): string {
  return joinParts([...toPieces(environment)]).toString();
}

/**
 * The same in slices, made one at a time: whoever writes them can let others work in between. A slice is valid until the
 * next is asked for, since its memory is used again.
 */
export function* toEnvironmentSlices(environment: object): Generator<Buffer> {
  const slice = Buffer.allocUnsafe(SLICE_BYTES);
  let size = 0;
  for (const piece of toPieces(environment)) {
    const length = lengthOf(piece);
    if (size + length > SLICE_BYTES) {
      yield slice.subarray(0, size);
      size = 0;
    }
    if (length > SLICE_BYTES) yield joinParts([piece]);
    else size += copyPart(piece, slice, size);
  }
  yield slice.subarray(0, size);
}

/** The environment in a text that was made of kept notifications. Of each of these only the start is parsed. */
export function readOwnText(bytes: Buffer): EnvironmentContents {
  const place = bytes.indexOf(NOTIFICATIONS); // no JSON text has a line end inside a string
  if (place === -1) return JSON.parse(bytes.toString()); // there are none
  const from = place + NOTIFICATIONS.length;
  const to = bytes.indexOf(END_OF_LIST, from - 1);
  const others = Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  const notifications = [];
  for (let start = from; start < to; ) {
    const end = bytes.indexOf(LINE_END, start);
    notifications.push(keepBytes(bytes, start + INDENT.length, bytes[end - 1] === COMMA ? end - 1 : end));
    start = end + 1;
  }
  return { ...JSON.parse(others.toString()), notifications };
}

function* toPieces(environment: object): Generator<TextPart> {
  let separator = "{\n";
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) continue;
    yield `${separator}  ${JSON.stringify(name)}: `;
    if (Array.isArray(value) && value.length > 0) yield* toListPieces(value);
    else yield JSON.stringify(value);
    separator = ",\n";
  }
  yield "\n}\n";
}

function* toListPieces(records: readonly object[]): Generator<TextPart> {
  let separator = `[\n${INDENT}`;
  for (const record of records) {
    yield separator;
    yield isKept(record) ? record.whole : JSON.stringify(record);
    separator = `,\n${INDENT}`;
  }
  yield END_OF_LIST;
}
