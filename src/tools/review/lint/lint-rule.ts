// A lint rule of this project: checks the whole contract and locates each violation.
import type { Contract } from "../../../contract/contract.js";
import type { Pointer } from "../../../contract/contract-file.js";

export interface LintViolation {
  pointer: Pointer;
  message: string;
  /** Violations of a rule with the same code are one reason; without it, those with the same message. */
  code?: string;
  /** The place in an example: `examples.0.priority`. */
  location?: string;
  /** The places that it compares. */
  compares?: readonly Pointer[];
}

export type LintRule = (contract: Pick<Contract, "document" | "schemas" | "unchecked" | "file">) => LintViolation[];
