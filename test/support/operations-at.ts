// The operations of a path, one for each method.
import type { Contract } from "../../src/contract/contract.js";
import type { Operation } from "../../src/contract/operations.js";
import { toPattern } from "../../src/core/operations/routes.js";

export function operationsAt({ operations }: Pick<Contract, "operations">, path: string): Operation[] {
  return operations.filter((operation) => toPattern(operation.path, "[^/]+").test(path));
}
