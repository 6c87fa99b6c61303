// What a change of a keyword means, in words for people who have never seen a schema.

export interface KeywordChange {
  keyword: string;
  before: unknown;
  after: unknown;
  side: "request" | "answer";
  /** Whether the old contract is the one that allows more. */
  isNarrower: boolean;
}

export function toSentence(change: KeywordChange): string {
  const { keyword, before, after, side, isNarrower } = change;
  const isRequest = side === "request";
  if (keyword === "required" && isNarrower) return isRequest ? "is required now" : "is always there now";
  if (keyword === "required") return isRequest ? "is optional now" : "may be missing now";
  if (keyword === "properties" && isNarrower)
    return isRequest ? "is not accepted any more" : "does not appear any more";
  if (keyword === "properties") return isRequest ? "is accepted now" : "may appear now";
  if (keyword === "additionalProperties" && isNarrower) return "takes no other members any more";
  if (keyword === "additionalProperties")
    return isRequest ? "takes any other member now" : "may have any other member now";
  if (keyword === "default") return `left out, it means ${toJson(after)} now and meant ${toJson(before)}`;
  if (Array.isArray(before) && Array.isArray(after)) return toListSentence(before, after);
  return `${toPhrase(keyword, before)} before, ${toPhrase(keyword, after)} now`;
}

function toJson(value: unknown): string {
  return JSON.stringify(value) ?? "nothing";
}

function toListSentence(before: unknown[], after: unknown[]): string {
  const list = (values: unknown[]) => values.map((value) => JSON.stringify(value)).join(", ");
  const lost = before.filter((value) => !after.includes(value));
  const gained = after.filter((value) => !before.includes(value));
  return [lost.length > 0 ? `no longer ${list(lost)}` : "", gained.length > 0 ? `now also ${list(gained)}` : ""]
    .filter((part) => part !== "")
    .join("; ");
}

const PHRASES: Record<string, (value: string) => string> = {
  type: (value) => `of type ${value}`,
  enum: (value) => `one of ${value}`,
  minimum: (value) => `at least ${value}`,
  maximum: (value) => `at most ${value}`,
  exclusiveMinimum: (value) => `more than ${value}`,
  exclusiveMaximum: (value) => `less than ${value}`,
  multipleOf: (value) => `a multiple of ${value}`,
  minLength: (value) => `at least ${value} characters`,
  maxLength: (value) => `at most ${value} characters`,
  minItems: (value) => `at least ${value} items`,
  maxItems: (value) => `at most ${value} items`,
  minProperties: (value) => `at least ${value} members`,
  maxProperties: (value) => `at most ${value} members`,
  pattern: (value) => `matching ${value}`,
  format: (value) => `of the format ${value}`,
  uniqueItems: (value) => (value === "true" ? "without repetition" : "repeated at will"),
};

function toPhrase(keyword: string, value: unknown): string {
  if (value === undefined) return "anything";
  const text = [value]
    .flat()
    .map((one) => (typeof one === "string" ? one : JSON.stringify(one)))
    .join(", ");
  return PHRASES[keyword]?.(text) ?? `${keyword} ${text}`;
}
