// items: what each item of an array has to be.
import type { Descent } from "../narrowing.js";
import { EACH_ITEM, itemsOf, typesOf } from "../schema-view.js";

export const compareItems: Descent = (from, to, go) => {
  if (typesOf(from).includes("array") && typesOf(to).includes("array")) go(EACH_ITEM, itemsOf(from), itemsOf(to));
};
