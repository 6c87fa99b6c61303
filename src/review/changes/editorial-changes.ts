// Differences that no request and no answer shows: words, examples, sources, and parts that were only moved.
import type { Contract } from "../../contract/contract.js";
import type { Pointer } from "../../contract/contract-file.js";
import type { Change } from "./change.js";

interface Difference {
  pointer: Pointer;
  before: unknown;
  after: unknown;
}

/** Keys that say something to people. */
const WORDS = new Set([
  "summary",
  "description",
  "title",
  "example",
  "examples",
  "tags",
  "externalDocs",
  "info",
  "operationId",
]);
/** Below these keys stand names that somebody chose. */
const NAME_MAPS = new Set([
  "properties",
  "paths",
  "schemas",
  "parameters",
  "headers",
  "responses",
  "securitySchemes",
  "content",
]);
/** What this review cannot judge: better a false alarm than a silent break. */
const BEYOND = new Set(["servers", "callbacks", "webhooks", "links", "encoding"]);

/** @param explained places of the changes that were found already. */
export function findEditorialChanges(before: Contract, after: Contract, explained: readonly Pointer[]): Change[] {
  return compare(before.document, after.document, [])
    .filter(({ pointer }) => isWords(pointer) || !explained.some((place) => isRelated(place, pointer)))
    .map((difference) => toChange(before, after, { ...difference, isPart: explained.some(isBeside(difference)) }));
}

function compare(before: unknown, after: unknown, pointer: Pointer): Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const isWhole = isWords(pointer) && pointer.at(-1) !== "info";
  if (isWhole || !isComposed(before) || !isComposed(after)) return [{ pointer, before, after }];
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

function isComposed(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isWords(pointer: Pointer): boolean {
  return pointer.some((part, index) => {
    const parent = pointer[index - 1];
    const isName = NAME_MAPS.has(String(parent)) && !NAME_MAPS.has(String(pointer[index - 2]));
    return !isName && (WORDS.has(String(part)) || (String(part).startsWith("x-") && part !== "x-literal-plus"));
  });
}

/** Whether a place stands beside a difference, in the same schema or parameter. */
function isBeside({ pointer }: Difference): (place: Pointer) => boolean {
  const parent = pointer.slice(0, -1);
  return (place) => place.length >= pointer.length && isRelated(place.slice(0, pointer.length - 1), parent);
}

/** One stands within the other. */
function isRelated(one: Pointer, other: Pointer): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length).join("\n") === other.slice(0, length).join("\n");
}

function toChange(before: Contract, after: Contract, difference: Difference & { isPart: boolean }): Change {
  const { pointer, isPart, ...values } = difference;
  const [section, path, method] = pointer;
  const operation =
    section === "paths" &&
    [...before.operations, ...after.operations].find((known) => known.path === path && known.method === method);
  const isBeyond = !isWords(pointer) && pointer.some((part) => BEYOND.has(String(part)));
  const place = pointer.join(" › ");
  const note = isBeyond
    ? " This review cannot judge it: look at it."
    : pointer.at(-1) === "operationId"
      ? " It is a name in generated code: who uses that has to follow."
      : isWords(pointer)
        ? ""
        : isPart
          ? " It goes with a change above."
          : " No request and no answer changes by it.";
  return {
    id: `text:${pointer.join("/")}`,
    class: isBeyond ? "breaking" : "editorial",
    operation: operation ? operation.id : undefined,
    side: "text",
    places: [place],
    sentence: `${quote(values.before)} → ${quote(values.after)}.${note}`,
    before: values.before === undefined ? undefined : before.file.lineOf(pointer),
    after: values.after === undefined ? undefined : after.file.lineOf(pointer),
  };
}

function quote(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = typeof value === "string" ? value.trim() : JSON.stringify(value);
  return text.length > 160 ? `“${text.slice(0, 157)}…”` : `“${text}”`;
}
