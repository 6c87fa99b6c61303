// Errors of a contract's author.
import type { Pointer } from "./pointer.js";

/** A contract that cannot be served. The message names the file, the line if there is one, and the reason. */
export class ContractError extends Error {
  constructor(path: string, line: number | undefined, reason: string) {
    super(line === undefined ? `${path} ${reason}` : `${path}:${line}: ${reason}`);
    this.name = "ContractError";
  }
}

/** What an error needs of a contract's file. */
export interface FileLines {
  path: string;
  lineOf(pointer: Pointer): number;
}

/** An error at a place of a contract. */
export function errorAt({ path, lineOf }: FileLines, pointer: Pointer, reason: string): ContractError {
  return new ContractError(path, lineOf(pointer), reason);
}
