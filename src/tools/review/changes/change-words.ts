// Puts a change into words: its place, its keyword, and a sentence for people who do not know JSON Schema.
import { toConstraintPhrase } from "../../../pages/shell/constraint-phrase.js";
import { EACH_ITEM, UNKNOWN_MEMBER } from "../../usage/contract-members.js";
import type { MessageSide } from "./change.js";
import { toSecuritySentence } from "./credentials.js";
import { MEANINGS } from "./meanings.js";

/**
 * Names the place of a change, as text (`query.limit`, `200 body.data[].status`) and as steps, and the changed keyword.
 * @param pathNames the names of path parameters, by position
 */
export function toPlace(
  side: MessageSide,
  { path, keyword }: { path: readonly string[]; keyword: string },
  pathNames: readonly string[],
): { place: string; steps: string[]; keyword: string } {
  const depth = side === "response" ? 1 : 0;
  const status = path.slice(0, depth);
  const [part, name = "", ...below] = path.slice(depth);
  if (part === undefined) return { place: status[0] ?? OPERATION, steps: status, keyword };
  if (part === "security") return { place: OPERATION, steps: [], keyword: "security" };
  const prefix = [...status, part].join(" ");
  const suffix = below
    .map((step) => (step === EACH_ITEM ? step : step === UNKNOWN_MEMBER ? ".*" : `.${step}`))
    .join("");
  if (part !== "body") {
    const written = part === "path" ? (pathNames[Number(name)] ?? "") : name;
    return { place: `${prefix}.${written}${suffix}`, steps: [...status, part, written, ...below], keyword };
  }
  const steps = [...status, part, ...below];
  if (keyword === "existence" && name !== "") return { place: `${prefix} as ${name}`, steps, keyword: "content" };
  return { place: `${prefix}${suffix}`, steps, keyword };
}

const OPERATION = "the operation";

const CLOSED = "The old contract allows no other members here, so a client that validates responses rejects it";

/** By keyword: narrower in requests, wider in requests, narrower in responses, wider in responses. */
const SENTENCES: Readonly<Record<string, readonly [string, string, string, string]>> = {
  existence: ["is removed", "is new", "is no longer returned", "may be returned now"],
  content: ["is no longer accepted", "is accepted now", "is no longer returned", "may be returned now"],
  required: ["is required now", "is optional now", "is always present now", "may be missing now"],
  properties: ["is no longer accepted", "is accepted now", "no longer appears", `may appear now. ${CLOSED}`],
  additionalProperties: [
    ...(["no longer accepts other members", "accepts any other member now"] as const),
    ...(["no longer has other members", "may have any other member now"] as const),
  ],
};

/** Keywords whose values are schemas, too long for a sentence. */
const SCHEMAS = new Set("anyOf oneOf not if contains propertyNames patternProperties dependentSchemas".split(" "));

export interface KeywordChange {
  side: MessageSide;
  keyword: string;
  before: unknown;
  after: unknown;
  /** True if the old contract allows something that the new one does not. */
  isNarrower: boolean;
}

export function toSentence({ side, keyword, before, after, isNarrower }: KeywordChange): string {
  if (keyword === "existence" && before === undefined && isNarrower) return "is new, and required";
  const isGone = keyword === "existence" || keyword === "content" ? before !== undefined : isNarrower;
  const sentence = SENTENCES[keyword]?.[(side === "request" ? 0 : 2) + (isGone ? 0 : 1)];
  if (sentence) return sentence;
  if (keyword === "security") return toSecuritySentence(before as string[], after as string[]);
  if (keyword === "schema" || keyword === "size") return "cannot be compared";
  if (keyword === "deprecated")
    return after ? "is deprecated now: it still works, but will be removed" : "is no longer deprecated";
  if (keyword === "default") return `when omitted, it means ${toJson(after)} now and meant ${toJson(before)}`;
  if (SCHEMAS.has(keyword)) {
    if (before === undefined) return `has a new condition, \`${keyword}\``;
    return after === undefined ? `no longer has the condition \`${keyword}\`` : `has another condition \`${keyword}\``;
  }
  if (keyword in MEANINGS) return `is read in another way: ${keyword} was ${toJson(before)} and is ${toJson(after)}`;
  const isLiteral = keyword === "enum" || keyword === "const";
  const [old, own] = [before, after].map((value) => (isLiteral && value !== undefined ? [value].flat() : value));
  if (Array.isArray(old) && Array.isArray(own)) return toListSentence(old, own);
  const toPhrase = (value: unknown) =>
    Array.isArray(value) && value.length > SHOWN ? `one of ${value.length} values` : toConstraintPhrase(keyword, value);
  // Other keywords may still restrict the value.
  if (own === undefined) return `was ${toPhrase(old)} and ${isLiteral ? "may be another value" : "need not be"} now`;
  return old === undefined ? `is ${toPhrase(own)} now` : `was ${toPhrase(old)} and is ${toPhrase(own)} now`;
}

/** The sentence for a required member that is new or removed. */
export function toMemberSentence(side: MessageSide, isRemoved: boolean): string {
  if (isRemoved) return "is removed";
  return side === "request" ? "is new, and required" : `is new, and always present. ${CLOSED}`;
}

function toJson(value: unknown): string {
  return JSON.stringify(value) ?? "nothing";
}

function toListSentence(before: unknown[], after: unknown[]): string {
  const [old, own] = [new Set(before), new Set(after)];
  const removed = before.filter((value) => !own.has(value));
  const added = after.filter((value) => !old.has(value));
  return [
    ...(removed.length > 0 ? [`no longer ${toShortList(removed)}`] : []),
    ...(added.length > 0 ? [`now also ${toShortList(added)}`] : []),
  ].join("; ");
}

const SHOWN = 8;

function toShortList(values: readonly unknown[]): string {
  const rest = values.length - SHOWN;
  return values.slice(0, SHOWN).map(toJson).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
