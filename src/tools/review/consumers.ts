// Finds the recorded consumers that a change reaches, by joining the records of `usage` with the places of the change.
//   `200 body.hasMore` of listNotifications  →  member `NotificationPage.hasMore`  →  web: feed.tsx:11
import { isDeepStrictEqual } from "node:util";
import type { Contract } from "../../contract/contract.js";
import { findMemberPlaces, type MemberPlace } from "../usage/contract-members.js";
import type { Reference, Usage } from "../usage/usage-file.js";
import type { Change, MessagePlace } from "./changes/change.js";

/** A consumer that a change reaches. */
export interface Reach {
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
      ...{ name, version, isOfBase: sha256 === base.file.digest },
      notRead: notRead.map(({ place }) => place),
      unresolved: notRead.flatMap(({ place, isOfPackage }) => (isOfPackage ? [place] : [])),
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

function findAt(
  { side, keyword, before, breaks }: Change,
  { operation, steps }: MessagePlace,
  { references }: Usage,
  all: readonly MemberPlace[],
): Reference[] {
  const calls = references.filter(({ kind, name }) => kind === "operation" && name === operation);
  const named = (kind: Reference["kind"], name = "") => {
    if (calls.length === 0) return [];
    return references.filter((one) => one.kind === kind && one.name.toLowerCase() === name.toLowerCase());
  };
  const [status = "", part, name] = side === "response" ? steps : ["", ...steps];
  if (side === "response" && part === "header") return named("header", name);
  if (part === undefined && /^[^2]/.test(status)) return named("status", status);
  if (part === undefined || part === "path") return calls; // the operation as a whole

  const own = all.filter((member) => member.operation === operation);
  const membersAt = (path: readonly string[]) => own.filter((member) => isDeepStrictEqual(member.steps, path));
  const [exact, outer] = [membersAt(steps), membersAt(steps.slice(0, -1))];
  const below = own.filter((member) => isDeepStrictEqual(member.steps.slice(0, steps.length), steps));
  if (keyword === "default" && side === "request") return findOmitting(calls, references, exact);
  // A newly required member is missing wherever its object is written; a parameter, wherever the operation is called.
  const isDemanded =
    side === "request" && breaks.includes("clients") && (keyword === "required" || before === undefined);
  if (isDemanded && (outer.length === 0 || steps.length === BODY_MEMBER)) return calls;
  const whole = isDemanded || exact.length === 0 ? outer : exact;
  const isBody = steps.at(-1) === "body";
  const nearest = isDemanded ? outer : isBody ? below.filter((member) => !exact.includes(member)) : exact;
  const names = new Set(nearest.map(({ member }) => member));
  const within = new Set(whole.flatMap((member) => member.within));
  const used = new Set(references.flatMap((one) => (one.kind === "operation" ? one.name : [])));
  /** True unless the consumer only names other operations that have the member. */
  const isReached = (member: string) =>
    calls.length > 0 || !all.some((other) => used.has(other.operation) && other.within.includes(member));
  const kinds = side === "request" ? ["request", "parameter"] : ["response", "error"];
  return references.filter((one) => {
    if (one.kind === "everything") return within.has(one.name) && isReached(one.name);
    return kinds.includes(one.kind) && names.has(one.name) && isReached(one.name);
  });
}

/** Calls without the member: another default changes what they mean. */
function findOmitting(calls: readonly Reference[], references: readonly Reference[], members: readonly MemberPlace[]) {
  const names = members.map(({ member }) => member);
  const sending = references.filter(
    ({ kind, name }) => ["parameter", "request"].includes(kind) && names.includes(name),
  );
  const sent = new Set(sending.flatMap(({ places }) => places));
  return calls
    .map((call) => ({ ...call, places: call.places.filter((place) => !sent.has(place)) }))
    .filter(({ places }) => places.length > 0);
}

/** The steps to a member of a request's body: `body`, `channels`. */
const BODY_MEMBER = 2;
