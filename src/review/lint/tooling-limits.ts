// Valid OpenAPI that a tool of this project handles wrongly: express-openapi-validator (EOV) 5.6, Prism 5.14 or
// openapi-typescript 7.
import type { Pointer } from "../../contract/contract-file.js";
import { isJson } from "../../contract/operations.js";
import { type ContractObject, isData, isNameMap, walkContract } from "../contract-objects.js";
import type { LintRule } from "./lint-rule.js";

const NOT_SUPPORTED = "is not served, checked or reviewed here";

/** What goes wrong, by keyword. */
const KEYWORDS: Readonly<Record<string, string>> = {
  prefixItems: "EOV responds with 500 to every request unless minItems and maxItems are equal; Prism generates []",
  discriminator: "EOV's errors lose their place in the body",
  nullable: "is not OpenAPI 3.1; EOV applies it, the other tools do not. Use type: [string, 'null']",
  readOnly: "EOV requires it in requests when it stands beside allOf; Prism does not reject it",
  writeOnly: "Prism returns it",
  unevaluatedProperties: "Prism does not check it, and it has no type",
  $defs: "EOV looks it up in the document's root. Use components/schemas",
  callbacks: NOT_SUPPORTED,
  webhooks: NOT_SUPPORTED,
};
const FORMATS = new Set(["date-time", "date", "time", "email", "uuid", "uri", "int32", "int64", "float", "double"]);

export const toolingLimits: LintRule = ({ document }) =>
  [...walkContract(document)].flatMap((place) =>
    Object.keys(place.value).flatMap((key) => {
      if (isName(place.pointer) || isData(key, place.pointer)) return [];
      const message = checkKeyword(key, place);
      const pointer = [...place.pointer, key];
      return message ? [{ pointer, message: `${pointer.join(" › ")}: ${message}` }] : [];
    }),
  );

function checkKeyword(key: string, { pointer, value: parent }: ContractObject): string | undefined {
  const value = parent[key];
  const isInParameter = pointer.includes("parameters");
  if (KEYWORDS[key]) return KEYWORDS[key];
  if (key === "format" && !FORMATS.has(String(value)))
    return `the format ${value} is unknown to EOV, which accepts every value`;
  if (key === "style" && value === "deepObject") return "EOV turns an absent one into {}; Prism accepts unknown keys";
  if (key === "type" && Array.isArray(value) && value.length > 1 && isInParameter)
    return "EOV does not split the values of a parameter with several types";
  if (key === "type" && value === "object" && isInParameter)
    return "a free-form parameter makes EOV accept every unknown query parameter";
  if (key === "content" && pointer.at(-1) === "requestBody" && !Object.keys(value as object).every(isJson))
    return "a body that is not JSON is not validated here";
  return undefined;
}

/** Names that somebody chose, and a path's methods: no keywords. */
function isName(pointer: Pointer): boolean {
  const isPathItem = pointer.length === 2 && pointer[0] === "paths";
  return isPathItem || isNameMap(pointer);
}
