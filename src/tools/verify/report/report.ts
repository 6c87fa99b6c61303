// The report of a run as data, without keys. Every format is rendered from it alone.
import { groupBy, mapDefined } from "../../../contract/lists.js";
import { quote } from "../../../contract/request.js";
import { type CitedRules, formatCitation } from "../../citation-titles.js";
import { OUTCOMES, type Outcome, type Result } from "../case.js";
import type { Lack } from "../expectation.js";
import { findFailed, fingerprintsOf, groupFailures } from "./causes.js";

export interface Report extends CitedRules {
  url: string;
  /** What started the run, before its options: `npm run -s verify --`. Default: that of an installed package. */
  command?: string | undefined;
  /** The options that declare the target, for a shell: `--target mock --api-key "$NC_API_KEY"`. */
  declaration?: string | undefined;
  /** True if the cases ran in temporary environments, which a run with a key does not create. */
  isTemporary?: boolean;
  contract: { version: string; sha256: string };
  capabilities: string[];
  except: string[];
  seed: number;
  started: string;
  /** Set if the run was stopped: why. */
  incomplete?: string | undefined;
  seconds: number;
  results: Result[];
  /** The changes to the target, and whether they were restored. */
  changed: string[];
  /** The failures of the baseline, by fingerprint; only others count. */
  known?: string[] | undefined;
  /** Of those, the ones that did not fail, although their case was run. */
  fixed?: string[] | undefined;
}

/** The sentences that a result rests on. A failure can cite more than its case. */
export function citesOf({ cites, failure }: Result): string[] {
  return [...new Set([...cites, ...(failure?.cites ?? []), ...(failure?.next?.cites ?? [])])];
}

/** The clauses and decisions that they are of. */
export const citationsOf = (result: Result): string[] => [...new Set(citesOf(result).map(formatCitation))];

export function countOutcomes({ results }: { results: readonly Result[] }): Record<Outcome, number> {
  const counts = OUTCOMES.map((outcome) => [outcome, results.filter((result) => result.outcome === outcome).length]);
  return Object.fromEntries(counts) as Record<Outcome, number>;
}

export type Verdict = "incomplete" | "conforms" | "known" | "violates" | "unknown" | "error";

/** Passes no verdict on the target if the suite itself failed, or no case ran. */
export function verdictOf(report: Report): Verdict {
  const { pass, error } = countOutcomes(report);
  const { added, known } = countFailures(report);
  if (error > 0) return "error";
  if (added > 0) return "violates";
  if (report.incomplete !== undefined) return "incomplete";
  if (known > 0) return "known";
  return pass > 0 ? "conforms" : "unknown";
}

/** The failures that the baseline has, and those that it lacks. */
export function countFailures({ results, known = [] }: Pick<Report, "results" | "known">) {
  const failed = findFailed(results);
  const count = failed.filter((result) => fingerprintsOf(result).every((each) => known.includes(each))).length;
  return { known: count, added: failed.length - count };
}

export const HEADINGS: Readonly<Record<Verdict, string>> = {
  incomplete: "The run is incomplete, and nothing has failed so far",
  conforms: "The target conforms to the contract",
  known: "The target violates the contract only as the baseline says",
  violates: "The target violates the contract",
  unknown: "No case was run, so there is no verdict",
  error: "The suite itself failed",
};

/** The options that run a case again. */
export function formatRepeat(id: string, randomSeed: number): string {
  return `--seed ${randomSeed} --only ${quote(id)}`;
}

/** As an installed package has it. */
export const COMMAND = "npx notifications-contract verify";

/** The whole command for a case, or for all, with a line for each part, so that none is cut. */
export function formatRerun({ url, seed, declaration, command = COMMAND }: Report, id?: string): string {
  const start = `${command} --url ${quote(url)}`;
  return [start, declaration, id === undefined ? `--seed ${seed}` : formatRepeat(id, seed)]
    .filter(Boolean)
    .join(" \\\n  ");
}

/** The steps of a job, in the YAML of GitHub Actions. */
export function formatCi({ url, declaration }: Report): string {
  const options = mapDefined(
    [declaration, "--junit verify.xml --html verify.html"],
    (option) => option && `\n    ${option}`,
  );
  const key = declaration?.includes(KEY) ? `\n  env:\n    NC_API_KEY: \${{ secrets.NC_API_KEY }}` : "";
  return `- run: npm ci
# Start the server here, and wait until it responds.
- run: >-
    ${COMMAND} --url ${quote(url)}${options.join("")}${key}
- uses: actions/upload-artifact@v4
  if: always()
  with:
    name: verify
    path: verify.html`;
}

/** As a declaration has it. */
const KEY = "$NC_API_KEY";

/** One line: outcomes, target, contract, time, seed. */
export function formatSummary(report: Report): string {
  const { url, contract, seconds, seed, fixed = [] } = report;
  const { pass, fail, error, "not applicable": notApplicable } = countOutcomes(report);
  const { known } = countFailures(report);
  const causes = groupFailures(report).length;
  const counts = [
    `${pass} passed`,
    fail === 0 ? "0 failed" : `${fail} failed for ${causes === 1 ? "one cause" : `${causes} causes`}`,
    ...(known > 0 ? [`${known} of them known`] : []),
    ...(fixed.length > 0 ? [`${fixed.length} of the baseline fixed`] : []),
    `${notApplicable} not applicable`,
    ...(error > 0 ? [`${error} failed in the suite itself`] : []),
  ];
  return `${counts.join(", ")} · ${url} · contract ${contract.version} · ${seconds.toFixed(1)} s · seed ${seed}`;
}

/** The verdict in one line. */
export const formatVerdict = (report: Report): string => `${HEADINGS[verdictOf(report)]}: ${formatSummary(report)}`;

/** How many cases are not applicable for each reason: the most frequent one first, and what can be declared. */
export function findReasons(results: readonly Result[]): { reason: string; count: number }[] {
  const cases = results.filter(({ outcome }) => outcome === "not applicable");
  return groupBy(cases, ({ reason = "" }) => reason)
    .toSorted((one, other) => other.length - one.length || Number(!one[0].lack) - Number(!other[0].lack))
    .map((group) => ({ reason: group[0].reason ?? "", count: group.length }));
}

/** Entries of the configuration, with the names of a made-up target. */
const ENTRIES: Readonly<Record<NonNullable<Lack["entry"]>, object>> = {
  subscribers: { subscribers: ["ada", "grace", "team/Zoë 1%", "a+b c;d|e@f"] },
  workflows: { workflows: [{ identifier: "welcome", channels: ["email", "in_app"] }] },
  criticalWorkflow: { criticalWorkflow: "password" },
  unlistedWorkflows: { unlistedWorkflows: ["legacy"] },
  "keys.otherApiKey": { keys: { otherApiKey: "NC_OTHER_API_KEY" } },
};

/** What would make cases applicable; undefined if no declaration does. */
export function findDeclaration(results: readonly Pick<Result, "lack">[]): object | undefined {
  const lacks = mapDefined(results, ({ lack }) => lack);
  const entries = mapDefined(lacks, ({ entry }) => entry && ENTRIES[entry]);
  const capabilities = lacks.flatMap((lack) => lack.capabilities ?? []);
  const all = Object.assign({}, ...entries, capabilities.length > 0 && { with: [...new Set(capabilities)] });
  return Object.keys(all).length > 0 ? all : undefined;
}

/** The reasons, how many cases have them, and the declaration that would make these applicable. */
export function describeNotApplicable({ results }: Pick<Report, "results">) {
  const reasons = findReasons(results);
  const total = reasons.reduce((sum, { count }) => sum + count, 0);
  return { reasons, total, declaration: findDeclaration(results) };
}
