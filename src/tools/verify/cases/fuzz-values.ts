// Values to try at a place: on both sides of each bound, near misses, and what programs send by mistake. Whether a value is
// valid is decided by the contract's schema, not here.
import type { SchemaObject } from "../../../contract/openapi-document.js";
import { distinct, numbersAround, textsAround } from "../../../contract/values/bounds.js";
import type { Place } from "./places.js";

const HEX_ID = "66e0f1a20c4b3d5e6f708101";

// The last ones are not RFC 3339, although they look like it.
const TIMES = [
  ...["T00:00:00Z", "t23:59:59.999z", "T12:00:00.123+05:30", "T00:00:00-00:00", " 00:00:00Z", "T00:00:00", ""],
  ...["T24:00:01Z", "T00:60:00Z", "T00:00Z", "T00:00:00+0100", "T00:00:00,5Z", "T00:00:00Z ", "T00:00:00Z[UTC]"],
];
const DATES = [
  ...TIMES.map((time) => `2026-06-30${time}`),
  ...["2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "yesterday", "1793523600000", "Mon, 02 Nov 2026 09:00:00 GMT"],
];

const TEXTS = [
  ...["x", "a,b", "a+b", "%", "%2F", "..", "'\"<>&", "null", "undefined", "ünï ✓ 潮"],
  ...[255, 256, 2000].map((length) => "x".repeat(length)),
];
const NUMBERS = [-1, 0, 1, 2, 10, 49, 50, 51, 100, 1000, 2 ** 31, 1.5];
const JSON_VALUES = [null, true, false, 0, 1, 1.5, "", "x", "true", [], [true], {}];

/** Values in the form that the place takes: text in paths, queries and headers, JSON in bodies. */
export function fuzzValues(place: Place): unknown[] {
  const { schema } = place;
  if (place.in === "body") return jsonValues(place);
  if (schema.type === "array") return listsFor(place);
  const numbers = numbersFor(schema).map(String);
  const texts = numbers.length > 0 ? ["x", "1.5", "true", "null", "1,2"] : [...textsFor(place), ...textsAround(schema)];
  return distinct([...numbers, ...texts]).filter((value) => isSendable(place, String(value)));
}

/** Values of every JSON type, near the bounds of a schema. */
function jsonValues(place: Place): unknown[] {
  const { schema } = place;
  const examples = (schema.examples as unknown[] | undefined) ?? [];
  return distinct([...JSON_VALUES, ...examples, ...textsFor(place), ...textsAround(schema), ...numbersFor(schema)]);
}

function numbersFor(schema: SchemaObject): number[] {
  if (!["integer", "number"].some((type) => [schema.type].flat().includes(type))) return [];
  return [...NUMBERS, ...numbersAround(schema)];
}

function textsFor({ schema, example, in: source }: Place): unknown[] {
  if (schema.type !== undefined && schema.type !== "string") return [];
  const members = Array.isArray(schema.enum) ? schema.enum.map(String) : [];
  const sample = String(example ?? members[0] ?? "x");
  const variants = [sample.slice(1), `${sample}0`, `g${sample.slice(1)}`, `${sample}\n`, ` ${sample}`];
  const near = [sample, ...variants, sample.toUpperCase()];
  const misses = members.length > 0 || schema.pattern !== undefined ? near : [];
  const dates = schema.format === "date-time" || String(schema.pattern).includes("[Tt]") ? DATES : [];
  return [...members, ...misses, ...dates, ...TEXTS, HEX_ID, ...(source === "query" ? ["email"] : [])];
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
