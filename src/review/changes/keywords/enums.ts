// enum and const: a list of values. A finite list is simply tried out.
import type { NarrowingRule } from "../narrowing-rule.js";
import { sampleValue } from "../sample-value.js";
import { allows, keywordValues, type SchemaView, typesOf } from "../schema-view.js";

/** All values that a view allows; undefined where they are not listed. */
export function finiteValues(view: SchemaView): unknown[] | undefined {
  const lists = [...keywordValues(view, "const").map((value) => [value]), ...keywordValues<unknown[]>(view, "enum")];
  return lists[0]?.filter((value) => allows(view, value));
}

export const compareEnums: NarrowingRule = (from, to) => {
  const [before, after] = [finiteValues(from), finiteValues(to)];
  const keyword = keywordValues(after ? to : from, "const").length > 0 ? "const" : "enum";
  if (before) {
    const lost = before.filter((value) => !allows(to, value));
    return lost.length === 0 ? [] : [{ keyword, from: before, to: after, mutate: () => lost }];
  }
  if (!after || typesOf(from).every((type) => !typesOf(to).includes(type))) return []; // `type` covers it
  const mutate = (current: unknown) => [current, sampleValue(from), `${current}x`, "other", 0, 1, true, false];
  return [{ keyword, from: undefined, to: after, mutate }];
};
