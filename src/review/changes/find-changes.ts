// All differences between two contracts, classified.
import type { Contract } from "../../contract/contract.js";
import type { Pointer } from "../../contract/contract-file.js";
import type { CandidateChange, Change, Side, Witness } from "./change.js";
import { findEditorialChanges } from "./editorial-changes.js";
import { findWitness } from "./find-witness.js";
import { compareOperations, type OperationChanges } from "./operation-changes.js";
import type { OperationVersion } from "./operation-version.js";
import { restsOn } from "./rests-on.js";
import { compareServers } from "./server-changes.js";
import { toSided, toSidedVersion } from "./sided-contract.js";

/** A candidate, and the operation that it was found at. */
interface Located {
  candidate: CandidateChange;
  versions: OperationChanges;
}

export function findChanges(before: Contract, after: Contract): Change[] {
  const operations = compareOperations(before, after);
  const all = operations.flatMap((versions) => versions.candidates.map((candidate) => ({ candidate, versions })));
  const groups = groupShared(all).flatMap((group) => {
    const change = toChange(group, before, after);
    return change ? [{ group, change }] : [];
  });
  const servers = compareServers(before, after);
  const pointers = groups.flatMap(({ group }) =>
    group.flatMap(({ candidate }) => [candidate.before ?? [], candidate.after ?? []]),
  );
  const explained = [...pointers, ...servers.pointers].filter((pointer) => pointer.length > 0);
  const wire = groups.map(({ change }) => change);
  return [...wire, ...servers.changes, ...findEditorialChanges(before, after, explained)];
}

/** A change of a shared component appears in several places, also of several operations: it is one change. */
function groupShared(all: readonly Located[]): [Located, ...Located[]][] {
  const groups = new Map<string, [Located, ...Located[]]>();
  for (const located of all) {
    const { side, keyword, sentence, before, after, place } = located.candidate;
    const isWhole = before === undefined || after === undefined;
    const member = keyword === "required" || keyword === "properties" ? place.split(".").at(-1) : isWhole && place;
    const key = JSON.stringify([side, keyword, sentence, before, after, member]);
    const group = groups.get(key);
    if (group) group.push(located);
    else groups.set(key, [located]);
  }
  return [...groups.values()];
}

function toChange(group: [Located, ...Located[]], before: Contract, after: Contract): Change | undefined {
  const [{ candidate, versions }] = group;
  const { side, keyword, sentence, isMeaning = false, isOnlyWithWitness = false } = candidate;
  const operation = idOf(versions);
  const lost = findFirst(group, "lost", before, after);
  const gained = isMeaning ? lost : findFirst(group, "gained", before, after);
  const isReal = (found: Found) => found.exists && !(isOnlyWithWitness && !found.witness);
  const [ofClients, ofImplementations] = side === "request" ? [lost, gained] : [gained, lost];
  const isMoot = isOnlyWithWitness && !isReal(lost) && !isReal(gained);
  if (isMoot) return undefined;
  const sides: [Side, Found][] = [
    ["clients", ofClients],
    ["implementations", ofImplementations],
  ];
  const broken = sides.filter(([, found]) => isReal(found));
  const places = group.map(
    (one) => `${idOf(one.versions) === operation ? "" : `${idOf(one.versions)} `}${one.candidate.place}`,
  );
  return {
    id: `${operation}:${side}:${candidate.place}:${keyword}`.replaceAll(" ", "/"),
    class: isReal(ofClients) ? "breaking" : "compatible",
    breaks: broken.map(([name]) => name),
    operation,
    side,
    places: [...new Set(places)],
    sentence,
    before: lineOf(before, candidate.before),
    after: lineOf(after, candidate.after),
    witnesses: Object.fromEntries(broken.flatMap(([name, { witness }]) => (witness ? [[name, witness]] : []))),
    restsOn: restsOn(before, candidate.before, candidate.before && candidate.rests),
  };
}

function idOf({ before, after }: OperationChanges): string | undefined {
  const operation = before?.operation ?? after?.operation;
  return operation && (operation.id ?? `${operation.method.toUpperCase()} ${operation.path}`);
}

interface Found {
  /** Whether there may be such a message at all. */
  exists: boolean;
  witness?: Witness | undefined;
}

function findFirst(group: readonly Located[], way: "lost" | "gained", before: Contract, after: Contract): Found {
  const other = way === "lost" ? after : before;
  const allowedBy = way === "lost" ? "old" : "new";
  for (const { candidate, versions } of group) {
    const [from, to] = way === "lost" ? [versions.before, versions.after] : [versions.after, versions.before];
    const messages = candidate[way]?.();
    if (!from || !messages) continue;
    const sided = (version: OperationVersion) => toSidedVersion(version, candidate.side);
    const target = to ? sided(to) : { contract: toSided(other, candidate.side), operation: undefined };
    const witness = findWitness(candidate, messages, { from: sided(from), to: target, allowedBy });
    if (witness) return { exists: true, witness };
  }
  return { exists: group.some(({ candidate }) => candidate[way] !== undefined) };
}

function lineOf({ file }: Contract, pointer: Pointer | undefined): number | undefined {
  return pointer && file.lineOf(pointer);
}
