// Reads the YAML of a contract as JSON values, and finds the lines of its places. A part with an anchor is read once:
// its aliases share the value.
import { createRequire } from "node:module";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Alias, CST, Document, LineCounter, ParsedNode, YAMLError, YAMLMap } from "yaml";
import { isHeld } from "./decimal.js";
import { isObject } from "./json.js";
import { toList } from "./lists.js";
import { ContractError } from "./openapi-document.js";
import type { Pointer } from "./pointer.js";

const require = createRequire(import.meta.url);

let yaml: typeof import("yaml") | undefined;

/** Loads the parser on first use: a command's help and a start with the built contract do without it. */
export function loadYaml(): typeof import("yaml") {
  yaml ??= require("yaml") as typeof import("yaml"); // kept: each name of a contract asks, and `require` is slow
  return yaml;
}

export interface YamlText {
  value: unknown;
  /** The line of a value, or of its nearest parent in the file; the range of a text or number. */
  locate(pointer: Pointer): { line: number; range: readonly [start: number, end: number] | undefined };
}

const MAX_DEPTH = 150; // contracts that people write have 30 levels; the libraries take minutes for 800
const TOO_DEEP = `is nested deeper than ${MAX_DEPTH} levels`;
const SECOND_DOCUMENT = "a second document begins here. A contract is one document: remove this line";
const MAX_REPEATED = 200_000; // a few lines of nested aliases could expand to more values than memory holds

/** What the parser says in the words of its own users. */
const MESSAGES: Readonly<Record<string, string>> = {
  RESOURCE_EXHAUSTION: TOO_DEEP,
  TAG_RESOLVE_FAILED: "this tag is not supported. A contract has JSON values alone: remove the tag",
};

/** A value, and how much it would be if no part were shared. */
interface Part {
  value: unknown;
  depth: number;
  size: number;
}

type Fail = (offset: number | undefined, reason: string) => ContractError;
type YamlMap = YAMLMap<ParsedNode, ParsedNode | null>;

/** @throws ContractError with the line of what is no YAML, or has no counterpart in JSON. */
export function parseYaml(source: { path: string; text: string }): YamlText {
  const { LineCounter, Parser } = loadYaml();
  const lines = new LineCounter();
  return compose(source, [...new Parser(lines.addNewLine).parse(source.text)], lines);
}

const LEXEMES_PER_TURN = 1000;

/** Does the same in steps, between which a watching server responds to requests. @throws ContractError */
export async function parseYamlInSteps(source: { path: string; text: string }): Promise<YamlText> {
  const { Lexer, LineCounter, Parser } = loadYaml();
  const lines = new LineCounter();
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  const tokens: CST.Token[] = [];
  let count = 0;
  for (const lexeme of new Lexer().lex(source.text)) {
    tokens.push(...parser.next(lexeme));
    count += 1;
    if (count % LEXEMES_PER_TURN === 0) await nextTurn();
  }
  return compose(source, [...tokens, ...parser.end()], lines);
}

function compose({ path, text }: { path: string; text: string }, tokens: CST.Token[], lines: LineCounter): YamlText {
  const { Composer, isMap, isScalar, isSeq } = loadYaml();
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false });
  const [document, second] = [...composer.compose(tokens, true, text.length)] as [Document.Parsed, Document.Parsed?];
  const lineAt = (offset = 0) => lines.linePos(offset).line;
  const fail: Fail = (offset, reason) => new ContractError(path, lineAt(offset), reason);
  const [error] = [...document.errors, ...document.warnings];
  if (error) throw fail(placeOf(error, text), MESSAGES[error.code] ?? error.message);
  if (second) throw fail(second.range[0], SECOND_DOCUMENT);
  return { value: createRead(text, fail)(document.contents).value, locate };

  /** Finds the key of a place (or the item of a list) and its value; if absent, the line of its nearest parent. */
  function locate(pointer: Pointer): ReturnType<YamlText["locate"]> {
    let node: ParsedNode | null | undefined = document.contents;
    let offset = node?.range[0];
    for (const part of pointer) {
      const pair: YamlMap["items"][number] | undefined = isMap<ParsedNode, ParsedNode | null>(node)
        ? node.items.find(({ key }) => memberOf(key) === String(part))
        : undefined;
      const item: ParsedNode | undefined = isSeq<ParsedNode>(node) ? node.items[Number(part)] : undefined;
      const found = pair?.key ?? item;
      if (!found) return { line: lineAt(offset), range: undefined };
      offset = found.range[0];
      node = pair ? pair.value : item;
    }
    return { line: lineAt(offset), range: isScalar(node) ? [node.range[0], node.range[1]] : undefined };
  }
}

/** A bracket lacks its end in the line before the place where the parser gives up. It has no code of its own. */
function placeOf({ message, pos: [start] }: YAMLError, text: string): number {
  return message.startsWith("Flow ") ? text.slice(0, start).trimEnd().length - 1 : start;
}

function createRead(text: string, fail: Fail): (node: ParsedNode | null, depth?: number) => Part {
  const { isAlias, isMap, isScalar, isSeq } = loadYaml();
  const anchors = new Map<string, Part | undefined>(); // undefined while the part is being read
  let repeated = 0;
  return read;

  function read(node: ParsedNode | null, depth = 0): Part {
    if (depth > MAX_DEPTH) throw fail(node?.range[0], TOO_DEEP);
    if (isAlias(node)) return follow(node, depth);
    const anchor = node?.anchor;
    if (anchor) anchors.set(anchor, undefined);
    const part = readNode(node, depth);
    if (anchor) anchors.set(anchor, part);
    return part;
  }

  function follow({ source, range }: Alias.Parsed, depth: number): Part {
    const part = anchors.get(source);
    if (!anchors.has(source)) throw fail(range[0], `there is no anchor &${source} before this alias`);
    if (!part) throw fail(range[0], `the alias *${source} leads to itself`);
    if (depth + part.depth > MAX_DEPTH) throw fail(range[0], TOO_DEEP);
    repeated += part.size;
    if (repeated > MAX_REPEATED) throw fail(range[0], `aliases up to here repeat more than ${MAX_REPEATED} values`);
    return part;
  }

  function readNode(node: ParsedNode | null, depth: number): Part {
    if (isMap<ParsedNode, ParsedNode | null>(node)) return readMap(node, depth);
    if (isSeq<ParsedNode>(node)) {
      const items = node.items.map((item) => read(item, depth + 1));
      return toPart(
        items.map(({ value }) => value),
        items,
      );
    }
    const value = isScalar(node) ? node.value : null;
    const isJson = value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
    if (!isJson) throw fail(node?.range[0], `${text.slice(...(node?.range ?? [0, 0]))} is not a JSON value`);
    if (typeof value === "number" && isScalar(node) && !isHeld(node.source ?? "", value))
      throw fail(node.range[0], `${node.source} is a number that JavaScript cannot hold: it would become ${value}`);
    return toPart(value, []);
  }

  function readMap({ items }: YamlMap, depth: number): Part {
    const members = new Map<string, Part>();
    const merged: Part[] = [];
    for (const { key, value } of items) {
      const name = memberOf(key);
      if (name === undefined) throw fail(key.range[0], "the name of a member must be a string");
      if (members.has(name)) throw fail(key.range[0], `the name ${name} occurs twice`);
      const part = read(value, depth + 1);
      if (!isMergeKey(key)) members.set(name, part);
      else if (toList(part.value).every(isObject)) merged.push(part);
      else throw fail(key.range[0], "<< merges a map, or a list of maps");
    }
    const inherited = merged.flatMap((part) => toList(part.value) as object[]).toReversed(); // the first one wins
    const named = [...members].map(([name, { value }]) => [name, value] as const);
    return toPart(Object.fromEntries([...inherited.flatMap((other) => Object.entries(other)), ...named]), [
      ...members.values(),
      ...merged,
    ]);
  }
}

/** The name of a member as it is written: `1.0` and `true` without quotes are names, too. */
function memberOf(key: ParsedNode): string | undefined {
  if (!loadYaml().isScalar(key)) return undefined;
  return key.type === "PLAIN" ? key.source : String(key.value);
}

/** YAML 1.1 had `<<`, and most tools still merge it. */
function isMergeKey(key: ParsedNode): boolean {
  return loadYaml().isScalar(key) && key.type === "PLAIN" && key.source === "<<";
}

function toPart(value: unknown, parts: readonly Part[]): Part {
  const depth = parts.reduce((deepest, part) => Math.max(deepest, part.depth + 1), 0);
  return { value, depth, size: parts.reduce((sum, part) => sum + part.size, 1) };
}
