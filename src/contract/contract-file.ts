// A contract's file: its text, its value, and the lines of its places.
import { fileURLToPath } from "node:url";
import type { Pointer } from "./pointer.js";
import { parseYaml, parseYamlInSteps, type YamlText } from "./yaml-text.js";

/** The contracts of the API and of the control plane. The relative paths are the same from `src` and `dist`. */
export const CONTRACT_PATH = fileURLToPath(new URL("../../openapi.yaml", import.meta.url));
export const CONTROL_CONTRACT_PATH = fileURLToPath(
  new URL("../../src/core/control/control.openapi.yaml", import.meta.url),
);

export interface ContractFile extends ContractText {
  value: unknown;
  /** The line of a place in this file, from 1; of its nearest parent if the file does not contain it. */
  lineOf(pointer: Pointer): number;
  /** The place in this file: for a value of another file, that of the reference to it. */
  writtenAt(pointer: Pointer): Pointer;
  /** File and line of a place: a contract may have several files. */
  placeOf(pointer: Pointer): { path: string; line: number };
  /** Start and end offset of a text or number; undefined if the file does not contain it. */
  rangeOf(pointer: Pointer): readonly [start: number, end: number] | undefined;
}

/** The text of a contract, not yet read as YAML. */
export interface ContractText {
  path: string;
  text: string;
  /** SHA-256 of the text, hexadecimal. */
  digest: string;
}

/**
 * Parses a contract's text. If its value is known, only a search for lines does.
 * @throws ContractError if it is not YAML.
 */
export function parseContractFile(source: ContractText, knownValue?: unknown): ContractFile {
  let result: YamlText | undefined;
  const parsedOnce = () => {
    result ??= parseYaml(source);
    return result;
  };
  return createFile(source, knownValue ?? parsedOnce().value, parsedOnce);
}

/** Parses a contract's text in steps, between which a server responds to requests. @throws ContractError */
export async function readContractFile(source: ContractText): Promise<ContractFile> {
  const yaml = await parseYamlInSteps(source);
  return createFile(source, yaml.value, () => yaml);
}

function createFile(source: ContractText, value: unknown, yaml: () => YamlText): ContractFile {
  const lineOf = (pointer: Pointer) => yaml().locate(pointer).line;
  return {
    ...source,
    value,
    lineOf,
    writtenAt: (pointer) => pointer,
    placeOf: (pointer) => ({ path: source.path, line: lineOf(pointer) }),
    rangeOf: (pointer) => yaml().locate(pointer).range,
  };
}
