// All differences of two contracts, judged.
import type { Contract } from "../../contract/contract.js";
import type { Pointer } from "../../contract/contract-file.js";
import type { Change, Suspicion } from "./change.js";
import { findEditorialChanges } from "./editorial-changes.js";
import { compareOperations, type OperationSuspicions } from "./operation-changes.js";
import { compareServers } from "./server-changes.js";
import { findWitness } from "./witness.js";

export function findChanges(before: Contract, after: Contract): Change[] {
  const found = compareOperations(before, after);
  const onTheWire = found.flatMap((operation) => toChanges(operation, before, after));
  const explained = found.flatMap(({ suspicions }) => suspicions.flatMap((one) => [one.before ?? [], one.after ?? []]));
  const servers = compareServers(before, after);
  const places = [...explained, ...servers.places].filter((pointer) => pointer.length > 0);
  return [...onTheWire, ...servers.changes, ...findEditorialChanges(before, after, places)];
}

function toChanges(versions: OperationSuspicions, before: Contract, after: Contract): Change[] {
  const operation = versions.before?.operation.id ?? versions.after?.operation.id;
  return gather(versions.suspicions).map((group) => {
    const [first] = group;
    const places = [...new Set(group.map(({ place }) => place))];
    const older = first.class === "breaking" ? versions.before : undefined;
    const pair = older && { before: older, after: versions.after, newContract: after };
    const witness = pair && firstOf(group, (one) => findWitness(one, pair));
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

/** The same change of a shared part shows in several places: it is one change. */
function gather(suspicions: readonly Suspicion[]): [Suspicion, ...Suspicion[]][] {
  const groups = new Map<string, [Suspicion, ...Suspicion[]]>();
  for (const one of suspicions) {
    const { side, keyword, sentence, before, after, place } = one;
    const member = keyword === "required" || keyword === "properties" ? place.split(".").at(-1) : "";
    const key = JSON.stringify([side, keyword, sentence, before, after, member]);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()];
}

function firstOf<T, R>(values: readonly T[], find: (value: T) => R | undefined): R | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

function lineOf({ file }: Contract, pointer: Pointer | undefined): number | undefined {
  return pointer && file.lineOf(pointer);
}
