// Bodies nested so deeply that walking or writing them would end the stack. Nothing in the contract reaches that deep.
import type { Request } from "express";
import type { Contract } from "../contract/contract.js";
import type { Operation } from "../contract/operations.js";
import { toInvalidRequest } from "./finding.js";
import { LIMITS } from "./limits.js";

export function assertNesting(contract: Contract, operation: Operation, request: Request): void {
  let level: unknown[] = [request.body];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > LIMITS.levels) {
      const finding = { path: ["body"], message: `must not be nested deeper than ${LIMITS.levels} levels` };
      throw toInvalidRequest([finding], contract, operation);
    }
    level = level.flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : []));
  }
}
