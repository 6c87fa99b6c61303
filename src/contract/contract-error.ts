// Errors of a contract's author.
import type { Pointer } from "./pointer.js";

/** A contract that cannot be served. The message names the file, the line if there is one, and the reason. */
export class ContractError extends Error {
  constructor(path: string, line: number | undefined, reason: string) {
    super(line === undefined ? `${path} ${reason}` : `${path}:${line}: ${reason}`);
    this.name = "ContractError";
  }
}

/** Finds the file and line of a place: a contract may have several files. */
export type PlaceOf = (pointer: Pointer) => { path: string; line: number };

/** An error at a place of a contract. */
export function errorAt(file: { placeOf: PlaceOf }, pointer: Pointer, reason: string): ContractError {
  const { path, line } = file.placeOf(pointer);
  return new ContractError(path, line, reason);
}
