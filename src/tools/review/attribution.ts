// Attributes lint errors and wrong examples to the change that they follow from.
import type { Change } from "./changes/change.js";
import { MEANINGS } from "./changes/meanings.js";
import { type ExampleReview, toMemberPlace } from "./example-review.js";
import type { LintResult } from "./lint/run-lint.js";

/** True if a lint error is at the change, compares it with another place, or is an example that lacks it. */
export function isAbout(change: Change, { rule, place, location, compares = [] }: LintResult): boolean {
  const { pointers, side, places, keyword } = change;
  if (side === "text" && change.class !== "undecided") return false;
  if (keyword === "security") return /restricted/.test(rule); // the operation is open to everybody
  const texts = pointers.map((pointer) => pointer.join("/"));
  if (rule === "valid-examples" && location !== undefined) {
    const object = place.replace(/\/[^/]*$/, ""); // the schema, parameter or header that has the example
    const isIn = texts.some((text) => isWithin(text, object.split("/").slice(0, 3).join("/")));
    const member = toMemberPlace(location).replace(/^\w+/, "");
    return member === "" ? isIn : places.some((one) => one.endsWith(member)) && (isIn || /[.[].*[.[]/.test(member));
  }
  const isCompared = (text: string) => compares.some((pointer) => pointer.join("/") === text);
  return texts.some((text) => isWithin(place, text) || text.replace(/\/[^/]*$/, "") === place || isCompared(text));
}

const isWithin = (place: string, around: string) => around !== "" && `${place}/`.startsWith(`${around}/`);

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
  if (isWhole || (keyword in MEANINGS && keyword !== "deprecated")) return true;
  // The error for an unknown name lists all known ones.
  if (side === "request" && (keyword === "existence" || keyword === "properties") && violated.length > 0) return true;
  const wrong = [...errors.map((error) => error.place), ...(side === "request" ? violated : [])];
  return at.some(({ place }) =>
    wrong.some((one) => one === place || (/^[.[]/.test(one.slice(place.length)) && one.startsWith(place))),
  );
}
