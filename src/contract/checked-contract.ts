// The contracts that have been checked: by the build, or by this process before. Reading and checking the YAML takes most of
// a start; the same text needs it only once. Another text, even by a byte, is read and checked anew.
import { basename } from "node:path";
import { readBuildRecord, writeBuildRecord } from "./build-record.js";
import type { ContractFile, ContractText } from "./contract-file.js";
import type { SchemaChecker } from "./schema-checker.js";

interface CheckedContract {
  /** SHA-256 of the text. */
  digest: string;
  value: unknown;
}

const MOST_REMEMBERED = 4; // whoever starts many servers has few contracts
const remembered = new Map<string, { value: unknown; schemas: SchemaChecker }>(); // by digest, the oldest first

/** The value of a checked text, the caller's own; undefined where this text has not been checked. */
export function loadCheckedValue({ path, digest }: ContractText): unknown {
  const known = remembered.get(digest);
  if (known) return structuredClone(known.value);
  const checked = readBuildRecord<CheckedContract>(toPlace(path));
  return checked?.digest === digest ? checked.value : undefined;
}

/** The compiled schemas of a text that this process has checked before. */
export function findCheckedSchemas({ digest }: ContractText): SchemaChecker | undefined {
  return remembered.get(digest)?.schemas;
}

/** Called after the checks, for the next to load the same text. The value is never handed out, nor is that of the schemas. */
export function rememberCheckedContract({ digest, value }: ContractFile, schemas: SchemaChecker): void {
  remembered.delete(digest); // so that it goes to the end
  remembered.set(digest, { value, schemas });
  for (const oldest of remembered.keys()) {
    if (remembered.size <= MOST_REMEMBERED) break;
    remembered.delete(oldest);
  }
}

/** Called by the build, after the checks. */
export function storeCheckedValue({ path, digest, value }: ContractFile): void {
  const checked: CheckedContract = { digest, value };
  writeBuildRecord(toPlace(path), checked);
}

/** By the name of the file: of another one with that name the digest differs. */
function toPlace(path: string): URL {
  return new URL(`./checked.${encodeURIComponent(basename(path, ".yaml"))}.json`, import.meta.url);
}
