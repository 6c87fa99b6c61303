// Finds the values that one schema allows and another does not, by trying values of both. A keyword needs no rule of its own:
// the one that rejects a value names the difference.
import type { Contract } from "../../contract/contract.js";
import type { Pointer } from "../../contract/contract-file.js";
import type { SchemaObject } from "../../contract/openapi-document.js";
import { withAbsoluteReferences } from "../../verify/schema.js";
import { isSameSchema, toResolvedText } from "./same-schema.js";
import { isObject, sampleValues, UNKNOWN_NAME } from "./sample-values.js";
import {
  allows,
  allowsAnything,
  EACH_ITEM,
  EACH_MEMBER,
  itemsOf,
  keywordValues,
  locateKeyword,
  memberNames,
  memberOf,
  type SchemaView,
} from "./schema-view.js";

/** A keyword of `to` that rejects what `from` allows, and where. */
export interface Loss {
  /** Steps into the value: names, EACH_ITEM, EACH_MEMBER. */
  path: readonly string[];
  keyword: string;
  /** The member that is meant, of `required` and `properties`. */
  member?: string;
  /** The keyword's values; undefined where a schema does not have it. */
  fromValue: unknown;
  toValue: unknown;
  fromPointer: Pointer | undefined;
  toPointer: Pointer | undefined;
  /** Values at the place that show it, the shortest first. */
  values: unknown[];
}

/** Keywords that mean something only together. */
const COMPANIONS: Readonly<Record<string, readonly string[]>> = {
  if: ["then", "else"],
  contains: ["minContains", "maxContains"],
  prefixItems: ["items"],
};
/** What has no effect of its own, or is compared by its parts. */
const SKIPPED = new Set(
  ["properties", "required", "additionalProperties", "items", "then", "else", "$defs"].concat(
    ["minContains", "maxContains", "default", "deprecated", "discriminator", "nullable", "readOnly", "writeOnly"],
    ["title", "description", "examples", "$comment", "unevaluatedProperties", "unevaluatedItems"],
  ),
);
const MAX_VALUES = 12;

interface Position {
  path: readonly string[];
  /** The nearest parents, for subschemas that are written nowhere. */
  parents: readonly [Pointer | undefined, Pointer | undefined];
}

export function findLosses(from: SchemaView, to: SchemaView): Loss[] {
  const losses: Loss[] = [];
  const visited = new Set<string>();
  visit(from, to, { path: [], parents: [undefined, undefined] });
  return losses;

  function visit(fromView: SchemaView, toView: SchemaView, { path, parents }: Position): void {
    if (isSameSchema(fromView, toView)) return;
    const key = JSON.stringify([fromView, toView].map(({ conjuncts }) => conjuncts.map(({ pointer }) => pointer)));
    if (visited.has(key)) return; // a schema that contains itself
    visited.add(key);
    const here = [fromView, toView].map((view, index) => view.conjuncts[0]?.pointer ?? parents[index]);
    const position: Position = { path, parents: [here[0], here[1]] };
    const own = lossesOnce(fromView, toView, key, position);
    losses.push(...own, ...compareDefaults(fromView, toView, position));
    // Where everything was allowed, the first loss implies those below.
    if (!(own.length > 0 && allowsAnything(fromView))) {
      for (const name of new Set([...memberNames(fromView), ...memberNames(toView), EACH_MEMBER, EACH_ITEM])) {
        const [before, after] = [fromView, toView].map((view) => partOf(view, name));
        if (before && after) visit(before, after, { ...position, path: [...path, name] });
      }
    }
    visited.delete(key); // elsewhere in the value the same pair is a difference of its own
  }
}

/** What an omitted value means differs in both directions. */
function compareDefaults(from: SchemaView, to: SchemaView, { path, parents }: Position): Loss[] {
  const [fromValue, toValue] = [from, to].map((view) => keywordValues(view, "default")[0]);
  if (JSON.stringify(fromValue) === JSON.stringify(toValue)) return [];
  const fromPointer = locateKeyword(from, "default", to) ?? parents[0];
  const toPointer = locateKeyword(to, "default", from) ?? parents[1];
  return [{ path, keyword: "default", fromValue, toValue, fromPointer, toPointer, values: [undefined] }];
}

function partOf(view: SchemaView, step: string): SchemaView | undefined {
  return step === EACH_ITEM ? itemsOf(view) : memberOf(view, step === EACH_MEMBER ? UNKNOWN_NAME : step);
}

/** By contract, then by place: a shared schema appears at many places. */
const known = new WeakMap<Contract, WeakMap<Contract, Map<string, Loss[]>>>();

function lossesOnce(from: SchemaView, to: SchemaView, place: string, position: Position): Loss[] {
  const ofFrom = known.get(from.contract) ?? new WeakMap<Contract, Map<string, Loss[]>>();
  known.set(from.contract, ofFrom);
  const losses = ofFrom.get(to.contract) ?? new Map<string, Loss[]>();
  ofFrom.set(to.contract, losses);
  const key = `${place} ${JSON.stringify(position.parents)}`;
  const own = losses.get(key) ?? lossesAt(from, to, position);
  losses.set(key, own);
  return own.map((loss) => ({ ...loss, path: position.path }));
}

function lossesAt(from: SchemaView, to: SchemaView, { path, parents }: Position): Loss[] {
  const values = sampleValues(from, to).filter((value) => allows(from, value));
  const found = [...keywordChecks(from, to), ...memberChecks(from, to)].flatMap((check): Loss[] => {
    const rejected = values.filter((value) => !check.accepts(value));
    if (rejected.length === 0) return [];
    const { keyword, member, fromValue, toValue } = check;
    const ownPointer =
      member !== undefined && keyword === "properties" && memberOf(from, member)?.conjuncts[0]?.pointer;
    const fromPointer = ownPointer || locateKeyword(from, keyword, to) || parents[0];
    const toPointer = locateKeyword(to, keyword, from) ?? parents[1];
    const shortest = rejected.toSorted((one, other) => lengthOf(one) - lengthOf(other)).slice(0, MAX_VALUES);
    return [
      {
        ...{ path, keyword, fromValue, toValue, fromPointer, toPointer, values: shortest },
        ...(member === undefined ? {} : { member }),
      },
    ];
  });
  return allowsAnything(from) ? found.slice(0, 1) : found;
}

const lengthOf = (value: unknown) => JSON.stringify(value)?.length ?? 0;

interface Check extends Pick<Loss, "keyword" | "member" | "fromValue" | "toValue"> {
  accepts(value: unknown): boolean;
}

/** One check for each keyword of `to` that `from` does not have in the same form. */
function keywordChecks(from: SchemaView, to: SchemaView): Check[] {
  const keywords = new Set(to.conjuncts.flatMap(({ schema }) => Object.keys(schema)));
  const textOf = (view: SchemaView, names: readonly string[]) =>
    view.conjuncts.flatMap(({ schema }) =>
      names.map((name) => toResolvedText(view.contract.document, schema[name])).join(),
    );
  const own = [...keywords].filter((keyword) => !SKIPPED.has(keyword) && !keyword.startsWith("x-"));
  const checks = own.flatMap((keyword): Check[] => {
    const names = [keyword, ...(COMPANIONS[keyword] ?? [])];
    const before = new Set(textOf(from, names));
    if (textOf(to, names).every((text) => before.has(text))) return [];
    const schemas = to.conjuncts
      .filter(({ schema }) => schema[keyword] !== undefined)
      .map(({ schema }) =>
        withAbsoluteReferences(
          Object.fromEntries(names.filter((name) => schema[name] !== undefined).map((name) => [name, schema[name]])),
        ),
      );
    const [fromValue, toValue] = [keywordValues(from, keyword)[0], keywordValues(to, keyword)[0]];
    return [{ keyword, fromValue, toValue, accepts: (value) => schemas.every((schema) => isValid(to, schema, value)) }];
  });
  // Whether a member is unevaluated depends on the whole schema.
  const whole = ["unevaluatedProperties", "unevaluatedItems"].filter((keyword) => keywords.has(keyword));
  return [
    ...checks,
    ...whole.map((keyword) => ({
      ...{ keyword, fromValue: keywordValues(from, keyword)[0], toValue: keywordValues(to, keyword)[0] },
      accepts: (value: unknown) => checks.some(({ accepts }) => !accepts(value)) || allows(to, value),
    })),
  ];
}

function isValid({ contract }: SchemaView, schema: SchemaObject, value: unknown): boolean {
  return contract.schemas.checkBy(schema, value, "").length === 0;
}

/** Which members an object must have, and may have. */
function memberChecks(from: SchemaView, to: SchemaView): Check[] {
  const requiredBy = (view: SchemaView) => keywordValues<string[]>(view, "required").flat();
  const has = (value: unknown, name: string) => isObject(value) && Object.hasOwn(value, name);
  const known = memberNames(from);
  const isOther = (name: string) => !known.includes(name) && memberOf(to, name) === undefined;
  return [
    ...[...new Set(requiredBy(to))]
      .filter((name) => !requiredBy(from).includes(name))
      .map((name) => ({
        ...{ keyword: "required", member: name, fromValue: undefined, toValue: name },
        accepts: (value: unknown) => !isObject(value) || has(value, name),
      })),
    ...known
      .filter((name) => memberOf(to, name) === undefined)
      .map((name) => ({
        ...{ keyword: "properties", member: name, fromValue: name, toValue: undefined },
        accepts: (value: unknown) => !has(value, name),
      })),
    {
      keyword: keywordValues(from, "patternProperties").length > 0 ? "patternProperties" : "additionalProperties",
      ...{ fromValue: true, toValue: false },
      accepts: (value) => !isObject(value) || !Object.keys(value).some(isOther),
    },
  ];
}
