// The failures of a run by their probable causes.
import { groupBy, mapDefined } from "../../../contract/lists.js";
import { placeOf } from "../../../contract/violation.js";
import type { Failure, Result } from "../case.js";
import type { ReceivedText } from "../expectation.js";

interface Outcomes {
  results: readonly Result[];
  /** The failures of a baseline, by fingerprint. */
  known?: readonly string[] | undefined;
}

export type FailedResult = Result & { failure: Failure };

/** One of a result's failures. */
type Part = FailedResult & { isKnown: boolean };

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
  /** What it violates. */
  cites: readonly string[];
  /** An example of the contract, or the one with the shortest request. */
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

/** Where the key of an update is ignored, the update is executed again, and no value of the key is rejected. */
const lacksKey = ({ failure }: FailedResult) => failure.what === "header.idempotency-key" && isMissing(failure);
const KEY_IGNORED: Root = {
  is: lacksKey,
  explains: (result) =>
    !lacksKey(result) &&
    / -H 'idempotency-key: /.test(result.failure.curl ?? "") &&
    ["value", "status"].includes(result.failure.code),
};

/** Where a parameter is ignored, lists by it are wrong, and its values are not checked. */
const toIgnored = (name: string): Root => ({
  is: ({ failure }) => failure.ignored === name,
  explains: ({ id, failure: { ignored, code, query = [], status } }) =>
    ignored !== name &&
    query.includes(name) &&
    (code === "value" || (status !== undefined && status.actual < 300 && isOfParameter(id, name))),
});

const isOfParameter = (id: string, name: string) =>
  [name, `query.${name}`, `query.${name}[]`].some((place) => id.includes(` › ${place} › `));

/** The status that an error's body states. */
const statedIn = ({ body = "" }: Partial<ReceivedText> = {}) => Number(/"statusCode": ?(\d+)/.exec(body)?.[1]);

const isOfBody = ({ code, violation }: Failure) => code === "contract" && violation?.path?.[0] === "body";

/** What the document requires comes first, then what the most cases fail by, with those that follow from it. */
export function groupFailures({ results, known = [] }: Outcomes): FailureGroup[] {
  let left = findFailed(results).flatMap((result) => splitByPlace(result, known));
  const effects = new Map<Part, Part[]>();
  const ignored = new Set(mapDefined(left, ({ failure }) => failure.ignored));
  for (const { is, explains } of [...ROOTS, KEY_IGNORED, ...[...ignored].map(toIgnored)]) {
    const own = left.find(is);
    const explained = own ? left.filter((result) => result !== own && explains(result, own)) : [];
    left = left.filter((result) => !explained.includes(result));
    if (own) effects.set(own, explained);
  }
  return findGroups(left, effects);
}

export const findFailed = (results: readonly Result[]) =>
  mapDefined(results, ({ failure, ...result }) => (failure ? { ...result, failure } : undefined));

/** A response that is wrong at several places has a cause for each, and so has a case that went on after it. */
function splitByPlace({ failure, ...result }: FailedResult, known: readonly string[]): Part[] {
  const { further = [], next, isComplete: _isComplete, ...first } = failure;
  const others = further.map(({ cites, ...own }) => {
    const sentence = `\`${own.violation.location}\` ${own.violation.message}.`;
    return { ...first, ...own, sentence, cites: cites.length > 0 ? [...cites] : result.cites };
  });
  const isKnown = known.includes(fingerprintOf({ ...result, failure }));
  const parts = [first, ...others].map((own) => ({ ...result, failure: own, isKnown }));
  return next ? [...parts, ...splitByPlace({ ...result, failure: next }, known)] : parts;
}

/** @param effects of results. A root that fails like other cases is one cause with them. */
function findGroups(results: readonly Part[], effects: ReadonlyMap<Part, readonly Part[]> = new Map()): FailureGroup[] {
  const groups = groupBy(results, causeOf).map((group) => {
    const explained = group.flatMap((result) => effects.get(result) ?? []);
    return createGroup(group, explained.length > 0 ? findGroups(explained) : []);
  });
  const rank = ({ severity, ...group }: FailureGroup) =>
    (severity === "document" ? 1e6 : 0) + casesOf([group, ...group.consequences]).size;
  return groups.toSorted((a, b) => rank(b) - rank(a) || b.alike.length - a.alike.length);
}

function createGroup(group: [Part, ...Part[]], consequences: FailureGroup[]): FailureGroup {
  const sorted = group.toSorted((one, other) => rankOf(one) - rankOf(other)) as typeof group;
  const [first, ...others] = sorted;
  const cites = citesOf(sorted);
  return {
    title: formatTitle(sorted),
    severity: severityOf(cites),
    cites,
    first,
    alike: others.map(({ id }) => id),
    consequences,
    isKnown: group.every(({ isKnown }) => isKnown),
  };
}

/** Of what is accepted wrongly, all; of others those that all of them violate, since a case can also stop by the way. */
function citesOf(group: readonly [Part, ...Part[]]): string[] {
  const all = [...new Set(group.flatMap(({ failure }) => failure.cites))];
  const [{ failure }] = group;
  if (failure.status && failure.status.actual < 400) return all;
  const shared = all.filter((cite) => group.every(({ failure: { cites } }) => cites.includes(cite)));
  return shared.length > 0 ? shared : failure.cites;
}

/** A usual request shows a failure best, then the shortest one. */
const rankOf = ({ id, failure: { curl } }: FailedResult) =>
  (curl?.length ?? 1e9) + (id.includes(" › example › ") ? 0 : 1e6);

/** The ids of the cases of causes: one can have several. */
export const casesOf = (groups: readonly Pick<FailureGroup, "first" | "alike">[]): Set<string> =>
  new Set(groups.flatMap(({ first, alike }) => [first.id, ...alike]));

/** The fingerprints of a result: a case that went on after a violation can have two. */
export function fingerprintsOf(result: FailedResult): string[] {
  const { next } = result.failure;
  return [fingerprintOf(result), ...(next ? [fingerprintOf({ ...result, failure: next })] : [])];
}

/** Names a failure in a baseline: its case, and how it fails. Values differ between runs. */
function fingerprintOf({ id, failure: { code, status, violation } }: FailedResult): string {
  const detail = status?.actual ?? (violation ? shapeOf(violation.location) : undefined);
  return [id, detail === undefined ? code : `${code} ${detail}`].join(" — ");
}

/** A key that all failures with one cause share. */
function causeOf(result: FailedResult): string {
  const { failure } = result;
  const { code, what, expected, actual, violation, hypothesis, cites, status, title } = failure;
  if (title !== undefined) return JSON.stringify([code, title]);
  if (code === "contract" && violation) {
    const { location, code: kind, message } = violation;
    return JSON.stringify([code, shapeOf(location), kind ?? message]);
  }
  if (code === "law") return JSON.stringify([code, what, cites]);
  if (isMissing(failure)) return JSON.stringify([code, placeOf(what)]);
  if (!status) return JSON.stringify([code, what.replace(/ of .*/, ""), shapeOf(expected), shapeOf(actual)]);
  // A request that was accepted wrongly.
  if (status.actual < 400) return JSON.stringify([code, expected, status.actual, keywordOf(result)]);
  if (status.actual >= 500) return JSON.stringify([code, status.actual]);
  // Which errors would have been right, too, is no difference.
  return JSON.stringify([code, status.actual, isAcceptance(status) ? [hypothesis] : expected]);
}

const isMissing = ({ code, actual, what }: Failure) => code === "value" && actual === undefined && !what.includes(" ");

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

/** ` (query.limit)` of cases that are all about this place. */
function placeOfAll(group: readonly FailedResult[]): string {
  const [place, ...others] = new Set(group.map(({ id }) => id.split(" › ")[1]));
  return others.length === 0 && place && /^(path|query|header|body)\b/.test(place) ? ` (${place})` : "";
}

/**
 * For one failure, the hypothesis or its sentence; for several, what they have in common, or the sentence of the first.
 */
function formatTitle(group: [FailedResult, ...FailedResult[]]): string {
  const [{ failure }] = group;
  const { expected, hypothesis, violation, status } = failure;
  const sentence = failure.sentence.replace(" are accepted:", ` are accepted${placeOfAll(group)}:`);
  const { title = sentence } = failure;
  if (group.length === 1 || failure.title !== undefined) return hypothesis ?? title;
  if (isMissing(failure)) return `\`${placeOf(failure.what)}\` is missing.`;
  if (violation && violation.location !== "status") return `\`${placeOf(violation.location)}\` ${violation.message}.`;
  if (status && status.actual >= 400 && status.actual < 500 && isAcceptance(status))
    return hypothesis ?? `Rejects valid requests with ${status.actual}.`;
  // All failures of the group have the same status.
  if (status && isRejection(status)) return `Rejects requests with ${status.actual} instead of ${expected}.`;
  const isCommon = group.every((result) => result.failure.sentence === failure.sentence);
  return status && !isCommon ? `Expected another status, got ${status.actual}.` : title;
}
