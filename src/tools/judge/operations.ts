// The operations that `verify` and the proxy know, whatever a contract calls them.
import type { Operation } from "../../contract/operations.js";

const PLACES = {
  updatePreferences: "patch /v2/subscribers/{}/preferences",
  listNotifications: "get /v1/notifications",
};

export type KnownOperation = keyof typeof PLACES;
export const KNOWN_OPERATIONS = Object.keys(PLACES) as KnownOperation[];

/** A path without the names of its parameters. */
export const toPlainPath = (path: string) => path.replaceAll(/{[^}]+}/g, "{}");

/** The name that laws use for an operation; undefined for one that they do not know. */
export function knownNameOf(operation: Operation): KnownOperation | undefined {
  return KNOWN_OPERATIONS.find((name) => PLACES[name] === `${operation.method} ${toPlainPath(operation.path)}`);
}

/** True if an operation has this name: the laws' name, else the contract's. */
export function isNamed(operation: Operation, name: string): boolean {
  return name in PLACES ? knownNameOf(operation) === name : operation.id === name;
}
