// Differences that are none of which values are valid: what a value means, and what no rule interprets.
import { walkNodes } from "../../../contract/grammar.js";
import { isEqual } from "../../../contract/json.js";
import { mapDefined } from "../../../contract/lists.js";
import { isSamePart } from "./equivalence.js";
import { REST } from "./message-schema.js";
import {
  createDifference,
  EACH_ITEM,
  exampleOf,
  type KeywordPlace,
  keywordValues,
  type ResolvedSchema,
  type SchemaDifference,
  type SchemaPair,
  stepInto,
  typesOf,
} from "./resolved-schema.js";
import { NULLABLE } from "./reviewed-contract.js";
import { inline } from "./telling-values.js";

/** They say nothing about which values are valid. `readOnly` and `writeOnly` forbid members of the other side. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  "deprecated",
  "readOnly",
  "writeOnly",
  "discriminator",
  NULLABLE,
  "contentEncoding",
  "contentMediaType",
  "contentSchema",
]);

/** Those that ask nothing of anybody. A deprecation does: to stop using the member. */
export const NOTES: ReadonlySet<string> = new Set(
  [...ANNOTATIONS].filter((name) => name !== "deprecated").map((name) => name.replace("review:", "")),
);

/** Values that show what else defines the meaning of a value; they may stay valid. */
const TELLING: Readonly<Record<string, (sample: unknown, item: unknown) => unknown[]>> = {
  default: () => [undefined],
  serialization: (sample) => [sample, "a"],
  style: (sample, item) => [[sample, sample].flat().slice(0, 2), [item, item]],
  explode: (sample, item) => [[sample, sample].flat().slice(0, 2), [item, item]],
  allowEmptyValue: () => [""],
  allowReserved: () => ["a/b?c"],
  "x-literal-plus": () => ["2026-11-02T00:00:00+01:00", "2026-11-02 00:00:00Z", "a+b@example.com", "a b"],
};

/** They say how a text is written, as a media type does in their place. */
const STYLES = new Set(["style", "explode", "allowEmptyValue", "allowReserved", "x-literal-plus"]);

/** Keywords that define what a value means. */
export const MEANINGS: ReadonlySet<string> = new Set([...Object.keys(TELLING), ...ANNOTATIONS]);

/** Keywords that change what others beside or below them mean, in a way that no rule follows. */
export const ENTANGLED = new Set(["unevaluatedProperties", "unevaluatedItems"]);

const hasParts = (type: string) => type === "array" || type === "object";

export function differencesOfMeaning(pair: SchemaPair): SchemaDifference[] {
  const { from, to } = pair;
  const [media, otherMedia] = [from, to].map((schema) => keywordValues(schema, "serialization")[0]);
  const isOtherMedia = media !== otherMedia;
  return mapDefined([...MEANINGS], (keyword) => {
    const [before, after] = [from, to].map((schema) => toMeaning(keywordValues(schema, keyword)));
    const isOfParts = keyword === "explode" && [from, to].every((schema) => !typesOf(schema).some(hasParts));
    if (before === after || isOfParts || (isOtherMedia && STYLES.has(keyword))) return undefined;
    const [sample, item] = [exampleOf(from), exampleOf(stepInto(from, EACH_ITEM) ?? from)];
    return createDifference(pair, { keyword, values: [...(TELLING[keyword]?.(sample, item) ?? []), sample] });
  });
}

/** Differences that no rule compares: keywords that it does not know, and those of a branch that are no condition. */
export function differencesOutside(pair: SchemaPair): SchemaDifference[] {
  const { from, to, path } = pair;
  const keywords = [...new Set([...from.parts, ...to.parts].flatMap(Object.keys))];
  const differences = keywords.flatMap((keyword): SchemaDifference[] => {
    const [before, after] = [from, to].map((schema) => keywordValues(schema, keyword));
    if (keyword === REST) return differencesOfRest(pair);
    if (!ENTANGLED.has(keyword) && !isUninterpreted(keyword, path)) return [];
    // The schemas differ, and nobody knows what of it such a keyword allows.
    if (!ENTANGLED.has(keyword) && isEqual(before, after)) return [];
    return [createDifference(pair, { keyword, values: [], undecided: `this review does not analyse ${keyword}` })];
  });
  return differences.length > 0 ? differences : differencesOfBranches(pair);
}

/** Annotations in the alternatives of a schema, where nobody knows which of them applies. */
function differencesOfBranches(pair: SchemaPair): SchemaDifference[] {
  const [before = [], after = []] = [pair.from, pair.to].map(annotationsOfBranches);
  const changed = [...before.filter((one) => !after.includes(one)), ...after.filter((one) => !before.includes(one))];
  const isRepeated = changed.length === 0 && before.length !== after.length;
  const [keyword] = isRepeated ? ["default"] : changed.map((text) => text.split(" ")[0] ?? "");
  if (keyword === undefined) return [];
  const isOpen = isRepeated || changed.some((text) => /^(default|readOnly|writeOnly) /.test(text));
  const undecided = "this review does not compare defaults and directions of alternatives";
  const locate = (schema: ResolvedSchema, [text]: string[]) =>
    locateAt(schema, [], text?.startsWith(`${keyword} `) ? JSON.parse(text.slice(keyword.length + 1)) : undefined);
  const places = {
    from: locate(
      pair.from,
      before.filter((one) => !after.includes(one)),
    ),
    to: locate(
      pair.to,
      after.filter((one) => !before.includes(one)),
    ),
  };
  const values = [exampleOf(pair.from)];
  return [createDifference(pair, { keyword, values, ...places, ...(isOpen ? { undecided } : {}) })];
}

/** Keywords that no rule interprets. `xml` is of no effect in other bodies. */
function isUninterpreted(keyword: string, path: readonly string[]): boolean {
  if (keyword === "xml") return path.some((step) => /\/(.*\+)?xml/.test(step));
  return /^\$(id|anchor|dynamicAnchor|schema|vocabulary)$/.test(keyword);
}

/** Each member of an OpenAPI object that has no form in a schema. */
function differencesOfRest(pair: SchemaPair): SchemaDifference[] {
  const [before = {}, after = {}] = [pair.from, pair.to].map((schema) => keywordValues<object>(schema, REST)[0]);
  const names = [...new Set([before, after].flatMap(Object.keys))];
  return mapDefined(names, (keyword) => {
    const [one, other] = [before, after].map((members) => new Map(Object.entries(members)).get(keyword));
    const isSame = isSamePart(keyword, { ...pair.from, value: one }, { ...pair.to, value: other });
    if (isSame) return undefined;
    const undecided = `this review does not compare ${keyword} here`;
    const places = { from: locateAt(pair.from, [keyword], one), to: locateAt(pair.to, [keyword], other) };
    return createDifference(pair, { keyword, values: [], ...places, undecided });
  });
}

/** A value that stands below a schema's place in the file, and is no keyword of the schema. */
function locateAt({ trail }: ResolvedSchema, below: readonly string[], value: unknown): KeywordPlace {
  const around = trail.at(-1);
  return { value, pointer: value === undefined ? around : around?.concat(below), trail };
}

const BRANCHES = ["anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "contains", "prefixItems"];

/** What the alternatives of a schema say that is no condition, sorted. */
function annotationsOfBranches({ whole, parts }: ResolvedSchema): string[] {
  const nodes = parts.flatMap((part) => {
    const branches = Object.entries(part).filter(([keyword]) => BRANCHES.includes(keyword));
    return [...walkNodes(inline(whole, Object.fromEntries(branches)), "schema")].slice(1);
  });
  const meant = nodes.flatMap(({ value }) => Object.entries(value).filter(([keyword]) => MEANINGS.has(keyword)));
  return meant.map(([keyword, value]) => `${keyword} ${JSON.stringify(value)}`).toSorted();
}

/** One that is true applies wherever it stands; of others, the outermost. */
function toMeaning(values: readonly unknown[]): string {
  return values.includes(true) ? "true" : JSON.stringify(values[0] ?? null);
}
