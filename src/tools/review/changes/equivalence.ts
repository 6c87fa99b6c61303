// Compares two parts of contracts but for references, `allOf`, texts, examples, and the order of lists without one: a
// cheap proof, before subset-proof.ts tries a thorough one.

import type { Contract } from "../../../contract/contract.js";
import { formOf, isText, type Kind } from "../../../contract/grammar.js";
import { isEqual, isObject } from "../../../contract/json.js";
import { toList } from "../../../contract/lists.js";
import { parseReference, valueAt } from "../../../contract/pointer.js";
import { createSchemas, type Schema } from "../../../contract/schema.js";
import type { SchemaNode } from "../../../contract/schema-node.js";
import { FORBIDDEN_BY } from "./reviewed-contract.js";

/** Extensions that change what a schema means. */
const MEANT = new Set(["x-literal-plus", FORBIDDEN_BY]);
const SETS_OF_SCHEMAS = /^(allOf|anyOf|oneOf)$/;
const SETS = /^(enum|required|type)$/;

export function isSameSchema(a: Schema, b: Schema): boolean {
  const readerOf =
    (schema: Schema): Read =>
    (_kind, node) =>
      schema.of((node ?? true) as SchemaNode).flat;
  return createComparison(readerOf(a), readerOf(b))("schema", a.node, b.node);
}

/** A part of a contract that is no schema. */
interface ContractPart {
  contract: Contract;
  value: unknown;
}

/** @param keyword of which the parts are the values. */
export function isSamePart(keyword: string, a: ContractPart, b: ContractPart): boolean {
  const kind = PARENTS.find((parent) => formOf(parent, keyword));
  const toParent = ({ value }: ContractPart) => ({ [keyword]: value });
  return createComparison(createRead(a.contract), createRead(b.contract))(kind, toParent(a), toParent(b));
}

/** What has parts that the review does not interpret. */
const PARENTS: readonly Kind[] = ["document", "operation", "mediaType"];

/** Follows references of the file: the document lacks what nobody serves. */
function createRead({ file }: Contract): Read {
  const schemaOf = createSchemas({ document: file.value as object, pointerOf: () => undefined, errorsOf: () => [] });
  return function read(kind, value): unknown {
    if (kind === "schema") return schemaOf((value ?? true) as SchemaNode).flat;
    const { $ref } = (value ?? {}) as { $ref?: unknown };
    const target =
      typeof $ref === "string" && $ref.startsWith("#/") ? valueAt(file.value, parseReference($ref)) : value;
    return target === value ? value : read(kind, target);
  };
}

/** A part without references; the same object each time. */
type Read = (kind: Kind | undefined, value: unknown) => unknown;

function createComparison(read: Read, readOther: Read) {
  /** Pairs that count as the same: those in progress too, since a schema may contain itself. */
  const same = createPairs();
  /** Pairs that differ, whatever becomes of those in progress. */
  const different = createPairs();
  /** What counts as the same, in the order of comparison. */
  const trail: Pair[] = [];
  return isSame;

  function isSame(kind: Kind | undefined, one: unknown, other: unknown): boolean {
    const [part, otherPart] = [read(kind, one), readOther(kind, other)];
    if (!isObject(part) || !isObject(otherPart)) return isEqual(part, otherPart);
    const pair = [part, otherPart] as const;
    if (different.has(pair)) return false;
    if (same.has(pair)) return true;
    same.add(pair);
    const start = trail.push(pair) - 1;
    if (haveSameMembers(kind, pair)) return true;
    different.add(pair);
    // What was compared since then may have counted as the same only because this pair did.
    for (const assumed of trail.splice(start)) same.delete(assumed);
    return false;
  }

  function haveSameMembers(kind: Kind | undefined, [part, otherPart]: readonly [object, object]): boolean {
    const [members, otherMembers] = [membersOf(kind, part), membersOf(kind, otherPart)];
    const isNamedAlike = isEqual([...members.keys()].toSorted(), [...otherMembers.keys()].toSorted());
    return (
      isNamedAlike && [...members].every(([name, value]) => isSameMember(kind, name, [value, otherMembers.get(name)]))
    );
  }

  function isSameMember(kind: Kind | undefined, name: string, [one, other]: readonly [unknown, unknown]): boolean {
    const form = kind && formOf(kind, name);
    if (kind === "schema" && SETS.test(name)) return isEqual(toSet(one), toSet(other));
    if (!form) return isEqual(one, other);
    if (form.shape === "one") return isSame(form.kind, one, other);
    const isEachSame = (item: unknown, another: unknown) => isSame(form.kind, item, another);
    if (SETS_OF_SCHEMAS.test(name)) return isSameSet(toList(one), toList(other), isEachSame);
    if (!isObject(one) || !isObject(other)) return isSameList(toList(one), toList(other), isEachSame);
    const names = Object.keys(one);
    const isNamedAlike = isEqual(names.toSorted(), Object.keys(other).toSorted());
    return isNamedAlike && names.every((key) => isEachSame(one[key], other[key]));
  }
}

type Pair = readonly [object, object];

/** A set of pairs. */
function createPairs() {
  const partners = new Map<object, Set<object>>();
  return {
    has: ([one, other]: Pair) => partners.get(one)?.has(other) ?? false,
    add: ([one, other]: Pair) => partners.set(one, (partners.get(one) ?? new Set()).add(other)),
    delete: ([one, other]: Pair) => partners.get(one)?.delete(other),
  };
}

type IsSame = (one: unknown, other: unknown) => boolean;

function isSameList(list: readonly unknown[], otherList: readonly unknown[], isSame: IsSame): boolean {
  return list.length === otherList.length && list.every((item, index) => isSame(item, otherList[index]));
}

/** True if each item has one of its own in the other list: `oneOf` counts. */
function isSameSet(list: readonly unknown[], otherList: readonly unknown[], isSame: IsSame): boolean {
  const rest = [...otherList];
  const isMatched = (item: unknown) => {
    const index = rest.findIndex((another) => isSame(item, another));
    return index >= 0 && rest.splice(index, 1).length > 0;
  };
  return list.length === otherList.length && list.every(isMatched);
}

const toSet = (list: unknown) =>
  toList(list)
    .map((item) => JSON.stringify(item))
    .toSorted();

/** Without texts; a constant is a list of one value. */
function membersOf(kind: Kind | undefined, part: object): Map<string, unknown> {
  const { const: constant, ...keywords } = part as Record<string, unknown>;
  const whole = kind === "schema" && "const" in part ? { ...keywords, enum: [constant] } : part;
  const isMeant = (name: string) => MEANT.has(name) || !(isText(name) || (kind === "schema" && name === "$defs"));
  return new Map(Object.entries(whole).filter(([name]) => kind === undefined || isMeant(name)));
}
