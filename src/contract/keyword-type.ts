// The type of values that a keyword applies to: the others are valid whatever it says.

const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  string: ["minLength", "maxLength", "pattern"],
  array: ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains"],
  object: [
    "properties",
    "patternProperties",
    "additionalProperties",
    "required",
    "minProperties",
    "maxProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
  ],
};

/** undefined for a keyword that applies to values of each type. */
export function typeOfKeyword(keyword: string): string | undefined {
  return Object.keys(KEYWORDS).find((type) => KEYWORDS[type]?.includes(keyword));
}
