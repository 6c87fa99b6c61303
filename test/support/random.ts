import { createRandom as createSequence } from "../../src/core/domain/random.js";

export type Random = ReturnType<typeof createRandom>;

/** Creates values that depend on `seed` only. */
export function createRandom(seed: number) {
  const { fraction, between } = createSequence(seed);
  return {
    fraction,
    between,
    /** Returns true with a probability from 0 to 1. */
    chance: (probability: number) => fraction() < probability,
    pick: <T>(items: readonly T[]) => items[between(0, items.length - 1)] as T,
  };
}
