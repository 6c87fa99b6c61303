// What the page of the console and its script share.
import type { OperationOutline } from "../../contract/request.js";

/** The views in the order of the keys `1` to `5`, as in `/console#requests`. */
export const VIEWS = ["requests", "preferences", "feed", "faults", "environment"] as const;

/** What the script knows of the served contract. */
export interface ConsoleData {
  operations: readonly OperationOutline[];
  /** Of clauses and decisions. */
  titles: Readonly<Record<string, string>>;
  /** The statuses of errors, and the names of examples: a fault can have them. */
  statuses: readonly string[];
  examples: readonly string[];
}
