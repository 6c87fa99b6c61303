// All differences between two contracts, classified.
import type { Contract } from "../../contract/contract.js";
import type { Pointer } from "../../contract/contract-file.js";
import type { CandidateChange, Change } from "./change.js";
import { findEditorialChanges } from "./editorial-changes.js";
import { findWitness } from "./find-witness.js";
import { compareOperations, type OperationChanges } from "./operation-changes.js";
import { compareServers } from "./server-changes.js";

export function findChanges(before: Contract, after: Contract): Change[] {
  const operations = compareOperations(before, after);
  const wireChanges = operations.flatMap((operation) => toChanges(operation, before, after));
  const pointers = operations.flatMap(({ candidates }) =>
    candidates.flatMap((candidate) => [candidate.before ?? [], candidate.after ?? []]),
  );
  const servers = compareServers(before, after);
  const explained = [...pointers, ...servers.pointers].filter((pointer) => pointer.length > 0);
  return [...wireChanges, ...servers.changes, ...findEditorialChanges(before, after, explained)];
}

function toChanges(versions: OperationChanges, before: Contract, after: Contract): Change[] {
  const operation = versions.before?.operation.id ?? versions.after?.operation.id;
  return groupShared(versions.candidates).map((group) => {
    const [first] = group;
    const places = [...new Set(group.map(({ place }) => place))];
    const older = first.class === "breaking" ? versions.before : undefined;
    const witness = older && findFirstWitness(group, { before: older, after: versions.after, newContract: after });
    return {
      id: `${operation}:${first.side}:${places[0]}:${first.keyword}`.replaceAll(" ", "/"),
      class: first.class,
      operation,
      side: first.side,
      places,
      sentence: first.sentence,
      before: lineOf(before, first.before),
      after: lineOf(after, first.after),
      ...(witness ? { witness } : {}),
    };
  });
}

/** A change of a shared component appears in several places: it is one change. */
function groupShared(candidates: readonly CandidateChange[]): [CandidateChange, ...CandidateChange[]][] {
  const groups = new Map<string, [CandidateChange, ...CandidateChange[]]>();
  for (const candidate of candidates) {
    const { side, keyword, sentence, before, after, place } = candidate;
    const member = keyword === "required" || keyword === "properties" ? place.split(".").at(-1) : "";
    const key = JSON.stringify([side, keyword, sentence, before, after, member]);
    const group = groups.get(key);
    if (group) group.push(candidate);
    else groups.set(key, [candidate]);
  }
  return [...groups.values()];
}

function findFirstWitness(group: readonly CandidateChange[], versions: Parameters<typeof findWitness>[1]) {
  for (const candidate of group) {
    const witness = findWitness(candidate, versions);
    if (witness) return witness;
  }
  return undefined;
}

function lineOf({ file }: Contract, pointer: Pointer | undefined): number | undefined {
  return pointer && file.lineOf(pointer);
}
