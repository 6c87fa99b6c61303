// The size of a document in which each reference is replaced by what it refers to, as Prism reads it.
import { childrenOf, type Kind } from "./grammar.js";
import { isObject } from "./json.js";
import { parseReference, valueAt } from "./pointer.js";

/**
 * Creates the function that counts the parts of a part. Each is walked once, since their number doubles with each
 * reference in a chain of pairs.
 * @param sizes gets each part that was counted.
 */
export function createExpandedSize(
  document: object,
  sizes = new Map<object, number>(),
): (kind: Kind, part: unknown) => number {
  return function expandedSize(kind, part): number {
    if (!isObject(part)) return 0;
    const known = sizes.get(part);
    if (known !== undefined) return known;
    sizes.set(part, 1); // a schema may contain itself
    const target = typeof part.$ref === "string" ? valueAt(document, parseReference(part.$ref)) : undefined;
    const children = [...childrenOf(kind, part)].map((child) => expandedSize(child.kind, child.value));
    const size = children.reduce((sum, one) => sum + one, 1 + expandedSize(kind, target));
    sizes.set(part, size);
    return size;
  };
}
