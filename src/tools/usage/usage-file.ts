// The file that `usage` writes and `review --usage` reads: what the code of one consumer refers to.
import { ConfigError } from "../../core/config-error.js";
import { readJson } from "../json-file.js";
import type { MemberKind } from "./contract-members.js";

const SCHEMA_VERSION = 1;

/**
 * - `operation`: `listNotifications`
 * - `status`: `422`
 * - a kind of member: `Notification.status`, `listNotifications.query.limit`. A `request` or `parameter` is written,
 * others are read.
 * - `everything`: the member, or anything in the schema, may be used; `how` says why that is unknown
 */
export type ReferenceKind = "operation" | "status" | MemberKind | "everything";

export interface Reference {
  kind: ReferenceKind;
  name: string;
  /** For `everything`: `spread`. */
  how?: string;
  /** `src/feed.tsx:14`, relative to the project's folder. */
  places: string[];
}

export interface NotRead {
  place: string;
  reason: string;
  /** True for an import of this package: references to the contract are missing, so that the record is incomplete. */
  isOfPackage?: boolean;
}

export interface Usage {
  schemaVersion: typeof SCHEMA_VERSION;
  /** The consumer's. */
  name: string;
  contract: { version: string; sha256: string };
  references: Reference[];
  /** Files in which references may be missing, each with the reason. */
  notRead: NotRead[];
}

/** @throws ConfigError if a file cannot be read, or is not a usage file */
export function loadUsages(files: readonly string[]): Usage[] {
  const usages = files.map(readUsageFile);
  const twice = usages.find(({ name }, index) => usages.findIndex((other) => other.name === name) < index);
  if (twice) throw new ConfigError(`--usage: two files are of the consumer ${twice.name}.`);
  return usages;
}

function readUsageFile(path: string): Usage {
  const usage = readJson(path) as Partial<Usage> | null;
  const isUsage =
    typeof usage === "object" && usage !== null && typeof usage.name === "string" && typeof usage.contract === "object";
  if (!isUsage || !Array.isArray(usage.references) || !Array.isArray(usage.notRead))
    throw new ConfigError(`${path} was not written by \`usage\`.`);
  if (usage.schemaVersion !== SCHEMA_VERSION)
    throw new ConfigError(
      `${path} has the format ${usage.schemaVersion}, but this version reads ${SCHEMA_VERSION}: run \`usage\` again.`,
    );
  return usage as Usage;
}

export function formatUsage(usage: Omit<Usage, "schemaVersion">): string {
  return `${JSON.stringify({ schemaVersion: SCHEMA_VERSION, ...usage }, null, 2)}\n`;
}
