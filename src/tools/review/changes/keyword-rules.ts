// The rules that prove a schema to be within a keyword of another one: `maximum: 20` is within `maximum: 50`. A rule gets the two
// flat schemas, and compares one keyword of the second with all of the first; `proof.prove` compares the schemas below it.
// A rule that does not hold proves nothing.
import { fullFormats } from "ajv-formats/dist/formats.js";
import type { Contract } from "../../../contract/contract.js";
import { lookUp } from "../../../contract/json.js";
import type { SchemaObject } from "../../../contract/openapi-document.js";
import { flatten, schemasOfMember } from "../../../contract/schema-flatten.js";
import { findTextsBeyond } from "./pattern-language.js";

/** A proof in progress. */
export interface Proof {
  from: Contract;
  to: Contract;
  /** Proves that a schema of `from` is within one of `to`. */
  prove(from: unknown, to: unknown): boolean;
}

/** A schema with its references and `allOf` merged. */
export type Flat = SchemaObject & { patternProperties?: Record<string, SchemaObject> };

export function isNothing({ not: excluded }: Flat): boolean {
  return excluded === true || (isObject(excluded) && Object.keys(excluded).length === 0);
}

const MAX_INTEGERS = 1000;

/** All values of a schema that has only a few. */
export function valuesOf(schema: Flat): unknown[] | undefined {
  if ("const" in schema) return [schema.const];
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
  const types = [schema.type].flat();
  return types.every((type) => type === "boolean" || type === "null")
    ? types.flatMap((type) => (type === "null" ? [null] : [true, false]))
    : undefined;
}

export function allows({ model }: Contract, schema: SchemaObject, value: unknown): boolean {
  return model.schemaOf(schema).allows(value);
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

export function isOfType(schema: Flat, type: string): boolean {
  const types = [schema.type ?? type].flat();
  return types.includes(type) || (type === "number" && types.includes("integer"));
}

/** True if this keyword of `b` allows all that `a` allows. */
export type Rule = (proof: Proof, a: Flat, b: Flat) => boolean;

const numberOf = (schema: Flat, keyword: string, otherwise: number) => Number(schema[keyword] ?? otherwise);
const atLeast =
  (keyword: string): Rule =>
  (_proof, a, b) =>
    numberOf(a, keyword, 0) >= numberOf(b, keyword, 0);
const atMost =
  (keyword: string): Rule =>
  (_proof, a, b) =>
    numberOf(a, keyword, Infinity) <= numberOf(b, keyword, Infinity);
const members = ({ required = [] }: Flat) => required;

/** Includes lengths as patterns (`minLength: 2` as `^[^]{2,}$`), unless they are long: an automaton has a state for each character. */
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
  const [own, wanted] = [patternsOf(a), patternsOf(b)];
  const isWithin = (pattern: string) => own.includes(pattern) || findTextsBeyond(own, pattern)?.length === 0;
  return wanted.length > 0 && wanted.every(isWithin);
};

/** Keywords that only an equal one implies, since their effect depends on names or other keywords. */
const UNPROVEN = ["patternProperties", "dependentSchemas", "if", "contains"];

export const RULES: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(UNPROVEN.map((keyword) => [keyword, () => false])),
  type: (_proof, a, b) => {
    const types = [b.type ?? []].flat();
    const own = a.type === undefined ? ["anything"] : [a.type].flat();
    const isWhole = Number.isInteger(a.multipleOf); // then every number is an integer
    const others: Record<string, string> = { integer: "number", ...(isWhole ? { number: "integer" } : {}) };
    return own.every((type) => types.includes(type) || types.includes(others[type] ?? type));
  },
  const: () => false, // proved by `valuesOf`
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
    return Number.isInteger(unit / Number(b.multipleOf));
  },
  minLength: (proof, a, b) => atLeast("minLength")(proof, a, b) || isTextSubset(proof, a, { minLength: b.minLength }),
  maxLength: (proof, a, b) => atMost("maxLength")(proof, a, b) || isTextSubset(proof, a, { maxLength: b.maxLength }),
  pattern: (proof, a, b) => isTextSubset(proof, a, { pattern: b.pattern }),
  format: (_proof, a, b) =>
    a.format === b.format ||
    lookUp(WIDER_FORMATS, a.format ?? "")?.includes(b.format ?? "") ||
    !Object.hasOwn(fullFormats, String(b.format)) ||
    !isOfFormat(a, b),
  minItems: atLeast("minItems"),
  maxItems: atMost("maxItems"),
  uniqueItems: (_proof, a, b) => b.uniqueItems !== true || a.uniqueItems === true || numberOf(a, "maxItems", 2) < 2,
  minProperties: (_proof, a, b) =>
    Math.max(members(a).length, numberOf(a, "minProperties", 0)) >= numberOf(b, "minProperties", 0),
  maxProperties: (proof, a, b) => atMost("maxProperties")(proof, a, b) || countMembers(a) <= Number(b.maxProperties),
  propertyNames: (proof, a, b) => {
    const isNamed = (name: string) => proof.prove({ const: name }, b.propertyNames);
    const names = isClosed(a) ? Object.keys(a.properties ?? {}) : undefined;
    const own = { ...flatten(proof.from.document, a.propertyNames ?? true), type: "string" };
    return names?.every(isNamed) ?? proof.prove(own, b.propertyNames);
  },
  dependentRequired: (_proof, a, b) =>
    Object.entries(b.dependentRequired ?? {}).every(([name, names]) => {
      const own = [...members(a), ...(a.dependentRequired?.[name] ?? [])];
      return names.every((other) => own.includes(other)) || (isClosed(a) && !Object.hasOwn(a.properties ?? {}, name));
    }),
  required: (_proof, a, b) => members(b).every((name) => members(a).includes(name)),
  properties: (proof, a, b) =>
    Object.entries(b.properties ?? {}).every(([name, member]) => proof.prove(memberOf(a, name), member)),
  additionalProperties: (proof, a, b) => {
    const isDeclared = (name: string) => schemasOfMember({ ...b, additionalProperties: undefined }, name).length > 0;
    const own = Object.entries(a.properties ?? {}).flatMap(([name, member]) => (isDeclared(name) ? [] : [member]));
    const matching = Object.entries(a.patternProperties ?? {}).flatMap(([pattern, member]) =>
      Object.hasOwn(b.patternProperties ?? {}, pattern) ? [] : [member],
    );
    return [...own, ...matching, a.additionalProperties ?? true].every((one) =>
      proof.prove(one, b.additionalProperties),
    );
  },
  items: (proof, a, b) => {
    const beyond = listOf(a.prefixItems).slice(listOf(b.prefixItems).length);
    if (numberOf(a, "maxItems", Infinity) <= 0) return true;
    return [...beyond, a.items ?? true].every((item) => proof.prove(item, b.items));
  },
  prefixItems: (proof, a, b) =>
    listOf(b.prefixItems).every((item, index) => proof.prove(listOf(a.prefixItems)[index] ?? a.items ?? true, item)) &&
    (b.items === undefined || RULES.items?.(proof, a, b) === true),
  not: (proof, a, b) => areDisjoint(proof, a, flatten(proof.to.document, b.not)),
  anyOf: (proof, a, b) => (b.anyOf as unknown[]).some((branch) => proof.prove(a, branch)),
  oneOf: (proof, a, b) => {
    const branches = b.oneOf as unknown[];
    return branches.some(
      (branch, index) =>
        proof.prove(a, branch) &&
        branches.every((other, at) => at === index || areDisjoint(proof, a, flatten(proof.to.document, other))),
    );
  },
  allOf: (proof, a, b) => (b.allOf ?? []).every((part) => proof.prove(a, part)),
};

const listOf = (value: unknown) => (Array.isArray(value) ? value : []) as unknown[];

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
  return `^(?:${texts.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|")})$`;
}

/** Formats that allow all texts of another one (RFC 3986 §4.1, RFC 3987). */
const WIDER_FORMATS: Readonly<Record<string, readonly string[]>> = { uri: ["uri-reference"] };

function isOfFormat(a: Flat, { format }: Flat): boolean {
  const definition = (fullFormats as Record<string, { type?: string } | undefined>)[String(format)];
  return isOfType(a, definition?.type ?? "string");
}

function memberOf(schema: Flat, name: string): unknown {
  const [first = true, ...others] = schemasOfMember(schema, name);
  return others.length === 0 ? first : { allOf: [first, ...others] };
}

/** Proves that no value is valid by both. */
function areDisjoint(proof: Proof, a: Flat, b: Flat): boolean {
  const types = [a, b].map(({ type }) => (type === undefined ? undefined : [type].flat()));
  const [own, other] = types;
  if (own && other && !own.some((type) => isOfType({ type: other }, type === "integer" ? "number" : type))) return true;
  const [values, others] = [valuesOf(a), valuesOf(b)];
  if (values) return values.every((value) => !allows(proof.from, a, value) || !allows(proof.to, b, value));
  if (others) return others.every((value) => !allows(proof.to, b, value) || !allows(proof.from, a, value));
  if (isObject(b.not) && proof.prove(a, b.not)) return true;
  const branches = (b.anyOf ?? b.oneOf) as unknown[] | undefined;
  if (branches?.every((branch) => areDisjoint(proof, a, flatten(proof.to.document, branch)))) return true;
  if (own?.join() !== "object") return false;
  return [...new Set([...members(a), ...members(b)])].some((name) => {
    const [one, two] = [flatten(proof.from.document, memberOf(a, name)), flatten(proof.to.document, memberOf(b, name))];
    return isNothing(one) || isNothing(two) || areDisjoint(proof, one as Flat, two as Flat);
  });
}
