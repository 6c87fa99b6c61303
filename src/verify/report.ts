// What a run comes to. The reports are made from this alone; the keys are out of it already.
import type { Promised } from "./case.js";
import type { CoverageRow } from "./coverage.js";

export const OUTCOMES = ["pass", "fail", "not applicable", "broken"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Failure {
  /** Where the difference is: `status`, `body.data.0`, `header.allow`. */
  what: string;
  expected: unknown;
  got: unknown;
  cites: string[];
  /** The least request that shows it. */
  curl?: string;
}

export interface Result {
  id: string;
  cites: string[];
  outcome: Outcome;
  ms: number;
  /** Why it is not applicable, or how it broke. */
  reason?: string;
  failure?: Failure;
  covers?: Promised;
}

export interface Report {
  url: string;
  contract: { version: string; sha256: string };
  capabilities: string[];
  except: string[];
  seed: number;
  started: string;
  seconds: number;
  results: Result[];
  /** What was changed in the target, and whether it was put back. */
  changed: string[];
  coverage: {
    requests: CoverageRow[];
    statuses: { operation: string; status: number; answers: number }[];
    members: { operation: string; member: string; isSeen: boolean }[];
  };
}

export function countOutcomes({ results }: Report): Record<Outcome, number> {
  const count = (outcome: Outcome) => results.filter((result) => result.outcome === outcome).length;
  return {
    pass: count("pass"),
    fail: count("fail"),
    "not applicable": count("not applicable"),
    broken: count("broken"),
  };
}

export type Verdict = "kept" | "not kept" | "unknown" | "broken";

/** A suite that broke has no verdict on the target; one that asked nothing has none either. */
export function verdictOf(report: Report): Verdict {
  const { pass, fail, broken } = countOutcomes(report);
  if (broken > 0) return "broken";
  if (fail > 0) return "not kept";
  return pass > 0 ? "kept" : "unknown";
}

/** What the user should look at before the failures: a target that lets nobody in tells nothing. */
export function hintOf({ coverage: { statuses } }: Report): string | undefined {
  const answers = (wanted: number) =>
    statuses.filter(({ status }) => status === wanted).reduce((sum, { answers }) => sum + answers, 0);
  if (answers(200) > 0 || answers(401) === 0) return undefined;
  return `No request succeeded, and ${answers(401)} were answered 401: is the key right?`;
}

/** Failures that differ in nothing but the case: the first of them, and the names of the others. */
export interface FailureGroup {
  first: Result & { failure: Failure };
  alike: string[];
}

export function foldFailures({ results }: Report): FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const result of results) {
    const { failure, id } = result;
    if (!failure) continue;
    const { what, expected, got } = failure;
    const family = what === "status" ? id.split(" › ")[2] : "";
    const key = JSON.stringify([family, what, expected, got]).replaceAll(/\d+|"(path|timestamp|message)\\?":.*/g, "");
    const group = groups.get(key);
    if (group) group.alike.push(id);
    else groups.set(key, { first: { ...result, failure }, alike: [] });
  }
  return [...groups.values()];
}
