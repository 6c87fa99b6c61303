// The rules that prove a schema to be within a keyword of another one: `maximum: 20` is within `maximum: 50`. A rule
// gets the two flat schemas, and compares one keyword of the second with all of the first; `proof.prove` compares the
// schemas below it. A rule that does not hold proves nothing.

import { isMultiple } from "../../../contract/decimal.js";
import { escapePattern } from "../../../contract/format.js";
import { isAnnotation } from "../../../contract/grammar.js";
import { isObject, lookUp } from "../../../contract/json.js";
import { toList } from "../../../contract/lists.js";
import type { Schema, SchemaObject } from "../../../contract/schema.js";
import { FORMATS, isFormat } from "../../../contract/schema-checker.js";
import type { SchemaNode } from "../../../contract/schema-node.js";
import { isSameSchema } from "./equivalence.js";
import { findTextsBeyond } from "./pattern-language.js";

/** A proof in progress. */
export interface Proof {
  /** Schemas of the two contracts. */
  from: Schema;
  to: Schema;
  /** Proves that a schema of `from`'s contract is within one of `to`'s. */
  prove(from: SchemaNode, to: SchemaNode): boolean;
}

/** A schema with its references and `allOf` merged. */
export interface Flat extends SchemaObject {
  additionalProperties?: SchemaNode;
  patternProperties?: Record<string, SchemaNode>;
  propertyNames?: SchemaNode;
  prefixItems?: SchemaNode[];
  not?: SchemaNode;
  anyOf?: SchemaNode[];
  oneOf?: SchemaNode[];
}

/** @param schema any schema of the node's contract */
export function flatOf(schema: Schema, node: SchemaNode = true): Flat {
  return schema.of(node).flat as Flat;
}

export function isNothing({ not: excluded }: Flat): boolean {
  return excluded === true || (isObject(excluded) && Object.keys(excluded).length === 0);
}

const MAX_INTEGERS = 1000;

/** All values of a schema that has only a few. */
export function possibleValues(schema: Flat): unknown[] | undefined {
  if ("const" in schema) return [schema.const];
  if (schema.type === "string" && schema.maxLength === 0) return [""];
  if (Array.isArray(schema.enum)) return schema.enum;
  const { type, minimum = -Infinity, maximum = Infinity } = schema;
  if (type === "integer" && Number(maximum) - Number(minimum) < MAX_INTEGERS) {
    const first = Math.ceil(Number(minimum));
    return Array.from(
      { length: Math.max(0, Math.floor(Number(maximum)) - first + 1) },
      (_none, index) => first + index,
    );
  }
  if (type === "number" && minimum === maximum) return [minimum];
  const types = toList(schema.type);
  return types.every((type) => type === "boolean" || type === "null")
    ? types.flatMap((type) => (type === "null" ? [null] : [true, false]))
    : undefined;
}

export function isOfType(schema: Flat, type: string): boolean {
  const types = toList(schema.type ?? type);
  return types.includes(type) || (type === "number" && types.includes("integer"));
}

/** True if this keyword of `b` allows all that `a` allows. */
export type Rule = (proof: Proof, a: Flat, b: Flat) => boolean;

const numberOf = (schema: Flat, keyword: string, otherwise: number) => Number(schema[keyword] ?? otherwise);
const atLeast = (keyword: string, a: Flat, b: Flat) => numberOf(a, keyword, 0) >= numberOf(b, keyword, 0);
const atMost = (keyword: string, a: Flat, b: Flat) => numberOf(a, keyword, Infinity) <= numberOf(b, keyword, Infinity);
/** The members that are always there: the required ones, or all of a closed object that must have as many. */
function members(a: Flat): string[] {
  const { required = [], properties = {} } = a;
  const allowed = Object.keys(properties).filter((name) => (properties[name] as unknown) !== false);
  return isClosed(a) && numberOf(a, "minProperties", 0) >= allowed.length ? allowed : required;
}

/**
 * Includes lengths as patterns (`minLength: 2` as `^[^]{2,}$`), unless they are long: an automaton has a state for each
 * character.
 */
function patternsOf({ pattern, minLength, maxLength, allOf = [] }: Flat): string[] {
  const isBounded = minLength !== undefined || maxLength !== undefined;
  const isLength = isBounded && Number(minLength ?? 0) + Number(maxLength ?? 0) <= 600;
  return [
    ...(pattern === undefined ? [] : [String(pattern)]),
    ...(isLength ? [`^[^]{${minLength ?? 0},${maxLength ?? ""}}$`] : []),
    ...allOf.flatMap((part) => patternsOf(part as Flat)),
  ];
}

/** Proves by automata that each text of `a` matches every pattern of `b`. */
const isTextSubset: Rule = (_proof, a, b) => {
  const [ofA, ofB] = [patternsOf(a), patternsOf(b)];
  const isWithin = (pattern: string) => ofA.includes(pattern) || findTextsBeyond(ofA, pattern)?.length === 0;
  return ofB.length > 0 && ofB.every(isWithin);
};

export const RULES: Readonly<Record<string, Rule>> = {
  // Only an equal one implies these, since their effect depends on names or other keywords.
  dependentSchemas: (proof, a, b) =>
    Object.entries((b.dependentSchemas ?? {}) as Record<string, SchemaNode>).every(([name, schema]) =>
      proof.prove(withPresence(proof, a, name, true), schema),
    ),
  if: (proof, a, b) => {
    const { if: condition, then: one = true, else: other = true } = b as Conditional;
    const name = presenceOf(flatOf(proof.to, condition));
    if (name === undefined) return isSameCondition(proof, a as Conditional, b as Conditional);
    return (
      proof.prove(withPresence(proof, a, name, true), one) && proof.prove(withPresence(proof, a, name, false), other)
    );
  },
  contains: (proof, a, b) =>
    b.maxContains === undefined &&
    numberOf(a, "minItems", 0) >= numberOf(b, "minContains", 1) &&
    itemsOf(a).every((item) => proof.prove(item, b.contains as SchemaNode)),
  type: (_proof, a, b) => {
    const types = toList(b.type ?? []);
    const ofA = a.type === undefined ? ["anything"] : toList(a.type);
    const isWhole = Number.isInteger(a.multipleOf); // then every number is an integer
    const equivalent: Record<string, string> = { integer: "number", ...(isWhole ? { number: "integer" } : {}) };
    return ofA.every((type) => types.includes(type) || types.includes(equivalent[type] ?? type));
  },
  const: () => false, // proved by `possibleValues`
  enum: (proof, a, b) => a.type === "string" && isTextSubset(proof, a, { pattern: toPattern(b.enum ?? []) }),
  minimum: (_proof, a, b) =>
    Math.max(numberOf(a, "minimum", -Infinity), numberOf(a, "exclusiveMinimum", -Infinity)) >= Number(b.minimum),
  maximum: (_proof, a, b) =>
    Math.min(numberOf(a, "maximum", Infinity), numberOf(a, "exclusiveMaximum", Infinity)) <= Number(b.maximum),
  exclusiveMinimum: (_proof, a, b) =>
    numberOf(a, "exclusiveMinimum", -Infinity) >= Number(b.exclusiveMinimum) ||
    Number(a.minimum) > Number(b.exclusiveMinimum),
  exclusiveMaximum: (_proof, a, b) =>
    numberOf(a, "exclusiveMaximum", Infinity) <= Number(b.exclusiveMaximum) ||
    Number(a.maximum) < Number(b.exclusiveMaximum),
  multipleOf: (_proof, a, b) => {
    const unit = numberOf(a, "multipleOf", a.type === "integer" ? 1 : Number.NaN);
    return !Number.isNaN(unit) && isMultiple(unit, Number(b.multipleOf));
  },
  minLength: (proof, a, b) => atLeast("minLength", a, b) || isTextSubset(proof, a, { minLength: b.minLength }),
  maxLength: (proof, a, b) => atMost("maxLength", a, b) || isTextSubset(proof, a, { maxLength: b.maxLength }),
  pattern: (proof, a, b) => isTextSubset(proof, a, { pattern: b.pattern }),
  format: (_proof, a, b) =>
    a.format === b.format ||
    lookUp(WIDER_FORMATS, a.format ?? "")?.includes(b.format ?? "") ||
    !isFormat(String(b.format)) ||
    !isOfFormat(a, b),
  minItems: (_proof, a, b) => atLeast("minItems", a, b),
  maxItems: (_proof, a, b) =>
    atMost("maxItems", a, b) || (a.items === (false as unknown) && (a.prefixItems ?? []).length <= Number(b.maxItems)),
  uniqueItems: (_proof, a, b) => b.uniqueItems !== true || a.uniqueItems === true || numberOf(a, "maxItems", 2) < 2,
  minProperties: (_proof, a, b) =>
    Math.max(members(a).length, numberOf(a, "minProperties", 0)) >= numberOf(b, "minProperties", 0),
  maxProperties: (_proof, a, b) => atMost("maxProperties", a, b) || countMembers(a) <= Number(b.maxProperties),
  propertyNames: (proof, a, b) => {
    const { propertyNames: wanted = true } = b;
    if (isClosed(a)) return Object.keys(a.properties ?? {}).every((name) => proof.prove({ const: name }, wanted));
    return proof.prove({ ...flatOf(proof.from, a.propertyNames), type: "string" }, wanted);
  },
  dependentRequired: (proof, a, b) =>
    Object.entries(b.dependentRequired ?? {}).every(([name, names]) => {
      const ofA = members(withPresence(proof, a, name, true));
      return names.every((other) => ofA.includes(other)) || (isClosed(a) && !Object.hasOwn(a.properties ?? {}, name));
    }),
  required: (_proof, a, b) => members(b).every((name) => members(a).includes(name)),
  properties: (proof, a, b) =>
    Object.entries(b.properties ?? {}).every(([name, member]) => proof.prove(memberOf(proof.from, a, name), member)),
  additionalProperties: (proof, a, b) => {
    const { additionalProperties: additional = true, patternProperties: patterns = {} } = b;
    const declared = proof.to.of({ ...b, additionalProperties: false });
    const isWithin = (member: SchemaNode) => proof.prove(member, additional);
    return (
      isWithin(a.additionalProperties ?? true) &&
      Object.entries(a.properties ?? {}).every(([name, member]) => declared.member(name) || isWithin(member)) &&
      Object.entries(a.patternProperties ?? {}).every(([name, member]) => name in patterns || isWithin(member))
    );
  },
  patternProperties: (proof, a, b) => {
    const { patternProperties: ofA = {} } = a;
    return Object.entries(b.patternProperties ?? {}).every(
      ([pattern, members]) => Object.hasOwn(ofA, pattern) && proof.prove(ofA[pattern] ?? true, members),
    );
  },
  items: (proof, a, b) => {
    const { items = true, prefixItems: first = [] } = a;
    if (numberOf(a, "maxItems", Infinity) <= 0) return true;
    const beyond = first.slice(b.prefixItems?.length ?? 0);
    return [...beyond, items].every((item) => proof.prove(item, b.items ?? true));
  },
  prefixItems: (proof, a, b) => {
    const { items = true, prefixItems: first = [] } = a;
    const isWithin = (item: SchemaNode, index: number) => proof.prove(first[index] ?? items, item);
    return b.prefixItems?.every(isWithin) === true && (b.items === undefined || RULES.items?.(proof, a, b) === true);
  },
  not: (proof, a, b) => areDisjoint(proof, a, flatOf(proof.to, b.not)),
  anyOf: (proof, a, { anyOf: branches = [] }) => branches.some((branch) => proof.prove(a, branch)),
  oneOf: (proof, a, { oneOf: branches = [] }) =>
    branches.some((branch, index) => {
      const remaining = branches.toSpliced(index, 1); // two can be one node
      const isOther = (other: SchemaNode) => areDisjoint(proof, a, flatOf(proof.to, other));
      return proof.prove(a, branch) && remaining.every(isOther);
    }),
  allOf: (proof, a, b) => (b.allOf ?? []).every((part) => proof.prove(a, part)),
};

interface Conditional extends Flat {
  if?: SchemaNode;
  then?: SchemaNode;
  else?: SchemaNode;
}

/** The member that a condition asks for, if it asks for nothing else. */
function presenceOf({ required = [], type = "object", ...keywords }: Flat): string | undefined {
  const isAlone = required.length === 1 && type === "object" && Object.keys(keywords).every(isAnnotation);
  return isAlone ? required[0] : undefined;
}

/** What an object allows with a member, or without it: what depends on its presence is decided. */
function withPresence({ from }: Proof, a: Flat, name: string, isPresent: boolean): Flat {
  const { if: condition, then: one = true, else: other = true, dependentRequired = {}, ...rest } = a as Conditional;
  const isDecided = condition !== undefined && presenceOf(flatOf(from, condition)) === name;
  const schemas = (a.dependentSchemas ?? {}) as Record<string, SchemaNode>;
  const more: object = isPresent
    ? { required: [name, ...(lookUp(dependentRequired, name) ?? [])], allOf: [lookUp(schemas, name) ?? true] }
    : { properties: { [name]: { not: {} } } };
  const undecided = isDecided ? { ...rest, dependentRequired } : a;
  const consequence: unknown = isDecided ? (isPresent ? one : other) : true;
  const parts = [undecided, more, consequence] as SchemaObject[];
  return flatOf(from, { allOf: parts });
}

function isSameCondition(proof: Proof, a: Conditional, b: Conditional): boolean {
  if (a.if === undefined || !isSameSchema(proof.from.of(a.if), proof.to.of(b.if ?? true))) return false;
  return proof.prove(a.then ?? true, b.then ?? true) && proof.prove(a.else ?? true, b.else ?? true);
}

const itemsOf = ({ items = {}, prefixItems = [] }: Flat): SchemaNode[] => [...prefixItems, items];

function isClosed({ additionalProperties, patternProperties }: Flat): boolean {
  return additionalProperties === false && Object.keys(patternProperties ?? {}).length === 0;
}

/** The largest number of members that an object may have. */
function countMembers(schema: Flat): number {
  const allowed = Object.values(schema.properties ?? {}).filter((member) => (member as unknown) !== false);
  return isClosed(schema) ? allowed.length : Infinity;
}

/** Matches exactly the texts among the values. */
function toPattern(values: readonly unknown[]): string {
  const texts = values.filter((value) => typeof value === "string");
  return `^(?:${texts.map(escapePattern).join("|")})$`;
}

/** Formats that allow all texts of another one (RFC 3986 §4.1, RFC 3987). */
const WIDER_FORMATS: Readonly<Record<string, readonly string[]>> = { uri: ["uri-reference"] };

function isOfFormat(a: Flat, { format }: Flat): boolean {
  const definition = (FORMATS as Record<string, { type?: string } | undefined>)[String(format)];
  return isOfType(a, definition?.type ?? "string");
}

function memberOf(schema: Schema, object: Flat, name: string): SchemaNode {
  return schema.of(object).member(name)?.node ?? false;
}

/** Proves that no value is valid against both. */
function areDisjoint(proof: Proof, a: Flat, b: Flat): boolean {
  const [ofA, ofB] = [a, b].map(({ type }) => (type === undefined ? undefined : toList(type)));
  if (ofA && ofB && !ofA.some((type) => isOfType({ type: ofB }, type === "integer" ? "number" : type))) return true;
  const values = possibleValues(a) ?? possibleValues(b);
  const isOfBoth = (value: unknown) => proof.from.of(a).allows(value) && proof.to.of(b).allows(value);
  if (values) return !values.some(isOfBoth);
  if (isObject(b.not) && proof.prove(a, b.not)) return true;
  const branches = b.anyOf ?? b.oneOf;
  if (branches?.every((branch) => areDisjoint(proof, a, flatOf(proof.to, branch)))) return true;
  if (ofA?.join() !== "object") return false;
  return [...new Set([...members(a), ...members(b)])].some((name) => {
    const one = flatOf(proof.from, memberOf(proof.from, a, name));
    const other = flatOf(proof.to, memberOf(proof.to, b, name));
    return isNothing(one) || isNothing(other) || areDisjoint(proof, one, other);
  });
}
