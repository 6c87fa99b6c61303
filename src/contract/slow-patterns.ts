// Patterns that take exponential or polynomial time: one text, sent in one request, would stop a server. scslre finds
// them (it may miss some); each is then tried only on texts that are short enough.
import type { PlaceOf } from "./contract-error.js";
import { walkNodes } from "./grammar.js";
import { isObject } from "./json.js";
import { mapDefined } from "./lists.js";
import type { Pointer } from "./pointer.js";

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

/**
 * Analyses the patterns of a contract, so that `guardPattern` knows them, and lists the slow ones.
 * @param pause is awaited after each pattern.
 */
export async function findSlowPatterns(
  file: { value: unknown; placeOf: PlaceOf },
  pause: () => Promise<unknown>,
): Promise<SlowPattern[]> {
  const pointers = new Map<string, Pointer>();
  for (const { kind, value, pointer } of walkNodes(file.value)) {
    if (kind !== "schema") continue;
    for (const [pattern, own] of patternsOf(value))
      if (!pointers.has(pattern)) pointers.set(pattern, [...pointer, ...own]);
  }
  for (const pattern of pointers.keys()) {
    await analysePatterns([pattern]);
    await pause();
  }
  return mapDefined([...pointers], ([pattern, pointer]) => {
    const found = slow.get(pattern);
    if (!found) return undefined;
    const { path, line } = file.placeOf(pointer);
    places.set(pattern, `${path}:${line}`);
    return { ...found, place: `${path}:${line}` };
  });
}

function patternsOf({ pattern, patternProperties }: Record<string, unknown>): [pattern: string, pointer: Pointer][] {
  const names = isObject(patternProperties) ? Object.keys(patternProperties) : [];
  return [
    ...(typeof pattern === "string" ? [[pattern, ["pattern"]] as [string, Pointer]] : []),
    ...names.map((name): [string, Pointer] => [name, ["patternProperties", name]]),
  ];
}

/** Loads the analysis on demand: a contract that the build has checked has no slow pattern. */
export async function analysePatterns(patterns: Iterable<string>): Promise<void> {
  const unknown = [...patterns].filter((pattern) => !slow.has(pattern));
  if (unknown.length === 0) return;
  const { analyse } = await import("./pattern-analysis.js");
  for (const pattern of unknown) {
    const reports = isPattern(pattern) ? analyse({ source: pattern, flags: "u" }).reports : [];
    const found = reports.length === 0 ? undefined : toSlowPattern(pattern, reports);
    slow.set(pattern, found);
    if (found) slow.set(guard(found), found);
  }
}

function toSlowPattern(pattern: string, reports: readonly { exponential: boolean }[]): Omit<SlowPattern, "place"> {
  const isExponential = reports.some(({ exponential }) => exponential);
  const time = isExponential ? "exponential" : reports.length > 1 ? "polynomial" : "quadratic";
  return { pattern, time, maxLength: MAX_LENGTH[time] };
}

/** The compiler of schemas reports one that is not. */
function isPattern(text: string): boolean {
  try {
    return new RegExp(text, "u") !== undefined;
  } catch {
    return false;
  }
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

/** Says of each slow pattern what it does to long texts. */
export function describeSlowPattern({ pattern, time, maxLength, place }: SlowPattern): string {
  return (
    `${place}: the pattern ${pattern} can take ${time} time. ` +
    `A text of more than ${maxLength} characters is rejected, since it is too long to check.`
  );
}
