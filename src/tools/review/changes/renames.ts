// A part that is removed beside a new one with the same schema: probably the same part with another name.
import { groupBy } from "../../../contract/lists.js";
import { valueAt } from "../../../contract/pointer.js";
import type { Versions } from "./file-changes.js";
import type { Difference } from "./operation-differences.js";

/** The new part of each removed one, and the other way round; none where several are alike. */
export function findRenames(differences: readonly Difference[], versions: Versions): Map<Difference, Difference> {
  const isRemoved = ({ before }: Difference) => before.value !== undefined;
  const parts = differences.filter(({ keyword, steps, before, after }) => {
    const isWhole = keyword === "existence" || keyword === "properties";
    return isWhole && steps.length > 0 && (before.value === undefined) !== (after.value === undefined);
  });
  const keyOf = (difference: Difference) => {
    const { operation, side, steps, before, after } = difference;
    const [{ file }, { pointer = [] }] = isRemoved(difference) ? [versions.before, before] : [versions.after, after];
    const part = valueAt(file.value, pointer) as { schema?: unknown } | undefined;
    return JSON.stringify([operation, side, steps.slice(0, -1), part?.schema ?? part]);
  };
  const pairs = groupBy(parts, keyOf).flatMap(([one, other, ...more]): (readonly [Difference, Difference])[] => {
    const isPair = other && more.length === 0 && isRemoved(one) !== isRemoved(other);
    return isPair ? [[one, other] as const, [other, one] as const] : [];
  });
  return new Map(pairs);
}
