// An environment as text: JSON with one record a line, so that a person can read it and git can diff it.
import { createHash } from "node:crypto";
import type { EnvironmentContents, EnvironmentData, SerializedNotification } from "../../domain/state.js";
import { readSerialized } from "../state/serialized-notification.js";

const INDENT = "    ";
const START_OF_NOTIFICATIONS = '\n  "notifications": [\n';
const END_OF_LIST = "\n  ]";
const END = "\n}\n";
const CHUNK_BYTES = 256 * 1024; // a third of a millisecond to make and hash, in which requests wait; each write costs a round trip
const COMMA = 0x2c;
const LINE_FEED = 0x0a;

/**
 * The text of an environment file: plain JSON, each member on its own line and each record of a list on its own line.
 * `JSON.parse` gives the value back.
 */
export function toEnvironmentText(environment: object): string {
  return Buffer.concat([...toParts(environment), END].map(toBytes)).toString();
}

/**
 * The same in chunks, made when they are needed, so that whoever writes them can let others work in between. A chunk is
 * valid until the next is made, in the same memory: the garbage of a large file would be as large as the file.
 * @param contract the digest of the contract that the environment is inside: a checksum at the end certifies it.
 */
export function* toEnvironmentChunks(environment: object, contract?: string): Generator<Buffer> {
  const sha256 = createHash("sha256").update(contract ?? "");
  for (const chunk of toChunks(toParts(environment))) {
    sha256.update(chunk);
    yield chunk;
  }
  yield Buffer.from(contract === undefined ? END : toCertifiedEnd(sha256.digest("hex")));
}

function* toChunks(parts: Iterable<string | Buffer>): Generator<Buffer> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let size = 0;
  for (const part of parts) {
    const bytes = toBytes(part);
    if (size + bytes.length > CHUNK_BYTES) {
      yield chunk.subarray(0, size);
      size = 0;
    }
    if (bytes.length > CHUNK_BYTES) yield bytes;
    else size += bytes.copy(chunk, size);
  }
  yield chunk.subarray(0, size);
}

function toBytes(part: string | Buffer): Buffer {
  return typeof part === "string" ? Buffer.from(part) : part;
}

function toCertifiedEnd(checksum: string): string {
  return `,\n  "checksum": "${checksum}"${END}`;
}

const CERTIFIED_END_BYTES = toCertifiedEnd("0".repeat(64)).length;

/** Whether a text was written here, inside the contract with that digest. */
export function isCertified(bytes: Buffer, contract: string): boolean {
  const sha256 = createHash("sha256").update(contract).update(bytes.subarray(0, -CERTIFIED_END_BYTES));
  return bytes.toString("utf8", bytes.length - CERTIFIED_END_BYTES) === toCertifiedEnd(sha256.digest("hex"));
}

/** The environment in a certified text. Its notifications are not parsed as a whole. */
export function readCertified(bytes: Buffer): EnvironmentContents {
  const list = bytes.indexOf(START_OF_NOTIFICATIONS); // no JSON string contains a line feed
  const start = list === -1 ? bytes.length : list + START_OF_NOTIFICATIONS.length;
  const end = list === -1 ? bytes.length : bytes.indexOf(END_OF_LIST, start - 1);
  const others = JSON.parse(Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]).toString());
  const { checksum: _checksum, ...data } = others as EnvironmentData & { checksum: string };
  const notifications: SerializedNotification[] = [];
  for (let line = start; line < end; ) {
    const lineEnd = bytes.indexOf(LINE_FEED, line);
    const recordEnd = bytes[lineEnd - 1] === COMMA ? lineEnd - 1 : lineEnd;
    notifications.push(readSerialized(bytes.subarray(line + INDENT.length, recordEnd)));
    line = lineEnd + 1;
  }
  return { ...data, notifications };
}

function* toParts(environment: object): Generator<string | Buffer> {
  let separator = "{\n";
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) continue;
    yield `${separator}  ${JSON.stringify(name)}: `;
    if (Array.isArray(value) && value.length > 0) yield* toListParts(value);
    else yield JSON.stringify(value);
    separator = ",\n";
  }
}

function* toListParts(records: readonly object[]): Generator<string | Buffer> {
  let separator = `[\n${INDENT}`;
  for (const record of records) {
    yield separator;
    yield "json" in record && Buffer.isBuffer(record.json) ? record.json : JSON.stringify(record);
    separator = `,\n${INDENT}`;
  }
  yield END_OF_LIST;
}
