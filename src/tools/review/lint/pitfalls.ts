// The rules for valid OpenAPI that has no effect or the wrong one: constructs outside of the dialect (contract/dialect.ts) or
// mishandled by a tool of this project (express-openapi-validator (EOV) 5.6, Prism 5.14), ignored headers, slow patterns.
import type { Contract } from "../../../contract/contract.js";
import type { Node } from "../../../contract/grammar.js";
import { lookUp } from "../../../contract/json.js";
import { mapDefined } from "../../../contract/lists.js";
import { analyse } from "../../../contract/pattern-analysis.js";
import { walkContract } from "../../../contract/walk-contract.js";
import { IGNORED_HEADERS } from "../changes/operation-version.js";

/** The problem with each keyword. */
const KEYWORDS: Readonly<Record<string, string>> = {
  readOnly: "EOV requires it in requests when it stands beside allOf; Prism does not reject it",
  writeOnly: "Prism returns it",
  $defs: "EOV looks it up in the document's root. Use components/schemas",
};
const FORMATS = new Set(["date-time", "date", "time", "email", "uuid", "uri", "int32", "int64", "float", "double"]);

export function toolingLimits(contract: Contract) {
  const ofKeywords = [...walkContract(contract)].flatMap((place) =>
    mapDefined(Object.keys(place.value), (key) => {
      const reason = place.kind === "schema" ? checkKeyword(key, place) : undefined;
      return reason ? { pointer: [...place.pointer, key], construct: key, reason } : undefined;
    }),
  );
  return [...contract.unchecked, ...ofKeywords].map(({ pointer, construct, reason }) => ({
    pointer,
    code: construct,
    message: `${pointer.join(" › ")}: ${reason}`,
  }));
}

function checkKeyword(key: string, { pointer, value: parent }: Node): string | undefined {
  const value = parent[key];
  const isInParameter = pointer.includes("parameters");
  const reason = lookUp(KEYWORDS, key);
  if (reason) return reason;
  if (key === "format" && !FORMATS.has(String(value)))
    return `the format ${value} is unknown to EOV, which accepts every value`;
  if (key === "type" && Array.isArray(value) && value.length > 1 && isInParameter)
    return "EOV does not split the values of a parameter with several types";
  if (key === "type" && value === "object" && isInParameter)
    return "a free-form parameter makes EOV accept every unknown query parameter";
  return undefined;
}

export function ignoredHeaders(contract: Contract) {
  return mapDefined([...walkContract(contract)], ({ kind, pointer, value: { in: location, name } }) => {
    const parameter = kind === "parameter" && location === "header" ? String(name) : "";
    const header = kind === "header" && pointer.at(-2) === "headers" ? String(pointer.at(-1)) : "";
    const ignored = IGNORED_HEADERS.has(parameter.toLowerCase())
      ? parameter
      : header.toLowerCase() === "content-type" && header;
    if (!ignored) return undefined;
    const message = `OpenAPI ignores the header ${ignored} here: \`content\` and \`security\` say what it is`;
    return { pointer, code: "ignored", message: `${pointer.join(" › ")}: ${message}` };
  });
}

/** A single request with such a text would stop a server. scslre may miss slow patterns. */
export function patternTime(contract: Contract) {
  return mapDefined([...walkContract(contract)], ({ kind, pointer, value }) => {
    const { pattern } = value;
    if (typeof pattern !== "string" || kind !== "schema") return undefined;
    const slow = analyse({ source: pattern, flags: "u" }).reports.find(({ exponential }) => exponential);
    if (!slow) return undefined;
    const texts = `texts with many ${slow.character.literal.source}`;
    const message = `the pattern ${pattern} can take exponential time for ${texts}: one of them can stop a server`;
    return { pointer: [...pointer, "pattern"], code: "slow", message: `${pointer.join(" › ")}: ${message}` };
  });
}

/** Reports members that an object must have and must not have, as after a rename in one of two places. */
export function possibleMembers(contract: Contract) {
  return [...walkContract(contract)].flatMap(({ kind, pointer, value }) => {
    const { properties, required, additionalProperties, patternProperties } = value;
    const isClosed = additionalProperties === false && patternProperties === undefined && kind === "schema";
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
