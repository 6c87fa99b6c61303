// The differences between two versions of an operation: the same search in both directions, joined by place and keyword.
import type { Contract } from "../../contract/contract.js";
import type { Pointer } from "../../contract/contract-file.js";
import type { MessageSide, Witness } from "./change.js";
import { type ChangeName, toName, toSentence } from "./change-words.js";
import { findLosses, type Loss } from "./find-losses.js";
import { toMessageSchema } from "./message-schema.js";
import { type OperationVersion, pathNamesOf, pointerTo, signatureOf } from "./operation-version.js";
import { toSided } from "./sided-contract.js";

/** That one version allows what the other one may not. */
export interface Evidence {
  allowedBy: Witness["allowedBy"];
  from: OperationVersion;
  /** undefined where the operation is not in the other contract. */
  to: OperationVersion | undefined;
  /** undefined where any request shows it. */
  loss: Loss | undefined;
}

/** A difference whose witnesses are still to be searched for. */
export interface CandidateChange extends ChangeName {
  operation: string;
  side: MessageSide;
  sentence: string;
  before: Pointer | undefined;
  after: Pointer | undefined;
  /** Where the old schemas around it stand, from the outside. */
  trail: readonly Pointer[];
  /** That the old contract allows more. */
  lost: Evidence[];
  /** That the new contract allows more. */
  gained: Evidence[];
}

export function compareOperations(before: Contract, after: Contract): CandidateChange[] {
  return (["request", "response"] as const).flatMap((side) => {
    const [older, newer] = [versionsOf(before, side), versionsOf(after, side)];
    return [...new Set([...older.keys(), ...newer.keys()])].flatMap((signature) => {
      const [was, is] = [older.get(signature), newer.get(signature)];
      if (was && is) return compareMessages(side, was, is);
      return side === "request" ? toExistence(was, is) : [];
    });
  });
}

function versionsOf(whole: Contract, side: MessageSide): Map<string, OperationVersion> {
  const contract = toSided(whole, side);
  return new Map(contract.operations.map((operation) => [signatureOf(operation), { contract, operation }]));
}

function idOf({ operation: { id, method, path } }: OperationVersion): string {
  return id ?? `${method.toUpperCase()} ${path}`;
}

function toExistence(was: OperationVersion | undefined, is: OperationVersion | undefined): CandidateChange[] {
  const version = was ?? is;
  if (!version) return [];
  const { method, path } = version.operation;
  const evidence = { from: version, to: undefined, loss: undefined };
  return [
    {
      ...{ operation: idOf(version), side: "request", place: `${method.toUpperCase()} ${path}`, keyword: "existence" },
      ...{
        sentence: was ? "is removed" : "is new",
        before: was && pointerTo(was),
        after: is && pointerTo(is),
        trail: [],
      },
      lost: was ? [{ ...evidence, allowedBy: "old" }] : [],
      gained: is ? [{ ...evidence, allowedBy: "new" }] : [],
    },
  ];
}

/** How many steps lead into the parts of a message: the location and name of a parameter; status, location and name. */
const DEPTHS = { request: 2, response: 3 } as const;
/** Nobody fills in what a response omits; a request that is impossible is rejected, which is a change of its own. */
const MOOT = { request: "impossible", response: "default" } as const;

function compareMessages(side: MessageSide, before: OperationVersion, after: OperationVersion): CandidateChange[] {
  const [older, newer] = [toMessageSchema(before, side), toMessageSchema(after, side)];
  const candidates = new Map<string, CandidateChange>();
  const candidateOf = (loss: Loss, was: Loss["from"], is: Loss["from"]) => {
    const key = JSON.stringify([loss.path, loss.keyword]);
    const { place, keyword } = toName(side, loss, pathNamesOf(before.operation));
    const candidate = candidates.get(key) ?? {
      ...{ operation: idOf(before), side, place, keyword, lost: [], gained: [] },
      sentence: toSentence({ side, keyword, before: was.value, after: is.value, isNarrower: was === loss.from }),
      ...{ before: was.pointer, after: is.pointer, trail: was.trail },
    };
    candidates.set(key, candidate);
    return candidate;
  };
  for (const loss of findLosses(older, newer, DEPTHS[side])) {
    candidateOf(loss, loss.from, loss.to).lost.push({ allowedBy: "old", from: before, to: after, loss });
  }
  for (const loss of findLosses(newer, older, DEPTHS[side])) {
    const { gained } = candidateOf(loss, loss.to, loss.from);
    if (!isTolerated(side, loss, before)) gained.push({ allowedBy: "new", from: after, to: before, loss });
  }
  const others = [...candidates.values()].filter(({ keyword }) => keyword !== MOOT[side]);
  return others.map((candidate) => forBothSides(candidate, after));
}

/**
 * Clients ignore headers that they do not know (RFC 9110 §5.1), and treat an unknown status as the x00 of its class (§15):
 * a new error is handled, a new success is not.
 */
function isTolerated(side: MessageSide, { path, keyword, values }: Loss, { operation }: OperationVersion): boolean {
  if (side !== "response" || keyword !== "existence" || values[0] === undefined) return false;
  const [status = "", part] = path;
  const isHandled = Object.keys(operation.object.responses).some((other) => other[0] === status[0]);
  return part === undefined ? isHandled && !status.startsWith("2") : part === "header";
}

/** What one version writes in this way, the other one reads wrongly, whoever follows which. */
const SERIALIZATION = new Set(["style", "explode", "x-literal-plus"]);

function forBothSides(candidate: CandidateChange, after: OperationVersion): CandidateChange {
  const { keyword, place, lost, gained } = candidate;
  if (SERIALIZATION.has(keyword)) return { ...candidate, lost: [...lost, ...gained], gained: [...gained, ...lost] };
  const hasSuccess = Object.keys(after.operation.object.responses).some((status) => status.startsWith("2"));
  const isLastSuccess = keyword === "existence" && /^2..$/.test(place) && !hasSuccess;
  // Clients get no result: the response that is gone shows it.
  return isLastSuccess || keyword === "impossible" ? { ...candidate, gained: lost } : candidate;
}
