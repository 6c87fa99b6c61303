// The names of the contract that this server's code relies on, and which code that is. Whoever renames one changes both.
import type { Contract } from "../contract/contract.js";
import type { Pointer } from "../contract/contract-file.js";
import { valueAt } from "../contract/openapi-document.js";
import type { Operation } from "../contract/operations.js";
import { handlers } from "./call-operation.js";

/** A name that code relies on and the contract does not have, or the other way round. */
export interface MissingName {
  pointer: Pointer;
  message: string;
}

const RELYING: Readonly<Record<string, string>> = {
  "schemas/ErrorResponse": "contract/response-check.ts",
  "schemas/Notification": "store/format/parse-environment.ts",
  ...Object.fromEntries(
    ["ObjectId", "Timestamp", "ChannelPreferences", "StepType", "NotificationSubscriber"]
      .concat("NotificationTemplate/properties/origin")
      .map((name) => [`schemas/${name}`, "store/format/environment-schema.ts"]),
  ),
};

export function findMissingNames({ document, operations }: Pick<Contract, "document" | "operations">): MissingName[] {
  const schemas = Object.entries(RELYING)
    .map(([name, code]) => ({ pointer: ["components", ...name.split("/")], code }))
    .filter(({ pointer }) => valueAt(document, pointer) === undefined)
    .map(({ pointer, code }) => ({ pointer, message: `${pointer.join("/")} does not exist, but src/${code} uses it` }));
  return [...schemas, ...findUnhandled(operations)];
}

/** The operations that no handler has the name of. */
export function findUnhandled(operations: readonly Operation[]): MissingName[] {
  const names = Object.keys(handlers);
  return operations
    .filter(({ id }) => !names.includes(id))
    .map(({ id, path, method }) => ({
      pointer: ["paths", path, method, "operationId"],
      message: `the server has no operation ${id ?? `${method.toUpperCase()} ${path}`}; it has ${names.join(" and ")} (src/api/call-operation.ts)`,
    }));
}

/**
 * @param toError makes the error of the place of the first name and of all messages.
 * @throws that error, unless nothing is missing.
 */
export function assertNoneMissing(
  missing: readonly MissingName[],
  toError: (place: Pointer, reason: string) => Error,
): void {
  const [first] = missing;
  if (first) throw toError(first.pointer, missing.map(({ message }) => message).join("; "));
}
