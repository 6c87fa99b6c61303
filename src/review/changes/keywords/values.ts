// enum and const: a list of values. Where the list is finite, each value is simply tried.
import type { NarrowingRule } from "../narrowing.js";
import { sampleOf } from "../sample.js";
import { allows, type SchemaView, typesOf, written } from "../schema-view.js";

/** All values that a view allows, where they are listed. */
export function finiteValues(view: SchemaView): unknown[] | undefined {
  const lists = [
    ...written<unknown>(view, "const").map(({ value }) => [value]),
    ...written<unknown[]>(view, "enum").map(({ value }) => value),
  ];
  return lists[0]?.filter((value) => allows(view, value));
}

export const compareValues: NarrowingRule = (from, to) => {
  const [before, after] = [finiteValues(from), finiteValues(to)];
  const keyword = written(after ? to : from, "const").length > 0 ? "const" : "enum";
  if (before) {
    const lost = before.filter((value) => !allows(to, value));
    return lost.length === 0 ? [] : [{ keyword, from: before, to: after, mutate: () => lost }];
  }
  if (!after || typesOf(from).every((type) => !typesOf(to).includes(type))) return []; // no type in common: said by `type`
  const mutate = (current: unknown) => [current, sampleOf(from), `${current}x`, "other", 0, 1, true, false];
  return [{ keyword, from: undefined, to: after, mutate }];
};
