// JSON Pointers (RFC 6901): the places of a document, and references to them.

/** A JSON Pointer as its parts: `["paths", "/v1/notifications", "get"]`. */
export type Pointer = readonly (string | number)[];

function escapePart(part: string | number): string {
  return String(part).replaceAll("~", "~0").replaceAll("/", "~1");
}

function unescapePart(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** `/paths/~1v1~1notifications` → `["paths", "/v1/notifications"]`. */
export function parsePointer(text: string): string[] {
  return text.split("/").slice(1).map(unescapePart);
}

/** The parts of a local reference: `#/components/schemas/Channel` → `["components", "schemas", "Channel"]`. */
export function parseReference(reference: string): string[] {
  const parts = reference.slice(1).split("/").slice(1);
  return parts.map((part) => unescapePart(decodePart(part)));
}

/** The local reference to a place: `["components", "schemas", "Channel"]` → `#/components/schemas/Channel`. */
export function toReference(pointer: Pointer): string {
  return `#/${pointer.map((part) => encodeURIComponent(escapePart(part))).join("/")}`;
}

/** Decodes percent-encoding; returns a part with an invalid one as it is. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The value at a place; undefined if there is none. */
export function valueAt(value: unknown, pointer: Pointer): unknown {
  let place: unknown = value;
  for (const part of pointer) {
    if (typeof place !== "object" || place === null || !Object.hasOwn(place, part)) return undefined;
    place = (place as Record<string | number, unknown>)[part];
  }
  return place;
}

/** True for the outer place, and for all below it. */
export function isWithin(pointer: Pointer, outer: Pointer): boolean {
  return outer.every((part, index) => String(part) === String(pointer[index]));
}
