// The report of a run as data, without keys. Every format is rendered from it alone.
import { groupBy, mapDefined } from "../../../contract/lists.js";
import { quote } from "../../../contract/request-spec.js";
import { placeOf } from "../../../contract/violation.js";
import { type CitedRules, formatCitation } from "../../citation-titles.js";
import { type Failure, OUTCOMES, type Outcome, type Result } from "../case.js";
import type { ReceivedText } from "../expectation.js";

export interface Report extends CitedRules {
  url: string;
  /** The options that declare the target, for a shell: `--target mock --api-key "$NC_API_KEY"`. */
  declaration?: string | undefined;
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

/** The citations of a result. A failure can cite more than its case. */
export function citationsOf({ cites, failure }: Result): string[] {
  return [...new Set([...cites, ...(failure?.cites ?? [])].map(formatCitation))];
}

export function countOutcomes({ results }: Pick<Report, "results">): Record<Outcome, number> {
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
  const count = failed.filter((result) => known.includes(fingerprintOf(result))).length;
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
export function formatRepeat(id: string, seed: number): string {
  return `--seed ${seed} --only ${quote(id)}`;
}

/** The whole command for a case, or for all, with a line for each part, so that none is cut. */
export function formatRerun({ url, seed, declaration }: Report, id?: string): string {
  const start = `npx notifications-contract verify --url ${quote(url)}`;
  return [start, declaration, id === undefined ? `--seed ${seed}` : formatRepeat(id, seed)]
    .filter(Boolean)
    .join(" \\\n  ");
}

/** The steps of a job, in the YAML of GitHub Actions. */
export function formatCi({ url, declaration }: Report): string {
  const options = mapDefined(["--junit verify.xml", declaration], (option) => option && `\n    ${option}`);
  return `- run: npm ci\n- run: >-\n    npx notifications-contract verify --url ${quote(url)}${options.toReversed().join("")}`;
}

export type FailedResult = Result & { failure: Failure };

/** `document` if a clause of the source document requires it, else a decision of this project alone. */
export type Severity = "document" | "decision";

export function severityOf(cites: readonly string[]): Severity {
  return cites.some((cite) => cite.startsWith("§")) ? "document" : "decision";
}

/** Failures that probably have one cause. */
export interface FailureGroup {
  /** A sentence. */
  title: string;
  severity: Severity;
  first: FailedResult;
  alike: string[];
  /** What follows from it. */
  consequences: FailureGroup[];
  /** True if the baseline has it. */
  isKnown: boolean;
}

/** A failure that others follow from: they vanish with it. */
interface Root {
  is(result: FailedResult): boolean;
  explains(result: FailedResult, root: FailedResult): boolean;
}

/** The ids of the cases of what many others take for granted. */
export const ROOT_CASES = {
  storage: "updatePreferences › an update › is there when it is read",
  clock: "HTTP › the clock › is right",
  form: "HTTP › an error › has the contract's form",
} as const;

/** A case can also fail by what it does not test, such as a header; nothing follows from that. */
const ROOTS: readonly Root[] = [
  {
    is: ({ id, failure }) => id === ROOT_CASES.form && isOfBody(failure),
    explains: ({ failure }) => isOfBody(failure) && (failure.received?.status ?? 0) >= 400,
  },
  {
    is: ({ id, failure: { code } }) => id === ROOT_CASES.clock && code === "value",
    explains: ({ assumes = [], failure: { code } }) => assumes.includes("clock") && code === "value",
  },
  {
    is: ({ id, failure: { code } }) => id === ROOT_CASES.storage && code === "value",
    explains: ({ assumes = [], failure: { code } }) => assumes.includes("stored updates") && code === "value",
  },
  {
    // Where another status is right, too, the body is still that of the expected one: it states that status, or has
    // members that this one's lacks. Where one of several is right, the server may have meant that one.
    is: ({ failure: { status } }) => status !== undefined && isError(status) && status.expected.length === 1,
    explains({ failure }, { failure: { status } }) {
      const { violation, received, status: own } = failure;
      if (!status) return false;
      const { expected, actual } = status;
      if (own && own.expected.length > 1)
        return own.actual === actual && own.expected.some((one) => expected.includes(one));
      const isStated = isOfBody(failure) && expected.includes(statedIn(received));
      return received?.status === actual && (isStated || violation?.code === "additionalProperties");
    },
  },
];

/** The status that an error's body states. */
const statedIn = ({ body = "" }: Partial<ReceivedText> = {}) => Number(/"statusCode": ?(\d+)/.exec(body)?.[1]);

const isOfBody = ({ code, violation }: Failure) => code === "contract" && violation?.path?.[0] === "body";

/**
 * Causes that explain failures of other cases come first, then what the document requires, then the most frequent ones.
 */
export function groupFailures({ results, known = [] }: Pick<Report, "results" | "known">): FailureGroup[] {
  const failed = findFailed(results);
  const knownIds = new Set(failed.filter((result) => known.includes(fingerprintOf(result))).map(({ id }) => id));
  let left = failed.flatMap(splitByPlace);
  const effects = new Map<FailedResult, FailedResult[]>();
  for (const { is, explains } of ROOTS) {
    const own = left.find(is);
    const explained = own ? left.filter((result) => result !== own && explains(result, own)) : [];
    left = left.filter((result) => !explained.includes(result));
    if (own) effects.set(own, explained);
  }
  return findGroups(left, knownIds, effects);
}

const findFailed = (results: readonly Result[]) =>
  mapDefined(results, ({ failure, ...result }) => (failure ? { ...result, failure } : undefined));

/** A response that is wrong at several places has a cause for each. */
function splitByPlace({ failure, ...result }: FailedResult): FailedResult[] {
  const { further = [], ...first } = failure;
  const others = further.map(({ cites, ...own }) => {
    const sentence = `\`${own.violation.location}\` ${own.violation.message}.`;
    return { ...first, ...own, sentence, cites: [...new Set([...result.cites, ...cites])] };
  });
  return [first, ...others].map((own) => ({ ...result, failure: own }));
}

/** @param effects of results. A root that fails like other cases is one cause with them. */
function findGroups(
  results: readonly FailedResult[],
  knownIds: ReadonlySet<string>,
  effects: ReadonlyMap<FailedResult, readonly FailedResult[]> = new Map(),
): FailureGroup[] {
  const groups = groupBy(results, causeOf).map((group) => {
    const explained = group.flatMap((result) => effects.get(result) ?? []);
    return createGroup(group, knownIds, explained.length > 0 ? findGroups(explained, knownIds) : []);
  });
  const rank = ({ consequences, severity, alike }: FailureGroup) =>
    (consequences.length > 0 ? 2e6 : 0) + (severity === "document" ? 1e6 : 0) + alike.length;
  return groups.toSorted((a, b) => rank(b) - rank(a));
}

function createGroup(
  group: [FailedResult, ...FailedResult[]],
  knownIds: ReadonlySet<string>,
  consequences: FailureGroup[],
): FailureGroup {
  const [first, ...others] = group;
  return {
    title: formatTitle(group),
    severity: severityOf(first.failure.cites),
    first,
    alike: others.map(({ id }) => id),
    consequences,
    isKnown: group.every(({ id }) => knownIds.has(id)),
  };
}

/** The ids of the cases of causes: one can have several. */
export const casesOf = (groups: readonly FailureGroup[]): Set<string> =>
  new Set(groups.flatMap(({ first, alike }) => [first.id, ...alike]));

/** Names a failure in a baseline: its case, and how it fails. Values differ between runs. */
export function fingerprintOf({ id, failure: { code, status, violation } }: FailedResult): string {
  const detail = status?.actual ?? (violation ? shapeOf(violation.location) : undefined);
  return [id, detail === undefined ? code : `${code} ${detail}`].join(" — ");
}

/** A key that all failures with one cause share. */
function causeOf(result: FailedResult): string {
  const { failure } = result;
  const { code, what, expected, actual, violation, hypothesis, cites, status } = failure;
  if (code === "contract" && violation) {
    const { location, code: kind, message } = violation;
    return JSON.stringify([code, shapeOf(location), kind ?? message]);
  }
  if (code === "law") return JSON.stringify([code, what, cites]);
  if (!status) return JSON.stringify([code, what.replace(/ of .*/, ""), shapeOf(expected), shapeOf(actual)]);
  // A request that was accepted wrongly.
  if (status.actual < 400) return JSON.stringify([code, expected, status.actual, keywordOf(result)]);
  if (status.actual >= 500) return JSON.stringify([code, status.actual]);
  return JSON.stringify([code, status.actual, expected, isAcceptance(status) ? hypothesis : ""]);
}

/** Removes what differs from case to case: keys, numbers, ids, times, paths. */
function shapeOf(value: unknown): string {
  return JSON.stringify(value ?? null)
    .replaceAll(/(?:(?:\w+-)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?:, )?)+/g, "")
    .replaceAll(/"(path|timestamp|message)\\?":.*|\b[0-9a-f]{24}\b|\d+/g, "");
}

const isError = (status: NonNullable<Failure["status"]>) => status.actual >= 400 && !isAcceptance(status);
const isRejection = (status: NonNullable<Failure["status"]>) => isError(status) && status.actual < 500;
export const isAcceptance = ({ expected: [first = 0] }: NonNullable<Failure["status"]>) => first < 300;

/** `maximum` of `listNotifications › query.limit › maximum › 51`. */
const keywordOf = ({ id }: FailedResult): string => id.split(" › ").at(-2) ?? id;

/**
 * For one failure, the hypothesis or its sentence; for several, what they have in common, or the sentence of the first.
 */
function formatTitle(group: [FailedResult, ...FailedResult[]]): string {
  const [{ failure }] = group;
  const { expected, hypothesis, violation, status, sentence, title = sentence } = failure;
  if (group.length === 1) return hypothesis ?? title;
  if (violation && violation.location !== "status") return `\`${placeOf(violation.location)}\` ${violation.message}.`;
  if (status && hypothesis !== undefined && isAcceptance(status)) return hypothesis;
  // All failures of the group have the same status.
  if (status && isRejection(status)) return `Rejects requests with ${status.actual} instead of ${expected}.`;
  const isCommon = group.every((result) => result.failure.sentence === sentence);
  return status && !isCommon ? `Expected another status, got ${status.actual}.` : title;
}

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
