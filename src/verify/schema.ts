// Schemas of the contract as the suite reads them: references followed, and a verdict on single values.
import type { Contract } from "../contract/contract.js";
import { type OpenApiDocument, resolve, type SchemaObject } from "../contract/openapi-document.js";

/** A schema with the members of what it refers to. In OpenAPI 3.1 others may stand beside `$ref`. */
export function flatten(document: OpenApiDocument, schema: SchemaObject): SchemaObject {
  if (!schema.$ref) return schema;
  const { $ref, ...own } = schema;
  return { ...flatten(document, resolve<SchemaObject>(document, { $ref })), ...own };
}

export interface Verdict {
  isValid(value: unknown): boolean;
  /** The first keyword of the schema itself that a value breaks; undefined when only something inside is wrong. */
  brokenKeyword(value: unknown): string | undefined;
}

/** The verdict on values by a schema of the contract. */
export function createVerdict({ schemas }: Contract, schema: SchemaObject): Verdict {
  const whole = withAbsoluteReferences(schema);
  const { type } = whole;
  const single = Object.entries(whole)
    .filter(([keyword]) => CHECKED_KEYWORDS.has(keyword))
    .map(([keyword, value]) => ({ keyword, schema: { [keyword]: value } }));
  const ofType = { ...(type === undefined ? {} : { type }) };
  return {
    isValid: (value) => schemas.checkBy(whole, value, "").length === 0,
    brokenKeyword: (value) => {
      if (schemas.checkBy(ofType, value, "").length > 0) return "type";
      return single.find((one) => schemas.checkBy(one.schema, value, "").length > 0)?.keyword;
    },
  };
}

/** The keywords that speak of a value by itself, besides `type`. */
export const CHECKED_KEYWORDS: ReadonlySet<string> = new Set(
  ["enum", "const", "minimum", "maximum", "minLength", "maxLength", "format", "pattern", "minItems", "maxItems"].concat(
    ["uniqueItems", "multipleOf", "minProperties", "maxProperties"],
  ),
);

function withAbsoluteReferences(schema: SchemaObject): SchemaObject {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"openapi.yaml#/'));
}
