// Finds what one schema allows and another does not. Such a thing is a *difference* from the first to the second: from `maximum: 50` to
// `maximum: 20`, the keyword `maximum` at the path `query`, `limit`, with the values 21, 25, 49 and 50 that show it. Where it is not
// proved that there is none (prove-subset.ts), values of both are tried: the keyword that rejects one names the difference.
// Values are candidates; find-counterexample.ts puts them into whole messages.

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
  /** Values that may show it, the shortest first; `undefined` omits the member. None where it is only not proved. */
  values: readonly unknown[];
  /** Why the comparison was given up here. */
  undecided?: string;
  /** The path to the values. */
  valuePath: readonly string[];
}

/** Keywords that say what a value means, and values that show it. The value itself may stay valid. */
export const MEANINGS: Readonly<Record<string, (sample: unknown) => unknown[]>> = {
  default: () => [undefined],
  deprecated: () => [],
  style: (sample) => [[sample, sample].flat().slice(0, 2)],
  explode: (sample) => [[sample, sample].flat().slice(0, 2)],
  allowEmptyValue: () => [""],
  allowReserved: () => ["a/b?c"],
  "x-literal-plus": () => ["2026-11-02T00:00:00+01:00", "2026-11-02 00:00:00Z", "a+b@example.com", "a b"],
};
/** Keywords without an effect of their own, and those whose parts are compared. */
const SKIPPED = new Set([
  ...["properties", "required", "additionalProperties", "items", "readOnly", "writeOnly"],
  ...["$ref", "allOf", "$defs", "$comment", "title", "description", "examples"],
  ...[...Object.keys(MEANINGS), ...Object.values(COMPANIONS).flat()],
]);
const MAX_VALUES = 12;
/** How many pairs of schemas are compared. A limit of time would give other verdicts on other machines. */
const MAX_STEPS = 5000;

/** Two schemas of the same place. */
interface SchemaPair {
  from: ResolvedSchema;
  to: ResolvedSchema;
  path: readonly string[];
  /** The place is part of a message, such as a parameter or a status: a contract has it or not. */
  isMessage: boolean;
}

/** @param messageDepth how many steps lead into the parts of a message. */
export function findDifferences(from: ResolvedSchema, to: ResolvedSchema, messageDepth: number): SchemaDifference[] {
  let steps = 0;
  const differences = visit({ from, to, path: [], isMessage: true }, []);
  if (steps <= MAX_STEPS) return differences;
  const whole = { from, to, path: [], isMessage: true };
  return [
    ...differences,
    toDifference(whole, { keyword: "size", values: [], undecided: `there are more than ${MAX_STEPS} schemas` }),
  ];

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

/** Compares the value itself, not what is inside. */
function differencesOf(pair: SchemaPair): SchemaDifference[] {
  try {
    return [...differencesOfKeywords(pair), ...differencesOfMembers(pair), ...differencesOfMeaning(pair)];
  } catch (error) {
    // A schema that no validator can compile, as with a reference that only a whole document resolves.
    const reason = error instanceof RangeError ? "its references do not end" : (error as Error).message;
    return [toDifference(pair, { keyword: "schema", values: [], undecided: `it cannot be checked: ${reason}` })];
  }
}

/** An object's alternatives, where only one version has them: nothing that holds for one of them holds for the whole. */
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

/** Compares by values; returns nothing if it is proved that there is no such value, and an empty list if neither is known. */
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

/** One for each keyword of `to` that is not proved to allow all that `from` allows. */
function toChecks({ from, to, isMessage }: SchemaPair): KeywordCheck[] {
  const keywords = [...new Set(to.parts.flatMap(Object.keys))];
  const isOfParts = (keyword: string) => isMessage && keyword === "minProperties"; // which media types there are says it
  return keywords
    .filter((keyword) => !SKIPPED.has(keyword) && !keyword.startsWith("x-") && !isOfParts(keyword))
    .flatMap((keyword): KeywordCheck[] => {
      const schemas = isolate(to, keyword);
      if (schemas.every((schema) => isSubset(toWhole(from), { contract: to.contract, schema }))) return [];
      return [
        { keyword, accepts: (value) => schemas.every((schema) => check(to.contract, schema, value).length === 0) },
      ];
    });
}

/** A keyword and its companions, in each part that has it. */
function isolate({ parts }: ResolvedSchema, keyword: string): SchemaObject[] {
  const names = [keyword, ...(COMPANIONS[keyword] ?? [])];
  const toAlone = (schema: SchemaObject) => Object.entries(schema).filter(([name]) => names.includes(name));
  return parts.flatMap((part) => (part[keyword] === undefined ? [] : [Object.fromEntries(toAlone(part))]));
}

/** Members that an object must have and did not have to, and those that it may no longer have. */
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
