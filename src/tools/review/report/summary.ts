// The parts of a review in a line each: what changed, the verdict, the version, the counts.
import { groupBy, mapDefined } from "../../../contract/lists.js";
import { placeOf as placeIn, plural } from "../../../contract/violation.js";
import { type Content, formatContent, link, soft } from "../../../pages/report/blocks.js";
import { byClass, type Change, placeOf, type Side } from "../changes/change.js";
import { withoutReason } from "../changes/change-words.js";
import type { RejectionReason } from "../find-reasons.js";
import type { Review } from "../review.js";

/** Amber if what was accepted leaves errors in the contract. */
export function toneOf({ verdict, allowed }: Review): "good" | "warn" | "bad" {
  if (verdict === "reject") return "bad";
  return buildCorrections(allowed) ? "warn" : "good";
}

const CORRECTIONS = { lint: "lint error", example: "wrong example" };

const isCorrection = ({ id }: RejectionReason) => /^(lint|example):/.test(id);

/** True if a reason is settled by correcting lint errors and examples. */
export const isCorrectable = (reason: RejectionReason) => isCorrection(reason) || reason.isByEffects === true;

/** `2 lint errors and 6 wrong examples` of these reasons, with links to all; undefined without any. */
export function buildCorrections(reasons: readonly RejectionReason[]): Content {
  const all = reasons.flatMap((reason) => [reason, ...(reason.follows ?? [])]);
  const parts = mapDefined(Object.entries(CORRECTIONS), ([kind, name]) => {
    const own = all.filter(({ id }) => id.startsWith(`${kind}:`));
    const count = own.reduce((sum, { more = [] }) => sum + 1 + more.length, 0);
    return count === 0 ? undefined : link(plural(count, name), kind === "lint" ? "#lint" : "#examples");
  });
  return parts.length === 0 ? undefined : parts.map((part, index) => [index > 0 && " and ", part]);
}

/** A change that the verdict speaks of. */
export const VERSION_CHANGE = "text:info/version";
const MAX_LINES = 3;
/** The number of changes of an operation in full; of others, the places. */
const IN_FULL = 3;

/** A line of what changed. */
export interface Subject {
  /** The operation; undefined for a line that states no change. */
  name?: string;
  text: string;
}

/** All that changed, in up to three lines by operation, the heaviest first; none if nothing was compared. */
export function findSubjects(review: Review): Subject[] {
  if (!isCompared(review)) return [];
  const shown = byClass(review.changes).filter(({ id }) => id !== VERSION_CHANGE);
  const all: Subject[] = groupBy(shown, ({ operation }) => operation ?? "The contract").map(createSubject);
  all.push(...findAnswered(review).map((text) => ({ text })));
  if (all.length === 0) return [{ text: "Nothing changed." }];
  if (all.length <= MAX_LINES) return all;
  const rest = all.slice(MAX_LINES - 1).map(({ name, text }) => name ?? text.replace(/\.$/, ""));
  return [...all.slice(0, MAX_LINES - 1), { text: `Also changed: ${rest.join(", ")}.` }];
}

export const isCompared = ({ base, contract, reasons }: Review): boolean =>
  base !== undefined && contract.isReadable && reasons.every(({ id }) => id !== "review:comparing");

/** The decisions with another answer. */
const listAnswered = ({ decisions: { decisions } }: Review) =>
  decisions.filter(({ before, answer }) => before && before.answer !== answer).map(({ id }) => id);

/** The same in a sentence. */
export function findAnswered(review: Review): string[] {
  const answered = listAnswered(review);
  return answered.length > 0 ? [`Another answer to ${answered.join(", ")}.`] : [];
}

/** What each side has to do. */
export function findAllDuties(review: Review) {
  const decided = listAnswered(review).map((id) => `follow ${id}, which has another answer now`);
  const [ofClients, ofImplementers] = [findClientDuties(review.changes), findDuties(review.changes)];
  return { "client teams": [...ofClients, ...decided], implementers: [...ofImplementers, ...decided] };
}

/** Who has nothing to do; undefined where somebody still has to find out. */
export function formatIdle(review: Review): string | undefined {
  const { changes, reasons } = review;
  const isOpen = changes.some(
    ({ undecided, keyword }) => keyword === "deprecated" || Object.keys(undecided).length > 0,
  );
  const idle = Object.entries(findAllDuties(review)).filter(([, duties]) => duties.length === 0);
  const isChanged = changes.some(({ id }) => id !== VERSION_CHANGE);
  if (isOpen || !isChanged || idle.length === 0 || reasons.some(({ isRewording }) => isRewording)) return undefined;
  const names = joinNames(idle.map(([name]) => name));
  return `${names.charAt(0).toUpperCase()}${names.slice(1)}: nothing to do.`;
}

export const isEditorial = ({ class: kind }: Change) => kind === "editorial";

/** The changes of an operation in a sentence: the heaviest in full, then the places of others, then texts. */
function createSubject(changes: [Change, ...Change[]]): Subject {
  const isOfText = ({ side }: Change) => Number(side === "text"); // those of the files come last
  const others = changes
    .filter((change) => !isEditorial(change) && change.renamedFrom === undefined)
    .toSorted((one, other) => isOfText(one) - isOfText(other));
  const stated = others.slice(0, IN_FULL);
  const full = groupBy(stated, placeOf).map((same) => {
    return `\`${same[0].places[0]}\` ${same.map(({ sentence }) => shorten(sentence)).join(", ")}`;
  });
  const rest = others.slice(IN_FULL).map(({ places }) => `\`${places[0]}\``);
  const texts = changes.filter(isEditorial).length;
  const parts = [...full, rest.length > 0 && `also ${rest.join(", ")}`, texts > 0 && plural(texts, "text")];
  return { name: changes[0].operation ?? "The contract", text: `${parts.filter(Boolean).join("; ")}.` };
}

export function shorten(sentence: string): string {
  return withoutReason(sentence).replace(/\.$/, "");
}

/** What implementers have to do in each operation, with the places. */
export function findDuties(changes: readonly Change[]): string[] {
  return groupDuties(changes, (change) => {
    const { side, breaks, before, after } = change;
    const isAsked = breaks.includes("implementations") || (side === "request" && breaks.length > 0);
    if (!isAsked) return undefined;
    const both = before === undefined ? "require" : after === undefined ? "reject" : "read as it means now";
    const ofRequest = breaks.length === 2 ? both : DUTIES[breaks[0] ?? "clients"];
    const ofResponse = after === undefined ? "stop returning" : "return as declared now";
    return [
      side === "request" ? ofRequest : ofResponse,
      breaks.join() === "clients" ? demandOf(change) : claimOf(change),
    ];
  });
}

/** What those have to do who send requests and read responses. */
export function findClientDuties(changes: readonly Change[]): string[] {
  const names = changes.filter(({ keyword }) => keyword === "operationId");
  const ofMessages = groupDuties(changes, (change) => {
    const { side, breaks, keyword, after, places, renamedFrom } = change;
    if (side === "response" && renamedFrom !== undefined)
      return ["read", `\`${places[0]}\` in place of \`${renamedFrom.split(".").at(-1)}\``];
    // Whatever the schema allows, who shows the member shows nothing now.
    if (isNoLongerSent(change)) {
      const isRenamed = changes.some((other) => other.side === side && other.renamedFrom === places[0]);
      return isRenamed ? undefined : ["no longer sent", `\`${places[0]}\``];
    }
    if (!breaks.includes("clients")) return undefined;
    if (side === "response") return ["handle", claimOf(change)];
    if (after === undefined) return ["no longer send", `\`${places[0]}\``];
    return keyword === "default" ? ["send, to keep what it means", claimOf(change)] : ["send", demandOf(change)];
  });
  return [...ofMessages, ...names.map(({ sentence }) => `generated clients: ${sentence}`)];
}

/** True for a member or header that responses do not have any more. */
function isNoLongerSent({ side, keyword, after, at: [place] }: Change): boolean {
  const isPart = keyword === "properties" || (keyword === "existence" && (place?.steps.length ?? 0) > 1);
  return side === "response" && isPart && after === undefined;
}

/** @param decide what to do, and with what */
function groupDuties(changes: readonly Change[], decide: (change: Change) => [string, string] | undefined): string[] {
  const duties = mapDefined(changes, (change) => {
    const [duty, what = ""] = (change.side !== "text" && decide(change)) || [];
    return duty === undefined ? undefined : { duty: `${change.operation ?? "all operations"}: ${duty}: `, what };
  });
  const grouped = groupBy(duties, ({ duty }) => duty);
  return grouped.map((group) => group[0].duty + [...new Set(group.map(({ what }) => what))].join("; "));
}

/** `query.limit` (maximum: 50 → 20) */
function claimOf({ places: [place], sentence }: Change): string {
  return `\`${place}\` (${shorten(sentence).replaceAll("`", "")})`;
}

/** `query.limit` must be at most 20: what the new contract says of a request that was valid. */
function demandOf(change: Change): string {
  const { violation = "" } = change.counterexamples.clients ?? {};
  return /^(path|query|header|cookie|body)\./.test(violation)
    ? violation.replace(/^\S+/, (location) => `\`${placeIn(location)}\``)
    : claimOf(change);
}

const DUTIES: Readonly<Record<Side, string>> = {
  clients: "reject what is no longer valid",
  implementations: "accept what is valid now",
};

/** What is left of an accepted contract; what still blocks a rejected one, once its version is high enough. */
export function buildVerdict({ verdict, reasons, allowed, version }: Review): Content {
  const accepted = allowed.length > 0 ? `${plural(allowed.length, "reason")} accepted` : "";
  if (verdict === "accept") {
    const left = buildCorrections(allowed);
    return left ? ["Accepted, with ", left, " left"] : `Accept: ${accepted || "no reason to reject it"}`;
  }
  const corrections = version?.isEnough === false ? undefined : buildCorrections(reasons);
  const others = reasons.filter((reason) => !isCorrectable(reason)).length;
  const rest = others > 0 && `, and ${others} other ${others === 1 ? "reason" : "reasons"}`;
  return [
    "Reject: ",
    corrections ? [corrections, rest] : plural(reasons.length, "reason"),
    accepted && `, ${allowed.length} more accepted`,
  ];
}

export const formatVerdict = (review: Review) => formatContent(buildVerdict(review));

const BUMPS = {
  major: "clients break",
  minor: "the changes are compatible for clients",
  patch: "only texts change",
};

/** True for a new member of a response, which breaks only clients that reject unknown members. */
export const isOnlyUnknown = ({ side, keyword, before, breaks }: Change) =>
  side === "response" && keyword === "properties" && before === undefined && breaks.includes("clients");

export function formatVersion(review: Review): string {
  const { version, base, contract, changes, reasons } = review;
  if (!version || !base || reasons.some(({ id }) => id === "review:comparing")) return "";
  const { needed, lowest, isEnough, error } = version;
  if (error) return `Correct the version: ${error}`;
  const more = describeNotable(review);
  if (needed === "none") return ["No new version is needed", ...more].join(", but ");
  const isOpen = needed !== "major" && changes.some(({ class: kind }) => kind === "undecided");
  const isSoft = changes.filter(({ class: kind }) => kind === "breaking").every(isOnlyUnknown);
  const isCompatible = changes.some(({ class: kind, keyword }) => kind === "compatible" && keyword !== "operationId");
  const others = needed === "minor" && isCompatible ? ["other changes are compatible for clients"] : [];
  const told = more.length > 0 ? [...more, ...others].join("; ") : BUMPS[needed];
  const breaks = needed !== "major" ? told : isSoft ? "clients that reject unknown members break" : BUMPS.major;
  const reason = isOpen ? "not every change is decided" : breaks;
  if (isEnough) return `Version ${contract.version} is high enough: ${reason}`;
  return `Bump the version to ${lowest}${isOpen ? " at least" : ""}: ${reason}`;
}

/** What no message shows, but somebody has to know. */
function describeNotable(review: Review): string[] {
  const isNamed = review.changes.some(({ keyword }) => keyword === "operationId");
  return [
    ...(listAnswered(review).length > 0 ? ["an answer of a decision changes"] : []),
    ...(isNamed ? ["an operationId changes, which names methods in generated clients"] : []),
  ];
}

const LIST = new Intl.ListFormat("en-GB");

/** `web, mobile and kiosk`. */
export const joinNames = (texts: readonly string[]) => LIST.format(texts);

/** `openapi.yaml:316` */
export function buildPlace(path: string, line: number | undefined): Content {
  return line === undefined ? undefined : soft(`${path}:${line}`);
}
