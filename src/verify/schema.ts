// Single values checked by schemas of the contract, as a whole and by keyword.
import type { Contract } from "../contract/contract.js";
import type { SchemaObject } from "../contract/openapi-document.js";

export interface ValueChecker {
  isValid(value: unknown): boolean;
  /** The first keyword of the schema itself that a value violates; undefined when only something inside is invalid. */
  violatedKeyword(value: unknown): string | undefined;
}

export function createValueChecker({ schemas }: Contract, schema: SchemaObject): ValueChecker {
  const keywords = ["type", ...Object.keys(schema).filter((keyword) => CHECKED_KEYWORDS.has(keyword))];
  const check = (value: unknown) => schemas.checkBy(schema, value, "");
  return {
    isValid: (value) => check(value).length === 0,
    violatedKeyword(value) {
      const own = check(value).filter(({ location }) => location === "");
      return keywords.find((name) => own.some(({ keyword }) => keyword === name));
    },
  };
}

/** The keywords about a value itself, besides `type`. */
export const CHECKED_KEYWORDS: ReadonlySet<string> = new Set(
  "enum const minimum maximum minLength maxLength format pattern minItems maxItems uniqueItems multipleOf minProperties maxProperties".split(
    " ",
  ),
);
