// Finds what one schema allows and another does not, by trying values of both. A keyword needs no rule of its own: the one
// that rejects a value names the difference.
import {
  allows,
  allowsAnything,
  check,
  EACH_ITEM,
  isSameSchema,
  type KeywordPlace,
  keywordValues,
  locateKeyword,
  memberNames,
  memberOf,
  type ResolvedSchema,
  stepInto,
  toResolvedText,
  UNKNOWN_MEMBER,
} from "./resolved-schema.js";
import { matchingNames, sampleMember, sampleValue, sampleValues, withPart } from "./sample-values.js";

/** A keyword of `to` that may reject what `from` allows, and where. */
export interface Loss {
  /** Steps into the value: names, EACH_ITEM, UNKNOWN_MEMBER. */
  path: readonly string[];
  keyword: string;
  from: KeywordPlace;
  to: KeywordPlace;
  /** Values that may show it, the shortest first; `undefined` omits the member. */
  values: readonly unknown[];
  /** The path to the values. */
  valuePath: readonly string[];
  /** The value stays valid, but it may mean something else. */
  isMeaning?: boolean;
}

/** Keywords that mean something only together. */
const COMPANIONS: Readonly<Record<string, readonly string[]>> = {
  if: ["then", "else"],
  contains: ["minContains", "maxContains"],
  prefixItems: ["items"],
};
/** Keywords that say what a value means, and values that show it. */
const MEANINGS: Readonly<Record<string, (sample: unknown) => unknown[]>> = {
  default: () => [undefined],
  deprecated: () => [],
  style: (sample) => [[sample, sample].flat().slice(0, 2)],
  explode: (sample) => [[sample, sample].flat().slice(0, 2)],
  allowEmptyValue: () => [""],
  allowReserved: () => ["a/b?c"],
  "x-literal-plus": () => ["2026-11-02T00:00:00+01:00", "2026-11-02 00:00:00Z", "a+b@example.com", "a b"],
};
/** Keywords without an effect of their own, and those whose parts are compared. */
const SKIPPED = new Set(
  [
    "properties",
    "required",
    "additionalProperties",
    "items",
    "then",
    "else",
    "$defs",
    "minContains",
    "maxContains",
  ].concat(
    ["discriminator", "nullable", "readOnly", "writeOnly", "title", "description", "examples", "$comment"],
    ["unevaluatedProperties", "unevaluatedItems", ...Object.keys(MEANINGS)],
  ),
);
const MAX_VALUES = 12;

/** Two schemas of the same place. */
interface SchemaPair {
  from: ResolvedSchema;
  to: ResolvedSchema;
  path: readonly string[];
}

/** @param messageDepth how many steps lead into the parts of a message, such as parameters: a contract has them or not. */
export function findLosses(from: ResolvedSchema, to: ResolvedSchema, messageDepth: number): Loss[] {
  const visited = new Set<string>();
  return visit({ from, to, path: [] });

  function visit(pair: SchemaPair): Loss[] {
    const { from, to, path } = pair;
    const key = toKey(pair);
    if (visited.has(key) || isSameSchema(from, to)) return []; // a schema may contain itself
    const isMessage = path.length < messageDepth;
    const own = [
      ...lossesOfKeywords(pair),
      ...(isMessage ? lossesOfParts(pair) : lossesOfMembers(pair)),
      ...lossesOfMeaning(pair),
      ...(path.length === messageDepth ? lossOfEverything(pair) : []),
    ];
    if (own.length > 0 && allowsAnything(from)) return own.slice(0, 1); // it implies the others
    visited.add(key);
    const [older, newer] = [memberNames(from), memberNames(to)];
    const names = isMessage
      ? older.filter((name) => newer.includes(name))
      : new Set([...older, ...newer, UNKNOWN_MEMBER, EACH_ITEM]);
    const below = [...names].flatMap((name) => {
      const [one, other] = [stepInto(from, name), stepInto(to, name)];
      return one && other ? visit({ from: one, to: other, path: [...path, name] }) : [];
    });
    visited.delete(key); // elsewhere in the value the same schemas are another difference
    return [...own, ...below];
  }
}

function toKey({ from, to }: SchemaPair): string {
  return JSON.stringify([from, to].map(({ nodes }) => nodes.map(({ pointer }) => pointer)));
}

function toLoss({ from, to, path }: SchemaPair, loss: Pick<Loss, "keyword" | "values"> & Partial<Loss>): Loss {
  const { keyword } = loss;
  const places = { from: locateKeyword(from, keyword, to), to: locateKeyword(to, keyword, from) };
  return { path, valuePath: loss.path ?? path, ...places, ...loss };
}

function lossesOfKeywords(pair: SchemaPair): Loss[] {
  const checks = toChecks(pair);
  const values = checks.length === 0 ? [] : draw(pair);
  return checks.flatMap(({ keyword, accepts }) => {
    const rejected = values.filter((value) => !accepts(value)).slice(0, MAX_VALUES);
    return rejected.length === 0 ? [] : [toLoss(pair, { keyword, values: rejected })];
  });
}

/** What `from` allows, the shortest first. */
function draw({ from, to }: SchemaPair): unknown[] {
  const lengthOf = (value: unknown) => JSON.stringify(value)?.length ?? 0;
  return sampleValues(from, to)
    .filter((value) => allows(from, value))
    .toSorted((one, other) => lengthOf(one) - lengthOf(other));
}

interface Check {
  keyword: string;
  accepts(value: unknown): boolean;
}

/** One for each keyword of `to` that `from` does not have in the same form. */
function toChecks({ from, to }: SchemaPair): Check[] {
  const keywords = [...new Set(to.parts.flatMap(({ schema }) => Object.keys(schema)))];
  const checks = keywords
    .filter((keyword) => !SKIPPED.has(keyword) && !keyword.startsWith("x-"))
    .flatMap((keyword): Check[] => {
      const names = [keyword, ...(COMPANIONS[keyword] ?? [])];
      const [before = [], after = []] = [from, to].map(({ parts, contract }) =>
        parts.map(({ schema }) => names.map((name) => toResolvedText(contract, schema[name])).join()),
      );
      if (after.every((text) => before.includes(text))) return [];
      const schemas = to.parts
        .filter(({ schema }) => schema[keyword] !== undefined)
        .map(({ schema }) => Object.fromEntries(Object.entries(schema).filter(([name]) => names.includes(name))));
      return [
        { keyword, accepts: (value) => schemas.every((schema) => check(to.contract, schema, value).length === 0) },
      ];
    });
  // Whether a member is unevaluated depends on the whole schema.
  const whole = ["unevaluatedProperties", "unevaluatedItems"].filter((keyword) => keywords.includes(keyword));
  const isRejected = (value: unknown) => checks.some(({ accepts }) => !accepts(value));
  return [
    ...checks,
    ...whole.map((keyword) => ({ keyword, accepts: (value: unknown) => isRejected(value) || allows(to, value) })),
  ];
}

/** Names that `to` requires and `from` does not. */
function newlyRequired({ from, to }: SchemaPair): string[] {
  const [before = [], after = []] = [from, to].map((schema) => keywordValues<string[]>(schema, "required").flat());
  return [...new Set(after)].filter((name) => !before.includes(name));
}

/** A member, where an object's schema names it. */
function locateMember(schema: ResolvedSchema, name: string, ...below: string[]): KeywordPlace {
  const member = memberNames(schema).includes(name) ? memberOf(schema, name) : undefined;
  const pointer = member?.parts[0]?.pointer.concat(below);
  return { value: member && name, pointer, trail: schema.trail };
}

/** Parts that a message must have and did not have to, and those that it may no longer have, or has in vain. */
function lossesOfParts(pair: SchemaPair): Loss[] {
  const { from, to, path } = pair;
  const [older, newer] = [memberNames(from), memberNames(to)];
  const exists = (name: string) => ({ from: locateMember(from, name), to: locateMember(to, name) });
  return [
    ...newlyRequired(pair).map((name) => {
      const about = { path: [...path, name], values: [undefined] };
      if (!older.includes(name)) return toLoss(pair, { ...about, keyword: "existence", ...exists(name) });
      const places = { from: locateMember(from, name, "required"), to: locateMember(to, name, "required") };
      return toLoss(pair, { ...about, keyword: "required", ...places });
    }),
    ...older
      .filter((name) => !newer.includes(name))
      .map((name) => {
        const values = [sampleMember([from], name)];
        return toLoss(pair, { path: [...path, name], keyword: "existence", values, ...exists(name) });
      }),
  ];
}

/** Members that an object must have and did not have to, and those that it may no longer have. */
function lossesOfMembers(pair: SchemaPair): Loss[] {
  const { from, to, path } = pair;
  const isForbidden = (name: string) => memberOf(from, name) !== undefined && memberOf(to, name) === undefined;
  const whole = sampleValue(from);
  const isOptional = (name: string) => !allows(from, whole) || allows(from, withPart(whole, from, [name], undefined));
  const own = memberNames(from);
  const others = [...matchingNames(from), UNKNOWN_MEMBER].filter((name) => !own.includes(name));
  return [
    ...newlyRequired(pair)
      .filter(isOptional)
      .map((name) => toLoss(pair, { path: [...path, name], keyword: "required", values: [undefined] })),
    ...own.filter(isForbidden).map((name) => {
      const about = { path: [...path, name], keyword: "properties", values: [sampleMember([from], name)] };
      return toLoss(pair, { ...about, from: locateMember(from, name) });
    }),
    ...others.filter(isForbidden).map((name) => {
      const keyword = name === UNKNOWN_MEMBER ? "additionalProperties" : "patternProperties";
      return toLoss(pair, { keyword, values: [sampleMember([from], name)], valuePath: [...path, name] });
    }),
  ];
}

function lossesOfMeaning(pair: SchemaPair): Loss[] {
  const { from, to } = pair;
  return Object.entries(MEANINGS).flatMap(([keyword, toValues]) => {
    const [before, after] = [from, to].map((schema) => JSON.stringify(keywordValues(schema, keyword)[0] ?? null));
    if (before === after) return [];
    const sample = sampleValue(from);
    return [toLoss(pair, { keyword, values: [...toValues(sample), sample], isMeaning: true })];
  });
}

/** As when a required member is renamed in one of two places. */
function lossOfEverything(pair: SchemaPair): Loss[] {
  const { from, to } = pair;
  const values = draw(pair).slice(0, MAX_VALUES);
  if (values.length === 0 || sampleValues(to, to).some((value) => allows(to, value))) return [];
  const [was, is] = [from, to].map(({ parts, trail }) => ({ value: undefined, pointer: parts.at(-1)?.pointer, trail }));
  return [toLoss(pair, { keyword: "impossible", values, ...(was && is ? { from: was, to: is } : {}) })];
}
