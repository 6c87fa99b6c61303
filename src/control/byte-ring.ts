// The latest bytes that were put, in memory that is taken once. Bytes that each request brings and a later one replaces
// would live just long enough to be costly to the garbage collector, which then walks all that an environment holds.

export interface ByteRing {
  /** Keeps a copy, until the capacity or, in the worst case, half of it has been put after it. */
  put(bytes: Buffer): RingPlace;
  /** Whether the bytes are still there. */
  has(place: RingPlace): boolean;
  /** Bytes that are still there. */
  read(place: RingPlace): Buffer;
}

export interface RingPlace {
  /** Counted from the first byte that was ever put. */
  start: number;
  length: number;
}

/** @param capacity in bytes; what is put must not be longer. */
export function createByteRing(capacity: number): ByteRing {
  const ring = Buffer.allocUnsafeSlow(capacity);
  let end = 0;
  return {
    put(bytes) {
      const left = capacity - (end % capacity);
      const start = bytes.length > left ? end + left : end; // in one piece: what is left at the end stays unused
      bytes.copy(ring, start % capacity);
      end = start + bytes.length;
      return { start, length: bytes.length };
    },
    has: ({ start }) => end - start <= capacity,
    read: ({ start, length }) => ring.subarray(start % capacity, (start % capacity) + length),
  };
}
