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
    .map((difference) => toChange(before, after, difference));
}

function compare(before: unknown, after: unknown, pointer: Pointer): Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const isWhole = isWords(pointer) && pointer.at(-1) !== "info";
  if (isWhole || !isComposed(before) || !isComposed(after)) return [{ pointer, before, after }];
  if (Array.isArray(before) && before.length !== Object.keys(after).length) return [{ pointer, before, after }];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)].filter((key) => key !== "x-decisions"));
  return [...keys].flatMap((key) => compare(before[key], after[key], [...pointer, key]));
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

/** One stands within the other. */
function isRelated(one: Pointer, other: Pointer): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length).join("\n") === other.slice(0, length).join("\n");
}

function toChange(before: Contract, after: Contract, { pointer, ...values }: Difference): Change {
  const [section, path, method] = pointer;
  const operation =
    section === "paths" &&
    [...before.operations, ...after.operations].find((known) => known.path === path && known.method === method);
  const isBeyond = !isWords(pointer) && pointer.some((part) => BEYOND.has(String(part)));
  const place = pointer.join(" › ");
  const note = isBeyond
    ? " This review cannot judge it: look at it."
    : isWords(pointer)
      ? ""
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
