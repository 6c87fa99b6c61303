// Finds differences: what one schema allows and another does not. From `maximum: 50` to `maximum: 20`, that is the keyword
// `maximum` at the path `query`, `limit`, with values that show it: 21, 25, 49 and 50. Unless prove-subset.ts proves that there
// is none, values of both schemas are tried, and the keyword that rejects a value names the difference. Values are candidates;
// find-counterexample.ts puts them into whole messages.
import { memoize } from "../../../contract/memoize.js";
import type { SchemaObject } from "../../../contract/openapi-document.js";
import { EACH_ITEM, UNKNOWN_MEMBER } from "../../usage/contract-members.js";
import { RULES } from "./keyword-rules.js";
import { differencesOfMeaning, differencesOutside, ENTANGLED, MEANINGS } from "./meanings.js";
import { findTextsBeyond } from "./pattern-language.js";
import { COMPANIONS, isSubset } from "./prove-subset.js";
import {
  allows,
  allowsAnything,
  check,
  exampleOf,
  findDirection,
  isTooEntangled,
  keywordValues,
  locateMember,
  matchingNames,
  memberNames,
  memberOf,
  type ResolvedSchema,
  resolveSchema,
  sampleMember,
  sampleValues,
  stepInto,
  toWhole,
  typesOf,
  withPart,
} from "./resolved-schema.js";
import { isSameSchema } from "./same-schema.js";
import { type SchemaDifference, type SchemaPair, toDifference } from "./schema-difference.js";

/** Keywords whose parts are compared, each at its place. */
const STRUCTURE = new Set(["properties", "required", "additionalProperties", "items", "$ref", "allOf"]);
/** Keywords that a rule compares together with the one that they belong to. */
const COMPANIES = new Set(Object.values(COMPANIONS).flat());
const MAX_VALUES = 12;
/** The number of pairs of schemas to compare. A limit of time would make verdicts depend on the machine. */
const MAX_STEPS = 5000;

/** The number of places of a shared schema to compare: where schemas refer to each other twice, it doubles with each step. */
const MAX_PLACES = 20;

let nextId = 0;
const idOf = memoize((_schema: object) => nextId++);

/** @param messageDepth the number of steps to a part of a message */
export function findDifferences(from: ResolvedSchema, to: ResolvedSchema, messageDepth: number): SchemaDifference[] {
  let steps = 0;
  const visits = new Map<string, number>();
  const whole = { from, to, path: [], isMessage: true };
  if ([from, to].some(({ contract }) => isTooEntangled(contract))) {
    if (isSameSchema(toWhole(from), toWhole(to))) return [];
    const undecided = "references and allOf lead to more schemas than this review compares";
    return [toDifference(whole, { keyword: "size", values: [], undecided })];
  }
  const differences = visit(whole, []);
  if (steps <= MAX_STEPS) return differences;
  const undecided = `there are more than ${MAX_STEPS} schemas`;
  return [...differences, toDifference(whole, { keyword: "size", values: [], undecided })];

  function visit(pair: SchemaPair, parents: readonly SchemaPair[]): SchemaDifference[] {
    const { from, to, path, isMessage } = pair;
    const isRepeated = parents.some((parent) => isSameNodes(parent.from, from) && isSameNodes(parent.to, to));
    if (isRepeated || isSameSchema(toWhole(from), toWhole(to))) return []; // a schema may contain itself
    const key = [...from.nodes, ...to.nodes].map(idOf).join();
    const count = visits.get(key) ?? 0;
    if (count >= MAX_PLACES) return []; // the same change as in the places before
    visits.set(key, count + 1);
    steps += 1;
    if (steps > MAX_STEPS) return [];
    const split = isMessage ? undefined : splitOf(pair);
    if (split !== undefined) {
      const around = [...differencesOfMeaning(pair), ...differencesOutside(pair)];
      return [...around, ...differenceOfSplit(pair, split)];
    }
    const own = differencesOf(pair);
    if (own.some(({ keyword }) => keyword === "type") && !haveCommonType(pair))
      return own.filter(({ keyword }) => keyword === "type" || keyword in MEANINGS);
    if (own.length > 0 && allowsAnything(from)) return own.slice(0, 1); // it implies the others
    const [older, newer] = [memberNames(from), memberNames(to)];
    const names = isMessage
      ? older.filter((name) => newer.includes(name))
      : new Set([...older, ...newer, UNKNOWN_MEMBER, ...([from, to].some(hasPrefix) ? [] : [EACH_ITEM])]);
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
    return [
      ...[...differencesOfKeywords(pair), ...differencesOfMembers(pair)],
      ...[...differencesOfMeaning(pair), ...differencesOutside(pair)],
    ];
  } catch (error) {
    // No validator can compile the schema.
    const reason = error instanceof RangeError ? "its references do not end" : (error as Error).message;
    const keyword = [...ENTANGLED].find((name) => keywordValues(pair.to, name).length > 0) ?? "schema";
    return [toDifference(pair, { keyword, values: [], undecided: `it cannot be checked: ${reason}` })];
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

/** False if a value has to have another type: what else differs is part of that change. */
function haveCommonType({ from, to }: SchemaPair): boolean {
  const types = new Set(typesOf(to));
  return typesOf(from).some((type) => types.has(type));
}

function isSameNodes({ nodes }: ResolvedSchema, other: ResolvedSchema): boolean {
  return nodes.length === other.nodes.length && nodes.every((node, index) => node === other.nodes[index]);
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

/** Lists whose first items are telling. */
function samplePrefixes({ from, to }: SchemaPair): unknown[] {
  const [own = [], others = []] = [from, to].map((schema) => keywordValues<unknown[]>(schema, "prefixItems")[0]);
  const resolve = ({ contract }: ResolvedSchema, item: unknown) => resolveSchema(contract, [item]);
  const samples = (own.length > 0 ? own : others).map((item) => exampleOf(resolve(own.length > 0 ? from : to, item)));
  if (samples.length === 0) return [];
  const [item, otherItem] = [from, to].map((schema) => stepInto(schema, EACH_ITEM) ?? schema);
  const beyond = [item, otherItem].flatMap((one) => (one ? sampleValues([one]) : []));
  return [...samples, undefined].flatMap((_sample, index) => {
    const isBeyond = index === samples.length;
    const values = isBeyond ? beyond : sampleValues([resolve(from, own[index]), resolve(to, others[index])]);
    return values.map((value) => [...samples.slice(0, index), value, ...samples.slice(index + 1)]);
  });
}

/** Values that `from` allows, the shortest first. */
function sampleAllowed({ from, to }: SchemaPair): unknown[] {
  const lengthOf = (value: unknown) => JSON.stringify(value)?.length ?? 0;
  const patterns = keywordValues<string>(from, "pattern");
  const texts = keywordValues<string>(to, "pattern").flatMap((pattern) => findTextsBeyond(patterns, pattern) ?? []);
  return [...sampleValues([from, to]), ...texts, ...samplePrefixes({ from, to } as SchemaPair)]
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
  const isApart = (keyword: string) => !STRUCTURE.has(keyword) && !COMPANIES.has(keyword) && !isOfParts(keyword);
  const isRest = (keyword: string) => keyword === "items" && hasPrefix(from) && !hasPrefix(to);
  return keywords
    .filter((keyword) => Object.hasOwn(RULES, keyword) && (isApart(keyword) || isRest(keyword)))
    .flatMap((keyword): KeywordCheck[] => {
      const schemas = isolate(to, keyword);
      if (schemas.every((schema) => isSubset(toWhole(from), { contract: to.contract, schema }))) return [];
      const accepts = (value: unknown) => schemas.every((schema) => check(to.contract, schema, value).length === 0);
      return [{ keyword, accepts }];
    });
}

/** True if items differ by their position. */
function hasPrefix(schema: ResolvedSchema): boolean {
  return keywordValues(schema, "prefixItems").length > 0;
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
  const isOptional = (name: string) => {
    const required = { contract: to.contract, schema: { type: "object", required: [name] } };
    return !isSubset(toWhole(from), isMessage ? required : { ...required, schema: { required: [name] } });
  };
  const isForbidden = (name: string) =>
    isMessage ? !newer.includes(name) : memberOf(from, name) !== undefined && memberOf(to, name) === undefined;
  const others = [...matchingNames(from), UNKNOWN_MEMBER].filter((name) => !older.includes(name));
  return [
    ...[...new Set(after)].filter((name) => !before.includes(name) && isOptional(name)).map(toRequired),
    ...older.filter(isForbidden).map((name) => {
      const direction = findDirection(to, name);
      const places = { from: locateMember(from, name), to: direction?.at ?? locateMember(to, name) };
      const keyword = isMessage ? "existence" : (direction?.keyword ?? "properties");
      return toDifference(pair, {
        path: [...path, name],
        keyword,
        values: [sampleMember(from, name)],
        ...places,
        isForbidden: direction !== undefined,
      });
    }),
    ...(isMessage ? [] : others.filter(isForbidden)).map((name) => {
      const keyword = name === UNKNOWN_MEMBER ? "additionalProperties" : "patternProperties";
      return toDifference(pair, { keyword, values: [sampleMember(from, name)], valuePath: [...path, name] });
    }),
  ];

  function valuesWithout(name: string): Pick<SchemaDifference, "values" | "valuePath"> {
    const isParameter = path.length === 2 && path[0] === "query";
    const isBounded = !isMessage && keywordValues(from, "minProperties").length > 0;
    if (!isParameter && !isBounded) return { values: [undefined], valuePath: [...path, name] };
    const other = { [UNKNOWN_MEMBER]: "x" }; // not empty: a query cannot write an empty object
    return {
      values: [{}, other].map((members) =>
        withPart({ ...(exampleOf(from) as object), ...members }, from, [name], undefined),
      ),
      valuePath: path,
    };
  }

  function toRequired(name: string): SchemaDifference {
    const about = { path: [...path, name], ...valuesWithout(name) };
    if (!isMessage) return toDifference(pair, { ...about, keyword: "required" });
    const [keyword, below] = older.includes(name)
      ? (["required", ["required"]] as const)
      : (["existence", []] as const);
    const places = { from: locateMember(from, name, below), to: locateMember(to, name, below) };
    return toDifference(pair, { ...about, keyword, ...places });
  }
}
