// minimum, maximum and their exclusive forms, multipleOf.
import type { KeywordNarrowing, NarrowingRule } from "../narrowing-rule.js";
import { keywordValues, type SchemaView, typesOf } from "../schema-view.js";

const BOUNDS = [
  { keyword: "minimum", exclusive: "exclusiveMinimum", sign: -1 },
  { keyword: "maximum", exclusive: "exclusiveMaximum", sign: 1 },
] as const;

export const compareNumbers: NarrowingRule = (from, to) => {
  if (!typesOf(from).some((type) => type === "integer" || type === "number")) return [];
  return [...BOUNDS.flatMap((bound) => compareBound(bound, from, to)), ...compareMultiples(from, to)];
};

function compareBound(bound: (typeof BOUNDS)[number], from: SchemaView, to: SchemaView): KeywordNarrowing[] {
  const { keyword, exclusive, sign } = bound;
  /** The strictest limit, as a number that grows with what is allowed; just below itself when it is exclusive. */
  const limitOf = (view: SchemaView) =>
    Math.min(
      ...keywordValues<number>(view, keyword).map((value) => sign * value),
      ...keywordValues<number>(view, exclusive).map((value) => sign * value - 1e-9),
    );
  const [before, after] = [limitOf(from), limitOf(to)];
  if (after >= before) return [];
  const edge = Math.round(sign * after);
  const name = keywordValues(to, exclusive).length > 0 ? exclusive : keyword;
  const beyond = Number.isFinite(before) ? [Math.round(sign * before)] : [];
  const mutate = () => [edge, edge + sign, edge + sign / 2, ...beyond];
  return [{ keyword: name, from: keywordValues(from, name)[0], to: keywordValues(to, name)[0], mutate }];
}

function compareMultiples(from: SchemaView, to: SchemaView): KeywordNarrowing[] {
  const [before] = keywordValues<number>(from, "multipleOf");
  const [after] = keywordValues<number>(to, "multipleOf");
  if (after === undefined || (before !== undefined && before % after === 0)) return [];
  const mutate = () => [0, 1, 2, 3, 5, 7].map((factor) => factor * (before ?? 1)).concat(0.5);
  return [{ keyword: "multipleOf", from: before, to: after, mutate }];
}
