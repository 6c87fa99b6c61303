// Compares two schemas but for references, `allOf`, texts, examples, and the order of lists without one: a cheap proof, before
// prove-subset.ts tries a thorough one.
import { isDeepStrictEqual } from "node:util";
import type { Contract } from "../../../contract/contract.js";
import { flatten } from "../../../contract/schema-flatten.js";

/** A schema of a contract. */
export interface ContractSchema {
  contract: Contract;
  schema: unknown;
}

/** Keywords for people, or without an effect in OpenAPI 3.1. */
const TEXTS = /^(title|description|examples?|\$comment|\$defs|externalDocs|xml|x-(?!literal-plus$).*)$/;
const SCHEMAS = /^(items|additionalProperties|not|if|then|else|contains|propertyNames)$/;
const MAPS_OF_SCHEMAS = /^(properties|patternProperties|dependentSchemas)$/;
const SETS_OF_SCHEMAS = /^(allOf|anyOf|oneOf)$/;
const SETS = /^(enum|required|type)$/;

export function isSameSchema(a: ContractSchema, b: ContractSchema): boolean {
  const compared = new Map<object, Set<object>>(); // includes pairs in progress, since a schema may contain itself
  const trail: (readonly [object, object])[] = [];
  return isSame(a.schema, b.schema);

  function isSame(one: unknown, other: unknown): boolean {
    const [flat, otherFlat] = [flatten(a.contract.document, one), flatten(b.contract.document, other)];
    const known = compared.get(flat) ?? new Set();
    if (known.has(otherFlat)) return true;
    compared.set(flat, known.add(otherFlat));
    const length = trail.push([flat, otherFlat]);
    const [keywords, otherKeywords] = [toKeywords(flat), toKeywords(otherFlat)];
    const isEqual =
      isDeepStrictEqual([...keywords.keys()].toSorted(), [...otherKeywords.keys()].toSorted()) &&
      [...keywords].every(([keyword, value]) => isSameValue(keyword, value, otherKeywords.get(keyword)));
    // Pairs below may have counted as the same only because of this one.
    if (!isEqual) for (const [one, two] of trail.splice(length - 1)) compared.get(one)?.delete(two);
    return isEqual;
  }

  function isSameValue(keyword: string, one: unknown, other: unknown): boolean {
    if (SCHEMAS.test(keyword)) return isSame(one, other);
    if (MAPS_OF_SCHEMAS.test(keyword)) {
      const [map, otherMap] = [one, other] as Record<string, unknown>[];
      const names = Object.keys(map ?? {});
      const isNamedAlike = isDeepStrictEqual(names.toSorted(), Object.keys(otherMap ?? {}).toSorted());
      return isNamedAlike && names.every((name) => isSame(map?.[name], otherMap?.[name]));
    }
    const [list = [], others = []] = [one, other].map((value) => [value].flat());
    if (SETS_OF_SCHEMAS.test(keyword))
      return list.length === others.length && list.every((item) => others.some((another) => isSame(item, another)));
    return SETS.test(keyword) ? isDeepStrictEqual(toSet(list), toSet(others)) : isDeepStrictEqual(one, other);
  }
}

const toSet = (list: readonly unknown[]) => list.map((item) => JSON.stringify(item)).toSorted();

function toKeywords(schema: Record<string, unknown>): Map<string, unknown> {
  const { const: constant, ...others } = schema;
  const whole = "const" in schema ? { ...others, enum: [constant] } : others;
  return new Map(Object.entries(whole).filter(([keyword]) => !TEXTS.test(keyword)));
}
