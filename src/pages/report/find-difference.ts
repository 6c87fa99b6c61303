// Finds the place at which two values differ, for a report that shows one place instead of two values.
import { isDeepStrictEqual } from "node:util";

export interface Difference {
  /** `body.data.0._id` */
  place: string;
  expected: unknown;
  actual: unknown;
}

/** The first place at which the two differ as JSON: the order of members does not count. */
export function findDifference(expected: unknown, actual: unknown, place: string): Difference | undefined {
  if (isDeepStrictEqual(expected, actual)) return undefined;
  if (!isContainer(expected) || !isContainer(actual) || Array.isArray(expected) !== Array.isArray(actual))
    return { place, expected, actual };
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const difference = findDifference(expected[key], actual[key], `${place}.${key}`);
    if (difference) return difference;
  }
  return undefined;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
