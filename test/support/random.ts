import { createRandom as createSequence } from "../../src/core/domain/random.js";

export type Random = ReturnType<typeof createRandom>;

/** Values that depend on `seed` alone, on every machine. */
export function createRandom(seed: number) {
  const { fraction, between } = createSequence(seed);
  return {
    fraction,
    between,
    /** True in `probability` (0 to 1) of the calls. */
    chance: (probability: number) => fraction() < probability,
    pick: <T>(items: readonly T[]) => items[between(0, items.length - 1)] as T,
  };
}
