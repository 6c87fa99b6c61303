// The operations of a contract that a path leads to: one for each method.
import { toPattern } from "../../src/api/routes.js";
import type { Contract } from "../../src/contract/contract.js";
import type { Operation } from "../../src/contract/operations.js";

export function operationsAt({ operations }: Pick<Contract, "operations">, path: string): Operation[] {
  return operations.filter((operation) => toPattern(operation.path, "[^/]+").test(path));
}
