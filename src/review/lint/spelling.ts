// Mistakes that every tool passes over in silence: a keyword that is almost one, and what is there twice: a parameter, a value of
// an enumeration, a required member.
import leven from "leven";
import type { Pointer } from "../../contract/contract-file.js";
import { type ParameterObject, resolve } from "../../contract/openapi-document.js";
import { walkContract } from "../../contract/walk-contract.js";
import type { LintRule, LintViolation } from "./lint-rule.js";

const KEYWORDS = `
  $ref $defs $id $anchor $comment $dynamicRef $dynamicAnchor $schema $vocabulary allOf anyOf oneOf not if then else
  type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern items
  prefixItems contains maxContains minContains maxItems minItems uniqueItems unevaluatedItems properties
  patternProperties additionalProperties propertyNames unevaluatedProperties required maxProperties minProperties
  dependentRequired dependentSchemas format contentEncoding contentMediaType contentSchema title description default
  deprecated readOnly writeOnly examples example discriminator externalDocs xml nullable
`
  .trim()
  .split(/\s+/);
const IN_SCHEMAS =
  /^(schema|items|not|if|then|else|contains|propertyNames|(additional|unevaluated)(Properties|Items)?)$/;
const BY_NAME = /^(schemas|properties|patternProperties|dependentSchemas|\$defs)$/;

export const spelling: LintRule = ({ document }) => [
  ...[...walkContract(document)].flatMap(({ pointer, value }) =>
    Array.isArray(value) || !isSchema(pointer.map(String))
      ? []
      : [...misspelled(pointer, value), ...repeated(pointer, value)],
  ),
  ...Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const { parameters = [] } = operation ?? {};
      if (!Array.isArray(parameters)) return [];
      const names = parameters.map((place) => {
        const { in: location, name } = resolve<ParameterObject>(document, place);
        return `${location}.${location === "header" ? name.toLowerCase() : name}`;
      });
      return [...names.entries()]
        .filter(([index, name]) => names.indexOf(name) < index)
        .map(([index, name]) => ({
          pointer: ["paths", path, method, "parameters", index],
          message: `the parameter ${name} is declared twice`,
        }));
    }),
  ),
];

function misspelled(pointer: Pointer, schema: Record<string, unknown>): LintViolation[] {
  return Object.keys(schema).flatMap((key) => {
    if (key.startsWith("x-") || KEYWORDS.includes(key)) return [];
    const nearest = KEYWORDS.find((keyword) => leven(key, keyword) <= 2);
    return nearest === undefined
      ? []
      : [{ pointer: [...pointer, key], message: `${key} is no keyword; did you mean ${nearest}?` }];
  });
}

function repeated(pointer: Pointer, schema: Record<string, unknown>): LintViolation[] {
  return ["enum", "required"].flatMap((keyword) => {
    const values = schema[keyword];
    if (!Array.isArray(values)) return [];
    const texts = values.map((value) => JSON.stringify(value));
    const seen = new Set<string>();
    const [again] = texts.filter((text) => seen.size === seen.add(text).size);
    return again === undefined ? [] : [{ pointer: [...pointer, keyword], message: `${again} is listed twice` }];
  });
}

/** A property may itself be called `items`. */
function isSchema(pointer: readonly string[]): boolean {
  const [around = "", parent = "", last = ""] = pointer.slice(-3);
  if (BY_NAME.test(parent) && !BY_NAME.test(around)) return true;
  if (/^(allOf|anyOf|oneOf|prefixItems)$/.test(parent) && /^\d+$/.test(last)) return true;
  return IN_SCHEMAS.test(last) && !BY_NAME.test(parent);
}
