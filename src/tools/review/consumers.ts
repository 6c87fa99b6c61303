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
  const found = [...new Set(change.at.flatMap((at) => findAt(change, at, usage, all)))];
  const named = found.filter(({ kind }) => kind !== "everything").flatMap(({ places }) => places);
  const others = found.filter(({ kind }) => kind === "everything");
  const guessed = others.flatMap(({ how, places }) => places.map((place) => ({ place, text: `${place} (${how})` })));
  return [...new Set([...named, ...guessed.flatMap(({ place, text }) => (named.includes(place) ? [] : text))])];
}

/** The references of a consumer that a change at a place reaches. */
function findAt(change: Change, at: MessagePlace, { references }: Usage, all: readonly MemberPlace[]): Reference[] {
  const calls = references.filter(({ kind, name }) => kind === "operation" && name === at.operation);
  const ofOperation = all.filter(({ operation }) => operation === at.operation);
  const target = findTarget(change, at.steps, ofOperation);
  if (target === "calls") return calls;
  if ("part" in target) return calls.length === 0 ? [] : references.filter((one) => isSame(one, target.part));
  if ("omitted" in target) return withoutPlaces(calls, referencesTo(references, target.omitted, SENT));
  const used = new Set(references.flatMap((one) => (one.kind === "operation" ? one.name : [])));
  /** True unless the consumer only names other operations that have the member. */
  const isReached = (member: string) =>
    calls.length > 0 || !all.some((other) => used.has(other.operation) && other.within.includes(member));
  const kinds = change.side === "request" ? SENT : READ;
  return [
    ...referencesTo(references, target.named, kinds),
    ...referencesTo(references, target.around, ["everything"]),
  ].filter(({ name }) => isReached(name));
}

const SENT: readonly Reference["kind"][] = ["request", "parameter"];
const READ: readonly Reference["kind"][] = ["response", "error"];

/** What of a consumer's code a change reaches. */
type Target =
  /** Each call of the operation. */
  | "calls"
  /** A header of a response, or a status. */
  | { part: Pick<Reference, "kind" | "name"> }
  /** Calls without one of these members: another default changes what they mean. */
  | { omitted: string[] }
  /** Members by name, and those around them, for code that may use anything in them. */
  | { named: string[]; around: string[] };

function findTarget(
  { side, keyword, before, breaks }: Change,
  steps: readonly string[],
  all: readonly MemberPlace[],
): Target {
  const [status = "", part, name = ""] = steps;
  if (side === "request" && (steps.length === 0 || steps[0] === "path")) return "calls";
  if (side === "response" && part === "header") return { part: { kind: "header", name } };
  if (side === "response" && part === undefined)
    return status === "" || status.startsWith("2") ? "calls" : { part: { kind: "status", name: status } };

  const membersAt = (path: readonly string[]) => all.filter((member) => isEqual(member.steps, path));
  const namesOf = (members: readonly MemberPlace[]) => members.map(({ member }) => member);
  const [exact, outer] = [membersAt(steps), membersAt(steps.slice(0, -1))];
  if (side === "request" && keyword === "default") return { omitted: namesOf(exact) };
  // A newly required member is missing wherever its object is written; a parameter, wherever the operation is called.
  const isNew = keyword === "required" || before === undefined;
  if (side === "request" && isNew && breaks.includes("clients")) {
    if (outer.length === 0 || steps.length === BODY_MEMBER) return "calls";
    return { named: namesOf(outer), around: outer.flatMap(({ within }) => within) };
  }
  const around = (exact.length === 0 ? outer : exact).flatMap(({ within }) => within);
  if (steps.at(-1) !== "body") return { named: namesOf(exact), around };
  const below = all.filter((member) => isEqual(member.steps.slice(0, steps.length), steps) && !exact.includes(member));
  return { named: namesOf(below), around };
}

/** The steps to a member of a request's body: `body`, `channels`. */
const BODY_MEMBER = 2;

/** Names of headers are compared whatever their case. */
function isSame({ kind, name }: Reference, part: Pick<Reference, "kind" | "name">): boolean {
  return kind === part.kind && name.toLowerCase() === part.name.toLowerCase();
}

function referencesTo(references: readonly Reference[], names: readonly string[], kinds: readonly string[]) {
  return references.filter(({ kind, name }) => kinds.includes(kind) && names.includes(name));
}

/** The calls at other places than these references. */
function withoutPlaces(calls: readonly Reference[], others: readonly Reference[]): Reference[] {
  const excluded = new Set(others.flatMap(({ places }) => places));
  const left = calls.map((call) => ({ ...call, places: call.places.filter((place) => !excluded.has(place)) }));
  return left.filter(({ places }) => places.length > 0);
}
