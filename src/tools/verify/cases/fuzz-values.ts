// Values to try at a place: on both sides of each bound, near misses, and what programs send by mistake. Whether a value is
// valid is decided by the contract's schema, not here.
import { distinct, jsonValuesNear, numbersNear, textsNear } from "../../../contract/values/near.js";
import type { Place } from "./places.js";

/** Values in the form that the place takes: text in paths, queries and headers, JSON in bodies. */
export function fuzzValues(place: Place): unknown[] {
  const { schema } = place;
  if (place.in === "body") return jsonValuesNear(schema, place.example);
  if (schema.type === "array") return listsFor(place);
  const numbers = numbersNear(schema).map(String);
  const ofQuery = place.in === "query" ? ["email"] : [];
  const texts =
    numbers.length > 0 ? ["x", "1.5", "true", "null", "1,2"] : [...textsNear(schema, place.example), ...ofQuery];
  return distinct([...numbers, ...texts]).filter((value) => isSendable(place, String(value)));
}

function listsFor({ schema, example }: Place): unknown[][] {
  const items = [example].flat();
  const isFree = schema.items?.enum === undefined && schema.items?.pattern === undefined && !schema.items?.$ref;
  const bound = typeof schema.maxItems === "number" ? [schema.maxItems, schema.maxItems + 1] : [];
  return [...new Set([1, 2, 20, 21, ...bound])].map((length) =>
    Array.from({ length }, (_, index) => (isFree ? `${items[0]}${index}` : items[index % items.length])),
  );
}

/** True if the text means the same to every server. Empty values in the query have a separate rule (D-27). */
function isSendable({ in: source, schema }: Place, text: string): boolean {
  if (source === "query") return text !== "";
  if (source === "header")
    return text === "" ? schema.minLength !== undefined : /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text);
  return text !== "" && text !== "." && text !== "..";
}
