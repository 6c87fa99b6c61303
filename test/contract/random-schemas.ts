// Random schemas from all keywords that the dialect decides by. Each is built around a value that it allows, its
// witness, so that every one can be satisfied. Parts of some are components, which the schema refers to, also to
// itself.
import { walkNodes } from "../../src/contract/grammar.js";
import { createSchemaChecker } from "../../src/contract/schema-checker.js";
import { createRandom, type Random } from "../support/random.js";

type Schema = Record<string, unknown> | boolean;

export interface RandomSchema {
  schema: Record<string, unknown>;
  components: { schemas: Record<string, Schema> };
  witness: unknown;
}

export function createRandomSchema(seed: number): RandomSchema {
  const random = createRandom(seed);
  const values = Array.from({ length: 3 }, () => randomValue(random, 3));
  const witness = values.find((value) => typeof value === "object" && value !== null) ?? values[0];
  const { errorsOf } = createSchemaChecker({});
  const isAllowed = (part: Schema, value: unknown) => errorsOf(part, value).length === 0;
  const whole = { ...Object(schemaFor({ random, depth: 3, isAllowed }, witness)) };
  const components: RandomSchema["components"] = { schemas: {} };
  return { schema: moveParts(random, whole, components), components, witness };
}

/** The keywords of a schema and its parts. */
export function keywordsOf({ schema, components }: RandomSchema): Set<string> {
  const roots = [schema, ...Object.values(components.schemas)];
  return new Set(roots.flatMap((root) => [...walkNodes(root, "schema")].flatMap(({ value }) => Object.keys(value))));
}

const NAMES = ["id", "name", "kind", "a", "b", "x-rate", "x-id", "constructor", "__proto__", "größe"];
const TEXTS = [
  "",
  "a",
  "abc",
  "Ann B",
  "42",
  "en-US",
  "2026-11-02",
  "2026-11-02T09:00:00Z",
  "09:00:00Z",
  "PT15M",
  "潮汐",
];
const MORE_TEXTS = ["66e0f1a20c4b3d5e6f708101", "0b2c9e7e-5f57-4a70-9d55-6b1f0b2c9e7e", "a@example.com", "192.0.2.1"];
const ADDRESSES = ["https://example.com/a/1", "/a/b~0c", "host.example.com", "2001:db8::1", "dGV4dA==", "x".repeat(40)];
const ALL_TEXTS = [...TEXTS, ...MORE_TEXTS, ...ADDRESSES];
const PATTERNS = [
  "^[a-z]+$",
  "^[a-z]",
  "[0-9]$",
  "^.{3,}$",
  "^\\p{L}",
  "^[0-9a-f]{24}$",
  "^(?!text)",
  "^\\d{4}-",
  "@",
  "^[A-Z]",
  "\\s",
];
const NAME_PATTERNS = ["^x-", "^[a-z]+$", "^.{1,4}$", "e", "^id$"];
const FORMATS = ["date", "date-time", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uri-reference"];
const MORE_FORMATS = ["uuid", "json-pointer", "relative-json-pointer", "regex", "byte", "uri-template", "of-our-own"];

function randomValue(random: Random, depth: number): unknown {
  const { pick, between } = random;
  const kind = pick([
    "text",
    "text",
    "number",
    "number",
    "boolean",
    "null",
    ...(depth > 0 ? ["list", "object", "object"] : []),
  ]);
  if (kind === "text") return pick(ALL_TEXTS);
  if (kind === "number") return pick([between(-20, 200), between(0, 5), between(-500, 500) / 4, between(0, 100) / 100]);
  if (kind === "boolean") return random.chance(0.5);
  if (kind === "null") return null;
  const length = between(0, 4);
  if (kind === "list") {
    const item = randomValue(random, depth - 1);
    return Array.from({ length }, () => (random.chance(0.3) ? item : randomValue(random, depth - 1)));
  }
  const object = {};
  for (let index = 0; index < length; index += 1) setMember(object, pick(NAMES), randomValue(random, depth - 1));
  return object;
}

/** An assignment to `__proto__` would add no member. */
function setMember(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

function objectOf(names: readonly string[], toValue: (name: string) => unknown): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const name of names) setMember(object, name, toValue(name));
  return object;
}

interface Context {
  random: Random;
  depth: number;
  isAllowed(schema: Schema, value: unknown): boolean;
}

/** A schema of some keywords, each of which allows the value. */
function schemaFor(context: Context, value: unknown): Schema {
  const { random, depth } = context;
  if (depth < 0 || random.chance(0.05)) return random.pick([true, {}, { type: typeOf(value) }]);
  let schema: Record<string, unknown> = random.chance(0.7) ? { type: typeOf(value) } : {};
  const facets = [
    ...FACETS.any,
    ...OF_TYPE.flatMap(([type, own]) => (type === typeOf(value) ? [...own, ...own, ...own] : [])),
  ];
  for (let count = random.between(1, 6); count > 0; count -= 1) {
    const keywords = random.pick(facets)({ ...context, depth: depth - 1 }, value as never);
    if (Object.keys(keywords).some((keyword) => keyword in schema)) continue;
    const next = { ...schema, ...keywords };
    const isAlone = !Object.keys(keywords).some((keyword) => ACTING_TOGETHER.test(keyword));
    if (context.isAllowed(isAlone ? keywords : next, value)) schema = next;
  }
  return schema;
}

/** They depend on other keywords of their schema. */
const ACTING_TOGETHER = /^(properties|.*Properties|items|.*Items)$/;

/** A schema of another value, which may allow this one. */
const anySchema = (context: Context): Schema => schemaFor(context, randomValue(context.random, 1));

function failingSchema(context: Context, value: unknown): Schema {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const schema = anySchema(context);
    if (!context.isAllowed(schema, value)) return schema;
  }
  return { type: typeOf(value) === "string" ? "number" : "string" };
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

/** Constants that are large say everything about a value. */
const isSmall = (value: unknown) => JSON.stringify(value).length < 30;

type Facet<T> = (context: Context, value: T) => Record<string, unknown>;
const shuffled = <T>({ random }: Context, items: T[]) => items.toSorted(() => random.fraction() - 0.5);
const schemasFor = (context: Context, values: readonly unknown[]): Schema =>
  values.length === 0 ? anySchema(context) : { anyOf: values.map((value) => schemaFor(context, value)) };

const ANY: Facet<unknown>[] = [
  ({ random }, value) => ({
    type: [typeOf(value), random.pick(["string", "null", "object", "boolean"])].filter(
      (type, index, all) => all.indexOf(type) === index,
    ),
  }),
  (_context, value) => (isSmall(value) ? { const: value } : {}),
  (context, value) =>
    isSmall(value)
      ? {
          enum: shuffled(context, [value, randomValue(context.random, 1), randomValue(context.random, 0)]),
        }
      : {},
  (context, value) => ({ anyOf: shuffled(context, [schemaFor(context, value), anySchema(context)]) }),
  (context, value) => ({ oneOf: shuffled(context, [schemaFor(context, value), failingSchema(context, value)]) }),
  (context, value) => ({
    oneOf: shuffled(context, [schemaFor(context, value), anySchema(context), anySchema(context)]),
  }),
  (context, value) => ({ allOf: [schemaFor(context, value), schemaFor(context, value)] }),
  (context, value) => ({ not: failingSchema(context, value) }),
  (context, value) => {
    const condition = context.random.chance(0.5) ? schemaFor(context, value) : failingSchema(context, value);
    const [own, other] = [schemaFor(context, value), anySchema(context)];
    const isMet = context.isAllowed(condition, value);
    return {
      if: condition,
      [isMet ? "then" : "else"]: own,
      ...(context.random.chance(0.5) ? { [isMet ? "else" : "then"]: other } : {}),
    };
  },
];

const NUMBER: Facet<number>[] = [
  ({ random }, value) => ({ minimum: value - random.pick([0, 1, 0.5, 100]) }),
  ({ random }, value) => ({ maximum: value + random.pick([0, 1, 0.5, 100]) }),
  ({ random }, value) => ({ exclusiveMinimum: value - random.pick([0.25, 1, 50]) }),
  ({ random }, value) => ({ exclusiveMaximum: value + random.pick([0.25, 1, 50]) }),
  ({ random }, value) => ({ multipleOf: random.pick([1, 2, 5, 10, 0.5, 0.25, 0.01, Math.abs(value) || 7]) }),
  ({ random }) => ({ format: random.pick(["int32", "int64", "double", "of-our-own"]) }),
];

const STRING: Facet<string>[] = [
  ({ random }, value) => ({ minLength: Math.max(0, [...value].length - random.pick([0, 1, 5])) }),
  ({ random }, value) => ({ maxLength: [...value].length + random.pick([0, 1, 5, 50]) }),
  ({ random }) => ({ pattern: random.pick(PATTERNS) }),
  ({ random }) => ({ format: random.pick(FORMATS) }),
  ({ random }) => ({ format: random.pick(MORE_FORMATS) }),
];

const ARRAY: Facet<unknown[]>[] = [
  (context, value) => ({ items: schemasFor(context, value) }),
  (context, value) => {
    const count = context.random.between(0, value.length + 1);
    const prefix = Array.from({ length: count }, (_none, index) =>
      index < value.length ? schemaFor(context, value[index]) : anySchema(context),
    );
    const rest = value.length <= count && context.random.chance(0.5) ? false : schemasFor(context, value.slice(count));
    return { ...(count > 0 ? { prefixItems: prefix } : {}), ...(context.random.chance(0.7) ? { items: rest } : {}) };
  },
  ({ random }, value) => ({ minItems: Math.max(0, value.length - random.between(0, 1)) }),
  ({ random }, value) => ({ maxItems: value.length + random.between(0, 2) }),
  () => ({ uniqueItems: true }),
  (context, value) => {
    const contains = value.length > 0 ? schemaFor(context, context.random.pick(value)) : anySchema(context);
    const count = value.filter((item) => context.isAllowed(contains, item)).length;
    const { chance } = context.random;
    return {
      contains,
      ...(chance(0.5) || count === 0 ? { minContains: count } : {}),
      ...(chance(0.4) ? { maxContains: count || 1 } : {}),
    };
  },
  () => ({ unevaluatedItems: false }),
  (context, value) => ({ unevaluatedItems: schemasFor(context, value) }),
];

const OBJECT: Facet<Record<string, unknown>>[] = [
  (context, value) => {
    const names = [...Object.keys(value).filter(() => context.random.chance(0.8)), context.random.pick(NAMES)];
    const schemaOf = (name: string) =>
      Object.hasOwn(value, name) ? schemaFor(context, value[name]) : anySchema(context);
    const others = Object.keys(value).filter((name) => !names.includes(name));
    const additional =
      others.length === 0 && context.random.chance(0.6)
        ? false
        : schemasFor(
            context,
            others.map((name) => value[name]),
          );
    return {
      properties: objectOf(names, schemaOf),
      ...(context.random.chance(0.4) ? { additionalProperties: additional } : {}),
    };
  },
  (context, value) => {
    const patterns = NAME_PATTERNS.filter(() => context.random.chance(0.4));
    const valuesOf = (pattern: string) =>
      Object.keys(value)
        .filter((name) => new RegExp(pattern, "u").test(name))
        .map((name) => value[name]);
    return {
      patternProperties: objectOf(patterns, (pattern) => schemasFor(context, valuesOf(pattern))),
      ...(context.random.chance(0.3) ? { additionalProperties: false } : {}),
    };
  },
  (context, value) => ({ required: Object.keys(value).filter(() => context.random.chance(0.6)) }),
  ({ random }, value) => ({ minProperties: Math.max(0, Object.keys(value).length - random.between(0, 1)) }),
  ({ random }, value) => ({ maxProperties: Object.keys(value).length + random.between(0, 2) }),
  ({ random }) => ({
    propertyNames: random.pick([
      { pattern: random.pick(NAME_PATTERNS) },
      { maxLength: 4 },
      { minLength: 2 },
      { enum: NAMES.slice(0, 6) },
    ]),
  }),
  ({ random }) => ({ dependentRequired: objectOf([random.pick(NAMES)], () => [random.pick(NAMES)]) }),
  (context, value) => {
    const name = context.random.pick(NAMES);
    return {
      dependentSchemas: objectOf([name], () =>
        Object.hasOwn(value, name) ? schemaFor(context, value) : anySchema(context),
      ),
    };
  },
  () => ({ unevaluatedProperties: false }),
  (context, value) => ({ unevaluatedProperties: schemasFor(context, Object.values(value)) }),
];

const FACETS = { any: ANY };
const OF_TYPE: [type: string, facets: Facet<never>[]][] = [
  ["integer", NUMBER],
  ["number", NUMBER],
  ["string", STRING],
  ["array", ARRAY],
  ["object", OBJECT],
];

/** Replaces some parts by references, and adds an optional member that refers to the whole. */
function moveParts(
  random: Random,
  whole: Record<string, unknown>,
  { schemas }: RandomSchema["components"],
): Record<string, unknown> {
  const isOpen =
    whole.type === "object" && !Object.keys(whole).some((keyword) => keyword !== "type" && keyword !== "required");
  if (isOpen && random.chance(0.5)) whole.properties = { self: { $ref: "#/components/schemas/Whole" } };
  for (const { value } of [...walkNodes(whole, "schema")].slice(1)) {
    if (!random.chance(0.15) || Object.keys(value).length === 0) continue;
    const name = `Part${Object.keys(schemas).length}`;
    schemas[name] = { ...value };
    for (const keyword of Object.keys(value)) delete value[keyword];
    value.$ref = `#/components/schemas/${name}`;
  }
  schemas.Whole = whole;
  return whole;
}
