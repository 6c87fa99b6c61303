// Lengths of strings, numbers of items and members, and whether items are unique.
import type { NarrowingRule } from "../narrowing-rule.js";
import { sampleValue } from "../sample-value.js";
import { itemsOf, keywordValues, type SchemaView, typesOf } from "../schema-view.js";

const SIZES = [
  { keyword: "minLength", type: "string", sign: -1 },
  { keyword: "maxLength", type: "string", sign: 1 },
  { keyword: "minItems", type: "array", sign: -1 },
  { keyword: "maxItems", type: "array", sign: 1 },
  { keyword: "minProperties", type: "object", sign: -1 },
  { keyword: "maxProperties", type: "object", sign: 1 },
] as const;

export const compareSizes: NarrowingRule = (from, to) => {
  const types = typesOf(from);
  const sizes = SIZES.filter(({ type }) => types.includes(type)).flatMap(({ keyword, sign }) => {
    const limitOf = (view: SchemaView) =>
      Math.min(...keywordValues<number>(view, keyword).map((value) => sign * value));
    const [before, after] = [limitOf(from), limitOf(to)];
    if (after >= before || (sign === -1 && after === 0)) return [];
    const size = sign * after + sign;
    const mutate = (current: unknown) => [resize(current, size, from)];
    return [{ keyword, from: keywordValues(from, keyword)[0], to: sign * after, mutate }];
  });
  const isUnique = (view: SchemaView) => keywordValues(view, "uniqueItems").includes(true);
  if (!types.includes("array") || !isUnique(to) || isUnique(from)) return sizes;
  const duplicate = (current: unknown) => {
    const [item = sampleValue(itemsOf(from))] = Array.isArray(current) ? current : [];
    return [[item, item]];
  };
  return [...sizes, { keyword: "uniqueItems", from: false, to: true, mutate: duplicate }];
};

function resize(current: unknown, size: number, view: SchemaView): unknown {
  if (typeof current === "string") return (current || "x").repeat(size + 1).slice(0, size);
  if (Array.isArray(current)) {
    const items = current.length > 0 ? current : [sampleValue(itemsOf(view))];
    return Array.from({ length: size }, (_none, index) => items[index % items.length]);
  }
  const members = Object.entries(current ?? {}).slice(0, size);
  while (members.length < size) members.push([`member${members.length}`, "x"]);
  return Object.fromEntries(members);
}
