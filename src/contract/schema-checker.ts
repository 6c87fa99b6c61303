// Checks values against schemas of a contract with Ajv, which compiles each schema at its first use.
import {
  _,
  Ajv2020,
  type ErrorObject,
  type Format,
  type KeywordCxt,
  Name,
  type ValidateFunction,
} from "ajv/dist/2020.js";
import type { CodeKeywordDefinition } from "ajv/dist/types/index.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { isMultiple } from "./decimal.js";
import { toStrictFormats } from "./format.js";
import { walkNodes } from "./grammar.js";
import { isEqual, isObject, lookUp } from "./json.js";
import { memoize } from "./memoize.js";
import { errorAt, type FileLines } from "./openapi-document.js";
import type { Pointer } from "./pointer.js";
import { createCopy, type Direction, HIDDEN_BY, type SchemaNode } from "./schema-node.js";
import { describeDeepest } from "./violation.js";

export interface PlacedSchema {
  schema: SchemaNode;
  pointer: Pointer;
}

export interface SchemaChecker {
  errorsOf(schema: SchemaNode, value: unknown, direction?: Direction): readonly ErrorObject[];
  /** Checks the keywords of a schema. @throws ContractError */
  assertWellFormed(schema: PlacedSchema, file: FileLines): void;
  /**
   * Compiles a schema, so that an invalid one is found before a request needs it.
   * @param all those that it may refer to, since the mistake may be in one of them.
   * @throws ContractError
   */
  assertCompilable(schema: PlacedSchema, all: readonly PlacedSchema[], file: FileLines): void;
}

/** Compiles the dialect's own schema, which is the same for every contract, once. */
let wellFormed: Ajv2020 | undefined;

/** @param document where the references of the schemas lead. */
export function createSchemaChecker(document: object): SchemaChecker {
  const ajv = createAjv();
  const validators = {
    both: createCompile(ajv, document, undefined),
    request: createCompile(ajv, document, "request"),
    response: createCompile(ajv, document, "response"),
  };
  return {
    errorsOf(schema, value, direction) {
      if (typeof schema === "boolean") return schema ? [] : [FORBIDDEN];
      const validate = validators[direction ?? "both"](schema);
      return validate(value) ? [] : (validate.errors ?? []);
    },
    assertWellFormed({ schema, pointer }, file) {
      wellFormed ??= createAjv();
      if (wellFormed.validateSchema(schema)) return;
      const { path = [], message } = describeDeepest(wellFormed.errors ?? []);
      throw fail(file, [...pointer, ...path], message);
    },
    assertCompilable(placed, all, file) {
      const reason = compileError(validators.both, placed.schema);
      if (reason === undefined) return;
      const compileAlone = createCompile(createAjv(), {}, undefined); // so that references lead to anything
      const innermost = all.flatMap(partsOf).findLast((part) => compileError(compileAlone, part.schema));
      throw fail(file, innermost?.pointer ?? placed.pointer, reason);
    },
  };
}

function compileError(compile: (schema: object) => unknown, schema: SchemaNode): string | undefined {
  if (typeof schema === "boolean") return undefined;
  try {
    compile(schema);
    return undefined;
  } catch (error) {
    return error instanceof RangeError ? "leads through too many references" : (error as Error).message;
  }
}

function fail(file: FileLines, place: Pointer, reason: string): Error {
  return errorAt(file, place, `${place.join(" › ")} is an invalid schema: ${reason}`);
}

/** A schema and the schemas in it, outer ones first. */
function partsOf({ schema, pointer }: PlacedSchema): PlacedSchema[] {
  return [...walkNodes(schema, "schema", pointer)].map((node) => ({ schema: node.value, pointer: node.pointer }));
}

const FORBIDDEN: ErrorObject = { keyword: "false schema", instancePath: "", schemaPath: "#", params: {} };

/** Creates the function that compiles a schema once. Ajv knows the schemas that it refers to by ids. */
function createCompile(ajv: Ajv2020, document: object, direction: Direction | undefined) {
  const toId = (number: number) => `${direction ?? "schema"}${number}`;
  const copy = createCopy({
    document,
    direction,
    // Ajv would search defaults for ids.
    isKept: (keyword, value) => (keyword === "format" ? isFormat(String(value)) : keyword !== "default"),
    toReference: toId,
    add: (number, schema) => ajv.addSchema(schema as object, toId(number)),
  });
  return memoize((schema: object): ValidateFunction => ajv.compile(copy(schema) as object));
}

function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false, // strict mode rejects OpenAPI's own keywords
    allErrors: true,
    ownProperties: true, // a member may be called `constructor`
    validateSchema: false,
    code: { optimize: false }, // runs as fast, and compiles in two thirds of the time
    logger: false,
    inlineRefs: false, // a schema that thousands of members refer to is compiled once
  });
  for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format as Format);
  for (const keyword of Object.values(HIDDEN_BY)) {
    ajv.removeKeyword(keyword);
    ajv.addKeyword({ keyword, validate: (isHidden: boolean) => !isHidden, errors: false });
  }
  for (const [keyword, compare] of Object.entries(COMPARISONS)) {
    const validate: Comparison = (expected, value) => {
      const params = compare(expected, value);
      validate.errors = params ? [{ keyword, params }] : [];
      return params === undefined;
    };
    ajv.removeKeyword(keyword);
    ajv.addKeyword({ keyword, validate });
  }
  for (const [keyword, change] of Object.entries(CHANGES)) {
    const definition = ajv.getKeyword(keyword) as CodeKeywordDefinition;
    ajv.removeKeyword(keyword).addKeyword({ ...definition, code: (context) => change(context, definition) });
  }
  return ajv;
}

/** In the order in which Ajv runs them: `contains` tells `unevaluatedItems` what it has evaluated. */
const CHANGES: Readonly<Record<string, (context: KeywordCxt, definition: CodeKeywordDefinition) => void>> = {
  /** Without the errors of each item: none of them has to match. */
  contains(context, definition) {
    const result = context.result.bind(context);
    context.result = (isValid, onSuccess) =>
      result(isValid, onSuccess, () => {
        context.reset();
        context.error();
      });
    definition.code(context);
  },
  /** Ajv 8.20 notes that a branch has evaluated all items as `true`, and reads it as the number 1. */
  unevaluatedItems(context, definition) {
    const { gen, data, it } = context;
    if (it.items instanceof Name)
      it.items = gen.const("items", _`${it.items} === true ? ${data}.length : ${it.items}`) as never;
    definition.code(context);
  },
};

interface Comparison {
  (expected: unknown, value: unknown): boolean;
  errors?: Partial<ErrorObject>[];
}

/** The parameters of a violation. Ajv's own comparison calls `valueOf` and `toString`, which may be members. */
const COMPARISONS: Readonly<Record<string, (expected: unknown, value: unknown) => object | undefined>> = {
  const: (allowedValue, value) => (isEqual(allowedValue, value) ? undefined : { allowedValue }),
  enum: (allowedValues, value) =>
    (allowedValues as unknown[]).some((allowed) => isEqual(allowed, value)) ? undefined : { allowedValues },
  multipleOf: (unit, value) =>
    typeof value !== "number" || isMultiple(value, Number(unit)) ? undefined : { multipleOf: unit },
  uniqueItems: (isUnique, value) => (isUnique && Array.isArray(value) ? findRepetition(value) : undefined),
};

/** In linear time: a body may have ten thousand items. */
function findRepetition(items: readonly unknown[]): { i: number; j: number } | undefined {
  const places = new Map<string, number>();
  for (const [i, item] of items.entries()) {
    const text = JSON.stringify(item, (_name, value) => (isObject(value) ? sortMembers(value) : value));
    const j = places.get(text);
    if (j !== undefined) return { i, j };
    places.set(text, i);
  }
  return undefined;
}

function sortMembers(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** The formats that are checked. Others are annotations. */
export const FORMATS = toStrictFormats(fullFormats);

/** True for a format that is checked. Every object has a member `toString`. */
export const isFormat = (name: string): boolean => lookUp(FORMATS as Record<string, unknown>, name) !== undefined;
