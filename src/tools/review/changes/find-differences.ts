// Finds differences: what one schema allows and another does not. From `maximum: 50` to `maximum: 20`, that is the keyword
// `maximum` at the path `query`, `limit`, with values that show it: 21, 25, 49 and 50. Unless prove-subset.ts proves that there
// is none, values of both schemas are tried, and the keyword that rejects a value names the difference. Values are candidates;
// find-counterexample.ts puts them into whole messages.
import type { SchemaObject } from "../../../contract/openapi-document.js";
import { EACH_ITEM, UNKNOWN_MEMBER } from "../../usage/contract-members.js";
import { findTextsBeyond } from "./pattern-language.js";
import { COMPANIONS, isSubset } from "./prove-subset.js";
import {
  allows,
  allowsAnything,
  check,
  exampleOf,
  type KeywordPlace,
  keywordValues,
  locateKeyword,
  locateMember,
  matchingNames,
  memberNames,
  memberOf,
  type ResolvedSchema,
  sampleMember,
  sampleValues,
  stepInto,
  toWhole,
  typesOf,
  withPart,
} from "./resolved-schema.js";
import { isSameSchema } from "./same-schema.js";

/** A keyword of `to` that may reject what `from` allows, and where. */
export interface SchemaDifference {
  /** Steps into the value: names, EACH_ITEM, UNKNOWN_MEMBER. */
  path: readonly string[];
  keyword: string;
  from: KeywordPlace;
  to: KeywordPlace;
  /** Values that may show it, the shortest first; `undefined` omits the member. Empty if none was found, nor a proof. */
  values: readonly unknown[];
  /** Why the comparison was given up. */
  undecided?: string;
  /** The path of the values. */
  valuePath: readonly string[];
}

/** Keywords that define what a value means, each with values that show it, which may stay valid. */
export const MEANINGS: Readonly<Record<string, (sample: unknown) => unknown[]>> = {
  default: () => [undefined],
  deprecated: () => [],
  style: (sample) => [[sample, sample].flat().slice(0, 2)],
  explode: (sample) => [[sample, sample].flat().slice(0, 2)],
  allowEmptyValue: () => [""],
  allowReserved: () => ["a/b?c"],
  "x-literal-plus": () => ["2026-11-02T00:00:00+01:00", "2026-11-02 00:00:00Z", "a+b@example.com", "a b"],
};
/** Keywords without an effect of their own, or whose parts are compared. */
const SKIPPED = new Set([
  ...["properties", "required", "additionalProperties", "items", "readOnly", "writeOnly"],
  ...["$ref", "allOf", "$defs", "$comment", "title", "description", "examples"],
  ...[...Object.keys(MEANINGS), ...Object.values(COMPANIONS).flat()],
]);
const MAX_VALUES = 12;
/** The number of pairs of schemas to compare. A limit of time would make verdicts depend on the machine. */
const MAX_STEPS = 5000;

/** Two schemas of the same place. */
interface SchemaPair {
  from: ResolvedSchema;
  to: ResolvedSchema;
  path: readonly string[];
  /** True for a part of a message, such as a parameter or a status, which a contract has or not. */
  isMessage: boolean;
}

/** @param messageDepth the number of steps to a part of a message */
export function findDifferences(from: ResolvedSchema, to: ResolvedSchema, messageDepth: number): SchemaDifference[] {
  let steps = 0;
  const whole = { from, to, path: [], isMessage: true };
  const differences = visit(whole, []);
  if (steps <= MAX_STEPS) return differences;
  const undecided = `there are more than ${MAX_STEPS} schemas`;
  return [...differences, toDifference(whole, { keyword: "size", values: [], undecided })];

  function visit(pair: SchemaPair, parents: readonly SchemaPair[]): SchemaDifference[] {
    const { from, to, path, isMessage } = pair;
    const isRepeated = parents.some((parent) => isSameNodes(parent.from, from) && isSameNodes(parent.to, to));
    if (isRepeated || isSameSchema(toWhole(from), toWhole(to))) return []; // a schema may contain itself
    steps += 1;
    if (steps > MAX_STEPS) return [];
    const split = isMessage ? undefined : splitOf(pair);
    if (split !== undefined) return [...differencesOfMeaning(pair), ...differenceOfSplit(pair, split)];
    const own = differencesOf(pair);
    if (own.length > 0 && allowsAnything(from)) return own.slice(0, 1); // it implies the others
    const [older, newer] = [memberNames(from), memberNames(to)];
    const names = isMessage
      ? older.filter((name) => newer.includes(name))
      : new Set([...older, ...newer, UNKNOWN_MEMBER, EACH_ITEM]);
    const below = [...names].flatMap((name) => {
      const [one, other] = [stepInto(from, name), stepInto(to, name)];
      const below = { path: [...path, name], isMessage: path.length + 1 < messageDepth };
      return one && other ? visit({ from: one, to: other, ...below }, [...parents, pair]) : [];
    });
    return [...own, ...below];
  }
}

/** Compares a value, without its members and items. */
function differencesOf(pair: SchemaPair): SchemaDifference[] {
  try {
    return [...differencesOfKeywords(pair), ...differencesOfMembers(pair), ...differencesOfMeaning(pair)];
  } catch (error) {
    // No validator can compile the schema.
    const reason = error instanceof RangeError ? "its references do not end" : (error as Error).message;
    return [toDifference(pair, { keyword: "schema", values: [], undecided: `it cannot be checked: ${reason}` })];
  }
}

/** The keyword of an object's alternatives, if only one version has them: they are compared as a whole. */
function splitOf({ from, to }: SchemaPair): string | undefined {
  if (![from, to].some((schema) => memberNames(schema).length > 0)) return undefined;
  return ["oneOf", "anyOf"].find((keyword) => {
    const [before, after] = [from, to].map((schema) => keywordValues(schema, keyword).length);
    return before !== after && (before === 0 || after === 0);
  });
}

function differenceOfSplit(pair: SchemaPair, keyword: string): SchemaDifference[] {
  const { from, to } = pair;
  if (isSubset(toWhole(from), toWhole(to))) return [];
  const values = sampleAllowed(pair).filter((value) => !allows(to, value));
  return [toDifference(pair, { keyword, values: values.slice(0, MAX_VALUES) })];
}

function isSameNodes({ nodes }: ResolvedSchema, other: ResolvedSchema): boolean {
  return nodes.length === other.nodes.length && nodes.every((node, index) => node === other.nodes[index]);
}

function toDifference(
  { from, to, path }: SchemaPair,
  difference: Pick<SchemaDifference, "keyword" | "values"> & Partial<SchemaDifference>,
): SchemaDifference {
  const { keyword } = difference;
  const places = { from: locateKeyword(from, keyword, to), to: locateKeyword(to, keyword, from) };
  return { path, valuePath: difference.path ?? path, ...places, ...difference };
}

/** Compares keyword by keyword. A keyword that is proved to allow the same has no difference; without a proof, its values may be empty. */
function differencesOfKeywords(pair: SchemaPair): SchemaDifference[] {
  const checks = toChecks(pair);
  const values = checks.length === 0 ? [] : sampleAllowed(pair);
  return checks.map(({ keyword, accepts }) => {
    const rejections = values.filter((value) => !accepts(value)).slice(0, MAX_VALUES);
    return toDifference(pair, { keyword, values: rejections });
  });
}

/** Values that `from` allows, the shortest first. */
function sampleAllowed({ from, to }: SchemaPair): unknown[] {
  const lengthOf = (value: unknown) => JSON.stringify(value)?.length ?? 0;
  const patterns = keywordValues<string>(from, "pattern");
  const texts = keywordValues<string>(to, "pattern").flatMap((pattern) => findTextsBeyond(patterns, pattern) ?? []);
  return [...sampleValues([from, to]), ...texts]
    .filter((value) => allows(from, value))
    .toSorted((a, b) => lengthOf(a) - lengthOf(b));
}

interface KeywordCheck {
  keyword: string;
  accepts(value: unknown): boolean;
}

/** The keywords of `to` that are not proved to allow all that `from` allows. */
function toChecks({ from, to, isMessage }: SchemaPair): KeywordCheck[] {
  const keywords = [...new Set(to.parts.flatMap(Object.keys))];
  const isOfParts = (keyword: string) => isMessage && keyword === "minProperties"; // the media types are compared
  return keywords
    .filter((keyword) => !SKIPPED.has(keyword) && !keyword.startsWith("x-") && !isOfParts(keyword))
    .flatMap((keyword): KeywordCheck[] => {
      const schemas = isolate(to, keyword);
      if (schemas.every((schema) => isSubset(toWhole(from), { contract: to.contract, schema }))) return [];
      const accepts = (value: unknown) => schemas.every((schema) => check(to.contract, schema, value).length === 0);
      return [{ keyword, accepts }];
    });
}

/** Extracts a keyword and its companions from each part that has it. */
function isolate({ parts }: ResolvedSchema, keyword: string): SchemaObject[] {
  const names = [keyword, ...(COMPANIONS[keyword] ?? [])];
  const toAlone = (schema: SchemaObject) => Object.entries(schema).filter(([name]) => names.includes(name));
  return parts.flatMap((part) => (part[keyword] === undefined ? [] : [Object.fromEntries(toAlone(part))]));
}

/** Finds members that are newly required, and those that are no longer allowed. */
function differencesOfMembers(pair: SchemaPair): SchemaDifference[] {
  const { from, to, path, isMessage } = pair;
  const [older, newer] = [memberNames(from), memberNames(to)];
  const [before = [], after = []] = [from, to].map((schema) => keywordValues<string[]>(schema, "required").flat());
  const whole = exampleOf(from);
  const isOptional = (name: string) => !allows(from, whole) || allows(from, withPart(whole, from, [name], undefined));
  const isForbidden = (name: string) =>
    isMessage ? !newer.includes(name) : memberOf(from, name) !== undefined && memberOf(to, name) === undefined;
  const others = [...matchingNames(from), UNKNOWN_MEMBER].filter((name) => !older.includes(name));
  return [
    ...[...new Set(after)].filter((name) => !before.includes(name) && isOptional(name)).map(toRequired),
    ...older.filter(isForbidden).map((name) => {
      const places = { from: locateMember(from, name), to: locateMember(to, name) };
      const keyword = isMessage ? "existence" : "properties";
      return toDifference(pair, { path: [...path, name], keyword, values: [sampleMember(from, name)], ...places });
    }),
    ...(isMessage ? [] : others.filter(isForbidden)).map((name) => {
      const keyword = name === UNKNOWN_MEMBER ? "additionalProperties" : "patternProperties";
      return toDifference(pair, { keyword, values: [sampleMember(from, name)], valuePath: [...path, name] });
    }),
  ];

  function toRequired(name: string): SchemaDifference {
    const about = { path: [...path, name], values: [undefined] };
    if (!isMessage) return toDifference(pair, { ...about, keyword: "required" });
    const [keyword, below] = older.includes(name)
      ? (["required", ["required"]] as const)
      : (["existence", []] as const);
    const places = { from: locateMember(from, name, below), to: locateMember(to, name, below) };
    return toDifference(pair, { ...about, keyword, ...places });
  }
}

const hasParts = (type: string) => type === "array" || type === "object";

function differencesOfMeaning(pair: SchemaPair): SchemaDifference[] {
  const { from, to } = pair;
  return Object.entries(MEANINGS).flatMap(([keyword, toValues]) => {
    const [before, after] = [from, to].map((schema) => JSON.stringify(keywordValues(schema, keyword)[0] ?? null));
    const isOfParts = keyword === "explode" && [from, to].every((schema) => !typesOf(schema).some(hasParts));
    if (before === after || isOfParts) return [];
    const sample = exampleOf(from);
    return [toDifference(pair, { keyword, values: [...toValues(sample), sample] })];
  });
}
