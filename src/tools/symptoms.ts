// The causes of what departs from the contract, for `verify` and the proxy: what has one symptom has one cause, and what
// another cause explains stands below it. Never reads names, commands or sentences.
import { groupBy } from "../contract/lists.js";

/** How something departs from the contract, without the values of its request. */
export interface Symptom {
  /** `status`, `body.data[].createdAt`, `query.limit` */
  place: string;
  /** A keyword, a decision, or what differs: `maximum`, `D-45`, `422 → 400`. */
  kind: string;
}

export interface Cause<Found> {
  found: [Found, ...Found[]];
  effects: Cause<Found>[];
}

interface Rules<Found> {
  symptomOf(found: Found): Symptom;
  /** True if what has one symptom vanishes with what has another. */
  explains(found: readonly [Found, ...Found[]], effects: readonly [Found, ...Found[]]): boolean;
  countOf(found: readonly Found[]): number;
}

/** What explains most comes first. */
export function findCauses<Found>(
  all: readonly Found[],
  { symptomOf, explains, countOf }: Rules<Found>,
): Cause<Found>[] {
  const causes = groupBy(all, (found) => JSON.stringify(symptomOf(found)))
    .toSorted((one, other) => countOf(other) - countOf(one))
    .map((found): Cause<Found> => ({ found, effects: [] }));
  const explanations = new Map<Cause<Found>, Cause<Found>>();
  const rootOf = (cause: Cause<Found>): Cause<Found> => {
    const explanation = explanations.get(cause);
    return explanation ? rootOf(explanation) : cause;
  };
  for (const cause of causes.toReversed()) {
    const root = causes.find((other) => rootOf(other) !== cause && explains(other.found, cause.found));
    if (root) explanations.set(cause, root);
  }
  for (const cause of explanations.keys()) rootOf(cause).effects.unshift(cause);
  const sizeOf = ({ found, effects }: Cause<Found>) =>
    countOf([found, ...effects.map((effect) => effect.found)].flat());
  return causes.filter((cause) => !explanations.has(cause)).toSorted((one, other) => sizeOf(other) - sizeOf(one));
}
