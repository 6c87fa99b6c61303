// Where an object of a contract stands. It is found by its identity, so that references can be followed without keeping count.
import type { Contract } from "../contract/contract.js";
import type { Pointer } from "../contract/contract-file.js";

const placesByDocument = new WeakMap<object, Map<object, Pointer>>();

/** undefined for an object that is not in the contract. */
export function placeOf({ document }: Contract, object: object): Pointer | undefined {
  const places = placesByDocument.get(document) ?? collectPlaces(document);
  placesByDocument.set(document, places);
  return places.get(object);
}

function collectPlaces(document: object): Map<object, Pointer> {
  const places = new Map<object, Pointer>();
  const visit = (value: unknown, pointer: Pointer) => {
    if (typeof value !== "object" || value === null || places.has(value)) return;
    places.set(value, pointer);
    for (const [key, child] of Object.entries(value)) visit(child, [...pointer, key]);
  };
  visit(document, []);
  return places;
}
