// openapi.yaml as a file: its text, its value, and on which line a place of it stands.
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Document, ParsedNode } from "yaml";

const require = createRequire(import.meta.url);

/** Loaded once a text has to be read: the help of a command needs none, nor does a start with the contract that was built. */
export function loadYaml(): typeof import("yaml") {
  return require("yaml");
}

/** The contracts that ship with this package: of the API and of the control plane. The same relative paths hold in `src` and in `dist`. */
export const CONTRACT_PATH = fileURLToPath(new URL("../../openapi.yaml", import.meta.url));
export const CONTROL_CONTRACT_PATH = fileURLToPath(
  new URL("../../src/core/control/control.openapi.yaml", import.meta.url),
);

/** A JSON Pointer as its parts: `["paths", "/v1/notifications", "get"]`. */
export type Pointer = readonly (string | number)[];

export interface ContractFile extends ContractText {
  value: unknown;
  /** The line of this file, counted from 1, where a place begins (its name, where it has one), or its nearest parent that is written. */
  lineOf(pointer: Pointer): number;
  /** The place of this file that says it: of what stands in another file, the value that refers to it. */
  writtenAt(pointer: Pointer): Pointer;
  /** The file and the line where a place begins: a contract may have several files. */
  placeOf(pointer: Pointer): { path: string; line: number };
  /** Start and end of a text or number in the file; undefined if the file does not contain it. */
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
    writtenAt: (pointer) => pointer,
    placeOf: (pointer) => ({ path: source.path, line: lineOf(pointer) }),
    rangeOf: (pointer) => parsedOnce().locate(pointer).range,
  };
}

interface YamlText {
  value: unknown;
  /** The place of a value in the file, or of its nearest parent that the file contains. */
  locate(pointer: Pointer): { line: number; range: readonly [start: number, end: number] | undefined };
}

/** A few lines of aliases that name one another could stand for more values than a process can hold. */
const MAX_ALIASES = 10_000;

function parse({ path, text }: ContractText): YamlText {
  const { isScalar, LineCounter, parseDocument, visit } = loadYaml();
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset = 0) => lines.linePos(offset).line;
  const fail = (offset: number | undefined, reason: string) => new ContractError(path, lineAt(offset), reason);
  const [error] = document.errors;
  if (error) throw fail(error.pos[0], error.message);
  visit(document, {
    Alias(_key, alias, parents) {
      const target = alias.resolve(document);
      if (!target) throw fail(alias.range?.[0], `no anchor *${alias.source} stands before this alias`);
      if (parents.includes(target)) throw fail(alias.range?.[0], `the alias *${alias.source} leads to itself`);
    },
  });
  return {
    value: toValue(document, fail),
    locate(pointer) {
      const { offset, node } = locate(document, pointer);
      return { line: lineAt(offset), range: isScalar(node) ? [node.range[0], node.range[1]] : undefined };
    },
  };
}

function toValue(document: Document.Parsed, fail: (offset: number, reason: string) => Error): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch {
    throw fail(0, "aliases lead to too many values");
  }
}

/** Finds the name of a place (or the item of a list) and its value. For a parent that stands in for it, only its start. */
function locate(
  { contents }: Document.Parsed,
  pointer: Pointer,
): { offset: number | undefined; node?: ParsedNode | null } {
  const { isMap, isScalar, isSeq } = loadYaml();
  let node: ParsedNode | null = contents;
  let offset = node?.range[0];
  for (const part of pointer) {
    if (isMap<ParsedNode, ParsedNode | null>(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
      if (!pair) return { offset };
      offset = pair.key.range[0];
      node = pair.value;
    } else {
      const item: ParsedNode | undefined = isSeq<ParsedNode>(node) ? node.items[Number(part)] : undefined;
      if (!item) return { offset };
      offset = item.range[0];
      node = item;
    }
  }
  return { offset, node };
}
