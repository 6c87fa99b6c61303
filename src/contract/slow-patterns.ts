// Patterns that take exponential or polynomial time: one text, sent in one request, would stop a server. Each is tried
// only on texts that are short enough. find-slow-patterns.ts finds them; a bundle for a browser does not contain it.

/** The longest text for a pattern, by its time: 3^16 and 100^5 steps take less than half a second. */
const MAX_LENGTH = { exponential: 16, polynomial: 100, quadratic: 2_000 };

export interface SlowPattern {
  pattern: string;
  time: keyof typeof MAX_LENGTH;
  /** The longest text that is checked. */
  maxLength: number;
  /** The first place in the contract that was analysed last: `openapi.yaml:12`. */
  place: string;
}

/** By the pattern, and by the guarded pattern. */
const slow = new Map<string, Omit<SlowPattern, "place"> | undefined>();
const places = new Map<string, string>();

/** @param found undefined for a pattern in linear time. */
export function recordPattern(pattern: string, found: { time: SlowPattern["time"] } | undefined): void {
  const slowPattern = found && { pattern, ...found, maxLength: MAX_LENGTH[found.time] };
  slow.set(pattern, slowPattern);
  if (slowPattern) slow.set(guard(slowPattern), slowPattern);
}

export const isRecorded = (pattern: string): boolean => slow.has(pattern);

/** Says where the contract that was analysed last has a pattern first. */
export function recordPlace(pattern: string, place: string): void {
  places.set(pattern, place);
}

/** A slow pattern, by itself or as validators get it; undefined for one in linear time. */
export function slowPatternOf(pattern: string): SlowPattern | undefined {
  const found = slow.get(pattern);
  return found && { ...found, place: places.get(found.pattern) ?? "the contract" };
}

/** The pattern for validators. A slow one matches no text that is too long. */
export function guardPattern(pattern: string): string {
  const found = slow.get(pattern);
  return found?.pattern === pattern ? guard(found) : pattern;
}

/** Counts the characters first, in as many steps; then tries the pattern at each place, as a search for it would. */
function guard({ pattern, maxLength }: Omit<SlowPattern, "place">): string {
  return `^(?=[^]{0,${maxLength}}$)[^]*?(?:${pattern})`;
}
