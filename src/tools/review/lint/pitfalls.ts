// The rules for valid OpenAPI that has no effect or the wrong one: constructs and formats that no tool of this project
// checks, ignored headers, links that lead nowhere, slow patterns, members that an object must and must not have.
import type { Contract } from "../../../contract/contract.js";
import { isFormat } from "../../../contract/formats.js";
import { mapDefined } from "../../../contract/lists.js";
import { analyse } from "../../../contract/pattern-analysis.js";
import { isIgnoredHeader } from "../../../contract/request-schema.js";
import { walkContract } from "../../../contract/walk-contract.js";

export function toolingLimits(contract: Contract) {
  const formats = mapDefined([...walkContract(contract)], ({ kind, pointer, value: { format } }) => {
    if (kind !== "schema" || format === undefined || isFormat(String(format))) return undefined;
    const reason = `the format ${format} is unknown, so that every value is valid`;
    return { pointer: [...pointer, "format"], construct: "format", reason };
  });
  return [...contract.unchecked, ...formats].map(({ pointer, construct, reason }) => ({
    pointer,
    code: construct,
    message: `${pointer.join(" › ")}: ${reason}`,
  }));
}

export function ignoredHeaders(contract: Contract) {
  return mapDefined([...walkContract(contract)], ({ kind, pointer, value: { in: location, name } }) => {
    const parameter = kind === "parameter" && location === "header" ? String(name) : "";
    const header = kind === "header" && pointer.at(-2) === "headers" ? String(pointer.at(-1)) : "";
    const ignored = isIgnoredHeader(parameter) ? parameter : header.toLowerCase() === "content-type" && header;
    if (!ignored) return undefined;
    const message = `OpenAPI ignores the header ${ignored} here: \`content\` and \`security\` say what it is`;
    return { pointer, code: "ignored", message: `${pointer.join(" › ")}: ${message}` };
  });
}

/** A link to an operation that was renamed or removed leads nowhere. */
export function linkedOperations(contract: Contract) {
  const ids = new Set(contract.operations.map(({ id }) => id));
  return mapDefined([...walkContract(contract)], ({ kind, pointer, value: { operationId: id } }) => {
    if (kind !== "link" || typeof id !== "string" || ids.has(id)) return undefined;
    const message = `${pointer.join(" › ")} names the operation ${id}, which the contract does not have`;
    return { pointer: [...pointer, "operationId"], code: id, message };
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
      about: [[...pointer, "properties", String(name)]],
      message: `${pointer.join(" › ")}: ${name} is required, but not among the properties, and no other members are allowed`,
    }));
  });
}
