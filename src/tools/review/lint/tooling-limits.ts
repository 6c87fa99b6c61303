// Valid OpenAPI that is outside of the dialect (contract/dialect.ts), or that a tool of this project handles wrongly:
// express-openapi-validator (EOV) 5.6 or Prism 5.14.
import type { Pointer } from "../../../contract/contract-file.js";
import { type ContractObject, isData, isNameMap, walkContract } from "../../../contract/walk-contract.js";
import type { LintRule } from "./lint-rule.js";

/** The problem with each keyword. */
const KEYWORDS: Readonly<Record<string, string>> = {
  readOnly: "EOV requires it in requests when it stands beside allOf; Prism does not reject it",
  writeOnly: "Prism returns it",
  $defs: "EOV looks it up in the document's root. Use components/schemas",
};
const FORMATS = new Set(["date-time", "date", "time", "email", "uuid", "uri", "int32", "int64", "float", "double"]);

export const toolingLimits: LintRule = ({ document, unchecked }) => [
  ...unchecked.map(({ pointer, reason, construct }) => ({
    pointer,
    code: construct,
    message: `${pointer.join(" › ")}: ${reason}`,
  })),
  ...[...walkContract(document)].flatMap((place) =>
    Object.keys(place.value).flatMap((key) => {
      if (isName(place.pointer) || isData(key, place.pointer)) return [];
      const message = checkKeyword(key, place);
      const pointer = [...place.pointer, key];
      return message ? [{ pointer, code: key, message: `${pointer.join(" › ")}: ${message}` }] : [];
    }),
  ),
];

function checkKeyword(key: string, { pointer, value: parent }: ContractObject): string | undefined {
  const value = parent[key];
  const isInParameter = pointer.includes("parameters");
  if (KEYWORDS[key]) return KEYWORDS[key];
  if (key === "format" && !FORMATS.has(String(value)))
    return `the format ${value} is unknown to EOV, which accepts every value`;
  if (key === "type" && Array.isArray(value) && value.length > 1 && isInParameter)
    return "EOV does not split the values of a parameter with several types";
  if (key === "type" && value === "object" && isInParameter)
    return "a free-form parameter makes EOV accept every unknown query parameter";
  return undefined;
}

/** Names that somebody chose, and a path's methods: no keywords. */
function isName(pointer: Pointer): boolean {
  const isPathItem = pointer.length === 2 && pointer[0] === "paths";
  return isPathItem || isNameMap(pointer);
}
