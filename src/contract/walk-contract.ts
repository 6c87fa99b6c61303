// Walks the objects of a contract, and finds the place of an object by its identity.
import type { Pointer } from "./contract-file.js";
import { memoize } from "./memoize.js";

export interface ContractObject {
  pointer: Pointer;
  value: Record<string, unknown>;
}

/** The keys of these objects are names that somebody chose, not keywords. */
const NAME_MAPS = new Set(
  ["properties", "paths", "schemas", "parameters", "headers", "responses"].concat("securitySchemes", "content"),
);
const DATA = new Set(["example", "examples", "default"]);

/** Yields an object and the objects in it, parents first, without data: examples, defaults and extensions. */
export function* walkContract(value: unknown, pointer: Pointer = []): Generator<ContractObject> {
  if (typeof value !== "object" || value === null) return;
  yield { pointer, value: value as Record<string, unknown> };
  for (const [key, child] of Object.entries(value)) {
    if (!isData(key, pointer)) yield* walkContract(child, [...pointer, key]);
  }
}

/** True if the pointer leads to a map by name. A property may itself be called `properties`. */
export function isNameMap(pointer: Pointer): boolean {
  return NAME_MAPS.has(String(pointer.at(-1))) && !NAME_MAPS.has(String(pointer.at(-2)));
}

/** True if the value of a key at this place is data. */
export function isData(key: string, pointer: Pointer): boolean {
  return !isNameMap(pointer) && (key.startsWith("x-") || DATA.has(key));
}

/** Finds an object of the contract by identity, so that callers can follow references without tracking places. */
export function placeOf({ document }: { document: object }, object: object): Pointer | undefined {
  return placesIn(document).get(object);
}

const placesIn = memoize((document: object): Map<object, Pointer> => {
  const places = new Map<object, Pointer>();
  const visit = (value: unknown, pointer: Pointer) => {
    if (typeof value !== "object" || value === null || places.has(value)) return;
    places.set(value, pointer);
    for (const [key, child] of Object.entries(value)) visit(child, [...pointer, key]);
  };
  visit(document, []);
  return places;
});
