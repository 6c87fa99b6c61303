// Finds the differences between two versions of an operation: searches in both directions, and joins by place and
// keyword.
//
//   limit at most 50 → 20, in requests: clients may send what is now rejected. It breaks clients.
//   the same in responses: implementations may no longer send it. It breaks implementations.
//   20 → 50: the other side breaks.
import type { Contract } from "../../../contract/contract.js";
import { type Counterexample, type MessageSide, type Side, whoBreaks } from "./change.js";
import { anyRequest, findCounterexample, type Search } from "./counterexample.js";
import { describeRequirements, isFulfilled, requirementsOf, securityPlaces } from "./credentials.js";
import { buildMessageSchema } from "./message-schema.js";
import { type OperationVersion, shareRanges, versionsOf, withPathOf } from "./operation-version.js";
import { COMPANIONS, EACH_ITEM, type KeywordPlace, keywordValues, type SchemaDifference } from "./resolved-schema.js";
import { findDifferences } from "./schema-differences.js";
import { isWithoutEffect } from "./text-proofs.js";
import { describeChange, describeMember, describePlace } from "./wording.js";

/** What one contract allows at a place of a message, and the other does not. */
export interface Difference {
  operation: string;
  side: MessageSide;
  place: string;
  /** The place as steps, see `MessagePlace`. */
  steps: readonly string[];
  keyword: string;
  sentence: string;
  before: KeywordPlace;
  after: KeywordPlace;
  /** By whom it may break. */
  breaks: Breaks;
}

type Breaks = Partial<Record<Side, Break>>;

export interface Break {
  counterexample?: Counterexample;
  /** Why it is unknown, if there is no counterexample. */
  undecided?: string;
}

export function compareOperations(before: Contract, after: Contract): Difference[] {
  return (["request", "response"] as const).flatMap((side) => {
    const [older, newer] = [versionsOf(before, side), versionsOf(after, side)];
    return [...new Set([...older.keys(), ...newer.keys()])].flatMap((signature) => {
      const [was, is] = [older.get(signature), newer.get(signature)];
      if (was && is) return compareMessages(side, was, withPathOf(was, is));
      const only = was ?? is;
      return side === "request" && only ? [createExistence(only, was ? "old" : "new")] : [];
    });
  });
}

/** An operation that one contract has and the other does not. */
function createExistence(version: OperationVersion, allowedBy: Counterexample["allowedBy"]): Difference {
  const { id, method, path } = version.operation;
  const place = `${method.toUpperCase()} ${path}`;
  const violation = `path ${place} is not an operation`;
  const counterexample = { operation: { id, method, path }, allowedBy, request: anyRequest(version), violation };
  const here: KeywordPlace = { value: id, pointer: version.operation.pointer, trail: [] };
  const nowhere: KeywordPlace = { value: undefined, pointer: undefined, trail: [] };
  const about = { operation: id, side: "request", place, steps: [], keyword: "existence" } as const;
  const { lost, gained } = whoBreaks("request");
  return allowedBy === "old"
    ? { ...about, sentence: "is removed", before: here, after: nowhere, breaks: { [lost]: { counterexample } } }
    : { ...about, sentence: "is new", before: nowhere, after: here, breaks: { [gained]: { counterexample } } };
}

/** The number of steps to a part of a message: location and name of a parameter; status, location and name. */
const DEPTHS = { request: 2, response: 3 } as const;

function compareMessages(side: MessageSide, older: OperationVersion, newer: OperationVersion): Difference[] {
  const [before, after] = shareRanges(older, newer);
  const [from, to] = [buildMessageSchema(before, side), buildMessageSchema(after, side)];
  const operation = before.operation.id;
  const entryOf = (one: SchemaDifference) => [JSON.stringify([one.path, one.keyword]), one] as const;
  const narrowings = new Map(findDifferences(from, to, DEPTHS[side]).map(entryOf));
  const widenings = new Map(findDifferences(to, from, DEPTHS[side]).map(entryOf));
  const { lost, gained } = whoBreaks(side);
  const differences = [...new Map([...narrowings, ...widenings])].map(([key, last]): Difference => {
    const [narrowed, widened] = [narrowings.get(key), widenings.get(key)];
    const either = narrowed ?? last;
    const { place, steps, keyword } = describePlace(side, either);
    const { pair } = either;
    const [old, own] = narrowed ? [either.from, either.to] : [either.to, either.from];
    const [whole, wholeAfter] = narrowed ? [pair.from, pair.to] : [pair.to, pair.from];
    const isUndeclared = { before: whole.nodes.length === 0, after: wholeAfter.nodes.length === 0 };
    const companions = (COMPANIONS[keyword] ?? []).map((name) => {
      return [name, [keywordValues(whole, name)[0], keywordValues(wholeAfter, name)[0]]] as const;
    });
    const sentence = describeChange({
      ...{ side, keyword, before: old.value, after: own.value, isNarrower: narrowed !== undefined },
      companions: Object.fromEntries(companions),
      ...(keyword === "type" && steps.at(-1) !== EACH_ITEM ? { isUndeclared } : {}),
    });
    const ofOld = narrowed && judge({ side, place, from: before, to: after, allowedBy: "old", difference: narrowed });
    const ofNew = widened && judge({ side, place, from: after, to: before, allowedBy: "new", difference: widened });
    const breaks = { ...(ofOld ? { [lost]: ofOld } : {}), ...(ofNew ? { [gained]: ofNew } : {}) };
    const places = keyword === "security" ? locateSecurity(before, after) : { before: old, after: own };
    const about = { operation, side, place, steps, keyword, sentence, ...places };
    return { ...about, breaks: forBothSides(keyword, place, breaks, after) };
  });
  return joinMembers(side, differences);
}

function locateSecurity(before: OperationVersion, after: OperationVersion) {
  const locate = (version: OperationVersion): KeywordPlace => {
    const [pointer, ...also] = securityPlaces(version);
    return { value: requirementsOf(version), pointer, also, trail: [version.operation.pointer] };
  };
  return { before: locate(before), after: locate(after) };
}

/** Joins the two differences of a required member that is new or removed: that it may be there, and that it must. */
function joinMembers(side: MessageSide, differences: readonly Difference[]): Difference[] {
  const { lost, gained } = whoBreaks(side);
  const demandOf = ({ place, keyword, breaks }: Difference) =>
    ["properties", "readOnly", "writeOnly"].includes(keyword)
      ? differences.find(
          (one) => one.keyword === "required" && one.place === place && one.breaks[breaks[lost] ? gained : lost],
        )
      : undefined;
  const demands = differences.map(demandOf);
  return differences
    .filter((difference) => !demands.includes(difference))
    .map((member) => {
      const demand = demandOf(member);
      if (!demand) return member;
      const isDirection = member.keyword !== "properties";
      const sentence = isDirection ? member.sentence : describeMember(side, member.before.value !== undefined);
      return { ...member, sentence, breaks: { ...demand.breaks, ...member.breaks } };
    });
}

/** undefined where nobody is affected. */
function judge(search: Search): Break | undefined {
  if (isTolerated(search)) return undefined;
  const { values, undecided } = search.difference;
  if (undecided !== undefined) return { undecided };
  const counterexample = findCounterexample(search);
  if (counterexample) return { counterexample };
  if (isWithoutEffect(search)) return undefined;
  if (search.place === "the operation" && search.side === "request" && search.difference.path[0] === "security")
    return judgeTokens(search);
  if (values.length === 0)
    return { undecided: "no value shows a difference, and no proof that there is none was found" };
  return { undecided: "a value shows a difference, but no whole message with it" };
}

/** Tokens look alike: no request shows that one lacks a scope. */
function judgeTokens({ from, to, allowedBy }: Search): Break {
  if (isFulfilled(from, to, { anySource: true })) return { undecided: "it is not known if both issue the same tokens" };
  const { id, method, path } = from.operation;
  const [sent, needed] = [from, to].map((version) => describeRequirements(requirementsOf(version)));
  const violation = `key: ${sent} is not ${needed}`;
  return { counterexample: { operation: { id, method, path }, allowedBy, request: anyRequest(from), violation } };
}

/**
 * Clients ignore headers that they do not know (RFC 9110 §5.1), and treat an unknown status as the x00 of its class
 * (§15): a new error is handled, a new success is not.
 */
function isTolerated({ side, allowedBy, to: { operation }, difference: { path, keyword, values } }: Search): boolean {
  if (side === "request" || allowedBy === "old" || keyword !== "existence" || values[0] === undefined) return false;
  const [status = "", part] = path;
  const isHandled = operation.responses.some(({ key }) => key[0] === status[0]);
  return part === undefined ? isHandled && !status.startsWith("2") : part === "header";
}

/** These break both sides: each version misreads what the other one writes. */
export const SERIALIZATION: ReadonlySet<string> = new Set(["style", "explode", "serialization", "x-literal-plus"]);

function forBothSides(keyword: string, place: string, breaks: Breaks, after: OperationVersion): Breaks {
  const { clients, implementations } = breaks;
  if (SERIALIZATION.has(keyword)) {
    const all = [clients, implementations].filter((judgement) => judgement !== undefined);
    const shown = all.find(({ counterexample }) => counterexample) ?? all[0];
    return shown ? { clients: shown, implementations: shown } : {};
  }
  const hasSuccess = after.operation.responses.some(({ key }) => key.startsWith("2"));
  const isLastSuccess = keyword === "existence" && /^2../.test(place) && !hasSuccess;
  // Clients get no result: the removed response shows it.
  return isLastSuccess && implementations ? { clients: implementations, implementations } : breaks;
}
