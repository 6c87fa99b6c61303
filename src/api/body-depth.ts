// Bodies nested so deeply that walking or writing them would end the stack. Nothing in the contract reaches that deep.
import type { Contract } from "../contract/contract.js";
import type { Operation } from "../contract/operations.js";
import { toInvalidRequest } from "./invalid-request.js";
import { LIMITS } from "./limits.js";

export function assertBodyDepth(contract: Pick<Contract, "findCitation">, operation: Operation, body: unknown): void {
  if (!isDeeper(body, LIMITS.bodyDepth)) return;
  const finding = { path: ["body"], message: `must not be nested deeper than ${LIMITS.bodyDepth} levels` };
  throw toInvalidRequest([finding], contract, operation);
}

/** It goes no deeper itself than that. */
function isDeeper(value: unknown, levels: number): boolean {
  if (levels < 0) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((member) => isDeeper(member, levels - 1));
}
