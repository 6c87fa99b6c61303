// The names of the contract that this server's code relies on, and which code that is. Whoever renames one changes both.

import { handlers } from "../api/call-operation.js";
import type { Contract } from "../contract/contract.js";
import { ContractError, type Pointer } from "../contract/contract-file.js";
import { valueAt } from "../contract/openapi-document.js";

/** A name that code relies on and the contract does not have, or the other way round. */
export interface MissingName {
  /** `components/schemas/Channel`. */
  place: string;
  message: string;
  line: number;
}

const RELYING: Readonly<Record<string, string>> = {
  "schemas/ErrorResponse": "contract/response-check.ts",
  "schemas/Notification": "store/parse-environment.ts",
  ...Object.fromEntries(
    ["ObjectId", "Timestamp", "ChannelPreferences", "StepType", "NotificationSubscriber"]
      .concat("NotificationTemplate/properties/origin")
      .map((name) => [`schemas/${name}`, "store/environment-schema.ts"]),
  ),
};

export function findMissingNames({ document, operations, file }: Contract): MissingName[] {
  const schemas = Object.entries(RELYING)
    .map(([name, code]) => ({ pointer: ["components", ...name.split("/")] as Pointer, code }))
    .filter(({ pointer }) => valueAt(document, pointer) === undefined)
    .map(({ pointer, code }) => ({ pointer, message: `${pointer.join("/")} does not exist, but src/${code} uses it` }));
  const unhandled = operations
    .filter(({ id }) => !Object.hasOwn(handlers, id))
    .map(({ id, path, method }) => ({
      pointer: ["paths", path, method, "operationId"],
      message: `the server has no operation ${id ?? `${method.toUpperCase()} ${path}`}; it has ${Object.keys(handlers).join(" and ")} (src/api/call-operation.ts)`,
    }));
  return [...schemas, ...unhandled].map(({ pointer, message }) => ({
    place: pointer.join("/"),
    message,
    line: file.lineOf(pointer),
  }));
}

/** @throws ContractError that lists every name, with the code that relies on it. */
export function assertServed(contract: Contract): Contract {
  const [first, ...others] = findMissingNames(contract);
  if (first === undefined) return contract;
  const messages = [first, ...others].map(({ message }) => message);
  throw new ContractError(contract.file.path, first.line, messages.join("; "));
}
