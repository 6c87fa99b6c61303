// Puts a change into words: its place, its keyword, and a sentence for people who do not know JSON Schema.
import { isEqual } from "../../../contract/json.js";
import { toList } from "../../../contract/lists.js";
import { findDifferences } from "../../difference.js";
import type { MessageSide } from "./change.js";
import { describeSecurity } from "./credentials.js";
import { ANNOTATIONS, MEANINGS } from "./meanings.js";
import { EACH_ITEM, type SchemaDifference, UNKNOWN_MEMBER } from "./resolved-schema.js";
import { mediaTypeNameOf } from "./reviewed-contract.js";

/**
 * Names the place of a change, as text (`query.limit`, `200 body.data[].status`) and as steps, and the changed keyword.
 */
export function describePlace(
  side: MessageSide,
  { path, keyword: internal, from }: Pick<SchemaDifference, "path" | "keyword" | "from">,
): { place: string; steps: string[]; keyword: string } {
  const keyword = internal.replace("review:", "");
  const depth = side === "response" ? 1 : 0;
  const status = path.slice(0, depth);
  const [part, name = "", ...below] = path.slice(depth);
  if (part === undefined) return { place: status[0] ?? OPERATION, steps: status, keyword };
  if (part === "security") return { place: OPERATION, steps: [], keyword: "security" };
  const prefix = [...status, part].join(" ");
  const suffix = below
    .map((step) => (step === EACH_ITEM ? step : step === UNKNOWN_MEMBER ? ".*" : `.${step}`))
    .join("");
  if (part !== "body") return { place: `${prefix}.${name}${suffix}`, steps: [...path], keyword };
  const steps = [...status, part, ...below];
  // As the contract names the media type, which may be a range.
  if (keyword === "existence" && name !== "")
    return {
      place: `${prefix} as ${mediaTypeNameOf(String(from.pointer?.at(-1) ?? name))}`,
      steps,
      keyword: "content",
    };
  return { place: `${prefix}${suffix}`, steps, keyword };
}

const OPERATION = "the operation";

const CLOSED = "The old contract allows no other members here, so a client that validates responses rejects it";

/** A sentence that does not say why a client breaks. */
export const withoutReason = (sentence: string) => sentence.replace(`. ${CLOSED}`, "");

/** By keyword: narrower in requests, wider in requests, narrower in responses, wider in responses. */
const SENTENCES: Readonly<Record<string, readonly [string, string, string, string]>> = {
  existence: ["is removed", "is new", "is no longer returned", "may be returned now"],
  content: ["is no longer accepted", "is accepted now", "is no longer returned", "may be returned now"],
  required: ["is required now", "is optional now", "is always present now", "may be missing now"],
  readOnly: ["is read-only now: a request must not have it", "is no longer read-only: a request may have it", "", ""],
  writeOnly: [
    "",
    "",
    "is write-only now: a response must not have it",
    "is no longer write-only: a response may have it",
  ],
  properties: ["is no longer accepted", "is accepted now", "no longer appears", `may appear now. ${CLOSED}`],
  additionalProperties: [
    ...(["no longer accepts other members", "accepts any other member now"] as const),
    ...(["no longer has other members", "may have any other member now"] as const),
  ],
};

/** Keywords whose values are schemas that are compared as a whole, too long for a sentence. */
export const SCHEMAS: ReadonlySet<string> = new Set(
  "anyOf oneOf not if contains propertyNames patternProperties dependentSchemas prefixItems items".split(" "),
);

/** The names of what is compared in a sentence such as `minimum length: 1 → 2`. */
const NAMES: Readonly<Record<string, string>> = {
  minimum: "minimum",
  maximum: "maximum",
  exclusiveMinimum: "more than",
  exclusiveMaximum: "less than",
  minLength: "minimum length",
  maxLength: "maximum length",
  multipleOf: "multiple of",
  minItems: "minimum number of items",
  maxItems: "maximum number of items",
  minProperties: "minimum number of members",
  maxProperties: "maximum number of members",
  type: "type",
  format: "format",
  uniqueItems: "unique items",
  serialization: "media type",
};

/** Of bounds: a word before the number, and one after it. */
const BOUNDS: Readonly<Record<string, readonly [word: string, unit: string]>> = {
  minimum: ["at least", ""],
  maximum: ["at most", ""],
  exclusiveMinimum: ["more than", ""],
  exclusiveMaximum: ["less than", ""],
  minLength: ["at least", " characters"],
  maxLength: ["at most", " characters"],
  minItems: ["at least", " items"],
  maxItems: ["at most", " items"],
  minProperties: ["at least", " members"],
  maxProperties: ["at most", " members"],
};

/** For the first line of a report: `at most 20, was 50`, `at most 5 items now`, `no longer at most 5 items`. */
export function describeBound(keyword: string, before: unknown, after: unknown): string | undefined {
  const bound = BOUNDS[keyword];
  if (!bound || (before === undefined && after === undefined)) return undefined;
  const [word, unit] = bound;
  if (before === undefined) return `${word} ${after}${unit} now`;
  return after === undefined ? `no longer ${word} ${before}${unit}` : `${word} ${after}${unit}, was ${before}`;
}

/** Keywords that validate nothing, by what is new about them. */
const NOTES: Readonly<Record<string, [before: string, after: string]>> = {
  deprecated: ["is no longer deprecated", "is deprecated now: it still works, but will be removed"],
  readOnly: ["is no longer read-only", "is read-only now"],
  writeOnly: ["is no longer write-only", "is write-only now"],
  nullable: [
    "no longer says `nullable`, which had no effect",
    "says `nullable`, which has no effect in OpenAPI 3.1. Write type: [string, 'null'] to allow null",
  ],
};

interface KeywordChange {
  side: MessageSide;
  keyword: string;
  before: unknown;
  after: unknown;
  /** True if the old contract allows something that the new one does not. */
  isNarrower: boolean;
  /** The values of keywords that belong to it: `then` and `else` of `if`. */
  companions?: Record<string, readonly [before: unknown, after: unknown]>;
  /** For the type of a member: the versions that do not name it, and so allow any value. */
  isUndeclared?: Record<"before" | "after", boolean>;
}

export function describeChange(change: KeywordChange): string {
  const { side, keyword, before, after, isNarrower, isUndeclared } = change;
  if (keyword === "existence" && before === undefined && isNarrower) return "is new, and required";
  if (isUndeclared?.before) return `is declared now (${formatValue(after)}), and could have any value before`;
  if (isUndeclared?.after) return `is no longer declared (${formatValue(before)}), and may have any value now`;
  const isGone = keyword === "existence" || keyword === "content" ? before !== undefined : isNarrower;
  const sentence = SENTENCES[keyword]?.[(side === "request" ? 0 : 2) + (isGone ? 0 : 1)];
  if (sentence) return sentence;
  if (keyword === "security") return describeSecurity(before as string[], after as string[]);
  if (keyword === "size") return "cannot be compared";
  if (keyword === "schema") return isNarrower ? "allows less than before" : "allows more than before";
  if (NOTES[keyword]) return NOTES[keyword][after ? 1 : 0];
  if (keyword === "default") return describeDefault(before, after);
  if (keyword === "pattern") return describePattern(before, after);
  if (keyword === "dependentRequired") return describeDependency(before ?? {}, after ?? {});
  if (keyword === "not" && isEqual(after, {})) return "allows no value any more";
  if (keyword === "not" && isEqual(before, {})) return "allows values now";
  if (SCHEMAS.has(keyword)) return describeCondition(change);
  if (keyword === "allowEmptyValue")
    return after === true
      ? "an empty value was a text, and means none now"
      : "an empty value meant none, and is a text now";
  if (ANNOTATIONS.has(keyword)) return describeValues(keyword, before, after);
  if (keyword === "enum" || keyword === "const") return describeList(before, after);
  if (NAMES[keyword]) return `${NAMES[keyword]}: ${formatValue(before)} → ${formatValue(after)}`;
  if (MEANINGS.has(keyword)) return `${keyword}: ${toJson(before)} → ${toJson(after)}`;
  return describeValues(keyword, before, after);
}

/** `else`: {"required":["c"]} → none */
function describeCondition({ keyword, before, after, companions = {} }: KeywordChange): string {
  const all = Object.entries({ [keyword]: [before, after] as const, ...companions });
  const changed = all.filter(([, [was, is]]) => !isEqual(was, is));
  const shown = changed.length > 0 ? changed : all.slice(0, 1);
  return shown.map(([name, [was, is]]) => describeValues(name, was, is)).join(", ");
}

/** Of long values, the places where they differ: `anyOf.0.maxLength`: none → 3 */
export function describeValues(name: string, before: unknown, after: unknown): string {
  const isLong = [before, after].every((value) => (JSON.stringify(value) ?? "").length > MAX_LENGTH);
  const places = isLong ? [...findDifferences(before, after, name)] : [];
  const shown = places.length > 0 ? places.slice(0, MAX_PLACES) : [{ place: name, expected: before, actual: after }];
  const rest = places.length > MAX_PLACES ? `, and ${places.length - MAX_PLACES} more` : "";
  return (
    shown.map((one) => `\`${one.place}\`: ${toShortJson(one.expected)} → ${toShortJson(one.actual)}`).join(", ") + rest
  );
}

const MAX_LENGTH = 80;
const MAX_PLACES = 3;

function toShortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? "none";
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

function formatValue(value: unknown): string {
  return value === undefined ? "none" : toList(value).map(formatWord).join(" or ");
}

const formatWord = (value: unknown) => (typeof value === "string" ? value : toJson(value));

function describeDefault(before: unknown, after: unknown): string {
  return `default: ${before === undefined ? "none" : toJson(before)} → ${after === undefined ? "none" : toJson(after)}`;
}

function describePattern(before: unknown, after: unknown): string {
  const [was, is] = [before, after].map((pattern) => (pattern === undefined ? "none" : `\`${pattern}\``));
  return `pattern: ${was} → ${is}`;
}

/** `lastName needs firstName now` */
function describeDependency(before: object, after: object): string {
  const pairsOf = (value: object) =>
    Object.entries(value).flatMap(([name, names]) => toList(names).map((other) => `${name} needs ${other}`));
  const [old, current] = [pairsOf(before), pairsOf(after)];
  return [
    ...current.filter((pair) => !old.includes(pair)).map((pair) => `${pair} now`),
    ...old.filter((pair) => !current.includes(pair)).map((pair) => `${pair.replace(" needs ", " no longer needs ")}`),
  ].join("; ");
}

/** The sentence for a required member that is new or removed. */
export function describeMember(side: MessageSide, isRemoved: boolean): string {
  if (isRemoved) return "is removed";
  return side === "request" ? "is new, and required" : `is new, and always present. ${CLOSED}`;
}

function toJson(value: unknown): string {
  return JSON.stringify(value) ?? "nothing";
}

/** `may be critical now; sunday was removed` */
function describeList(before: unknown, after: unknown): string {
  if (before === undefined) return `must be one of ${formatShortList(toList(after))} now`;
  if (after === undefined) return `was one of ${formatShortList(toList(before))} and may be another value now`;
  const lacking = (one: unknown, other: unknown) => {
    const texts = new Set(toList(other).map(toJson));
    return toList(one).filter((value) => !texts.has(toJson(value)));
  };
  const [removed, added] = [lacking(before, after), lacking(after, before)];
  const be = removed.length === 1 ? "was" : "were";
  return [
    ...(added.length > 0 ? [`may be ${formatShortList(added)} now`] : []),
    ...(removed.length > 0 ? [`${formatShortList(removed)} ${be} removed`] : []),
  ].join("; ");
}

const SHOWN = 8;

function formatShortList(values: readonly unknown[]): string {
  const rest = values.length - SHOWN;
  const list = values.slice(0, SHOWN).map((value) => `\`${formatWord(value)}\``);
  return list.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
