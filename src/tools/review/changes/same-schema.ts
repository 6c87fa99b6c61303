// Compares two schemas but for references, `allOf`, texts, examples, and the order of lists without one: a cheap proof, before
// prove-subset.ts tries a thorough one.

import { isText } from "../../../contract/annotations.js";
import type { Contract } from "../../../contract/contract.js";
import type { SchemaNode } from "../../../contract/copy-schema.js";
import { isEqual } from "../../../contract/json.js";
import { toList } from "../../../contract/lists.js";
import { parseReference, valueAt } from "../../../contract/pointer.js";
import type { Schema } from "../../../contract/schema.js";

/** Extensions that change what a schema means. */
const MEANT = new Set(["x-literal-plus", "x-forbidden-by"]);
const SCHEMAS = /^(items|additionalProperties|not|if|then|else|contains|propertyNames|unevaluated(Items|Properties))$/;
const MAPS_OF_SCHEMAS = /^(properties|patternProperties|dependentSchemas)$/;
const SETS_OF_SCHEMAS = /^(allOf|anyOf|oneOf)$/;
const SETS = /^(enum|required|type)$/;

export function isSameSchema(a: Schema, b: Schema): boolean {
  const compared = new Map<object, Set<object>>(); // includes pairs in progress, since a schema may contain itself
  const different = new Map<object, Set<object>>(); // final: pairs in progress count as the same
  const trail: (readonly [object, object])[] = [];
  return isSame(a.node, b.node);

  function isSame(one: unknown, other: unknown): boolean {
    const [flat, otherFlat] = [a.of((one ?? true) as SchemaNode).flat, b.of((other ?? true) as SchemaNode).flat];
    if (different.get(flat)?.has(otherFlat)) return false;
    const known = compared.get(flat) ?? new Set();
    if (known.has(otherFlat)) return true;
    compared.set(flat, known.add(otherFlat));
    const length = trail.push([flat, otherFlat]);
    const [keywords, otherKeywords] = [keywordsOf(flat), keywordsOf(otherFlat)];
    const isTheSame =
      isEqual([...keywords.keys()].toSorted(), [...otherKeywords.keys()].toSorted()) &&
      [...keywords].every(([keyword, value]) => isSameValue(keyword, value, otherKeywords.get(keyword)));
    if (isTheSame) return true;
    different.set(flat, (different.get(flat) ?? new Set()).add(otherFlat));
    // Pairs below may have counted as the same only because of this one.
    for (const [one, two] of trail.splice(length - 1)) compared.get(one)?.delete(two);
    return false;
  }

  function isSameList(list: readonly unknown[], others: readonly unknown[]): boolean {
    return list.length === others.length && list.every((item, index) => isSame(item, others[index]));
  }

  /** True if each item has one of its own in the other list: `oneOf` counts. */
  function isSameSet(list: readonly unknown[], others: readonly unknown[]): boolean {
    const rest = [...others];
    const isMatched = (item: unknown) => {
      const index = rest.findIndex((another) => isSame(item, another));
      return index >= 0 && rest.splice(index, 1).length > 0;
    };
    return list.length === others.length && list.every(isMatched);
  }

  function isSameValue(keyword: string, one: unknown, other: unknown): boolean {
    if (keyword === "prefixItems") return isSameList(one as unknown[], other as unknown[]);
    if (SCHEMAS.test(keyword)) return isSame(one, other);
    if (MAPS_OF_SCHEMAS.test(keyword)) {
      const [map, otherMap] = [one, other] as Record<string, unknown>[];
      const names = Object.keys(map ?? {});
      const isNamedAlike = isEqual(names.toSorted(), Object.keys(otherMap ?? {}).toSorted());
      return isNamedAlike && names.every((name) => isSame(map?.[name], otherMap?.[name]));
    }
    const [list = [], others = []] = [one, other].map((value) => toList(value));
    if (SETS_OF_SCHEMAS.test(keyword)) return isSameSet(list, others);
    return SETS.test(keyword) ? isEqual(toSet(list), toSet(others)) : isEqual(one, other);
  }
}

/** A part of a contract that is no schema. */
interface ContractPart {
  contract: Contract;
  value: unknown;
}

/** True if the parts are equal once their references are followed. */
export function isSamePart(a: ContractPart, b: ContractPart): boolean {
  const compared = new Map<object, Set<object>>();
  return isSame(a.value, b.value);

  function isSame(one: unknown, other: unknown): boolean {
    const [own, others] = [follow(a.contract, one), follow(b.contract, other)];
    if (typeof own !== "object" || typeof others !== "object" || own === null || others === null) return own === others;
    const known = compared.get(own) ?? new Set();
    if (known.has(others)) return true; // compared before, or in progress
    compared.set(own, known.add(others));
    if (Array.isArray(own) !== Array.isArray(others)) return false;
    const [members, otherMembers] = [own, others].map((object) => new Map(Object.entries(object)));
    if (!members || !otherMembers || members.size !== otherMembers.size) return false;
    return [...members].every(([name, value]) => otherMembers.has(name) && isSame(value, otherMembers.get(name)));
  }
}

/** References of the file: the document lacks what nobody serves. */
function follow(contract: Contract, value: unknown): unknown {
  const { $ref } = (value ?? {}) as { $ref?: unknown };
  if (typeof $ref !== "string" || !$ref.startsWith("#/")) return value;
  const target = valueAt(contract.file.value, parseReference($ref));
  return target === value ? value : follow(contract, target);
}

const toSet = (list: readonly unknown[]) => list.map((item) => JSON.stringify(item)).toSorted();

function keywordsOf(schema: Record<string, unknown>): Map<string, unknown> {
  const { const: constant, ...others } = schema;
  const whole = "const" in schema ? { ...others, enum: [constant] } : others;
  return new Map(
    Object.entries(whole).filter(([keyword]) => MEANT.has(keyword) || !(isText(keyword) || keyword === "$defs")),
  );
}
