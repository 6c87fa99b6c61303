// openapi.yaml as a file: its text, its value, and on which line a place of it stands.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);

/** The contracts that ship with this package: of the API and of the control plane. The same relative paths hold in `src` and in `dist`. */
export const CONTRACT_PATH = fileURLToPath(new URL("../../openapi.yaml", import.meta.url));
export const CONTROL_CONTRACT_PATH = fileURLToPath(new URL("../../src/control/control.openapi.yaml", import.meta.url));

/** A JSON Pointer as its parts: `["paths", "/v1/notifications", "get"]`. */
export type Pointer = readonly (string | number)[];

export interface ContractFile extends ContractText {
  value: unknown;
  /** The line of this file, counted from 1, where a place begins (its name, where it has one), or its nearest parent that is written. */
  lineOf(pointer: Pointer): number;
  /** The file and the line where a place begins: a contract may have several files. */
  placeOf(pointer: Pointer): { path: string; line: number };
  /** Where a value begins and ends in the text; undefined where it is not written. */
  rangeOf(pointer: Pointer): readonly [start: number, end: number] | undefined;
}

/** A contract that cannot be served. The message names the file, the line if it has any, and the reason. */
export class ContractError extends Error {
  constructor(path: string, line: number | undefined, reason: string) {
    super(line === undefined ? `${path} ${reason}` : `${path}:${line}: ${reason}`);
    this.name = "ContractError";
  }
}

/** The text of a contract, not yet read as YAML. */
export interface ContractText {
  path: string;
  text: string;
  /** SHA-256 of the text, hexadecimal. */
  digest: string;
}

/** @throws ContractError where the file cannot be read. */
export function loadContractText(path: string): ContractText {
  return toContractText(path, () => readFileSync(path, "utf8"));
}

/** @throws ContractError where the text cannot be read. */
export function toContractText(path: string, read: () => string): ContractText {
  try {
    const text = read();
    return { path, text, digest: createHash("sha256").update(text).digest("hex") };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === "ENOENT" ? "there is no such file" : message;
    throw new ContractError(path, undefined, `cannot be read: ${reason}`);
  }
}

/** The error of a place of a contract. */
export function toErrorAt(file: Pick<ContractFile, "placeOf">, pointer: Pointer, reason: string): ContractError {
  const { path, line } = file.placeOf(pointer);
  return new ContractError(path, line, reason);
}

/**
 * Reads a contract's text as YAML, unless its value is already known; then only lines need the YAML.
 * @throws ContractError where it is not YAML.
 */
export function toContractFile(source: ContractText, knownValue?: unknown): ContractFile {
  let result: ReturnType<typeof parse> | undefined;
  const parsedOnce = () => {
    result ??= parse(source);
    return result;
  };
  const value = knownValue ?? parsedOnce().value;
  return {
    ...source,
    value,
    lineOf: (pointer) => parsedOnce().lineOf(pointer),
    placeOf: (pointer) => ({ path: source.path, line: parsedOnce().lineOf(pointer) }),
    rangeOf: (pointer) => parsedOnce().rangeOf(pointer),
  };
}

function parse({ path, text }: ContractText): Pick<ContractFile, "value" | "lineOf" | "rangeOf"> {
  // Loaded here and not above: a start with a checked contract does without it.
  const { isMap, isNode, isScalar, LineCounter, parseDocument } = require("yaml") as typeof import("yaml");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const [error] = document.errors;
  if (error) throw new ContractError(path, lines.linePos(error.pos[0]).line, error.message.split("\n")[0] ?? "");
  const lineOf = (pointer: Pointer): number => {
    const parent = document.getIn(pointer.slice(0, -1), true);
    const isNamed = ({ key }: { key: unknown }) => isScalar(key) && String(key.value) === String(pointer.at(-1));
    const node = (isMap(parent) && parent.items.find(isNamed)?.key) || document.getIn(pointer, true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    return pointer.length === 0 ? 1 : lineOf(pointer.slice(0, -1));
  };
  const rangeOf = (pointer: Pointer) => {
    const node = document.getIn(pointer, true);
    return isNode(node) && node.range ? ([node.range[0], node.range[1]] as const) : undefined;
  };
  try {
    const value: unknown = document.toJS(); // throws for aliases that lead nowhere, or to too much
    JSON.stringify(value); // throws for one that leads to itself
    return { value, lineOf, rangeOf };
  } catch (error) {
    throw new ContractError(path, 1, `an alias cannot be resolved: ${(error as Error).message.split("\n")[0]}`);
  }
}
