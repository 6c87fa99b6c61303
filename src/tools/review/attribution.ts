// Attributes lint errors and wrong examples to the change that they follow from.
import { isEqual } from "../../contract/json.js";
import type { Pointer } from "../../contract/pointer.js";
import type { Change } from "./changes/change.js";
import { MEANINGS } from "./changes/meanings.js";
import type { ExampleReview } from "./example-review.js";
import type { LintResult } from "./lint/run-lint.js";

/** True if a lint error is at the change, compares it with another place, or is an example that lacks it. */
export function isAbout(change: Change, { rule, pointer, steps, compares = [] }: LintResult): boolean {
  const { pointers, side, keyword } = change;
  if (side === "text" && change.class !== "undecided") return false;
  if (keyword === "security") return rule.includes("restricted"); // the operation is open to everybody
  if (steps) return isExampleOf(change, pointer, steps);
  return pointers.some(
    (at) => isWithin(pointer, at) || isEqual(pointer, at.slice(0, -1)) || compares.some((other) => isEqual(other, at)),
  );
}

/** True if the changed place is what an example lacks: in the component that has the example, or in one that it contains. */
function isExampleOf({ pointers, at }: Change, pointer: Pointer, steps: readonly string[]): boolean {
  const component = pointer.slice(0, Math.min(3, pointer.length - 1));
  const isIn = pointers.some((place) => isWithin(place, component));
  if (steps.length === 0) return isIn;
  const isNamed = at.some((place) => isEqual(place.steps.slice(-steps.length), steps));
  return isNamed && (isIn || steps.length > 1); // a single name may be that of another schema's member
}

function isWithin(pointer: Pointer, outer: Pointer): boolean {
  return outer.length > 0 && outer.every((part, index) => String(part) === String(pointer[index]));
}

/** True if the example is wrong at the change or below it, or because the server responds differently to its request. */
export function isSeenIn(
  { side, at, operation: own, keyword, pointers }: Change,
  { operation, errors, status, violated }: ExampleReview,
): boolean {
  if (keyword === "security") return status === "401";
  if (side === "text" || (side === "request" && own !== operation)) return false;
  // The server fails on what it does not know, gets other requests, or reads them differently.
  if (side === "request" && errors.some((error) => error.status === 500)) return true;
  const isWhole =
    keyword === "existence" && pointers.some(([section, ...rest]) => section === "paths" && rest.length === 2);
  if (isWhole || (MEANINGS.has(keyword) && keyword !== "deprecated")) return true;
  // The error for an unknown name lists all known ones.
  if (side === "request" && (keyword === "existence" || keyword === "properties") && violated.length > 0) return true;
  const wrong = [...errors.map((error) => error.place), ...(side === "request" ? violated : [])];
  return at.some(({ place }) => wrong.some((one) => isPartOf(one, place)));
}

/** `200 body.data[].status` is a part of `200 body.data`. */
function isPartOf(place: string, outer: string): boolean {
  return place === outer || place.startsWith(`${outer}.`) || place.startsWith(`${outer}[`);
}
