// The report of a run as data, without keys. Every format is rendered from it alone.
import { quote } from "../../../contract/request-spec.js";
import { groupBy } from "../../../pages/report/blocks.js";
import { type Failure, OUTCOMES, type Outcome, type Result } from "../case.js";

export interface Report {
  url: string;
  contract: { version: string; sha256: string };
  capabilities: string[];
  except: string[];
  seed: number;
  started: string;
  /** Set if the run was stopped: why. */
  incomplete?: string | undefined;
  seconds: number;
  results: Result[];
  /** The text of each clause and decision that a result rests on. */
  citations: Record<string, string>;
  /** The changes to the target, and whether they were restored. */
  changed: string[];
}

/** A decision, not each sentence of it: `D-71` for `D-71.2`. */
export function toCitation(cite: string): string {
  return cite.replace(/^(D-\d+)\..*/, "$1");
}

/** The citations of a result. A failure can cite more than its case. */
export function citationsOf({ cites, failure }: Result): string[] {
  return [...new Set([...cites, ...(failure?.cites ?? [])].map(toCitation))];
}

export function countOutcomes({ results }: Pick<Report, "results">): Record<Outcome, number> {
  const counts = OUTCOMES.map((outcome) => [outcome, results.filter((result) => result.outcome === outcome).length]);
  return Object.fromEntries(counts) as Record<Outcome, number>;
}

export type Verdict = "incomplete" | "conforms" | "violates" | "unknown" | "error";

/** Passes no verdict on the target if the suite itself failed, or no case ran. */
export function verdictOf(report: Report): Verdict {
  const { pass, fail, error } = countOutcomes(report);
  if (error > 0) return "error";
  if (fail > 0) return "violates";
  if (report.incomplete !== undefined) return "incomplete";
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

type FailedResult = Result & { failure: Failure };

/** Failures that probably have one cause. */
export interface FailureGroup {
  title: string;
  first: FailedResult;
  alike: string[];
}

/** The groups with the most failures first. */
export function groupFailures({ results }: Pick<Report, "results">): FailureGroup[] {
  const failed = results.flatMap(({ failure, ...result }) => (failure ? [{ ...result, failure }] : []));
  return groupBy(failed, toCause)
    .map((group) => ({ title: toTitle(group), first: group[0], alike: group.slice(1).map(({ id }) => id) }))
    .toSorted((a, b) => b.alike.length - a.alike.length);
}

/** A key that all failures with one cause share. */
function toCause(result: FailedResult): string {
  const { failure } = result;
  const { code, what, expected, actual, violation, hypothesis, cites, status } = failure;
  if (code === "contract" && violation) {
    const { location, code: kind, keyword, message } = violation;
    return JSON.stringify([code, toShape(location), kind ?? keyword ?? message]);
  }
  if (code === "law") return JSON.stringify([code, what, cites]);
  if (!status) return JSON.stringify([code, placeOf(what), toShape(expected), toShape(actual)]);
  if (status.actual < 400) return JSON.stringify([code, expected, status.actual, keywordOf(result)]); // accepted wrongly
  if (status.actual >= 500) return JSON.stringify([code, status.actual]);
  return JSON.stringify([code, status.actual, expected, isAcceptance(status) ? hypothesis : ""]);
}

/** Removes what differs from case to case: numbers, ids, times, paths. */
function toShape(value: unknown): string {
  return JSON.stringify(value ?? null).replaceAll(/"(path|timestamp|message)\\?":.*|\b[0-9a-f]{24}\b|\d+/g, "");
}

const placeOf = (what: string): string => what.replace(/ of .*/, "");
export const isAcceptance = ({ expected: [first = 0] }: NonNullable<Failure["status"]>) => first < 300;

/** `maximum` of `listNotifications › query.limit › maximum › 51`. */
const keywordOf = ({ id }: FailedResult): string => id.split(" › ").at(-2) ?? id;

/** For one failure, the hypothesis or the case; for several, what they have in common. */
function toTitle(group: [FailedResult, ...FailedResult[]]): string {
  const [{ id, failure }] = group;
  const { what, expected, actual, hypothesis, violation, cites, status } = failure;
  if (group.length === 1) return hypothesis ?? id;
  const isCommon = (read: (result: FailedResult) => unknown) => new Set(group.map(read).map(toText)).size === 1;
  if (violation) return `${violation.location.replaceAll(/\.\d+(?=\.|$)/g, "[]")} ${violation.message}`;
  if (status) {
    const wanted = isCommon((result) => result.failure.expected) ? expected : "another status";
    const keyword = status.actual < 400 && isCommon(keywordOf) ? ` (${keywordOf(group[0])})` : "";
    const isAlike = hypothesis !== undefined && isAcceptance(status);
    return isAlike ? hypothesis : `The status is ${status.actual} instead of ${wanted}${keyword}.`;
  }
  const isSame = isCommon((result) => [result.failure.expected, result.failure.actual]);
  const difference = isSame ? ` (expected ${toShown(expected, 80)}, actual ${toShown(actual, 80)})` : "";
  const citation = isCommon((result) => result.failure.cites) ? cites.join(", ") : "the contract";
  return `${placeOf(what)}: not as ${citation} requires${difference}`;
}

const toText = (value: unknown): string => JSON.stringify(value) ?? "";

/** A value: JSON, truncated to a readable length. */
export function toShown(value: unknown, longest = 400): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`;
}

/** One line: outcomes, target, contract, time, seed. */
export function toSummary(report: Report): string {
  const { pass, fail, error, "not applicable": notApplicable } = countOutcomes(report);
  const causes = groupFailures(report).length;
  const failed = fail === 0 ? "0 failed" : `${fail} failed for ${causes === 1 ? "one cause" : `${causes} causes`}`;
  const counts = `${pass} passed, ${failed}, ${notApplicable} not applicable${error > 0 ? `, ${error} failed in the suite itself` : ""}`;
  return `${counts} · ${report.url} · contract ${report.contract.version} · ${report.seconds.toFixed(1)} s · seed ${report.seed}`;
}
