// Single values checked by schemas of the contract, as a whole and by keyword.
import type { Contract } from "../contract/contract.js";
import type { SchemaObject } from "../contract/openapi-document.js";

export interface ValueChecker {
  isValid(value: unknown): boolean;
  /** The first keyword of the schema itself that a value violates; undefined when only something inside is invalid. */
  violatedKeyword(value: unknown): string | undefined;
}

export function createValueChecker({ schemas }: Contract, schema: SchemaObject): ValueChecker {
  const { type } = schema;
  const ofType = type === undefined ? {} : { type };
  const single = Object.entries(schema)
    .filter(([keyword]) => CHECKED_KEYWORDS.has(keyword))
    .map(([keyword, value]) => ({ keyword, schema: { [keyword]: value } }));
  return {
    isValid: (value) => schemas.checkBy(schema, value, "").length === 0,
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
