// Random ids, and random sequences that a seed repeats.

/** For ids and keys. Not `crypto.randomUUID`, which pages without TLS lack. */
export function randomHex(bytes: number): string {
  const source = (globalThis as { crypto?: typeof crypto }).crypto;
  if (!source)
    throw new Error(
      "There is no `crypto.getRandomValues`. In React Native, load the package react-native-get-random-values first.",
    );
  const values = source.getRandomValues(new Uint8Array(bytes));
  return Array.from(values, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export interface Random {
  /** At least 0, below 1. */
  fraction(): number;
  /** A whole number, both ends included. */
  between(low: number, high: number): number;
}

/** Creates a sequence that depends on `randomSeed` only (mulberry32: 32 bits of state). Not for secrets. */
export function createRandom(randomSeed: number): Random {
  let state = randomSeed >>> 0;

  function fraction(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  return { fraction, between: (low, high) => low + Math.floor(fraction() * (high - low + 1)) };
}
