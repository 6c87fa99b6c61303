// What somebody may have meant by a misspelled name. Small, since browsers load it with the client.
import leven from "leven"; // without `closestMatch`, which would double its size

const MAX_EDITS = 3;

/** Finds the name with the fewest different letters, at most a third of them. Ignores case. */
export function findNearestName(name: string, names: readonly string[]): string | undefined {
  const edits = (other: string) => leven(name.toLowerCase(), other.toLowerCase());
  const [nearest = ""] = [...names].sort((a, b) => edits(a) - edits(b));
  return edits(nearest) <= Math.min(MAX_EDITS, Math.ceil(name.length / 3)) ? nearest : undefined;
}
