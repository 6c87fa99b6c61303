// Differences that no request and no response shows: texts, examples, sources, and components that only moved.
import type { Contract } from "../../contract/contract.js";
import type { Pointer } from "../../contract/contract-file.js";
import { type Provenance, valueAt } from "../../contract/openapi-document.js";
import { isNameMap } from "../walk-contract.js";
import type { Change } from "./change.js";
import { toDifference } from "./text-difference.js";

interface Difference {
  pointer: Pointer;
  before: unknown;
  after: unknown;
}

/** Keys whose values are for people. */
const ANNOTATIONS = new Set(
  ["summary", "description", "title", "example", "examples", "tags", "externalDocs", "info"].concat("operationId"),
);
/** Keys that this review cannot judge: better a false alarm than a silent break. */
const UNSUPPORTED = new Set(["servers", "callbacks", "webhooks", "links", "encoding"]);

/** @param causes pointers of the changes found already. */
export function findEditorialChanges(before: Contract, after: Contract, pointers: readonly Pointer[]): Change[] {
  const causes = pointers.filter((pointer) => pointer.length > 0);
  return compare(before.document, after.document, [])
    .filter(({ pointer }) => isAnnotation(pointer) || !causes.some((other) => isRelated(other, pointer)))
    .map((difference) => toChange(before, after, { ...difference, isPart: causes.some(isSibling(difference)) }));
}

function compare(before: unknown, after: unknown, pointer: Pointer): Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const isWhole = isAnnotation(pointer) && pointer.at(-1) !== "info";
  if (isWhole || !isObject(before) || !isObject(after)) return [{ pointer, before, after }];
  if (Array.isArray(before) && Array.isArray(after) && (before.length !== after.length || isReordered(before, after))) {
    return [{ pointer, before, after }];
  }
  const keys = new Set([...Object.keys(before), ...Object.keys(after)].filter((key) => key !== "x-decisions"));
  return [...keys].flatMap((key) => compare(before[key], after[key], [...pointer, key]));
}

function isReordered(before: unknown[], after: unknown[]): boolean {
  const [one, other] = [before, after].map((list) => list.map((item) => JSON.stringify(item)).toSorted());
  return JSON.stringify(one) === JSON.stringify(other);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isAnnotation(pointer: Pointer): boolean {
  return pointer.some((part, index) => {
    const isName = isNameMap(pointer.slice(0, index));
    return !isName && (ANNOTATIONS.has(String(part)) || (String(part).startsWith("x-") && part !== "x-literal-plus"));
  });
}

/** Whether a pointer leads to the same schema or parameter as a difference. */
function isSibling({ pointer }: Difference): (other: Pointer) => boolean {
  const parent = pointer.slice(0, -1);
  return (other) => other.length >= pointer.length && isRelated(other.slice(0, pointer.length - 1), parent);
}

/** One contains the other. */
function isRelated(one: Pointer, other: Pointer): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length).join("\n") === other.slice(0, length).join("\n");
}

function toChange(before: Contract, after: Contract, difference: Difference & { isPart: boolean }): Change {
  const { pointer, isPart, ...values } = difference;
  const [section, path, method] = pointer;
  const operation =
    section === "paths"
      ? [...before.operations, ...after.operations].find((one) => one.path === path && one.method === method)
      : undefined;
  const isUnsupported = !isAnnotation(pointer) && pointer.some((part) => UNSUPPORTED.has(String(part)));
  return {
    id: `text:${pointer.join("/")}`,
    class: isUnsupported ? "breaking" : "editorial",
    breaks: isUnsupported ? ["clients"] : [],
    witnesses: {},
    restsOn: pointer.at(-1) === "description" ? decisionsAt(before, pointer) : [],
    operation: operation?.id,
    side: "text",
    places: [pointer.join(" › ")],
    sentence: `${toDifference(values.before, values.after)}.${isUnsupported ? UNSUPPORTED_NOTE : toNote(pointer, isPart)}`,
    before: values.before === undefined ? undefined : before.file.lineOf(pointer),
    after: values.after === undefined ? undefined : after.file.lineOf(pointer),
  };
}

const UNSUPPORTED_NOTE = " This review cannot judge it: check it yourself.";

function toNote(pointer: Pointer, isPart: boolean): string {
  if (pointer.at(-1) === "operationId") return " It is a name in generated code: users of that code have to follow.";
  if (isAnnotation(pointer)) return "";
  return isPart ? " It belongs to a change above." : " It changes no request and no response.";
}

/** The decisions that the object of a text itself names. */
function decisionsAt({ document }: Contract, pointer: Pointer): string[] {
  const place = (valueAt(document, pointer.slice(0, -1)) ?? {}) as Provenance;
  return [place["x-decision"] ?? []].flat();
}
