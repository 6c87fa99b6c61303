// Compares keys as hashes, in constant time.
import { hash, timingSafeEqual } from "node:crypto";

/** Creates the function that says whether another key is the same. */
export function createKeyMatch(key: string): (other: string) => boolean {
  const hashOf = (text: string) => hash("sha256", text, "buffer");
  const expected = hashOf(key);
  return (other) => timingSafeEqual(hashOf(other), expected);
}
