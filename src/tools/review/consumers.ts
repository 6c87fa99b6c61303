// Which recorded consumers a change reaches: what `usage` has recorded of them, joined with the places of the change.
//   `200 body.hasMore` of listNotifications  →  member `NotificationPage.hasMore`  →  web: feed.tsx:11
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Contract } from "../../contract/contract.js";
import { ConfigError } from "../../server/config.js";
import { findMemberPlaces, type MemberPlace, toOperationName } from "../usage/contract-members.js";
import { type Reference, readUsageFile, type Usage } from "../usage/usage-file.js";
import type { Change } from "./changes/change.js";

/** A consumer that a change reaches. */
export interface Reach {
  consumer: string;
  /** Files and lines, the most telling first: `src/item.tsx:14 (switch without default)`. */
  places: string[];
}

export interface Consumers {
  recorded: { name: string; version: string; isOfBase: boolean; notRead: string[] }[];
  /** By the id of the change; editorial changes are left out. */
  reached: Record<string, Reach[]>;
  /** Ids of the breaking changes that count as compatible, since they reach nobody (`--breaking-for recorded`). */
  tolerated: string[];
}

/**
 * The files that patterns name; a `*` in a file's name stands for any text.
 * @throws ConfigError where there is none, or one is not a usage file
 */
export function loadUsages(patterns: readonly string[]): Usage[] {
  const files = patterns.flatMap((pattern) => {
    const folder = dirname(pattern);
    const [start = "", ...parts] = basename(pattern).split("*");
    if (parts.length === 0) return [pattern];
    const end = parts.at(-1) ?? "";
    const isMatch = (name: string) =>
      name.startsWith(start) && name.endsWith(end) && name.length >= start.length + end.length;
    const names = existsSync(folder) ? readdirSync(folder).filter(isMatch).sort() : [];
    if (names.length === 0) throw new ConfigError(`--usage: no file matches ${pattern}.`);
    return names.map((name) => join(folder, name));
  });
  const usages = files.map(readUsageFile);
  const twice = usages.find(({ name }, index) => usages.findIndex((other) => other.name === name) < index);
  if (twice) throw new ConfigError(`--usage: two files are of the consumer ${twice.name}.`);
  return usages;
}

/** @param isDeciding changes that reach none of them count as compatible */
export function findConsumers(
  changes: readonly Change[],
  { base, usages, isDeciding }: { base: Contract; usages: readonly Usage[]; isDeciding: boolean },
): Consumers {
  const places = findMemberPlaces(base);
  const reached = changes
    .filter(({ class: kind }) => kind !== "editorial" && kind !== "equivalent")
    .map((change) => {
      const reaches = usages.map((usage) => ({
        consumer: usage.name,
        places: findReferences(change, usage, places, base),
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

function findReferences(change: Change, usage: Usage, places: readonly MemberPlace[], base: Contract): string[] {
  const names = new Set(base.operations.map(toOperationName));
  const found = change.places.flatMap((text) => {
    const [first = "", ...rest] = text.split(" ");
    const isOther = names.has(first);
    const operation = isOther ? first : (change.operation ?? "");
    return findAt(change, { operation, place: isOther ? rest.join(" ") : text }, usage, places);
  });
  const weightOf = ({ how }: Reference) => (WEIGHTS.indexOf(how) + WEIGHTS.length + 1) % (WEIGHTS.length + 1);
  const sorted = [...new Set(found)].toSorted((a, b) => weightOf(a) - weightOf(b));
  const texts = sorted.flatMap(({ kind, how, places }) =>
    places.map((place) => (kind === "values" || kind === "everything" ? `${place} (${how})` : place)),
  );
  return texts.filter(
    (text, index) => texts.findIndex((other) => other.split(" ")[0] === text.split(" ")[0]) === index,
  );
}

function findAt(
  { side, keyword, before, breaks }: Change,
  { operation, place }: { operation: string; place: string },
  { references }: Usage,
  all: readonly MemberPlace[],
): Reference[] {
  const used = new Set(references.flatMap(({ kind, name }) => (kind === "operation" ? name : [])));
  const calls = references.filter(({ kind, name }) => kind === "operation" && name === operation);
  const own = all.filter((member) => member.operation === operation);
  const [status = "", part = ""] = /^(\d|default)/.test(place) ? place.split(" ") : ["", place];
  const isSuccess = status.startsWith("2");

  if (part.startsWith("header.") && status !== "") {
    const isSame = (name: string) => name.toLowerCase() === part.slice("header.".length).toLowerCase();
    return calls.length === 0 ? [] : references.filter(({ kind, name }) => kind === "header" && isSame(name));
  }
  if (status !== "" && part === "" && !isSuccess)
    return calls.length === 0 ? [] : references.filter(({ kind, name }) => kind === "status" && name === status);
  const exact = own.filter((member) => member.place === place);
  const below = own.filter((member) => [".", "["].some((step) => member.place.startsWith(place + step)));
  const isMember = exact.length + below.length > 0 || /^(body|query|header|path)\b/.test(part);
  if (!isMember || part.startsWith("path.")) return calls; // the operation as a whole

  // A member that is required now is missing wherever its object is written: of a parameter, wherever the operation is called.
  const isDemanded =
    side === "request" && breaks.includes("clients") && (keyword === "required" || before === undefined);
  const outer = own.filter((member) => member.place === place.replace(/(\.[^.[\]]+|\[\])$/, ""));
  if (isDemanded && (outer.length === 0 || outer.some((member) => member.place === "body"))) return calls;
  const whole = isDemanded || exact.length === 0 ? outer : exact;
  const nearest = isDemanded ? outer : place.endsWith("body") ? below : exact;
  const named = new Set(nearest.map(({ member }) => member));
  const within = new Set(whole.flatMap((member) => member.within));
  const schemas = new Set(exact.map(({ schema }) => schema));
  /** The consumer may reach a member by other means than the operations that it names. */
  const isReached = (name: string) =>
    calls.length > 0 || !all.some((member) => used.has(member.operation) && member.within.includes(name));
  return references.filter(({ kind, name }) => {
    if (kind === "everything") return within.has(name) && isReached(name);
    if (kind === "values") return side === "response" && keyword === "enum" && schemas.has(name) && isReached(name);
    const isOfSide =
      side === "request" ? kind === "request" || kind === "parameter" : kind === "response" || kind === "error";
    return isOfSide && named.has(name) && isReached(name);
  });
}

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
  return recorded.flatMap(({ name, version, isOfBase, notRead }) => [
    ...(isOfBase
      ? []
      : [
          `${name} was recorded against ${version === base.version ? "another text of " : ""}version ${version} of the contract, not against ${base.name} (${base.version})`,
        ]),
    ...(notRead.length > 0
      ? [
          `${name}: ${notRead.length === 1 ? "1 file was" : `${notRead.length} files were`} not read: ${notRead.slice(0, 3).join(", ")}`,
        ]
      : []),
  ]);
}

function joinNames(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} and ${texts.at(-1)}`;
}
