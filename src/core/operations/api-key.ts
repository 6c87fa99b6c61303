// The API key of a request, at the places that the contract declares (document §5).
import type { Operation } from "../../contract/model.js";
import { type Credentials, challengeOf, isOwnForm, type KeyPlace, readKey, showKey } from "../../contract/security.js";
import { queryOf } from "../../contract/target.js";
import { RequestError } from "./errors.js";
import type { Exchange } from "./exchange.js";

type KeySource = Pick<Exchange, "target" | "headers">;

/** True if an operation needs no key. */
export function isOpen({ security }: Pick<Operation, "security">): boolean {
  return security.length === 0 || security.some((credentials) => credentials.length === 0);
}

/**
 * The texts that may be the key of a request: all those of the first alternative whose places it fills. Where a contract needs two
 * of them together, such as a key and a tenant, only one opens an environment. Empty if none is sent.
 */
export function findKeys(alternatives: readonly Credentials[], { target, headers }: KeySource): string[] {
  const sent = { headers, query: queryOf(target) };
  for (const credentials of alternatives) {
    const keys = credentials.flatMap((place) => readKey(place, sent) ?? []);
    if (credentials.length > 0 && keys.length === credentials.length) return keys;
  }
  return [];
}

/** The error of a request without a key. It never repeats a header, which may be a key (D-45). */
export function missingKey(alternatives: readonly Credentials[], { headers }: KeySource): RequestError {
  const places = alternatives.flat();
  const header = headers.authorization?.toString();
  if (!places.some(({ name }) => name === "authorization")) return unauthorized("Missing API key", alternatives);
  if (!header) return unauthorized("Missing authorization header", alternatives);
  const isOfScheme = places.some((place) => schemeOf(place).test(header));
  return unauthorized(isOfScheme ? "Missing API key" : "Invalid authentication scheme", alternatives);
}

const schemeOf = (place: KeyPlace) => (isOwnForm(place) ? /^ApiKey( |$)/ : /^Bearer( |$)/i);

/** Says where the contract expects the key. */
export function unauthorized(what: string, alternatives: readonly Credentials[], hint = ""): RequestError {
  const needed = alternatives.filter((credentials) => credentials.length > 0);
  const ways = needed.map((credentials) => credentials.map((place) => `"${showKey(place)}"`).join(" and "));
  const challenges = [...new Set(needed.flat().map(challengeOf))].join(", ");
  const headers = { "WWW-Authenticate": challenges };
  return new RequestError("unauthorized", `${what}. Send ${[...new Set(ways)].join(" or ")}.${hint}`, { headers });
}
