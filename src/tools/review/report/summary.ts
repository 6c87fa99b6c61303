// The parts of a review in a line each: what changed, the verdict, the version, the counts.
import { groupBy } from "../../../contract/lists.js";
import { plural } from "../../../contract/violation.js";
import { type Content, formatContent, soft } from "../../../pages/report/blocks.js";
import { byClass, type Change, placeOf } from "../changes/change.js";
import { withoutReason } from "../changes/change-words.js";
import type { RejectionReason } from "../find-reasons.js";
import type { Review } from "../review.js";

/** Amber if what was accepted leaves errors in the contract. */
export function toneOf({ verdict, allowed }: Review): "good" | "warn" | "bad" {
  if (verdict === "reject") return "bad";
  return buildCorrections(allowed) ? "warn" : "good";
}

const isCorrection = ({ id }: RejectionReason) => id.startsWith("lint:");
const isExample = ({ id }: RejectionReason) => id.startsWith("lint:valid-examples:");

/** True if a reason is settled by corrections. */
export const isCorrectable = (reason: RejectionReason) => isCorrection(reason) || reason.isByEffects === true;

/** `2 errors and 6 wrong examples` of these reasons; undefined without any. */
export function buildCorrections(reasons: readonly RejectionReason[]): Content {
  const all = reasons.flatMap((reason) => [reason, ...(reason.follows ?? [])]);
  const [examples = 0, others = 0] = [true, false].map((isOfExample) => {
    const own = all.filter((reason) => isCorrection(reason) && isExample(reason) === isOfExample);
    return own.reduce((sum, { more = [] }) => sum + 1 + more.length, 0);
  });
  const parts = [others && plural(others, "error"), examples && plural(examples, "wrong example")].filter(Boolean);
  return parts.length === 0 ? undefined : parts.join(" and ");
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
