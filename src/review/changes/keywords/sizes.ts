// How long a text is, and how many items or members there are.
import type { NarrowingRule } from "../narrowing.js";
import { sampleOf } from "../sample.js";
import { itemsOf, type SchemaView, typesOf, written } from "../schema-view.js";

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
    const limitOf = (view: SchemaView) => Math.min(...written<number>(view, keyword).map(({ value }) => sign * value));
    const [before, after] = [limitOf(from), limitOf(to)];
    if (after >= before || (sign === -1 && after === 0)) return [];
    const size = sign * after + sign;
    const mutate = (current: unknown) => [resize(current, size, from)];
    return [{ keyword, from: written(from, keyword)[0]?.value, to: sign * after, mutate }];
  });
  const isUnique = (view: SchemaView) => written(view, "uniqueItems").some(({ value }) => value === true);
  if (!types.includes("array") || !isUnique(to) || isUnique(from)) return sizes;
  const twice = (current: unknown) => [
    new Array(2).fill(Array.isArray(current) && current[0] !== undefined ? current[0] : sampleOf(itemsOf(from))),
  ];
  return [...sizes, { keyword: "uniqueItems", from: false, to: true, mutate: twice }];
};

function resize(current: unknown, size: number, view: SchemaView): unknown {
  if (typeof current === "string") return (current || "x").repeat(size + 1).slice(0, size);
  if (Array.isArray(current)) {
    const items = current.length > 0 ? current : [sampleOf(itemsOf(view))];
    return Array.from({ length: size }, (_none, index) => items[index % items.length]);
  }
  const members = Object.entries(current ?? {}).slice(0, size);
  while (members.length < size) members.push([`member${members.length}`, "x"]);
  return Object.fromEntries(members);
}
