// The rules for valid OpenAPI that has no effect or the wrong one: constructs outside of the dialect (contract/dialect.ts) or
// mishandled by a tool of this project (express-openapi-validator (EOV) 5.6, Prism 5.14), ignored headers, slow patterns.
import { analyse } from "scslre";
import type { Contract } from "../../../contract/contract.js";
import type { Pointer } from "../../../contract/contract-file.js";
import { type ContractObject, isData, isNameMap, walkContract } from "../../../contract/walk-contract.js";
import { IGNORED_HEADERS } from "../changes/operation-version.js";

/** The problem with each keyword. */
const KEYWORDS: Readonly<Record<string, string>> = {
  readOnly: "EOV requires it in requests when it stands beside allOf; Prism does not reject it",
  writeOnly: "Prism returns it",
  $defs: "EOV looks it up in the document's root. Use components/schemas",
};
const FORMATS = new Set(["date-time", "date", "time", "email", "uuid", "uri", "int32", "int64", "float", "double"]);

export function toolingLimits({ document, unchecked }: Contract) {
  const ofKeywords = [...walkContract(document)].flatMap((place) =>
    Object.keys(place.value).flatMap((key) => {
      if (isName(place.pointer) || isData(key, place.pointer)) return [];
      const reason = checkKeyword(key, place);
      return reason ? [{ pointer: [...place.pointer, key], construct: key, reason }] : [];
    }),
  );
  return [...unchecked, ...ofKeywords].map(({ pointer, construct, reason }) => ({
    ...{ pointer, code: construct, message: `${pointer.join(" › ")}: ${reason}` },
  }));
}

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

/** True if the keys of the object are chosen names, or the methods of a path, rather than keywords. */
function isName(pointer: Pointer): boolean {
  const isPathItem = pointer.length === 2 && pointer[0] === "paths";
  return isPathItem || isNameMap(pointer);
}

export function ignoredHeaders({ document }: Contract) {
  return [...walkContract(document)].flatMap(({ pointer, value: { in: location, name } }) => {
    const isParameter = location === "header" && pointer.includes("parameters");
    const parameter = isParameter && IGNORED_HEADERS.has(String(name).toLowerCase()) ? name : undefined;
    const isOfHeaders = pointer.at(-2) === "headers" && isNameMap(pointer.slice(0, -1));
    const header = isOfHeaders && String(pointer.at(-1)).toLowerCase() === "content-type" ? pointer.at(-1) : undefined;
    const ignored = parameter ?? header;
    if (ignored === undefined) return [];
    const message = `OpenAPI ignores the header ${ignored} here: \`content\` and \`security\` say what it is`;
    return [{ pointer, code: "ignored", message: `${pointer.join(" › ")}: ${message}` }];
  });
}

/** A single request with such a text would stop a server. scslre may miss slow patterns. */
export function patternTime({ document }: Contract) {
  return [...walkContract(document)].flatMap(({ pointer, value }) => {
    const { pattern } = value;
    if (typeof pattern !== "string" || isNameMap(pointer)) return [];
    const slow = analyse({ source: pattern, flags: "u" }).reports.find(({ exponential }) => exponential);
    if (!slow) return [];
    const texts = `texts with many ${slow.character.literal.source}`;
    const message = `the pattern ${pattern} can take exponential time for ${texts}: one of them can stop a server`;
    return [{ pointer: [...pointer, "pattern"], code: "slow", message: `${pointer.join(" › ")}: ${message}` }];
  });
}

/** Reports members that an object must have and must not have, as after a rename in one of two places. */
export function possibleMembers({ document }: Contract) {
  return [...walkContract(document)].flatMap(({ pointer, value }) => {
    const { properties, required, additionalProperties, patternProperties } = value;
    const isClosed = additionalProperties === false && patternProperties === undefined && !isNameMap(pointer);
    const names = isClosed && Array.isArray(required) ? required : [];
    const missing = names.filter((name) => !Object.hasOwn(properties ?? {}, name));
    return missing.map((name) => ({
      pointer: [...pointer, "required"],
      code: "impossible",
      compares: [[...pointer, "properties", String(name)]],
      message: `${pointer.join(" › ")}: ${name} is required, but not among the properties, and no other members are allowed`,
    }));
  });
}
