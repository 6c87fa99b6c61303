// Finds the places of a contract's objects by their identity.
import type { Contract } from "./contract.js";
import type { Pointer } from "./contract-file.js";
import { memoize } from "./memoize.js";

/** By identity, so that references can be followed without keeping count; undefined for an object that is not in the contract. */
export function placeOf({ document }: Contract, object: object): Pointer | undefined {
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
