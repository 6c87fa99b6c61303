// The dialect: what of OpenAPI 3.1 and JSON Schema the tools of this project understand, which is everything but the rows of this
// table. A contract may say more: it is loaded without that, and says where. Review does not decide what a change of it means.
import type { Pointer } from "./contract-file.js";
import { isJson } from "./operations.js";
import { isData, isNameMap } from "./walk-contract.js";

/** A part of a contract that is served and compared as if it were not there. */
export interface UncheckedPlace {
  pointer: Pointer;
  /** As in `prefixItems`. */
  construct: string;
  /** Why it is outside. */
  reason: string;
  value: unknown;
}

const NOT_SERVED = "is not served";

/** Keywords that are left out, and what a tool would make of them: express-openapi-validator (EOV), Prism or openapi-typescript. */
const OUTSIDE = new Map([
  ["prefixItems", "EOV responds with 500 to every request unless minItems and maxItems are equal; Prism generates []"],
  ["unevaluatedItems", "Prism does not check it, and it has no type"],
  ["unevaluatedProperties", "Prism does not check it, and it has no type"],
  ["discriminator", "EOV's errors lose their place in the body"],
  ["nullable", "is not OpenAPI 3.1; EOV applies it, the other tools do not. Use type: [string, 'null']"],
  ["callbacks", NOT_SERVED],
  ["webhooks", NOT_SERVED],
]);

/** Parts that stay, as a request may have them. They are not looked at. */
const IGNORED = new Map([
  ["style: deepObject", "EOV turns an absent one into {}; Prism accepts unknown keys"],
  ["in: cookie", "cookies are not read"],
  ...["type: oauth2", "type: openIdConnect", "type: mutualTLS", "scheme: basic"].map(
    (scheme) => [scheme, "the API key alone gives access"] as const,
  ),
]);

/** A document without what is outside of the dialect (the very same one where nothing is), and a list of that. */
export function toDialect<T>(document: T): { document: T; unchecked: UncheckedPlace[] } {
  const unchecked: UncheckedPlace[] = [];
  const reduced = reduce(document, [], unchecked) as T;
  return { document: unchecked.length === 0 ? document : reduced, unchecked };
}

function reduce(value: unknown, pointer: Pointer, unchecked: UncheckedPlace[]): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item, index) => reduce(item, [...pointer, index], unchecked));
  const entries = Object.entries(value).flatMap(([key, child]) => {
    if (isData(key, pointer)) return [[key, child]];
    const place = { pointer: [...pointer, key], value: child };
    const outside = isNameMap(pointer) ? undefined : OUTSIDE.get(key);
    if (outside) {
      unchecked.push({ ...place, construct: key, reason: outside });
      return [];
    }
    const isOther = isOtherBody(key, pointer);
    const construct = isOther ? key : `${key}: ${child}`;
    const ignored = isOther ? "a body that is not JSON is not validated" : IGNORED.get(construct);
    if (ignored) unchecked.push({ ...place, construct, reason: ignored });
    return [[key, reduce(child, place.pointer, unchecked)]];
  });
  return Object.fromEntries(entries);
}

/** True for the media type of a request body that is not JSON. */
function isOtherBody(key: string, pointer: Pointer): boolean {
  const isOfRequest = pointer.at(-2) === "requestBody" || pointer.at(-3) === "requestBodies";
  return isOfRequest && pointer.at(-1) === "content" && !isJson(key);
}
