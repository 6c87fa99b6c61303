// The rule that places which state the same fact agree: a bound of a request and the response that repeats it, the
// channels as names and as values.
import type { Contract } from "../../../contract/contract.js";
import type { SchemaNode } from "../../../contract/copy-schema.js";
import { mapDefined } from "../../../contract/lists.js";
import { type Pointer, valueAt } from "../../../contract/pointer.js";
import { findPlace } from "./example-rules.js";

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

export function agreements(contract: Contract) {
  return AGREEING.flatMap((places) => compare(contract, places));
}

/** Skips places whose parent is absent: a renamed schema is another violation. */
function compare({ document, schemaOf }: Contract, places: readonly string[]) {
  const values = mapDefined(places, (place) => {
    const pointer: Pointer = ["components", ...place.split("/")];
    const node = valueAt(document, pointer.slice(0, -1)) as SchemaNode | undefined;
    const keyword = String(pointer.at(-1));
    if (node === undefined) return undefined;
    // The merged schema reads `exclusiveMaximum: 51` of an integer as a maximum of 50.
    const schema = schemaOf(node);
    const written = findPlace(schema)?.concat(keyword) ?? pointer;
    return { pointer, written, value: toComparable(schema.flat[keyword]) };
  });
  const [first, ...others] = values;
  if (!first) return [];
  const about = values.map(({ written }) => written);
  const nameOf = ({ pointer }: typeof first) => `\`${pointer.slice(1).join("/")}\``;
  const wanted = first.value === undefined ? "remove it" : `set it to ${first.value}`;
  return others
    .filter(({ value }) => value !== first.value)
    .map((other) => {
      const message = `${nameOf(other)} is ${other.value ?? "absent"}: ${wanted}, as ${nameOf(first)}`;
      return { pointer: other.pointer, message, about };
    });
}

/** Bounds stay as they are; lists and maps become a sorted list. */
function toComparable(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return value === undefined ? undefined : String(value);
  return (Array.isArray(value) ? value.map(String) : Object.keys(value)).toSorted().join(", ");
}
