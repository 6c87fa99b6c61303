// Proves that one schema allows everything that another allows, keyword by keyword and member by member: { type:
// integer, minimum: 1 } is within { minimum: 0 }, and { const: "a" } within { oneOf: [{ const: "a" }, { const: "b" }]
// }. The lack of a proof means nothing.

import type { Contract } from "../../../contract/contract.js";
import { isAnnotation, typeOfKeyword } from "../../../contract/grammar.js";
import { toList } from "../../../contract/lists.js";
import { memoize } from "../../../contract/memoize.js";
import type { Schema } from "../../../contract/schema.js";
import type { SchemaNode } from "../../../contract/schema-node.js";
import { isSameSchema } from "./equivalence.js";
import { type Flat, flatOf, isNothing, isOfType, type Proof, possibleValues, RULES } from "./keyword-rules.js";
import { COMPANIONS, type ResolvedSchema } from "./resolved-schema.js";

/**
 * The number of pairs of schemas that a proof may compare. A limit of time would make verdicts depend on the machine.
 */
const MAX_STEPS = 20_000;
const MAX_DEPTH = 100;
/** Those of all proofs between two contracts. */
const MAX_STEPS_IN_ALL = 200_000;

export function isSubset({ contract, whole: from }: ResolvedSchema, to: Schema): boolean {
  const inAll = stepsOf(contract);
  if (inAll.count > MAX_STEPS_IN_ALL) return false;
  const steps = { count: 0 };
  const isProven = prove({ steps, assumed: [], from, to }, from.node, to.node);
  inAll.count += steps.count;
  return isProven;
}

const stepsOf = memoize((_contract: Contract) => ({ count: 0 }));

interface Search {
  steps: { count: number };
  /** Pairs whose proof is in progress, since a schema may contain itself. */
  assumed: readonly (readonly [object, object])[];
  from: Schema;
  to: Schema;
}

function prove(search: Search, from: SchemaNode, to: SchemaNode): boolean {
  const { steps, assumed } = search;
  steps.count += 1;
  if (steps.count > MAX_STEPS || assumed.length > MAX_DEPTH) return false;
  const [a, b] = [withNames(search.from, flatOf(search.from, from)), flatOf(search.to, to)];
  if (assumed.some(([one, other]) => one === a && other === b)) return true;
  const below: Search = { ...search, assumed: [...assumed, [a, b]] };
  return isNothing(a) || proveEach({ ...search, prove: (one, other) => prove(below, one, other) }, a, b);
}

const closed = new WeakMap<Flat, Flat>();

/** An object whose names are listed has these members alone. The same object each time, to recognise a proof in progress. */
function withNames(schema: Schema, flat: Flat): Flat {
  const { propertyNames, additionalProperties } = flat;
  if (propertyNames === undefined || additionalProperties === false) return flat;
  const names = possibleValues(flatOf(schema, propertyNames))?.filter((name) => typeof name === "string");
  if (!names) return flat;
  const properties = Object.fromEntries(names.map((name) => [name, schema.of(flat).member(name)?.node ?? false]));
  const { patternProperties: _patterns, ...rest } = flat;
  const result = closed.get(flat) ?? ({ ...rest, properties, additionalProperties: false } as Flat);
  closed.set(flat, result);
  return result;
}

function proveEach(proof: Proof, a: Flat, b: Flat): boolean {
  const values = possibleValues(a);
  if (values) return proveValues(proof, values, [a, b]);
  const { anyOf, oneOf, ...rest } = a;
  const branches = oneOf ?? anyOf;
  if (branches?.every((branch) => proof.prove({ allOf: [branch, rest] }, b))) return true;
  const types = toList(a.type ?? []);
  if (types.length > 1 && (b.anyOf ?? b.oneOf) && types.every((type) => proof.prove({ ...a, type }, b))) return true;
  return Object.keys(b).every((keyword) => isImplied(proof, a, b, keyword)) || proveByPresence(proof, a, b);
}

/** An object with an optional member may be within one alternative, and without it within another one. */
function proveByPresence(proof: Proof, a: Flat, b: Flat): boolean {
  const { properties = {}, required = [] } = a;
  const branches = (b.anyOf ?? b.oneOf ?? []).map((branch) => flatOf(proof.to, branch));
  const named = a.type === "object" ? branches.flatMap((branch) => branch.required ?? []) : [];
  const optional = named.find((name) => !required.includes(name) && (properties[name] ?? false) !== false);
  if (optional === undefined) return false;
  const having = { ...a, required: [...required, optional] };
  const lacking = { ...a, properties: { ...properties, [optional]: false } };
  return proof.prove(having, b) && proof.prove(lacking, b);
}

/** Compares lists of values as sets: a validator would compare each with each. */
function proveValues(proof: Proof, values: readonly unknown[], [a, b]: readonly [Flat, Flat]): boolean {
  const { enum: _values, ...withoutEnum } = a;
  const { enum: wanted, ...rest } = b;
  const texts = Array.isArray(wanted) ? new Set(wanted.map((value) => JSON.stringify(value))) : undefined;
  const isWanted = (value: unknown) => !texts || texts.has(JSON.stringify(value));
  return values.every(
    (value) => !proof.from.of(withoutEnum).allows(value) || (isWanted(value) && proof.to.of(rest).allows(value)),
  );
}

/** Proves that everything that `a` allows is valid against a keyword of `b` and its companions. */
function isImplied(proof: Proof, a: Flat, b: Flat, keyword: string): boolean {
  const type = typeOfKeyword(keyword);
  if (type && !isOfType(a, type)) return true;
  const rule = RULES[keyword];
  if (!rule && (isAnnotation(keyword) || WITHOUT_EFFECT.test(keyword))) return true;
  return rule?.(proof, a, b) || isTheSame(proof, a, b, keyword);
}

/** Interpreted where the schema stands, or with another keyword. Others without a rule have to be the same. */
const WITHOUT_EFFECT =
  /^(review:.*|default|readOnly|writeOnly|\$defs|\$ref|then|else|(min|max)Contains|style|explode|allow(Reserved|EmptyValue)|serialization)$/;

function isTheSame({ from, to }: Proof, a: Flat, b: Flat, keyword: string): boolean {
  // Closed objects differ if their members do.
  const companions = keyword === "additionalProperties" ? ["properties", "patternProperties"] : COMPANIONS[keyword];
  const names = [keyword, ...(companions ?? [])];
  const pick = (schema: Flat) => Object.fromEntries(Object.entries(schema).filter(([name]) => names.includes(name)));
  return isSameSchema(from.of(pick(a)), to.of(pick(b)));
}
