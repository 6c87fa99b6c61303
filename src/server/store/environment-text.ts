// An environment as text: JSON with one record per line, readable for people and for git diff.
//   {
//     "name": "default",
//     "subscribers": [
//       {"_id":"…","subscriberId":"ann"},
//       {"_id":"…","subscriberId":"bob"}
//     ],
//     "checksum": "5f0c…"
//   }
// The checksum covers the text before it and the contract. If it matches, the server wrote the text, and need not
// validate it again.
import { createHash } from "node:crypto";
import {
  type EnvironmentData,
  type MemoryData,
  type SerializedNotification,
  serialize,
} from "../../core/domain/state.js";

const INDENT = "    ";
const START_OF_NOTIFICATIONS = `\n  "notifications": [\n${INDENT}`;
const START_OF_RECORD = Buffer.from(`,\n${INDENT}`);
const END_OF_LIST = "\n  ]";
const END = "\n}\n";
const CHUNK_BYTES = 256 * 1024; // requests wait while it is made and hashed: a third of a millisecond

/**
 * The text of an environment file, in chunks made on demand, so that other work can go on between them.
 * @param contract the digest of the contract that the environment is valid against; undefined for a text without
 * checksum
 */
export function* toEnvironmentChunks(environment: object, contract?: string): Generator<Buffer> {
  const sha256 = createHash("sha256").update(contract ?? "");
  for (const chunk of toChunks(toParts(environment))) {
    sha256.update(chunk);
    yield chunk;
  }
  yield Buffer.from(contract === undefined ? END : formatCertifiedEnd(sha256.digest("hex")));
}

function* toChunks(parts: Iterable<Buffer>): Generator<Buffer> {
  let chunk: Buffer[] = [];
  let size = 0;
  for (const part of parts) {
    chunk.push(part);
    size += part.length;
    if (size < CHUNK_BYTES) continue;
    yield Buffer.concat(chunk);
    chunk = [];
    size = 0;
  }
  yield Buffer.concat(chunk);
}

function formatCertifiedEnd(checksum: string): string {
  return `,\n  "checksum": "${checksum}"${END}`;
}

const CERTIFIED_END_BYTES = formatCertifiedEnd("0".repeat(64)).length;

/** True if the server wrote a text, valid against the contract with that digest. */
export function isCertified(bytes: Buffer, contract: string): boolean {
  const sha256 = createHash("sha256").update(contract).update(bytes.subarray(0, -CERTIFIED_END_BYTES));
  return bytes.toString("utf8", bytes.length - CERTIFIED_END_BYTES) === formatCertifiedEnd(sha256.digest("hex"));
}

/** Reads a certified text, one notification at a time: all at once, they take more memory than the server. */
export function readCertified(bytes: Buffer): MemoryData {
  const list = bytes.indexOf(START_OF_NOTIFICATIONS); // no JSON string contains a line feed
  const start = list === -1 ? bytes.length : list + START_OF_NOTIFICATIONS.length;
  const end = list === -1 ? bytes.length : bytes.indexOf(END_OF_LIST, start);
  const small = JSON.parse(Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]).toString());
  const { checksum: _checksum, ...data } = small as EnvironmentData & { checksum: string };
  const notifications: SerializedNotification[] = [];
  for (let from = start; from < end; ) {
    const next = bytes.indexOf(START_OF_RECORD, from);
    const to = next === -1 || next > end ? end : next;
    const json = bytes.subarray(from, to);
    notifications.push(serialize(JSON.parse(json.toString()), json));
    from = to + START_OF_RECORD.length;
  }
  return { ...data, notifications };
}

function* toParts(environment: object): Generator<Buffer> {
  let separator = "{\n";
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) continue;
    yield Buffer.from(`${separator}  ${JSON.stringify(name)}: `);
    if (Array.isArray(value) && value.length > 0) yield* toListParts(value);
    else yield Buffer.from(JSON.stringify(value));
    separator = ",\n";
  }
}

function* toListParts(records: readonly object[]): Generator<Buffer> {
  let separator = Buffer.from(`[\n${INDENT}`);
  for (const record of records) {
    yield separator;
    yield "json" in record && Buffer.isBuffer(record.json) ? record.json : Buffer.from(JSON.stringify(record));
    separator = START_OF_RECORD;
  }
  yield Buffer.from(END_OF_LIST);
}
