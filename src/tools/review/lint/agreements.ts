// The rule that places which state the same fact agree: a bound of a request and the response that repeats it, the channels
// as names and as values.
import type { Contract } from "../../../contract/contract.js";
import type { OpenApiDocument } from "../../../contract/openapi-document.js";
import type { Pointer } from "../../../contract/pointer.js";
import { toPointer, valueAt } from "../../../contract/pointer.js";
import { flatten } from "../../../contract/schema-flatten.js";

/** Below `components`. */
const AGREEING: readonly (readonly string[])[] = [
  [
    "parameters/limit/schema/maximum",
    "schemas/NotificationPage/properties/pageSize/maximum",
    "schemas/NotificationPage/properties/data/maxItems",
  ],
  ["parameters/limit/schema/minimum", "schemas/NotificationPage/properties/pageSize/minimum"],
  ["parameters/page/schema/minimum", "schemas/NotificationPage/properties/page/minimum"],
  ["parameters/idempotencyKey/schema/maxLength", "headers/Idempotency-Key/schema/maxLength"],
  ["schemas/Channel/enum", "schemas/ChannelPreferences/properties"],
];

export function agreements({ document }: Contract) {
  return AGREEING.flatMap((places) => compare(document, places));
}

/** Skips places whose parent is absent: a renamed schema is another violation. */
function compare(document: OpenApiDocument, places: readonly string[]) {
  const values = places
    .map((place): Pointer => ["components", ...place.split("/")])
    .filter((pointer) => valueAt(document, pointer.slice(0, -1)) !== undefined)
    .map((pointer) => ({ pointer, value: toComparable(meaningOf(document, pointer)) }));
  const [first, ...others] = values;
  const other = others.find(({ value }) => value !== first?.value);
  if (!other) return [];
  const texts = values.map(({ pointer, value }) => `${pointer.slice(1).join("/")} is ${value ?? "absent"}`);
  const compares = values.map(({ pointer }) => followReference(document, pointer));
  return [{ pointer: other.pointer, message: `These must agree: ${texts.join(", ")}`, compares }];
}

/** Finds a keyword that is not in the schema itself but in one that it refers to. */
function followReference(document: OpenApiDocument, pointer: Pointer): Pointer {
  const { $ref } = valueAt(document, pointer.slice(0, -1)) as { $ref?: string };
  return $ref === undefined ? pointer : followReference(document, [...toPointer($ref), pointer.at(-1) ?? ""]);
}

/** Reads a keyword from the merged schema: `exclusiveMaximum: 51` of an integer is a maximum of 50. */
function meaningOf(document: OpenApiDocument, pointer: Pointer): unknown {
  return flatten(document, valueAt(document, pointer.slice(0, -1)))[pointer.at(-1) ?? ""];
}

/** Bounds stay as they are; lists and maps become a sorted list. */
function toComparable(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return value === undefined ? undefined : String(value);
  return (Array.isArray(value) ? value.map(String) : Object.keys(value)).toSorted().join(", ");
}
