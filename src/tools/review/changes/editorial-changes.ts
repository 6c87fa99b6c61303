// Finds changes that affect no request or response: texts, examples, sources; and one change for everything that is written
// differently with the same meaning.

import { isText } from "../../../contract/annotations.js";
import type { Contract } from "../../../contract/contract.js";
import { formOf, type Kind } from "../../../contract/grammar.js";
import { isEqual } from "../../../contract/json.js";
import { toList } from "../../../contract/lists.js";
import type { Provenance } from "../../../contract/model.js";
import { type Pointer, parseReference, valueAt } from "../../../contract/pointer.js";
import { formatDifference } from "../../difference.js";
import { type Change, WITHOUT_EFFECT } from "./change.js";

interface TextDifference {
  pointer: Pointer;
  before: unknown;
  after: unknown;
}

/** For people as well. */
const NAMES = new Set(["info", "operationId"]);
/** Hints for clients: no message changes. */
const HINTS = new Set<string | number>(["links"]);

/**
 * @param causes pointers of the other changes, which cover the differences there
 * @param isDecided what is left is proved to be the same, unless a comparison was given up
 */
export function findEditorialChanges(
  before: Contract,
  after: Contract,
  { causes, isDecided }: { causes: readonly Pointer[]; isDecided: boolean },
): Change[] {
  const differences = compare({ pointer: [], before: before.file.value, after: after.file.value });
  const isCaused = ({ pointer, before: was, after: is }: TextDifference) => {
    const [reference] = [was, is].filter((value) => isObject(value) && isReference(value)) as { $ref: string }[];
    const isAlone = reference && (was === undefined || is === undefined); // such as a shared header of one response
    const target = isAlone ? parseReference(reference.$ref) : pointer;
    const isScheme = pointer[0] === "components" && pointer[1] === "securitySchemes";
    if (isScheme && causes.some((cause) => cause.at(-1) === "security")) return true;
    return causes.some((cause) => isRelated(cause, pointer) || isBeside(cause, pointer) || isRelated(cause, target));
  };
  const isText = ({ pointer }: TextDifference) => isAnnotation(pointer) || isHint(pointer);
  const texts = differences.filter(isText);
  const rewritten = differences.filter((one) => !isText(one) && !isCaused(one));
  return [
    ...texts.map((one) => createChange(before, after, one)),
    ...(isDecided ? findEquivalent(before, after, rewritten) : []),
  ];
}

function compare(difference: TextDifference): TextDifference[] {
  const { pointer, before, after } = difference;
  if (isEqual(before, after)) return [];
  const isWhole = isAnnotation(pointer) && pointer.at(-1) !== "info";
  if (isWhole || !isObject(before) || !isObject(after) || isListDifference(before, after)) return [difference];
  const [reference, other] = [before, after].map((place) => (isReference(place) ? place.$ref : undefined));
  if (reference !== other) return [difference]; // their targets are compared at their own places
  const keys = new Set([...Object.keys(before), ...Object.keys(after)].filter((key) => key !== "x-decisions"));
  return [...keys].flatMap((key) => {
    return compare({ pointer: [...pointer, key], before: before[key], after: after[key] });
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isReference(value: Record<string, unknown>): value is { $ref: string } {
  return typeof value.$ref === "string";
}

/** True for lists that differ as a whole, by length or order, rather than item by item. */
function isListDifference(before: object, after: object): boolean {
  if (!Array.isArray(before) || !Array.isArray(after)) return false;
  const [one, other] = [before, after].map((list) => list.map((item) => JSON.stringify(item)).toSorted());
  const isScalar = (item: unknown) => !isObject(item); // such as the names of `required`
  return before.length !== after.length || before.every(isScalar) || isEqual(one, other);
}

/** True if the pointer leads to a keyword for people, or below it. */
function isAnnotation(pointer: Pointer): boolean {
  return hasKeyword(pointer, (keyword) => (isText(keyword) && keyword !== "x-literal-plus") || NAMES.has(keyword));
}

function isHint(pointer: Pointer): boolean {
  return !isAnnotation(pointer) && hasKeyword(pointer, (keyword) => HINTS.has(keyword));
}

/** Walks from the root, which tells keywords from names that the contract chooses. */
function hasKeyword(pointer: Pointer, isWanted: (keyword: string) => boolean): boolean {
  let kind: Kind | undefined = "document";
  for (let index = 0; index < pointer.length && kind; index += 1) {
    const keyword = String(pointer[index]);
    if (isWanted(keyword)) return true;
    const form: ReturnType<typeof formOf> = formOf(kind, keyword);
    if (form && form.shape !== "one") index += 1; // a name or a number
    kind = form?.kind;
  }
  return false;
}

/** True if the pointer is in the object of the cause, such as another keyword of the schema, or below it. */
function isBeside(cause: Pointer, pointer: Pointer): boolean {
  return pointer.length > 1 && (isRelated(pointer.slice(0, -1), cause) || isWithin(pointer, cause.slice(0, -1)));
}

function isWithin(pointer: Pointer, outer: Pointer): boolean {
  return outer.length > 1 && outer.length <= pointer.length && isRelated(outer, pointer.slice(0, outer.length));
}

/** True if one contains the other. */
function isRelated(one: Pointer, other: Pointer): boolean {
  return one.slice(0, other.length).every((part, index) => String(part) === String(other[index]));
}

function createChange(before: Contract, after: Contract, { pointer, ...values }: TextDifference): Change {
  const [, path, method] = pointer;
  const operation = [...before.operations, ...after.operations].find(
    (candidate) => candidate.path === path && candidate.method === method,
  );
  const place = (valueAt(before.document, pointer.slice(0, -1)) ?? {}) as Provenance;
  const difference = formatDifference(values.before, values.after);
  return {
    id: `text:${pointer.join("/")}`,
    ...WITHOUT_EFFECT,
    keyword: "text",
    class: isHint(pointer) ? "compatible" : "editorial",
    restsOn: pointer.at(-1) === "description" ? toList(place["x-decision"] ?? []) : [],
    operation: pointer[0] === "paths" ? operation?.id : undefined,
    side: "text",
    places: [pointer.join(" › ")],
    pointers: [pointer],
    sentence: `${difference}.`,
    before: values.before === undefined ? undefined : before.file.lineOf(pointer),
    after: values.after === undefined ? undefined : after.file.lineOf(pointer),
  };
}

/** One change for all differences whose meaning is proved to be the same. */
function findEquivalent(before: Contract, after: Contract, differences: readonly TextDifference[]): Change[] {
  const [first] = differences;
  if (!first) return [];
  return [
    {
      id: "equivalent",
      ...WITHOUT_EFFECT,
      class: "equivalent",
      side: "text",
      keyword: "equivalent",
      places: differences.map(({ pointer }) => pointer.join(" › ")),
      pointers: differences.map(({ pointer }) => pointer),
      sentence: "is written differently, and means the same",
      before: first.before === undefined ? undefined : before.file.lineOf(first.pointer),
      after: first.after === undefined ? undefined : after.file.lineOf(first.pointer),
    },
  ];
}
