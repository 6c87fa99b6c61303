// What a change of a keyword means, as a sentence for people who do not know JSON Schema.
import { toConstraintPhrase } from "../../docs/constraint-phrase.js";

export interface KeywordChange {
  keyword: string;
  before: unknown;
  after: unknown;
  side: "request" | "response";
  /** Whether the old contract allows more. */
  isNarrower: boolean;
}

/** For each keyword: narrower in requests, wider in requests, narrower in responses, wider in responses. */
const SENTENCES: Readonly<Record<string, readonly [string, string, string, string]>> = {
  required: ["is required now", "is optional now", "is always present now", "may be missing now"],
  properties: ["is no longer accepted", "is accepted now", "no longer appears", "may appear now"],
  additionalProperties: [
    ...(["no longer accepts other members", "accepts any other member now"] as const),
    ...(["no longer has other members", "may have any other member now"] as const),
  ],
};

export function toChangeSentence({ keyword, before, after, side, isNarrower }: KeywordChange): string {
  const sentence = SENTENCES[keyword]?.[(side === "request" ? 0 : 2) + (isNarrower ? 0 : 1)];
  if (sentence) return sentence;
  if (keyword === "default") return `when omitted, it means ${toJson(after)} now and meant ${toJson(before)}`;
  if (Array.isArray(before) && Array.isArray(after)) return toListSentence(before, after);
  return `${toConstraintPhrase(keyword, before)} before, ${toConstraintPhrase(keyword, after)} now`;
}

function toJson(value: unknown): string {
  return JSON.stringify(value) ?? "nothing";
}

function toListSentence(before: unknown[], after: unknown[]): string {
  const lost = before.filter((value) => !after.includes(value)).map(toJson);
  const gained = after.filter((value) => !before.includes(value)).map(toJson);
  return [
    ...(lost.length > 0 ? [`no longer ${lost.join(", ")}`] : []),
    ...(gained.length > 0 ? [`now also ${gained.join(", ")}`] : []),
  ].join("; ");
}
