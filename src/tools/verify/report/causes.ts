// The failures of a run by their probable causes.
import { groupBy, mapDefined } from "../../../contract/lists.js";
import { placeOf } from "../../../contract/violation.js";
import { FILTERS } from "../../model/notifications.js";
import { type Cause, findCauses, type Symptom } from "../../symptoms.js";
import type { About, Failure, Result } from "../case.js";

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

/** What the most cases fail by, with those that follow from it, comes first; what the baseline has comes last. */
export function groupFailures({ results, known = [] }: Outcomes): FailureGroup[] {
  const parts = findFailed(results).flatMap((result) => splitByPlace(result, known));
  return [false, true].flatMap((isKnown) => groupParts(parts.filter((part) => part.isKnown === isKnown)));
}

function groupParts(parts: readonly Part[]): FailureGroup[] {
  const shared = findShared(parts);
  const causes = findCauses(parts, {
    symptomOf(part) {
      const symptom = symptomOf(part);
      return shared.has(symptom.kind) && isOfOneParameter(part) ? { ...symptom, place: "query" } : symptom;
    },
    explains,
    countOf: (found) => new Set(found.map(({ id }) => id)).size,
  });
  return causes.map(createGroup);
}

export const findFailed = (results: readonly Result[]) =>
  mapDefined(results, ({ failure, ...result }) => (failure ? { ...result, failure } : undefined));

/** A response that is wrong at several places has a cause for each, and so has a case that went on after it. */
function splitByPlace({ failure, ...result }: FailedResult, known: readonly string[]): Part[] {
  const { further = [], next, isComplete: _isComplete, ...first } = failure;
  const isKnown = known.includes(fingerprintOf({ ...result, failure }));
  const furtherFailures = further.map(({ cites, ...violated }): Failure => {
    const sentence = `\`${violated.violation.location}\` ${violated.violation.message}.`;
    return { ...first, ...violated, sentence, cites: cites.length > 0 ? [...cites] : result.cites };
  });
  const failures = isForm(failure)
    ? [{ ...first, further, title: "Errors do not have the contract's form." }]
    : [first, ...furtherFailures];
  const parts = failures.map((part) => ({ ...result, failure: part, isKnown }));
  return next ? [...parts, ...splitByPlace({ ...result, failure: next }, known)] : parts;
}

function createGroup({ found, effects }: Cause<Part>): FailureGroup {
  const sorted = found.toSorted((one, other) => rankOf(one) - rankOf(other)) as typeof found;
  const [first, ...alike] = sorted;
  const cites = citesOf(sorted);
  return {
    title: formatTitle(sorted),
    severity: severityOf(cites),
    cites,
    first,
    alike: alike.map(({ id }) => id),
    consequences: effects.map(createGroup),
    isKnown: first.isKnown,
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

/** A usual request shows a failure best, then the shortest one; of a random sequence, not all that leads there. */
const rankOf = ({ id, failure: { curl } }: FailedResult) =>
  (curl?.length ?? 1e9) + (id.includes(" › example › ") ? 0 : 1e6) + (id.includes(" › random › ") ? 1e6 : 0);

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
  const detail = status?.actual ?? (violation ? placeOf(violation.location) : undefined);
  return [id, detail === undefined ? code : `${code} ${detail}`].join(" — ");
}

function symptomOf({ failure, about = {}, isBesideOthers }: Part): Symptom {
  const { code, what, violation, status, named, cites, kind, expected, actual } = failure;
  if (isForm(failure)) return { place: "body", kind: "form" };
  if (isBesideOthers) return { place: "requests at once", kind: "mixed up" };
  if (code === "contract" && violation) {
    return { place: shapeOf(violation.location), kind: violation.code ?? violation.message };
  }
  if (code === "law") return { place: shapeOf(what), kind: cites.join() };
  if (status) return symptomOfStatus(status, { ...about, named });
  if (kind && isOfRecords(failure)) return { place: placeOfRecords(failure), kind };
  const differs = actual === undefined ? "missing" : expected === undefined ? "unexpected" : "value";
  return { place: shapeOf(what), kind: differs };
}

/** Both have one reader. */
const BOUNDS: ReadonlySet<unknown> = new Set(["query.after", "query.before"]);

function symptomOfStatus(
  { expected, actual }: NonNullable<Failure["status"]>,
  { place = "", keyword, named }: About & { named: string | undefined },
): Symptom {
  const [first = 0] = expected;
  if (actual >= 500) return { place: "status", kind: String(actual) };
  const [source = ""] = place.split(".");
  if (actual < 300) return { place: keyword ? source : place, kind: `${keyword ?? first} accepted` };
  if (first < 300)
    return { place: BOUNDS.has(named) ? "query.after" : (named ?? "status"), kind: `${actual} rejected` };
  return { place: "status", kind: `${first} → ${actual}` };
}

const MANY_MEMBERS = 3;
const isOfError = ({ received }: Failure) => (received?.status ?? 0) >= 400;
/** True if so many members of an error are wrong that its whole form is. */
const isForm = (failure: Failure) =>
  isOfBody(failure) && isOfError(failure) && 1 + (failure.further ?? []).length >= MANY_MEMBERS;
const isOfBody = ({ code, violation }: Failure) => code === "contract" && violation?.path?.[0] === "body";
const isOfRecords = ({ what }: Failure) => /^body\.data(\.\d+)?$/.test(what);
const isOfList = (failure: Failure) => isOfRecords(failure) || failure.what === "body.hasMore";
const filtersOf = ({ parameters, query = [] }: Failure) =>
  parameters ?? query.filter((name) => name !== "page" && name !== "limit");
const isOfOneParameter = ({ failure }: Part) => isOfRecords(failure) && filtersOf(failure).length === 1;

/** Where lists are in another order, it does not matter by what they are filtered. */
function placeOfRecords(failure: Failure): string {
  const names = failure.kind === "order" ? [] : filtersOf(failure);
  return names.length === 0 ? "body.data" : names.map((name) => `query.${name}`).join(" ");
}

const MANY = 3;

/** The kinds by which lists of so many filters are wrong: all of them have one cause. */
function findShared(parts: readonly Part[]): ReadonlySet<string> {
  const symptoms = parts.filter(isOfOneParameter).map(symptomOf);
  const byKind = groupBy(symptoms, ({ kind }) => kind);
  return new Set(
    byKind.filter((group) => new Set(group.map(({ place }) => place)).size >= MANY).map(([{ kind }]) => kind),
  );
}

type Explains = (root: Part, effect: Part) => unknown;

const RULES: readonly Explains[] = [
  ({ failure }, { failure: other }) => isForm(failure) && isOfBody(other) && isOfError(other),
  // The body of an error is that of the status that it should have had.
  ({ failure: { status } }, { failure }) =>
    status && isError(status) && isOfBody(failure) && failure.received?.status === status.actual,
  // An error in the place of others.
  ({ failure: { status } }, { failure: { status: other, named } }) =>
    status && other && named === undefined && status.actual >= 400 && status.actual === other.actual,
  // What is not checked at one place is not found in a request with several errors.
  ({ failure: { status }, about }, { failure: { status: other }, about: otherAbout = {} }) =>
    status &&
    other &&
    about?.keyword &&
    !otherAbout.place &&
    !otherAbout.keyword &&
    isAccepted(status) &&
    isAccepted(other) &&
    status.expected[0] === other.expected[0],
  // A filter that is wrong by itself.
  (root, { failure, about }) => {
    const [name = ""] = filtersOf(root.failure);
    const isWith = filtersOf(failure).includes(name) && (isOfList(failure) || failure.status);
    if (failure.kind === "ignored" && root.failure.kind !== "ignored") return false;
    return isOfOneParameter(root) && (isWith || about?.place === `query.${name}`);
  },
  // A page that is wrong without a filter.
  ({ failure }, { failure: other }) =>
    isOfRecords(failure) && placeOfRecords(failure) === "body.data" && isOfList(other),
  ({ failure: { what } }, { failure }) => (what === "body.pageSize" || what === "body.page") && isOfRecords(failure),
  // What is accepted at first may be rejected later.
  ({ failure: { status }, about }, { failure: { status: other }, about: otherAbout }) =>
    status &&
    other &&
    isAccepted(status) &&
    isError(other) &&
    status.expected[0] === other.expected[0] &&
    about?.place === otherAbout?.place,
  // Another difference at the same place, or inside it.
  ({ failure }, { failure: other }) => {
    const [place, inner] = [placeOfFailure(failure), placeOfFailure(other)];
    const isInside = inner === place || (place !== "body" && /^[.[{]/.test(inner.slice(place.length)));
    if (!inner.startsWith(place) || !isInside || failure.status || other.status || isOfRecords(other)) return false;
    return (failure.code === "value" && other.code === "value") || place.startsWith("header.");
  },
  // A member of records that is wrong, and what is filtered by it.
  ({ failure }, { failure: other }) => {
    const [, , member] = placeOfFailure(failure).split(".");
    const isCompared = (name: string) => FILTERS[name]?.members.some((place) => place.split(".")[1] === member);
    return failure.code === "value" && member !== undefined && isOfRecords(other) && filtersOf(other).some(isCompared);
  },
  // Where a key is ignored, the update is executed again, and no value of the key is rejected.
  ({ failure: { what, actual } }, { failure: { isKeyed } }) =>
    what === "header.idempotency-key" && actual === undefined && isKeyed,
  ({ failure: { code }, establishes }, { failure, assumes = [] }) =>
    establishes && code === "value" && failure.code === "value" && assumes.includes(establishes),
];

const placeOfFailure = ({ what, violation }: Failure) => shapeOf(violation?.location ?? what);

const isAccepted = ({ actual }: NonNullable<Failure["status"]>) => actual < 300;

function explains(root: readonly [Part, ...Part[]], effect: readonly [Part, ...Part[]]): boolean {
  return RULES.some((rule) => effect.every((other) => root.some((one) => rule(one, other))));
}

/** Removes what differs from case to case: numbers, and the names of channels and of places in the request. */
const shapeOf = (place: string): string =>
  placeOf(place)
    .replace(/(\.channels)\.\w+/, "$1{}")
    .replace(/\["[^"]*"\]/, "{}");

const isError = (status: NonNullable<Failure["status"]>) => status.actual >= 300 && !isAcceptance(status);
const isMissing = ({ code, actual, what }: Failure) => code === "value" && actual === undefined && !what.includes(" ");
const isRejection = (status: NonNullable<Failure["status"]>) => isError(status) && status.actual < 500;
export const isAcceptance = ({ expected: [first = 0] }: NonNullable<Failure["status"]>) => first < 300;

/** ` (query.limit)` of cases that are all about this place. */
function placeOfAll(group: readonly FailedResult[]): string {
  const [place, ...furtherPlaces] = new Set(group.map(({ about }) => about?.place));
  return furtherPlaces.length === 0 && place ? ` (${place})` : "";
}

/**
 * For one failure, the hypothesis or its sentence; for several, what they have in common, or the sentence of the first.
 */
function formatTitle(group: [FailedResult, ...FailedResult[]]): string {
  const [{ failure, isBesideOthers }] = group;
  if (isBesideOthers) return "Requests that are sent at once are mixed up.";
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
  if (status && isAccepted(status)) return title;
  const isCommon = group.every((result) => result.failure.sentence === failure.sentence);
  return status && !isCommon ? `Expected another status, got ${status.actual}.` : title;
}
