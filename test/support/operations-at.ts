// The operations of a path, one for each method.
import type { Contract } from "../../src/contract/contract.js";
import type { Operation } from "../../src/contract/model.js";

export function operationsAt({ model }: Pick<Contract, "model">, path: string): readonly Operation[] {
  return model.findPath(path)?.operations ?? [];
}
