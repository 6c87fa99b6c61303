// Keys as hashes, which are compared in constant time.
import { hash, timingSafeEqual } from "node:crypto";

export function hashKey(key: string): Buffer {
  return hash("sha256", key, "buffer");
}

/** Creates the function that says whether another key is the same. */
export function createKeyMatch(key: string): (other: string) => boolean {
  const expected = hashKey(key);
  return (other) => timingSafeEqual(hashKey(other), expected);
}
