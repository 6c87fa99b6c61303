// Places that say the same thing in two ways agree: a bound of a request and what the response repeats of it, a status and the
// `statusCode` of its body, the channels as names and as values.
import type { Pointer } from "../../contract/contract-file.js";
import {
  type OpenApiDocument,
  type ResponseObject,
  resolve,
  type SchemaObject,
  valueAt,
} from "../../contract/openapi-document.js";
import { toOperations } from "../../contract/operations.js";
import type { LintRule, LintViolation } from "./lint-rule.js";

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

export const agreements: LintRule = (document) => [
  ...AGREEING.flatMap((places) => compare(document, places)),
  ...toOperations(document).flatMap(({ path, method, object }) =>
    Object.entries(object.responses ?? {}).flatMap(([status, place]) =>
      checkStatus(document, ["paths", path, method, "responses", status], resolve<ResponseObject>(document, place)),
    ),
  ),
];

/** Places whose parent is absent are not compared: a renamed schema is another violation. */
function compare(document: OpenApiDocument, places: readonly string[]): LintViolation[] {
  const values = places
    .map((place): Pointer => ["components", ...place.split("/")])
    .filter((pointer) => valueAt(document, pointer.slice(0, -1)) !== undefined)
    .map((pointer) => ({ pointer, value: toComparable(valueAt(document, pointer)) }));
  const [first, ...others] = values;
  const other = others.find(({ value }) => value !== first?.value);
  if (!first || !other) return [];
  const toText = ({ pointer, value }: typeof first) => `${pointer.slice(1).join("/")} is ${value ?? "absent"}`;
  return [{ pointer: other.pointer, message: `These must agree: ${values.map(toText).join(", ")}` }];
}

/** A bound as it is; a list of values or a map of names as their sorted list. */
function toComparable(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return value === undefined ? undefined : String(value);
  return (Array.isArray(value) ? value.map(String) : Object.keys(value)).toSorted().join(", ");
}

function checkStatus(document: OpenApiDocument, pointer: Pointer, { content }: ResponseObject): LintViolation[] {
  const schema = content?.["application/json"]?.schema;
  return constantsOf(document, schema ?? {})
    .filter((constant) => String(constant) !== String(pointer.at(-1)))
    .map((constant) => ({
      pointer,
      message: `the response ${pointer.at(-1)} has the statusCode ${constant} in its body`,
    }));
}

function constantsOf(document: OpenApiDocument, place: SchemaObject): unknown[] {
  const { properties, allOf = [], $ref } = place;
  const own = properties?.statusCode?.const;
  const target = $ref ? constantsOf(document, resolve<SchemaObject>(document, { $ref })) : [];
  return [...(own === undefined ? [] : [own]), ...target, ...allOf.flatMap((part) => constantsOf(document, part))];
}
