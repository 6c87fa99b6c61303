// Security requirements of an operation: the credentials that they ask for, written into a request and found in one.

import { isEqual } from "../../../contract/json.js";
import { memoize } from "../../../contract/memoize.js";
import type { RequestSpec, RequestTemplate } from "../../../contract/request-spec.js";
import { isOwnForm, type KeyPlace, readKey, valueAtPlace } from "../../../contract/security.js";
import { queryOf } from "../../../contract/target.js";
import type { OperationVersion } from "./operation-version.js";

/** A required scheme, without its texts, and the scopes. */
interface Credential {
  scheme: Record<string, string>;
  scopes: readonly string[];
  /** undefined for schemes such as OAuth, whose tokens are neither written nor looked for. */
  place: KeyPlace | undefined;
}

/** The requirement that needs no key. */
export const NO_KEY = "[]";

/** The alternatives of an operation, by their text. */
const credentialsOf = memoize(({ contract, operation }: OperationVersion): ReadonlyMap<string, Credential[]> => {
  const schemes = (contract.document.components.securitySchemes ?? {}) as Record<string, Record<string, string>>;
  const alternatives = operation.security.length > 0 ? operation.security : [[]];
  const entries = alternatives.map((places): [string, Credential[]] => {
    const credentials = places.map((place): Credential => {
      const members = Object.entries(schemes[place.scheme] ?? {});
      const said = members.filter(([key]) => key !== "description" && !key.startsWith("x-"));
      const scheme = Object.fromEntries(said.toSorted());
      const isWritten = scheme.type === "http" || scheme.type === "apiKey";
      return { scheme, scopes: (place.scopes ?? []).toSorted(), place: isWritten ? place : undefined };
    });
    const texts = credentials.map(({ scheme, scopes }) => JSON.stringify({ scheme, scopes }));
    return [`[${texts.toSorted()}]`, credentials];
  });
  return new Map(entries);
});

/** The alternative requirements, each as text. */
export function requirementsOf(version: OperationVersion): string[] {
  return [...credentialsOf(version).keys()];
}

function placesOf(credentials: readonly Credential[] = []): KeyPlace[] {
  return credentials.flatMap(({ place }) => place ?? []);
}

const KEY = "demo-key";

/** Adds the credentials of a requirement to a request, which has the contract's key by default. */
export function writeCredentials(
  version: OperationVersion,
  requirement: string,
): Pick<RequestTemplate, "headers"> & { query: string[]; cookies: string[] } {
  const places = placesOf(credentialsOf(version).get(requirement));
  const isUsual = (place: KeyPlace) => isOwnForm(place) && place.word === undefined;
  const others = places.filter((place) => !isUsual(place));
  const within = (where: string) => others.filter((place) => place.in === where);
  const inHeaders = [...within("header"), ...within("bearer")];
  return {
    headers: {
      ...(places.some(isUsual) ? {} : { authorization: null }),
      ...Object.fromEntries(inHeaders.map((place) => [place.name, valueAt(place)])),
    },
    query: within("query").map(({ name }) => `${encodeURIComponent(name)}=${KEY}`),
    cookies: within("cookie").map(({ name }) => `${name}=${KEY}`),
  };
}

const valueAt = (place: KeyPlace) => (place.word ? `${place.word} ${KEY}` : valueAtPlace(place, KEY));

/** The first requirement that a request fulfils, if any. */
export function findRequirement(version: OperationVersion, { target, headers }: RequestSpec): string | undefined {
  const query = queryOf(target);
  const isSent = (place: KeyPlace) =>
    place.word
      ? headers.authorization?.toLowerCase().startsWith(`${place.word.toLowerCase()} `)
      : readKey(place, { headers, query }) !== undefined;
  return requirementsOf(version).find((text) => placesOf(credentialsOf(version).get(text)).every(isSent));
}

/** True if whoever fulfils a requirement of one version fulfils one of the other. */
export function isFulfilled(from: OperationVersion, to: OperationVersion): boolean {
  const wanted = [...credentialsOf(to).values()];
  return [...credentialsOf(from).values()].every((given) => {
    const isGiven = ({ scheme, scopes }: Credential) =>
      given.some((one) => isEqual(scheme, one.scheme) && scopes.every((scope) => one.scopes.includes(scope)));
    return wanted.some((credentials) => credentials.every(isGiven));
  });
}

export function describeSecurity(before: readonly string[], after: readonly string[]): string {
  if (after.includes(NO_KEY)) return "is open to everybody now: no key is needed";
  if (before.includes(NO_KEY)) return "needs a key now";
  const isKept = before.every((requirement) => after.includes(requirement));
  return isKept ? "accepts more kinds of authentication" : "asks for other keys than before";
}
