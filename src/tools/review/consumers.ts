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
function findAt(
  change: Change,
  { operation, steps }: MessagePlace,
  { references }: Usage,
  all: readonly MemberPlace[],
): Reference[] {
  const calls = references.filter(({ kind, name }) => kind === "operation" && name === operation);
  const part = findPart(change, steps);
  if (part === "operation") return calls;
  if (part) {
    const isPart = ({ kind, name }: Reference) => kind === part.kind && name.toLowerCase() === part.name.toLowerCase();
    return calls.length === 0 ? [] : references.filter(isPart);
  }
  const members = all.filter((member) => member.operation === operation);
  if (change.keyword === "default" && change.side === "request") {
    const exact = members.filter((member) => isEqual(member.steps, steps));
    return findOmitting(calls, references, exact);
  }
  const reached = findMembers(change, steps, members);
  if (!reached) return calls;
  const names = new Set(reached.named.map(({ member }) => member));
  const within = new Set(reached.around.flatMap((member) => member.within));
  const used = new Set(references.flatMap((one) => (one.kind === "operation" ? one.name : [])));
  /** True unless the consumer only names other operations that have the member. */
  const isReached = (member: string) =>
    calls.length > 0 || !all.some((other) => used.has(other.operation) && other.within.includes(member));
  const kinds = change.side === "request" ? ["request", "parameter"] : ["response", "error"];
  return references.filter(({ kind, name }) => {
    const isNamed = kind === "everything" ? within.has(name) : kinds.includes(kind) && names.has(name);
    return isNamed && isReached(name);
  });
}

/** A part of a message that is no member of a value: a header of a response, a status, or the operation as a whole. */
function findPart(
  { side }: Change,
  steps: readonly string[],
): "operation" | Pick<Reference, "kind" | "name"> | undefined {
  if (side === "request") return steps.length === 0 || steps[0] === "path" ? "operation" : undefined;
  const [status = "", part, name = ""] = steps;
  if (part === "header") return { kind: "header", name };
  if (part !== undefined) return undefined;
  return status === "" || status.startsWith("2") ? "operation" : { kind: "status", name: status };
}

/**
 * The members whose names a change reaches, and those in which it stands, for consumers that may use anything in them. Undefined if
 * it reaches each call of the operation.
 */
function findMembers(
  { side, keyword, before, breaks }: Change,
  steps: readonly string[],
  members: readonly MemberPlace[],
) {
  const membersAt = (path: readonly string[]) => members.filter((member) => isEqual(member.steps, path));
  const [exact, outer] = [membersAt(steps), membersAt(steps.slice(0, -1))];
  // A newly required member is missing wherever its object is written; a parameter, wherever the operation is called.
  const isNew = keyword === "required" || before === undefined;
  if (side === "request" && isNew && breaks.includes("clients"))
    return outer.length === 0 || steps.length === BODY_MEMBER ? undefined : { named: outer, around: outer };
  const around = exact.length === 0 ? outer : exact;
  if (steps.at(-1) !== "body") return { named: exact, around };
  const isBelow = (member: MemberPlace) => isEqual(member.steps.slice(0, steps.length), steps);
  return { named: members.filter((member) => isBelow(member) && !exact.includes(member)), around };
}

/** The steps to a member of a request's body: `body`, `channels`. */
const BODY_MEMBER = 2;

/** Calls without the member: another default changes what they mean. */
function findOmitting(calls: readonly Reference[], references: readonly Reference[], members: readonly MemberPlace[]) {
  const names = members.map(({ member }) => member);
  const isSent = ({ kind, name }: Reference) => ["parameter", "request"].includes(kind) && names.includes(name);
  const sent = new Set(references.filter(isSent).flatMap(({ places }) => places));
  return calls
    .map((call) => ({ ...call, places: call.places.filter((place) => !sent.has(place)) }))
    .filter(({ places }) => places.length > 0);
}
