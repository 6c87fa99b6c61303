// type: a value's JSON type.
import type { NarrowingRule } from "../narrowing-rule.js";
import { keywordValues, typesOf } from "../schema-view.js";

const SAMPLES: Record<string, unknown[]> = {
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
  const [before, after] = [from, to].map((view) => keywordValues(view, "type")[0]);
  return [{ keyword: "type", from: before, to: after, mutate: () => lost.flatMap((type) => SAMPLES[type] ?? []) }];
};
