// Keys are stored and compared as hashes.
import { hash, timingSafeEqual } from "node:crypto";

export const hashKey = (key: string): Buffer => hash("sha256", key, "buffer");

/** Creates the function that compares keys as hashes, in constant time. */
export function createKeyMatch(key: string): (other: string) => boolean {
  const expected = hashKey(key);
  return (other) => timingSafeEqual(hashKey(other), expected);
}
