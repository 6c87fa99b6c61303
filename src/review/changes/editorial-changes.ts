// Differences that no request and no response shows: texts, examples, sources, and components that only moved.
import { isDeepStrictEqual } from "node:util";
import type { Contract } from "../../contract/contract.js";
import type { Pointer } from "../../contract/contract-file.js";
import { type Provenance, valueAt } from "../../contract/openapi-document.js";
import { isNameMap } from "../walk-contract.js";
import type { Change } from "./change.js";
import { toDifference } from "./text-difference.js";

interface TextDifference {
  pointer: Pointer;
  before: unknown;
  after: unknown;
}

/** Keys whose values are for people. */
const ANNOTATIONS = /^(summary|description|title|examples?|tags|externalDocs|info|operationId|x-(?!literal-plus$).*)$/;
/** Keys that this review cannot judge: better a false alarm than a silent break. */
const UNSUPPORTED = /^(servers|callbacks|webhooks|links|encoding)$/;

/** @param causes pointers of the other changes: what differs there is a part of them. */
export function findEditorialChanges(before: Contract, after: Contract, causes: readonly Pointer[]): Change[] {
  return compare(before.document, after.document, [])
    .filter(({ pointer }) => isAnnotation(pointer) || !causes.some((cause) => isRelated(cause, pointer)))
    .map((difference) => toChange(before, after, { ...difference, causes }));
}

function compare(before: unknown, after: unknown, pointer: Pointer): TextDifference[] {
  if (isDeepStrictEqual(before, after)) return [];
  const isWhole = isAnnotation(pointer) && pointer.at(-1) !== "info";
  if (isWhole || !isObject(before) || !isObject(after) || isListDifference(before, after)) {
    return [{ pointer, before, after }];
  }
  const keys = new Set([...Object.keys(before), ...Object.keys(after)].filter((key) => key !== "x-decisions"));
  return [...keys].flatMap((key) => compare(before[key], after[key], [...pointer, key]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Lists of other lengths or in another order; else their items are compared. */
function isListDifference(before: object, after: object): boolean {
  if (!Array.isArray(before) || !Array.isArray(after)) return false;
  const [one, other] = [before, after].map((list) => list.map((item) => JSON.stringify(item)).toSorted());
  return before.length !== after.length || isDeepStrictEqual(one, other);
}

function isAnnotation(pointer: Pointer): boolean {
  return pointer.some((part, index) => ANNOTATIONS.test(String(part)) && !isNameMap(pointer.slice(0, index)));
}

/** One contains the other. */
function isRelated(one: Pointer, other: Pointer): boolean {
  return one.slice(0, other.length).every((part, index) => String(part) === String(other[index]));
}

function toChange(
  before: Contract,
  after: Contract,
  { pointer, causes, ...values }: TextDifference & { causes: readonly Pointer[] },
): Change {
  const [, path, method] = pointer;
  const operation = [...before.operations, ...after.operations].find(
    (candidate) => candidate.path === path && candidate.method === method,
  );
  const isUnsupported = !isAnnotation(pointer) && pointer.some((part) => UNSUPPORTED.test(String(part)));
  const note = isUnsupported ? " This review cannot judge it: check it yourself." : toNote(pointer, causes);
  const place = (valueAt(before.document, pointer.slice(0, -1)) ?? {}) as Provenance;
  return {
    id: `text:${pointer.join("/")}`,
    class: isUnsupported ? "breaking" : "editorial",
    breaks: isUnsupported ? ["clients"] : [],
    witnesses: {},
    restsOn: pointer.at(-1) === "description" ? [place["x-decision"] ?? []].flat() : [],
    operation: pointer[0] === "paths" ? operation?.id : undefined,
    side: "text",
    places: [pointer.join(" › ")],
    sentence: `${toDifference(values.before, values.after)}.${note}`,
    before: values.before === undefined ? undefined : before.file.lineOf(pointer),
    after: values.after === undefined ? undefined : after.file.lineOf(pointer),
  };
}

function toNote(pointer: Pointer, causes: readonly Pointer[]): string {
  if (pointer.at(-1) === "operationId") return " It is a name in generated code: users of that code have to follow.";
  if (isAnnotation(pointer)) return "";
  const parent = pointer.slice(0, -1);
  const isPart = causes.some((cause) => cause.length >= pointer.length && isRelated(parent, cause));
  return isPart ? " It belongs to a change above." : " It changes no request and no response.";
}
