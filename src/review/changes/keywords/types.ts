// type: a value's JSON type.
import type { NarrowingRule } from "../narrowing.js";
import { typesOf, written } from "../schema-view.js";

const SPECIMENS: Record<string, unknown[]> = {
  array: [[]],
  boolean: [true, "true"],
  integer: [7, "7"],
  null: [null, "null"],
  number: [7.5, "7.5"],
  object: [{}],
  string: ["text", "", "00000000000000000000000a", "2026-01-01T00:00:00.000Z"],
};

export const compareTypes: NarrowingRule = (from, to) => {
  const allowed = typesOf(to);
  const lost = typesOf(from).filter((type) => !allowed.includes(type));
  if (lost.length === 0) return [];
  return [
    {
      keyword: "type",
      from: written(from, "type")[0]?.value,
      to: written(to, "type")[0]?.value,
      mutate: () => lost.flatMap((type) => SPECIMENS[type] ?? []),
    },
  ];
};
