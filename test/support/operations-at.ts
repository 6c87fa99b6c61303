// The operations of a path, one for each method.
import type { Contract } from "../../src/contract/contract.js";
import type { Operation } from "../../src/contract/model.js";

export function operationsAt({ findPath }: Pick<Contract, "findPath">, path: string): readonly Operation[] {
  return findPath(path)?.operations ?? [];
}
