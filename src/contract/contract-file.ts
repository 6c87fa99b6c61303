// openapi.yaml as a file: its text, its value, and on which line a place of it stands.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isNode, LineCounter, parseDocument } from "yaml";

/** The contract that ships with this package. The same relative path holds in `src` and in `dist`. */
export const CONTRACT_PATH = fileURLToPath(new URL("../../openapi.yaml", import.meta.url));

/** A JSON Pointer as its parts: `["paths", "/v1/notifications", "get"]`. */
export type Pointer = readonly (string | number)[];

export interface ContractFile {
  path: string;
  text: string;
  /** SHA-256 of the text, hexadecimal. */
  digest: string;
  value: unknown;
  /** The line, counted from 1, of a place or of its nearest parent that is written there. */
  lineOf(pointer: Pointer): number;
}

/** A contract that cannot be served. The message names file, line and reason. */
export class ContractError extends Error {
  constructor(path: string, line: number, reason: string) {
    super(`${path}:${line}: ${reason}`);
    this.name = "ContractError";
  }
}

/**
 * Reads a contract.
 * @throws ContractError where the file cannot be read or is not YAML.
 */
export function loadContractFile(path: string): ContractFile {
  const text = readText(path);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const [fault] = document.errors;
  if (fault) throw new ContractError(path, lines.linePos(fault.pos[0]).line, fault.message.split("\n")[0] ?? "");

  const lineOf = (pointer: Pointer): number => {
    const node = document.getIn(pointer, true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    return pointer.length === 0 ? 1 : lineOf(pointer.slice(0, -1));
  };
  const digest = createHash("sha256").update(text).digest("hex");
  return { path, text, digest, value: document.toJS(), lineOf };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new ContractError(path, 1, `cannot be read: ${(error as Error).message}`);
  }
}
