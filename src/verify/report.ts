// The report of a run as data, without keys. Each format is rendered from it alone.
import { quote } from "../client/request-spec.js";
import { groupBy } from "../report/group-by.js";
import { type Failure, OUTCOMES, type Outcome, type Result } from "./case.js";
import type { CoverageRow, ResponseCoverage } from "./coverage.js";

export interface Report {
  url: string;
  contract: { version: string; sha256: string };
  capabilities: string[];
  except: string[];
  seed: number;
  started: string;
  /** Why cases were not run, where a run was stopped. */
  incomplete?: string | undefined;
  seconds: number;
  results: Result[];
  /** What each clause and decision says that a result rests on. */
  citations: Record<string, string>;
  /** What was changed in the target, and whether it was restored. */
  changed: string[];
  coverage: { requests: CoverageRow[] } & ResponseCoverage;
}

/** A decision, not each sentence of it: `D-71` for `D-71.2`. */
export function toCitation(cite: string): string {
  return cite.replace(/^(D-\d+)\..*/, "$1");
}

/** What a result rests on. A failure can cite more than its case. */
export function citationsOf({ cites, failure }: Result): string[] {
  return [...new Set([...cites, ...(failure?.cites ?? [])].map(toCitation))];
}

export function countOutcomes({ results }: Pick<Report, "results">): Record<Outcome, number> {
  const counts = OUTCOMES.map((outcome) => [outcome, results.filter((result) => result.outcome === outcome).length]);
  return Object.fromEntries(counts) as Record<Outcome, number>;
}

export type Verdict = "incomplete" | "conforms" | "violates" | "unknown" | "error";

/** The reason for which --time leaves cases out. */
export const TIME_UP = "the time was up";

/** A suite with an error of its own has no verdict on the target, nor has one in which no case ran. */
export function verdictOf(report: Report): Verdict {
  const { pass, fail, error } = countOutcomes(report);
  if (error > 0) return "error";
  if (fail > 0) return "violates";
  if (report.incomplete !== undefined && report.incomplete !== TIME_UP) return "incomplete";
  return pass > 0 ? "conforms" : "unknown";
}

export const HEADINGS: Readonly<Record<Verdict, string>> = {
  incomplete: "The run is incomplete, and nothing has failed so far",
  conforms: "The target conforms to the contract",
  violates: "The target violates the contract",
  unknown: "No case was run, so there is no verdict",
  error: "The suite itself failed",
};

/** The options that run a case again. */
export function toRepeat(id: string, seed: number): string {
  return `--seed ${seed} --only ${quote(id)}`;
}

/** How many cases fail in which way: `463 cases: 200 instead of 4xx (422: 400, 404: 63)`. */
export function summarizeFailures({ results }: Report): string[] {
  const failures = results.flatMap(({ failure }) => failure ?? []);
  return groupBy(failures, toKind)
    .toSorted((a, b) => b.length - a.length)
    .map((alike) => {
      const expected = alike.flatMap((failure) => (failure.what === "status" ? String(failure.expected) : []));
      const details = groupBy(expected, (status) => status).map((list) => `${list[0]}: ${list.length}`);
      const cases = alike.length === 1 ? "1 case" : `${alike.length} cases`;
      return `${cases}: ${toKind(alike[0])}${details.length > 0 ? ` (${details.join(", ")})` : ""}`;
    });
}

function toKind({ what, expected, actual }: Failure): string {
  if (what === "status") return `${String(actual).slice(0, 3)} instead of ${String(expected).slice(0, 1)}xx`;
  if (what === "response") return "a response outside the contract";
  const [place = ""] = what.split(/[. ]/);
  return `another ${{ header: "header", body: "body" }[place] ?? "outcome"} than expected`;
}

/** Failures with one cause, as far as it can be told: the first of them, and the names of the others. */
export interface FailureGroup {
  first: Result & { failure: Failure };
  alike: string[];
}

/** The groups with the most failures first. */
export function groupFailures({ results }: Report): FailureGroup[] {
  const failed = results.flatMap(({ failure, ...result }) => (failure ? [{ ...result, failure }] : []));
  return groupBy(failed, ({ id, failure }) => toCause(id, failure))
    .map(([first, ...others]) => ({ first, alike: others.map(({ id }) => id) }))
    .toSorted((a, b) => b.alike.length - a.alike.length);
}

/**
 * A wrong error, or one for what is valid, has one cause wherever it occurs; what is accepted wrongly has one for each keyword.
 * A response that is not the contract's has its first violation as its cause, whatever its status.
 */
function toCause(id: string, { what, expected, actual }: Failure): string {
  const [operation = "", , keyword = ""] = id.split(" › ");
  if (what === "status") {
    const status = String(actual).slice(0, 3);
    return JSON.stringify([operation, expected, status, Number(status) < 400 ? keyword : ""]);
  }
  if (what === "response" && Array.isArray(actual)) {
    const [first] = actual;
    return String(first).startsWith("status") ? String(first) : toShape(first);
  }
  return toShape([what.replace(/ of .*/, ""), expected, actual]);
}

/** Without what differs from case to case: numbers, ids, times, paths. */
function toShape(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"(path|timestamp|message)\\?":.*|\b[0-9a-f]{24}\b|\d+/g, "");
}

/** One line: outcomes, target, contract, time, seed. */
export function toSummary(report: Report): string {
  const { pass, fail, error, "not applicable": notApplicable } = countOutcomes(report);
  const counts = `${pass} passed, ${fail} failed, ${notApplicable} not applicable${error > 0 ? `, ${error} failed in the suite itself` : ""}`;
  return `${counts} · ${report.url} · contract ${report.contract.version} · ${report.seconds.toFixed(1)} s · seed ${report.seed}`;
}
