// items: the schema of each item of an array.
import type { Descent } from "../narrowing-rule.js";
import { EACH_ITEM, itemsOf, typesOf } from "../schema-view.js";

export const descendIntoItems: Descent = (from, to, visit) => {
  if (typesOf(from).includes("array") && typesOf(to).includes("array")) visit(EACH_ITEM, itemsOf(from), itemsOf(to));
};
