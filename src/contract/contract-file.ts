// A contract's file: its text, its value, and the lines of its places.
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Document, ParsedNode } from "yaml";
import { ContractError } from "./contract-error.js";
import type { Pointer } from "./pointer.js";

export { ContractError, toErrorAt } from "./contract-error.js";
export type { Pointer } from "./pointer.js";

const require = createRequire(import.meta.url);

/** Loads the parser on first use: a command's help and a start with the built contract do without it. */
export function loadYaml(): typeof import("yaml") {
  return require("yaml");
}

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
  /** The line of a value, or of its nearest parent in the file; the range of a text or number. */
  locate(pointer: Pointer): { line: number; range: readonly [start: number, end: number] | undefined };
}

/** A few lines of nested aliases could expand to more values than memory holds. */
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

/** Finds the key of a place (or the item of a list) and its value; if it is absent, only the offset of its nearest parent. */
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
