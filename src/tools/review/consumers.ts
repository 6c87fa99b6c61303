// Finds the recorded consumers that a change reaches, by joining the records of `usage` with the places of the change.
//   `200 body.hasMore` of listNotifications  →  member `NotificationPage.hasMore`  →  web: feed.tsx:11
import type { Contract } from "../../contract/contract.js";
import { isEqual } from "../../contract/json.js";
import { mapDefined } from "../../contract/lists.js";
import { findMemberPlaces, type MemberPlace } from "../usage/contract-members.js";
import type { Reference, Usage } from "../usage/usage-file.js";
import type { Change, MessagePlace } from "./changes/change.js";

/** A consumer that a change reaches. */
interface Reach {
  consumer: string;
  /** Files and lines: `src/feed.tsx:14`, `src/item.tsx:20 (spread)`. */
  places: string[];
}

export interface Consumers {
  recorded: { name: string; version: string; isOfBase: boolean; notRead: string[]; unresolved: string[] }[];
  /** By the id of the change; changes outside of operations have none. */
  reached: Record<string, Reach[]>;
}

export function findConsumers(changes: readonly Change[], base: Contract, usages: readonly Usage[]): Consumers {
  const places = findMemberPlaces(base);
  const reached = changes
    .filter(({ at }) => at.length > 0)
    .map((change) => {
      const reaches = usages.map((usage) => ({ consumer: usage.name, places: findPlaces(change, usage, places) }));
      return [change.id, reaches.filter((reach) => reach.places.length > 0)] as const;
    });
  return {
    recorded: usages.map(({ name, contract: { version, sha256 }, notRead }) => ({
      name,
      version,
      isOfBase: sha256 === base.file.digest,
      notRead: notRead.map(({ place }) => place),
      unresolved: mapDefined(notRead, ({ place, isOfPackage }) => (isOfPackage ? place : undefined)),
    })),
    reached: Object.fromEntries(reached),
  };
}

/** Lists names before values that may use anything. */
function findPlaces(change: Change, usage: Usage, all: readonly MemberPlace[]): string[] {
  const found = [...new Set(change.at.flatMap((at) => findReached(change, at, usage, all)))];
  const named = found.filter(({ kind }) => kind !== "everything").flatMap(({ places }) => places);
  const others = found.filter(({ kind }) => kind === "everything");
  const guessed = others.flatMap(({ how, places }) => places.map((place) => ({ place, text: `${place} (${how})` })));
  return [...new Set([...named, ...guessed.flatMap(({ place, text }) => (named.includes(place) ? [] : text))])];
}

/**
 * The references of a consumer that a change at a place reaches:
 *
 *   the operation, its path, a success             each call
 *   another status, a header of a response         who reads it, if they call the operation
 *   a default of a request                         each call that omits the member
 *   what a request must have now                   who writes the object around it; each call, if the request has it
 *   any other member                               who uses it, and who may use anything in it
 */
function findReached(
  { side, keyword, before, breaks }: Change,
  { operation, steps }: MessagePlace,
  { references }: Usage,
  all: readonly MemberPlace[],
): Reference[] {
  const refersTo = (kinds: readonly string[], names: readonly string[]) =>
    references.filter(({ kind, name }) => kinds.includes(kind) && names.includes(name));
  const calls = refersTo(["operation"], [operation]);
  const [first = "", part, header = ""] = steps;
  if (side === "request" && (first === "" || first === "path")) return calls;
  if (side === "response" && part === undefined && (first === "" || first.startsWith("2"))) return calls;
  if (side === "response" && (part === undefined || part === "header")) {
    const [kind, wanted] = part === undefined ? ["status", first] : ["header", header];
    const isRead = (one: Reference) => one.kind === kind && one.name.toLowerCase() === wanted.toLowerCase();
    return calls.length === 0 ? [] : references.filter(isRead);
  }

  const ofOperation = all.filter((member) => member.operation === operation);
  const membersAt = (path: readonly string[]) => ofOperation.filter((member) => isEqual(member.steps, path));
  const [exact, outer] = [membersAt(steps), membersAt(steps.slice(0, -1))];
  const kinds = side === "request" ? SENT : READ;
  if (side === "request" && keyword === "default") return withoutPlaces(calls, refersTo(kinds, namesOf(exact)));
  const isDemanded =
    side === "request" && breaks.includes("clients") && (keyword === "required" || before === undefined);
  if (isDemanded && (outer.length === 0 || steps.length === BODY_MEMBER)) return calls;
  const isBelow = (member: MemberPlace) => isEqual(member.steps.slice(0, steps.length), steps);
  const changed = steps.at(-1) === "body" ? ofOperation.filter((one) => isBelow(one) && !exact.includes(one)) : exact;
  const around = (isDemanded || exact.length === 0 ? outer : exact).flatMap(({ within }) => within);
  const used = new Set(references.flatMap(({ kind, name }) => (kind === "operation" ? name : [])));
  /** True unless the consumer only names other operations that have the member. */
  const isReached = ({ name }: Reference) =>
    calls.length > 0 || !all.some((other) => used.has(other.operation) && other.within.includes(name));
  return [...refersTo(kinds, namesOf(isDemanded ? outer : changed)), ...refersTo(["everything"], around)].filter(
    isReached,
  );
}

const SENT: readonly Reference["kind"][] = ["request", "parameter"];
const READ: readonly Reference["kind"][] = ["response", "error"];
/** The steps to a member of a request's body: `body`, `channels`. */
const BODY_MEMBER = 2;

const namesOf = (members: readonly MemberPlace[]) => members.map(({ member }) => member);

/** The calls at other places than these references. */
function withoutPlaces(calls: readonly Reference[], others: readonly Reference[]): Reference[] {
  const excluded = new Set(others.flatMap(({ places }) => places));
  const left = calls.map((call) => ({ ...call, places: call.places.filter((place) => !excluded.has(place)) }));
  return left.filter(({ places }) => places.length > 0);
}
