// openapi.yaml as a file: its text, its value, and on which line a place of it stands.
import { fileURLToPath } from "node:url";
import { parseYaml, YamlError, type YamlText } from "./yaml-text.js";

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
  /** Where a text or number begins and ends in the file; undefined where it is not written. */
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
  let result: YamlText | undefined;
  const parsedOnce = () => {
    result ??= parse(source);
    return result;
  };
  const lineOf = (pointer: Pointer) => parsedOnce().locate(pointer).line;
  return {
    ...source,
    value: knownValue ?? parsedOnce().value,
    lineOf,
    placeOf: (pointer) => ({ path: source.path, line: lineOf(pointer) }),
    rangeOf: (pointer) => parsedOnce().locate(pointer).range,
  };
}

function parse({ path, text }: ContractText): YamlText {
  try {
    return parseYaml(text);
  } catch (error) {
    throw error instanceof YamlError ? new ContractError(path, error.line, error.message) : error;
  }
}
