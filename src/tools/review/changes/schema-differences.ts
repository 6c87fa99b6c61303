// Finds differences: what one schema allows and another does not. From `maximum: 50` to `maximum: 20`, that is the
// keyword `maximum` at the path `query`, `limit`, with values that show it: 21, 25, 49 and 50. Unless subset-proof.ts
// proves that there is none, values of both schemas are tried, and the keyword that rejects a value names the
// difference. Values are candidates; counterexample.ts puts them into whole messages.
import { isEqual, isObject } from "../../../contract/json.js";
import { mapDefined } from "../../../contract/lists.js";
import { memoize } from "../../../contract/memoize.js";
import { sampleOf } from "../../../contract/sample/sample.js";
import type { Schema, SchemaObject } from "../../../contract/schema.js";
import { isSameSchema } from "./equivalence.js";
import { flatOf, possibleValues, RULES } from "./keyword-rules.js";
import { differencesOfMeaning, differencesOutside, ENTANGLED, MEANINGS } from "./meanings.js";
import {
  allowsAnything,
  COMPANIONS,
  createDifference,
  EACH_ITEM,
  exampleOf,
  findDirection,
  keywordValues,
  locateMember,
  matchingNames,
  memberNames,
  memberOf,
  type ResolvedSchema,
  type SchemaDifference,
  type SchemaPair,
  sampleMember,
  stepInto,
  typesOf,
  UNKNOWN_MEMBER,
  withPart,
} from "./resolved-schema.js";
import { isSubset } from "./subset-proof.js";
import { tellingValues, variantsOf } from "./telling-values.js";

/** Keywords whose parts are compared, each at its place. */
const STRUCTURE = new Set(["properties", "required", "additionalProperties", "items", "$ref", "allOf"]);
/** Keywords that a rule compares together with the one that they belong to. */
const COMPANIES = new Set(Object.values(COMPANIONS).flat());
const MAX_VALUES = 12;
/** The number of pairs of schemas to compare. A limit of time would make verdicts depend on the machine. */
const MAX_STEPS = 5000;

/**
 * The number of places of a shared schema to compare: where schemas refer to each other twice, it doubles with each
 * step.
 */
const MAX_PLACES = 20;

let nextId = 0;
const idOf = memoize((_schema: object) => nextId++);
const keyOf = ({ from, to }: SchemaPair) => [from, to].map(({ nodes }) => nodes.map(idOf).join()).join(" ");

/** @param messageDepth the number of steps to a part of a message, below which values are compared */
export function findDifferences(from: ResolvedSchema, to: ResolvedSchema, messageDepth: number): SchemaDifference[] {
  let steps = 0;
  const visits = new Map<string, number>();
  const whole = { from, to, path: [] };
  const differences = visitMessage(whole);
  if (steps <= MAX_STEPS) return differences;
  const undecided = `there are more than ${MAX_STEPS} schemas`;
  return [...differences, createDifference(whole, { keyword: "size", values: [], undecided })];

  /** Compares which parts a message has (statuses, parameters, media types), and each that both versions have. */
  function visitMessage(pair: SchemaPair): SchemaDifference[] {
    if (isSameSchema(pair.from.whole, pair.to.whole)) return [];
    const here = differencesAt(pair, () => [
      ...differencesOfKeywords(pair, (keyword) => keyword !== "minProperties"), // a body's media types are its parts
      ...differencesOfParts(pair),
    ]);
    const shared = memberNames(pair.from).filter((name) => memberNames(pair.to).includes(name));
    const isOfValues = pair.path.length + 1 >= messageDepth;
    const visit = (below: SchemaPair) => (isOfValues ? visitPart(below) : visitMessage(below));
    return [...here, ...below(pair, shared).flatMap(visit)];
  }

  /** Where no keyword differs, a proof has to say so for the whole: "the same" is never a guess. */
  function visitPart(pair: SchemaPair): SchemaDifference[] {
    const differences = visitValue(pair, []);
    const { from, to } = pair;
    if (differences.length > 0 || isSameSchema(from.whole, to.whole) || isSubset(from, to.whole)) return differences;
    return differencesAt(pair, () => [differenceOfWhole(pair, "schema")]);
  }

  /** Compares a value, its members and its items. A schema may contain itself. */
  function visitValue(pair: SchemaPair, parents: readonly string[], isOuterProven = false): SchemaDifference[] {
    const { from, to } = pair;
    const key = keyOf(pair);
    if (parents.includes(key) || isSameSchema(from.whole, to.whole) || isExhausted(key)) return [];
    const isProven = isOuterProven || isSubset(from, to.whole);
    const split = splitOf(pair);
    if (split !== undefined) return differencesAt(pair, () => (isProven ? [] : [differenceOfWhole(pair, split)]));
    // Of what is proved, only meanings may differ.
    const ofValues = () => (isProven ? [] : [...differencesOfKeywords(pair), ...differencesOfMembers(pair)]);
    const here = differencesAt(pair, () => [...ofValues(), ...differencesOfNames(pair)]);
    if (here.some(({ keyword }) => keyword === "type") && !haveCommonType(pair))
      return here.filter(({ keyword }) => keyword === "type" || MEANINGS.has(keyword)); // it implies the others
    if (here.length > 0 && allowsAnything(from)) return here.slice(0, 1); // it implies the others
    const visit = (part: SchemaPair) => visitValue(part, [...parents, key], isProven);
    return [...here, ...below(pair, stepsBelow(pair)).flatMap(visit)];
  }

  /** Counts the pair. True if there were too many, or enough at other places to show the same change. */
  function isExhausted(key: string): boolean {
    const count = visits.get(key) ?? 0;
    if (count >= MAX_PLACES) return true;
    visits.set(key, count + 1);
    steps += 1;
    return steps > MAX_STEPS;
  }
}

function haveCommonType({ from, to }: SchemaPair): boolean {
  return typesOf(from).some((type) => typesOf(to).includes(type));
}

/** The members and items to compare. Those of a list with `prefixItems` are compared with the list. */
function stepsBelow({ from, to }: SchemaPair): string[] {
  const names = [...new Set([...memberNames(from), ...memberNames(to), UNKNOWN_MEMBER])];
  const isEmpty = keywordValues<number>(from, "maxItems").includes(0);
  const isTuple = [from, to].some(hasPrefix);
  return isEmpty || isTuple || names.includes(EACH_ITEM) ? names : [...names, EACH_ITEM];
}

/** The pairs of the parts that both schemas allow. */
function below({ from, to, path }: SchemaPair, names: readonly string[]): SchemaPair[] {
  return mapDefined(names, (name) => {
    const [one, other] = [stepInto(from, name), stepInto(to, name)];
    return one && other ? { from: one, to: other, path: [...path, name] } : undefined;
  });
}

/** Adds what a value means. A schema that no validator can compile is not decided. */
function differencesAt(pair: SchemaPair, find: () => SchemaDifference[]): SchemaDifference[] {
  try {
    return [...find(), ...differencesOfMeaning(pair), ...differencesOutside(pair)];
  } catch (error) {
    const reason = error instanceof RangeError ? "its references do not end" : (error as Error).message;
    const keyword = [...ENTANGLED].find((name) => keywordValues(pair.to, name).length > 0) ?? "schema";
    return [createDifference(pair, { keyword, values: [], undecided: `it cannot be checked: ${reason}` })];
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

/** Tries values that are likely to be none of the other schema. */
function differenceOfWhole(pair: SchemaPair, keyword: string): SchemaDifference {
  const { to } = pair;
  const alone = isolate(to, keyword);
  const targets = alone.length > 0 ? alone : [to.whole.node as SchemaObject];
  const values = [...tellingValues(pair, targets), ...variantsOf(pair)].filter((value) => !to.whole.allows(value));
  return createDifference(pair, { keyword, values: values.slice(0, MAX_VALUES) });
}

/**
 * Compares keyword by keyword. A keyword that is proved to allow the same has no difference; without a proof, its
 * values may be empty.
 */
function differencesOfKeywords(
  pair: SchemaPair,
  isCompared: (keyword: string) => boolean = () => true,
): SchemaDifference[] {
  const checks = findChecks(pair).filter(({ keyword }) => isCompared(keyword));
  const all = checks.flatMap(({ schemas }) => schemas);
  const values = all.length === 0 ? [] : tellingValues(pair, all);
  return checks.map(({ keyword, schemas }) => {
    const isRejected = (value: unknown) => schemas.some((schema) => !pair.to.whole.of(schema).allows(value));
    return createDifference(pair, { keyword, values: values.filter(isRejected).slice(0, MAX_VALUES) });
  });
}

/**
 * The keywords of `to` that are not proved to allow all that `from` allows, each with the schemas that have it alone.
 */
function findChecks({ from, to }: SchemaPair): { keyword: string; schemas: SchemaObject[] }[] {
  const keywords = [...new Set(to.parts.flatMap(Object.keys))];
  const isApart = (keyword: string) => !STRUCTURE.has(keyword) && !COMPANIES.has(keyword);
  const isRest = (keyword: string) => keyword === "items" && hasPrefix(from) && !hasPrefix(to);
  return mapDefined(
    keywords.filter((keyword) => Object.hasOwn(RULES, keyword) && (isApart(keyword) || isRest(keyword))),
    (keyword) => {
      const schemas = isolate(to, keyword);
      const stated = isolate(from, keyword).map((schema) => from.whole.of(schema));
      const isImplied = (schema: Schema) =>
        stated.some((other) => isSameSchema(other, schema)) || isSubset(from, schema);
      return schemas.every((schema) => isImplied(to.whole.of(schema))) ? undefined : { keyword, schemas };
    },
  );
}

/** True if items differ by their position. */
const hasPrefix = (schema: ResolvedSchema) => keywordValues(schema, "prefixItems").length > 0;

/** Extracts a keyword and its companions from each part that has it. */
function isolate({ parts }: ResolvedSchema, keyword: string): SchemaObject[] {
  const names = [keyword, ...(COMPANIONS[keyword] ?? [])];
  const toAlone = (schema: SchemaObject) => Object.entries(schema).filter(([name]) => names.includes(name));
  return mapDefined(parts, (part) => (part[keyword] === undefined ? undefined : Object.fromEntries(toAlone(part))));
}

/** Finds parts of a message that are newly required, and those that were removed. */
function differencesOfParts(pair: SchemaPair): SchemaDifference[] {
  const { from, to, path } = pair;
  const [older, newer] = [memberNames(from), memberNames(to)];
  const demanded = newlyRequired(pair).map((name) => {
    const isNew = !older.includes(name);
    const below = isNew ? [] : ["required"];
    const places = { from: locateMember(from, name, below), to: locateMember(to, name, below) };
    return createDifference(pair, {
      path: [...path, name],
      keyword: isNew ? "existence" : "required",
      values: [undefined],
      ...places,
    });
  });
  const removed = older.filter((name) => !newer.includes(name));
  return [...demanded, ...removed.map((name) => createRemoval(pair, name, { keyword: "existence" }))];
}

/** Finds members of a value that are newly required, and those that are no longer allowed. */
function differencesOfMembers(pair: SchemaPair): SchemaDifference[] {
  const { from, to, path } = pair;
  const isForbidden = (name: string) => memberOf(from, name) !== undefined && memberOf(to, name) === undefined;
  // What `to` declares as `false` is forbidden, though `from` does not name it.
  const declared = [...new Set([...memberNames(from), ...memberNames(to)])];
  const listed = keywordValues<SchemaObject>(from, "propertyNames").flatMap(
    (names) => possibleValues(flatOf(from.whole, names)) ?? [],
  );
  const unnamed = listed.length > 0 ? listed.map(String) : [UNKNOWN_MEMBER];
  const undeclared = [...matchingNames(from), ...unnamed].filter((name) => !declared.includes(name));
  return [
    ...newlyRequired(pair).map((name) =>
      createDifference(pair, { path: [...path, name], keyword: "required", ...valuesWithout(pair, name) }),
    ),
    ...declared.filter(isForbidden).map((name) => {
      const direction = findDirection(to, name); // a read-only member is no member of requests
      if (!direction) return createRemoval(pair, name, { keyword: "properties" });
      return createRemoval(pair, name, { keyword: direction.keyword, to: direction.at, isForbidden: true });
    }),
    ...undeclared.filter(isForbidden).map((name) => {
      const keyword = unnamed.includes(name) ? "additionalProperties" : "patternProperties";
      return createDifference(pair, { keyword, values: [sampleMember([from], name)], valuePath: [...path, name] });
    }),
  ];
}

/** A contract may declare a name that stands for unknown members or for items here: then nothing compares these. */
function differencesOfNames(pair: SchemaPair): SchemaDifference[] {
  const { from, to } = pair;
  const declared = [from, to].flatMap(memberNames);
  const hidden = { [UNKNOWN_MEMBER]: "additionalProperties", [EACH_ITEM]: "items" };
  return Object.entries(hidden).flatMap(([name, keyword]) => {
    const [before = [], after = []] = [from, to].map((schema) => keywordValues(schema, keyword));
    const isSame = isEqual(before, after) && !before.some(isObject); // the target of a reference may differ
    if (!declared.includes(name) || isSame) return [];
    return [createDifference(pair, { keyword, values: [], undecided: `it has a member called ${name}` })];
  });
}

function newlyRequired({ from, to }: SchemaPair): string[] {
  const [before = [], after = []] = [from, to].map((schema) => keywordValues<string[]>(schema, "required").flat());
  const isOptional = (name: string) => !isSubset(from, to.whole.of({ required: [name] }));
  return [...new Set(after)].filter((name) => !before.includes(name) && isOptional(name));
}

const isParameter = (path: readonly string[]) => path.length === 1 && path[0] !== "body";

function createRemoval(
  pair: SchemaPair,
  name: string,
  about: Pick<SchemaDifference, "keyword"> & Partial<SchemaDifference>,
): SchemaDifference {
  const { from, to, path } = pair;
  const places = { from: locateMember(from, name), to: locateMember(to, name) };
  // The smallest object says nothing in a query: one with its members does.
  const whole = memberOf(from, name)?.whole;
  const values = [sampleMember([from], name), ...(whole && isParameter(path) ? [sampleOf(whole)] : [])];
  return createDifference(pair, { path: [...path, name], values, ...places, ...about });
}

/**
 * Values that lack a member: any without it, or whole ones where an empty object would be too small, or no text in a
 * query.
 */
function valuesWithout({ from, path }: SchemaPair, name: string): Pick<SchemaDifference, "values" | "valuePath"> {
  const isQuery = path.length === 2 && path[0] === "query";
  if (!isQuery && keywordValues(from, "minProperties").length === 0)
    return { values: [undefined], valuePath: [...path, name] };
  const toValue = (members: object) =>
    withPart({ ...(exampleOf(from) as object), ...members }, from, [name], undefined);
  return { values: [{}, { [UNKNOWN_MEMBER]: "x" }].map(toValue), valuePath: path };
}
