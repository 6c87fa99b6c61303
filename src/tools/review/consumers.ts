// Which recorded consumers a change reaches: what `usage` has recorded of them, joined with the places of the change.
//   `200 body.hasMore` of listNotifications  →  member `NotificationPage.hasMore`  →  web: feed.tsx:11
import { isDeepStrictEqual } from "node:util";
import type { Contract } from "../../contract/contract.js";
import { findMemberPlaces, type MemberPlace } from "../usage/contract-members.js";
import type { Reference, Usage } from "../usage/usage-file.js";
import type { Change, MessagePlace } from "./changes/change.js";

/** A consumer that a change reaches. */
export interface Reach {
  consumer: string;
  /** Files and lines, the most telling first: `src/item.tsx:14 (switch without default)`. */
  places: string[];
}

export interface Consumers {
  recorded: { name: string; version: string; isOfBase: boolean; notRead: string[] }[];
  /** By the id of the change; those outside of operations are left out. */
  reached: Record<string, Reach[]>;
  /** Ids of the breaking changes that count as compatible, since they reach nobody (`--breaking-for recorded`). */
  tolerated: string[];
}

/** @param isDeciding changes that reach none of them count as compatible */
export function findConsumers(
  changes: readonly Change[],
  { base, usages, isDeciding }: { base: Contract; usages: readonly Usage[]; isDeciding: boolean },
): Consumers {
  const places = findMemberPlaces(base);
  const reached = changes
    .filter(({ at }) => at.length > 0)
    .map((change) => {
      const reaches = usages.map((usage) => ({
        consumer: usage.name,
        places: findReferences(change, usage, places),
      }));
      return [change.id, reaches.filter((reach) => reach.places.length > 0)] as const;
    });
  const unused = new Set(reached.flatMap(([id, reaches]) => (reaches.length === 0 ? id : [])));
  return {
    recorded: usages.map(({ name, contract: { version, sha256 }, notRead }) => ({
      ...{ name, version, isOfBase: sha256 === base.file.digest },
      notRead: notRead.map(({ place }) => place),
    })),
    reached: Object.fromEntries(reached),
    tolerated: isDeciding
      ? changes.flatMap(({ id, class: kind }) => (kind === "breaking" && unused.has(id) ? id : []))
      : [],
  };
}

/** The most telling first: code that handles every value but no other, then names, then what may use anything. */
const WEIGHTS = ["switch without default", "look-up", undefined, "switch", "comparison"];

function findReferences(change: Change, usage: Usage, places: readonly MemberPlace[]): string[] {
  const found = change.at.flatMap((at) => findAt(change, at, usage, places));
  const weightOf = ({ how }: Reference) => (WEIGHTS.indexOf(how) + WEIGHTS.length + 1) % (WEIGHTS.length + 1);
  const sorted = [...new Set(found)].toSorted((a, b) => weightOf(a) - weightOf(b));
  const named = sorted.flatMap(({ kind, how, places }) => {
    const suffix = kind === "values" || kind === "everything" ? ` (${how})` : "";
    return places.map((place) => [place, `${place}${suffix}`] as const);
  });
  const first = new Map(named.toReversed()); // of each place the most telling
  return [...new Set(named.map(([place]) => place))].map((place) => first.get(place) ?? place);
}

function findAt(
  { side, keyword, before, breaks }: Change,
  { operation, steps }: MessagePlace,
  { references }: Usage,
  all: readonly MemberPlace[],
): Reference[] {
  const calls = references.filter(({ kind, name }) => kind === "operation" && name === operation);
  const [status, part, name] = side === "response" ? steps : [undefined, ...steps];
  if (status !== undefined && part === "header") {
    const isSame = (other: string) => other.toLowerCase() === name?.toLowerCase();
    return calls.length === 0 ? [] : references.filter((one) => one.kind === "header" && isSame(one.name));
  }
  if (status !== undefined && part === undefined && !status.startsWith("2"))
    return calls.length === 0 ? [] : references.filter((one) => one.kind === "status" && one.name === status);
  if (part === undefined || part === "path") return calls; // the operation as a whole

  const own = all.filter((member) => member.operation === operation);
  const membersAt = (path: readonly string[]) => own.filter((member) => isDeepStrictEqual(member.steps, path));
  const [exact, outer] = [membersAt(steps), membersAt(steps.slice(0, -1))];
  const below = own.filter((member) => isDeepStrictEqual(member.steps.slice(0, steps.length), steps));
  // A member that is required now is missing wherever its object is written: of a parameter, wherever the operation is called.
  const isDemanded =
    side === "request" && breaks.includes("clients") && (keyword === "required" || before === undefined);
  if (isDemanded && (outer.length === 0 || steps.length === BODY_MEMBER)) return calls;
  const whole = isDemanded || exact.length === 0 ? outer : exact;
  const isBody = steps.at(-1) === "body";
  const nearest = isDemanded ? outer : isBody ? below.filter((member) => !exact.includes(member)) : exact;
  const names = new Set(nearest.map(({ member }) => member));
  const within = new Set(whole.flatMap((member) => member.within));
  const schemas = new Set(exact.map(({ schema }) => schema));
  const used = new Set(references.flatMap((one) => (one.kind === "operation" ? one.name : [])));
  /** The consumer may reach a member by other means than the operations that it names. */
  const isReached = (member: string) =>
    calls.length > 0 || !all.some((other) => used.has(other.operation) && other.within.includes(member));
  const kinds = side === "request" ? ["request", "parameter"] : ["response", "error"];
  return references.filter((one) => {
    if (one.kind === "everything") return within.has(one.name) && isReached(one.name);
    if (one.kind === "values")
      return side === "response" && keyword === "enum" && schemas.has(one.name) && isReached(one.name);
    return kinds.includes(one.kind) && names.has(one.name) && isReached(one.name);
  });
}

/** The steps to a member of a request's body: `body`, `channels`. */
const BODY_MEMBER = 2;

/** `breaks web (feed.tsx:11, 2 more) and mobile; kiosk does not use it`. */
export function toReachText({ id, class: kind, before }: Change, { recorded, reached }: Consumers): string | undefined {
  const reaches = reached[id];
  if (!reaches || recorded.length === 0) return undefined;
  const isForNobody = kind === "compatible" && before === undefined; // what is new
  if (reaches.length === 0) return isForNobody ? undefined : "breaks no recorded consumer";
  const names = reaches.map(({ consumer, places: [first = "", ...others] }) => {
    return `${consumer} (${first}${others.length > 0 ? `, ${others.length} more` : ""})`;
  });
  const others = recorded
    .filter(({ name }) => !reaches.some(({ consumer }) => consumer === name))
    .map(({ name }) => name);
  const not = others.length === 0 ? "" : `; ${joinNames(others)} ${others.length === 1 ? "does" : "do"} not use it`;
  return `${kind === "breaking" ? "breaks" : "reaches"} ${joinNames(names)}${not}`;
}

/** Warnings about the records: of another version, or with files that were not read. */
export function toWarnings({ recorded }: Consumers, base: { name: string; version: string }): string[] {
  return recorded.flatMap(({ name, version, isOfBase, notRead }) => {
    const other = version === base.version ? `another text of version ${version}` : `version ${version}`;
    const files = notRead.length === 1 ? "1 file was" : `${notRead.length} files were`;
    return [
      ...(isOfBase
        ? []
        : [`${name} was recorded against ${other} of the contract, not against ${base.name} (${base.version})`]),
      ...(notRead.length > 0 ? [`${name}: ${files} not read: ${notRead.slice(0, 3).join(", ")}`] : []),
    ];
  });
}

function joinNames(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} and ${texts.at(-1)}`;
}
