// Schemas of the contract as the suite uses them: references resolved, and single values checked.
import type { Contract } from "../contract/contract.js";
import { type OpenApiDocument, resolve, type SchemaObject } from "../contract/openapi-document.js";

/** A schema with the members of what it refers to. In OpenAPI 3.1 others may stand beside `$ref`. */
export function flatten(document: OpenApiDocument, schema: SchemaObject): SchemaObject {
  if (!schema.$ref) return schema;
  const { $ref, ...own } = schema;
  return { ...flatten(document, resolve<SchemaObject>(document, { $ref })), ...own };
}

export interface ValueChecker {
  isValid(value: unknown): boolean;
  /** The first keyword of the schema itself that a value violates; undefined when only something inside is invalid. */
  violatedKeyword(value: unknown): string | undefined;
}

export function createValueChecker({ schemas }: Contract, schema: SchemaObject): ValueChecker {
  // Outside of the contract, a reference into it names its file.
  const whole: SchemaObject = JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"openapi.yaml#/'));
  const { type } = whole;
  const ofType = type === undefined ? {} : { type };
  const single = Object.entries(whole)
    .filter(([keyword]) => CHECKED_KEYWORDS.has(keyword))
    .map(([keyword, value]) => ({ keyword, schema: { [keyword]: value } }));
  return {
    isValid: (value) => schemas.checkBy(whole, value, "").length === 0,
    violatedKeyword: (value) => {
      if (schemas.checkBy(ofType, value, "").length > 0) return "type";
      return single.find((rule) => schemas.checkBy(rule.schema, value, "").length > 0)?.keyword;
    },
  };
}

/** The keywords about a value itself, besides `type`. */
export const CHECKED_KEYWORDS: ReadonlySet<string> = new Set(
  "enum const minimum maximum minLength maxLength format pattern minItems maxItems uniqueItems multipleOf minProperties maxProperties".split(
    " ",
  ),
);
