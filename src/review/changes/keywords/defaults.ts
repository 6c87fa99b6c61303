// default: the meaning of an omitted value. A change of it breaks clients that omit the value, in both directions.
import type { NarrowingRule } from "../narrowing-rule.js";
import { keywordValues } from "../schema-view.js";

export const compareDefaults: NarrowingRule = (from, to) => {
  const [before, after] = [from, to].map((view) => keywordValues(view, "default")[0]);
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [{ keyword: "default", from: before, to: after, mutate: () => [undefined] }];
};
