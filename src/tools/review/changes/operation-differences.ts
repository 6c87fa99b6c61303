// Finds the differences between two versions of an operation, and whom each breaks. Schemas are compared in both
// directions:
//
//   limit at most 50 → 20 in requests: the old contract allows 21, the new one does not. Something is lost: clients may
//   send what is now rejected.
//   20 → 50: the new contract allows 21, the old one did not. Something is gained: implementations must accept more.
//   In responses, the other side breaks each time.
import type { Contract } from "../../../contract/contract.js";
import { isAnnotation } from "../../../contract/grammar.js";
import { readText } from "../../../contract/parameter-reader.js";
import { type Counterexample, type MessageSide, type Side, whoBreaks } from "./change.js";
import { anyRequest, findCounterexample, type Search } from "./counterexample.js";
import { describeRequirements, isFulfilled, requirementsOf, securityPlaces } from "./credentials.js";
import { possibleValues } from "./keyword-rules.js";
import { ANNOTATIONS } from "./meanings.js";
import { buildMessageSchema } from "./message-schema.js";
import {
  COMPANIONS,
  EACH_ITEM,
  type KeywordPlace,
  keywordValues,
  type ResolvedSchema,
  type SchemaDifference,
  stepInto,
  typesOf,
} from "./resolved-schema.js";
import { type OperationVersion, shareRanges, versionsOf, withPathOf } from "./reviewed-contract.js";
import { findDifferences } from "./schema-differences.js";
import { isSubset } from "./subset-proof.js";
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

/** The two versions of an operation, with the same path, statuses and media types. */
interface Versions {
  side: MessageSide;
  before: OperationVersion;
  after: OperationVersion;
}

/** A keyword at a place: what the old contract alone allows because of it, and what the new one alone allows. */
interface Comparison {
  lost?: SchemaDifference;
  gained?: SchemaDifference;
}

/** The number of steps to a part of a message: location and name of a parameter; status, location and name. */
const DEPTHS = { request: 2, response: 3 } as const;

function compareMessages(side: MessageSide, older: OperationVersion, newer: OperationVersion): Difference[] {
  const [before, after] = shareRanges(older, newer);
  const [was, is] = [buildMessageSchema(before, side), buildMessageSchema(after, side)];
  const comparisons = new Map<string, Comparison>();
  const keyOf = ({ path, keyword }: SchemaDifference) => JSON.stringify([path, keyword]);
  for (const lost of findDifferences(was, is, DEPTHS[side])) comparisons.set(keyOf(lost), { lost });
  for (const gained of findDifferences(is, was, DEPTHS[side]))
    comparisons.set(keyOf(gained), { ...comparisons.get(keyOf(gained)), gained });
  const differences = [...comparisons.values()].map((one) => createDifference(one, { side, before, after }));
  return joinMembers(side, differences);
}

function createDifference({ lost, gained }: Comparison, versions: Versions): Difference {
  const { side, before, after } = versions;
  const either = (lost ?? gained) as SchemaDifference; // a comparison has one at least
  const { from: was, to: is, pair } = lost ?? reverse(either);
  const { place, steps, keyword } = describePlace(side, either);
  const companions = (COMPANIONS[keyword] ?? []).map((name) => {
    return [name, [keywordValues(pair.from, name)[0], keywordValues(pair.to, name)[0]]] as const;
  });
  const isUndeclared = { before: pair.from.nodes.length === 0, after: pair.to.nodes.length === 0 };
  const sentence = describeChange({
    ...{ side, keyword, before: was.value, after: is.value, isNarrower: lost !== undefined },
    companions: Object.fromEntries(companions),
    ...(keyword === "type" && steps.at(-1) !== EACH_ITEM ? { isUndeclared } : {}),
  });
  const ofLost = lost && judge({ side, place, from: before, to: after, allowedBy: "old", difference: lost });
  const ofGained = gained && judge({ side, place, from: after, to: before, allowedBy: "new", difference: gained });
  const sides = whoBreaks(side);
  const breaks = { ...(ofLost ? { [sides.lost]: ofLost } : {}), ...(ofGained ? { [sides.gained]: ofGained } : {}) };
  const places = keyword === "security" ? locateSecurity(before, after) : { before: was, after: is };
  const about = { operation: before.operation.id, side, place, steps, keyword, sentence, ...places };
  return { ...about, breaks: forBothSides(keyword, place, breaks, after) };
}

/** From the old contract to the new one, of what was found from the new one to the old one. */
function reverse(difference: SchemaDifference): SchemaDifference {
  const { from, to, pair } = difference;
  return { ...difference, from: to, to: from, pair: { from: pair.to, to: pair.from } };
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
 * True if it is proved that no message shows the difference. Parameters and headers are texts: whoever accepts any text
 * accepts numbers, a query cannot write an empty list, and no reader fills in a default of what must be there.
 */
function isWithoutEffect(search: Search): boolean {
  const { side, difference } = search;
  const { keyword, path, pair, to: is } = difference;
  if (ANNOTATIONS.has(keyword) && !difference.isForbidden) return true;
  if (keyword === "default") return side === "response" || isRequired(search);
  const part = path[side === "request" ? 0 : 1] ?? "";
  if (part === "security") return isFulfilled(search.from, search.to);
  if (!["path", "query", "header", "cookie"].includes(part)) return false;
  const types = [pair.from, pair.to].flatMap(typesOf);
  if (["style", "serialization", "x-literal-plus"].includes(keyword)) return false;
  if (keyword === "explode") return part !== "query" && !types.includes("object");
  if (keyword === "allowEmptyValue") return is.value === true; // accepts more
  if (keyword === "allowReserved")
    return is.value === true || !types.some((type) => ["string", "array", "object"].includes(type));
  if (keyword === "minItems") return Number(is.value) <= 1;
  return isTextSubset(pair.from, pair.to);
}

/** True if the part of the message is always there, so that its default is never used. */
function isRequired({ side, from, to, difference: { path } }: Search): boolean {
  const outer = path.slice(0, -1).map((step) => (step === EACH_ITEM ? "0" : step));
  return [from, to].every((version) => {
    const schema = buildMessageSchema(version, side).whole.at(outer);
    return schema?.required.includes(path.at(-1) ?? "") ?? false;
  });
}

/** Proves that the texts of all values of one schema are texts of the other one. */
function isTextSubset(from: ResolvedSchema, to: ResolvedSchema): boolean {
  if (isSubset(from, to.whole)) return true;
  const [types, newTypes] = [typesOf(from), typesOf(to)];
  if (types.some((type) => type === "array" || type === "object" || type === "null")) return false;
  const items = stepInto(to, EACH_ITEM);
  const isList = newTypes.every((type) => type === "array");
  if (isList) {
    const { minItems = 0, maxItems = 1 } = to.whole.flat as { minItems?: number; maxItems?: number };
    const isOneEnough = minItems <= 1 && maxItems >= 1 && hasOnly(to, ["type", "items", ...SIZES]);
    return isOneEnough && items !== undefined && isTextSubset(from, items);
  }
  const values = possibleValues(from.whole.flat);
  if (values) return values.every((value) => to.whole.allows(readText(to.whole, String(value))));
  return newTypes.includes("string") && hasOnly(to, ["type"]);
}

/** Of a list: each holds of a single item, within the bounds. */
const SIZES = ["minItems", "maxItems", "uniqueItems"];

/** Keywords that the texts of a value do not depend on, besides those for people. */
const OTHERS = new Set(["style", "explode", "allowReserved", "allowEmptyValue", "default", "allOf", "$ref"]);

function hasOnly({ parts }: ResolvedSchema, keywords: readonly string[]): boolean {
  return parts
    .flatMap(Object.keys)
    .every((keyword) => keywords.includes(keyword) || OTHERS.has(keyword) || isAnnotation(keyword));
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
