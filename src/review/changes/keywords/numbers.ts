// minimum, maximum and their exclusive forms, multipleOf.
import type { NarrowingRule, RuleFinding } from "../narrowing.js";
import { type SchemaView, typesOf, written } from "../schema-view.js";

const BOUNDS = [
  { keyword: "minimum", exclusive: "exclusiveMinimum", sign: -1 },
  { keyword: "maximum", exclusive: "exclusiveMaximum", sign: 1 },
] as const;

export const compareNumbers: NarrowingRule = (from, to) => {
  if (!typesOf(from).some((type) => type === "integer" || type === "number")) return [];
  return [...BOUNDS.flatMap((bound) => compareBound(bound, from, to)), ...compareSteps(from, to)];
};

function compareBound(bound: (typeof BOUNDS)[number], from: SchemaView, to: SchemaView): RuleFinding[] {
  const { keyword, exclusive, sign } = bound;
  /** The strictest limit, as a number that grows with what is allowed; just below itself when it is exclusive. */
  const limitOf = (view: SchemaView) =>
    Math.min(
      ...written<number>(view, keyword).map(({ value }) => sign * value),
      ...written<number>(view, exclusive).map(({ value }) => sign * value - 1e-9),
    );
  const [before, after] = [limitOf(from), limitOf(to)];
  if (after >= before) return [];
  const edge = Math.round(sign * after);
  const name = written(to, exclusive).length > 0 ? exclusive : keyword;
  return [
    {
      keyword: name,
      from: written(from, name)[0]?.value,
      to: written(to, name)[0]?.value,
      mutate: () => [
        edge,
        edge + sign,
        edge + sign / 2,
        ...(Number.isFinite(before) ? [Math.round(sign * before)] : []),
      ],
    },
  ];
}

function compareSteps(from: SchemaView, to: SchemaView): RuleFinding[] {
  const [before] = written<number>(from, "multipleOf");
  const [after] = written<number>(to, "multipleOf");
  if (!after || (before && before.value % after.value === 0)) return [];
  const step = before?.value ?? 1;
  const mutate = () => [0, 1, 2, 3, 5, 7].map((times) => times * step).concat(0.5);
  return [{ keyword: "multipleOf", from: before?.value, to: after.value, mutate }];
}
