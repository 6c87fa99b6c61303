// How a case says what it found: something else than was expected, or that it cannot be asked of this target.
import { isDeepStrictEqual } from "node:util";
import type { WireRequest } from "./wire.js";

/** The target did something else than the contract says. */
export class Mismatch extends Error {
  constructor(
    readonly what: string,
    readonly expected: unknown,
    readonly got: unknown,
    readonly request: WireRequest | undefined,
    /** Clauses and decisions, where they differ from the case's own. */
    readonly cites: readonly string[] = [],
  ) {
    super(what);
  }
}

/** The target's data do not allow the case, or it has not the means. */
export class NotApplicable extends Error {}

interface Answered {
  status: number;
  text: string;
  request: WireRequest;
}

export function expectStatus(answer: Answered, ...statuses: number[]): void {
  if (statuses.includes(answer.status)) return;
  const got = answer.status >= 400 ? `${answer.status} ${answer.text.slice(0, 200)}` : answer.status;
  throw new Mismatch("status", statuses.join(" or "), got, answer.request);
}

/** Compares as JSON does: the order of members does not count. Only the first difference is reported. */
export function expectSame(what: string, expected: unknown, got: unknown, request?: WireRequest): void {
  if (isDeepStrictEqual(expected, got)) return;
  const difference = firstDifference(expected, got, what);
  throw new Mismatch(difference.what, difference.expected, difference.got, request);
}

interface Difference {
  what: string;
  expected: unknown;
  got: unknown;
}

function firstDifference(expected: unknown, got: unknown, what: string): Difference {
  if (isContainer(expected) && isContainer(got) && Array.isArray(expected) === Array.isArray(got)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(got)])) {
      if (!isDeepStrictEqual(expected[key], got[key])) {
        return firstDifference(expected[key], got[key], `${what}.${key}`);
      }
    }
  }
  return { what, expected, got };
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
