// Proves that a difference of values is none in messages. Parameters and headers are texts: whoever accepts any text
// accepts numbers, a query cannot write an empty list, and no reader fills in a default of what must be there.
import { isAnnotation } from "../../../contract/grammar.js";
import { readText } from "../../../contract/parameter-text.js";
import type { Search } from "./counterexample.js";
import { isFulfilled } from "./credentials.js";
import { valuesOf } from "./keyword-rules.js";
import { ANNOTATIONS } from "./meanings.js";
import { buildMessageSchema } from "./message-schema.js";
import { EACH_ITEM, type ResolvedSchema, stepInto, typesOf } from "./resolved-schema.js";
import { isSubset } from "./subset-proof.js";

/** True if it is proved that no message shows the difference. */
export function isWithoutEffect(search: Search): boolean {
  const { side, difference } = search;
  const { keyword, path, pair, to: is } = difference;
  if (ANNOTATIONS.has(keyword) && !difference.isForbidden) return true;
  if (keyword === "default") return side === "response" || isRequired(search);
  const part = path[side === "request" ? 0 : 1] ?? "";
  if (part === "security") return isFulfilled(search.from, search.to);
  if (!["path", "query", "header", "cookie"].includes(part)) return false;
  const types = [pair.from, pair.to].flatMap(typesOf);
  if (["style", "serialization", "x-literal-plus"].includes(keyword)) return false;
  if (keyword === "explode") return part !== "query" && !types.includes("object");
  if (keyword === "allowEmptyValue") return is.value === true; // accepts more
  if (keyword === "allowReserved")
    return is.value === true || !types.some((type) => ["string", "array", "object"].includes(type));
  if (keyword === "minItems") return Number(is.value) <= 1;
  return isTextSubset(pair.from, pair.to);
}

/** True if the part of the message is always there, so that its default is never used. */
function isRequired({ side, from, to, difference: { path } }: Search): boolean {
  const outer = path.slice(0, -1).map((step) => (step === EACH_ITEM ? "0" : step));
  return [from, to].every((version) => {
    const schema = buildMessageSchema(version, side).whole.at(outer);
    return schema?.required.includes(path.at(-1) ?? "") ?? false;
  });
}

/** Proves that the texts of all values of one schema are texts of the other one. */
function isTextSubset(from: ResolvedSchema, to: ResolvedSchema): boolean {
  if (isSubset(from, to.whole)) return true;
  const [types, others] = [typesOf(from), typesOf(to)];
  if (types.some((type) => type === "array" || type === "object" || type === "null")) return false;
  const items = stepInto(to, EACH_ITEM);
  const isList = others.every((type) => type === "array");
  if (isList) {
    const { minItems = 0, maxItems = 1 } = to.whole.flat as { minItems?: number; maxItems?: number };
    const isOneEnough = minItems <= 1 && maxItems >= 1 && hasOnly(to, ["type", "items", ...SIZES]);
    return isOneEnough && items !== undefined && isTextSubset(from, items);
  }
  const values = valuesOf(from.whole.flat);
  if (values) return values.every((value) => to.whole.allows(readText(to.whole, String(value))));
  return others.includes("string") && hasOnly(to, ["type"]);
}

/** Of a list: each holds of a single item, within the bounds. */
const SIZES = ["minItems", "maxItems", "uniqueItems"];

/** Keywords that the texts of a value do not depend on, besides those for people. */
const OTHERS = new Set(["style", "explode", "allowReserved", "allowEmptyValue", "default", "allOf", "$ref"]);

function hasOnly({ parts }: ResolvedSchema, keywords: readonly string[]): boolean {
  return parts
    .flatMap(Object.keys)
    .every((keyword) => keywords.includes(keyword) || OTHERS.has(keyword) || isAnnotation(keyword));
}
