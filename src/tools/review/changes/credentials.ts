// Security requirements of an operation: the credentials that they ask for, written into a request and found in one.
import { isEqual } from "../../../contract/json.js";
import { memoize } from "../../../contract/memoize.js";
import { type Pointer, valueAt as valueInFile } from "../../../contract/pointer.js";
import type { RequestSpec, RequestTemplate } from "../../../contract/request.js";
import { isDocumentForm, type KeyPlace, readKey, valueAtPlace } from "../../../contract/security.js";
import { queryOf } from "../../../contract/target.js";
import type { OperationVersion } from "./reviewed-contract.js";

/** A required scheme, without its texts, and the scopes. */
interface Credential {
  scheme: Record<string, string>;
  scopes: readonly string[];
  /** undefined for a client certificate, which no request contains. */
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
      const scheme = normalize(schemes[place.scheme] ?? {});
      const isToken = scheme.type === "oauth2" || scheme.type === "openIdConnect";
      const written: KeyPlace | undefined = isToken
        ? { scheme: place.scheme, in: "bearer", name: "authorization" }
        : scheme.type === "mutualTLS"
          ? undefined
          : place;
      return { scheme, scopes: (place.scopes ?? []).toSorted(), place: written };
    });
    const texts = credentials.map(({ scheme, scopes }) => JSON.stringify({ scheme, scopes }));
    return [`[${texts.toSorted()}]`, credentials];
  });
  return new Map(entries);
});

/** Without texts and the scopes that may be asked for; names of headers in lower case. */
function normalize(written: Record<string, unknown>): Record<string, string> {
  const members = Object.entries(written).filter(([key]) => key !== "description" && !key.startsWith("x-"));
  const scheme = Object.fromEntries(members.toSorted()) as Record<string, string>;
  if (scheme.in === "header") scheme.name = String(scheme.name).toLowerCase();
  if (scheme.type === "http") scheme.scheme = String(scheme.scheme).toLowerCase();
  const flows = Object.entries((written.flows ?? {}) as Record<string, object>);
  const withoutScopes = flows.map(([name, flow]) => [name, { ...flow, scopes: undefined }]);
  return flows.length > 0 ? { ...scheme, flows: Object.fromEntries(withoutScopes) } : scheme;
}

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
  const isUsual = (place: KeyPlace) => isDocumentForm(place) && place.word === undefined;
  const unusual = places.filter((place) => !isUsual(place));
  const within = (where: string) => unusual.filter((place) => place.in === where);
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

/**
 * True if whoever fulfils a requirement of one version fulfils one of the other.
 * @param options.anySource takes tokens of the same kind for the same, wherever they come from
 */
export function isFulfilled(from: OperationVersion, to: OperationVersion, { anySource = false } = {}): boolean {
  const kindOf = ({ type, scheme, in: where, name }: Credential["scheme"]) => ({ type, scheme, in: where, name });
  const isSame = (one: Credential["scheme"], other: Credential["scheme"]) =>
    anySource ? isEqual(kindOf(one), kindOf(other)) : isEqual(one, other);
  const wanted = [...credentialsOf(to).values()];
  return [...credentialsOf(from).values()].every((sent) => {
    const isSent = ({ scheme, scopes }: Credential) =>
      sent.some((one) => isSame(scheme, one.scheme) && scopes.every((scope) => one.scopes.includes(scope)));
    return wanted.some((credentials) => credentials.every(isSent));
  });
}

/** `key: bearer token → OAuth token (read, write)` */
export function describeSecurity(before: readonly string[], after: readonly string[]): string {
  return `key: ${describeRequirements(before)} → ${describeRequirements(after)}`;
}

export function describeRequirements(requirements: readonly string[]): string {
  const all = requirements.map((text) =>
    (JSON.parse(text) as Pick<Credential, "scheme" | "scopes">[]).map(describeKey),
  );
  return all.map((keys) => keys.join(" and ") || "none").join(" or ");
}

function describeKey({
  scheme: { type, scheme = "", in: where, name },
  scopes,
}: Pick<Credential, "scheme" | "scopes">) {
  const detail = type === "apiKey" ? `\`${name}\` in the ${where}` : type === "http" ? scheme : "";
  const kind = { oauth2: "OAuth token", openIdConnect: "OpenID token", mutualTLS: "client certificate" }[type ?? ""];
  return (
    (kind ?? (detail === "bearer" ? "bearer token" : detail)) + (scopes.length > 0 ? ` (${scopes.join(", ")})` : "")
  );
}

/** Where a contract says which keys an operation needs: the requirement, and the schemes that it names. */
export function securityPlaces({ contract, operation }: OperationVersion): Pointer[] {
  const ofOperation = [...operation.pointer, "security"];
  const list = valueInFile(contract.file.value, ofOperation) === undefined ? ["security"] : ofOperation;
  const schemes = operation.security.flat().map(({ scheme }) => ["components", "securitySchemes", scheme]);
  return [list, ...schemes].filter((pointer) => valueInFile(contract.file.value, pointer) !== undefined);
}
