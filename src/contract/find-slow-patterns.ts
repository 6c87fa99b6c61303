// Finds patterns that take exponential or polynomial time, by scslre, which may miss some.
import type { FileLines } from "./contract-error.js";
import { walkNodes } from "./grammar.js";
import { isObject } from "./json.js";
import { mapDefined } from "./lists.js";
import type { Pointer } from "./pointer.js";
import { isRecorded, recordPattern, recordPlace, type SlowPattern, slowPatternOf } from "./slow-patterns.js";

/**
 * Analyses the patterns of a contract, so that `guardPattern` knows them, and says of each slow one what it does.
 * @param pause is awaited after each pattern.
 */
export async function describeSlowPatterns(
  file: FileLines & { value: unknown },
  pause: () => Promise<unknown>,
): Promise<string[]> {
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
    const slow = slowPatternOf(pattern);
    if (!slow) return undefined;
    const place = `${file.path}:${file.lineOf(pointer)}`;
    recordPlace(pattern, place);
    const effect = `A text of more than ${slow.maxLength} characters is rejected, since it is too long to check.`;
    return `${place}: the pattern ${pattern} can take ${slow.time} time. ${effect}`;
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
  const unknown = [...patterns].filter((pattern) => !isRecorded(pattern));
  if (unknown.length === 0) return;
  const { analyse } = await import("./pattern-analysis.js");
  for (const pattern of unknown) {
    const reports = isPattern(pattern) ? analyse({ source: pattern, flags: "u" }).reports : [];
    recordPattern(pattern, reports.length === 0 ? undefined : { time: decideTime(reports) });
  }
}

function decideTime(reports: readonly { exponential: boolean }[]): SlowPattern["time"] {
  if (reports.some(({ exponential }) => exponential)) return "exponential";
  return reports.length > 1 ? "polynomial" : "quadratic";
}

/** The compiler of schemas reports one that is not. */
function isPattern(text: string): boolean {
  try {
    return new RegExp(text, "u") !== undefined;
  } catch {
    return false;
  }
}
