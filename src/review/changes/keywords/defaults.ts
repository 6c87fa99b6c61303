// default: what it means to leave a value out. Another one breaks whoever leaves it out, whichever way it changes.
import type { NarrowingRule } from "../narrowing.js";
import { written } from "../schema-view.js";

export const compareDefaults: NarrowingRule = (from, to) => {
  const [before, after] = [from, to].map((view) => written(view, "default")[0]?.value);
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [{ keyword: "default", from: before, to: after, mutate: () => [undefined] }];
};
