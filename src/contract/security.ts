// Where a request has its key: the only reading of a contract's security schemes.
import { escapePattern } from "./format.js";
import type { OpenApiDocument, OperationObject } from "./openapi-document.js";

/** A place of a key in a request. */
export interface KeyPlace {
  /** The name of its scheme in the contract. */
  scheme: string;
  in: "header" | "query" | "cookie" | "bearer";
  /** The name of the header, in lower case, of the parameter or of the cookie. */
  name: string;
  /** What the key must be allowed to do, as OAuth names it. */
  scopes?: readonly string[];
  /** Where a client gets the token, by OAuth or OpenID Connect. */
  tokenUrl?: string;
  /** Set for a scheme that nothing here checks, such as OAuth. */
  isUnchecked?: boolean;
  /** The word before the key, as the contract has it. The server takes the document's form in its place. */
  word?: string;
}

/** The places of the keys that are needed together; empty if none is needed. */
export type Credentials = readonly KeyPlace[];

/** The document's place: `Authorization: ApiKey <key>` (§5.2). */
export const API_KEY_PLACE: KeyPlace = { scheme: "apiKey", in: "header", name: "authorization" };

/** The alternatives of an operation; none if it declares no security, or an empty one. */
export function credentialsOf(document: OpenApiDocument, operation: OperationObject): readonly Credentials[] {
  const { security = document.security ?? [] } = operation;
  const schemes = document.components.securitySchemes ?? {};
  return security.map((requirement) =>
    Object.entries(requirement).map(([name, scopes]) => {
      const place = keyPlaceOf(name, Object.hasOwn(schemes, name) ? schemes[name] : undefined);
      return scopes?.length > 0 ? { ...place, scopes } : place;
    }),
  );
}

interface SecurityScheme {
  type?: string;
  scheme?: string;
  in?: string;
  name?: string;
  flows?: Readonly<Record<string, { tokenUrl?: string }>>;
  openIdConnectUrl?: string;
}

/** A scheme that is not supported, such as OAuth, gets the document's key. */
function keyPlaceOf(scheme: string, declared: SecurityScheme = {}): KeyPlace {
  const { type, scheme: method, in: where, name = "", flows = {}, openIdConnectUrl } = declared;
  if (type === "http" && method?.toLowerCase() === "bearer") return { scheme, in: "bearer", name: "authorization" };
  if (type === "apiKey" && where === "header") return { scheme, in: where, name: name.toLowerCase() };
  if (type === "apiKey" && (where === "query" || where === "cookie")) return { scheme, in: where, name };
  if (type === "http" && method !== undefined) return { ...API_KEY_PLACE, scheme, word: method, isUnchecked: true };
  const tokenUrl = openIdConnectUrl ?? Object.values(flows).find((flow) => flow.tokenUrl)?.tokenUrl;
  return { ...API_KEY_PLACE, scheme, isUnchecked: true, ...(tokenUrl && { tokenUrl }) };
}

/** True if the key stands in `Authorization` in the document's form. */
export function isDocumentForm({ in: where, name }: KeyPlace): boolean {
  return where === "header" && name === "authorization";
}

/** What a client sends at a place: `Authorization: ApiKey <key>`, `?api_key=<key>`. */
export function showKey(place: KeyPlace): string {
  if (place.in === "query") return `?${place.name}=<key>`;
  if (place.in === "cookie") return `Cookie: ${place.name}=<key>`;
  return `${toHeaderCase(place.name)}: ${valueAtPlace(place, "<key>")}`;
}

/** The value of the header, parameter or cookie at a place. */
export function valueAtPlace(place: KeyPlace, key: string): string {
  if (place.in === "bearer") return `Bearer ${key}`;
  return isDocumentForm(place) ? `ApiKey ${key}` : key;
}

/** The challenge of a 401 (RFC 9110 §11.6.1). */
export function challengeOf(place: KeyPlace): string {
  return place.in === "bearer" ? "Bearer" : "ApiKey";
}

function toHeaderCase(name: string): string {
  return name.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

const SHORT = 8;

/** What to search a text for: a short key only as a whole word, since "e" must not match every e. */
export function formOfKey(key: string): string | RegExp {
  if (key.length >= SHORT) return key;
  return new RegExp(`(?<![A-Za-z\\d])${escapePattern(key)}(?![A-Za-z\\d])`, "g");
}

interface SentKeys {
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  query: URLSearchParams;
}

/** The text of the key that a request has at a place; undefined if it has none. */
export function readKey(place: KeyPlace, { headers, query }: SentKeys): string | undefined {
  if (place.in === "query") return query.get(place.name) || undefined;
  if (place.in === "cookie") return readCookies(headers.cookie?.toString()).get(place.name) || undefined;
  const value = headers[place.name]?.toString();
  if (place.in === "bearer") return /^Bearer +(\S.*)$/i.exec(value ?? "")?.[1]?.trim(); // RFC 9110 §11.1
  return (isDocumentForm(place) ? /^ApiKey +(\S.*)$/.exec(value ?? "")?.[1]?.trim() : value?.trim()) || undefined;
}

/** The cookies of a request by name (RFC 6265 §5.4). */
export function readCookies(header = ""): Map<string, string> {
  const pairs = [...header.matchAll(/([^;=]*)=([^;]*)/g)];
  return new Map(pairs.map(([, name = "", value = ""]) => [name.trim(), value.trim().replace(/^"(.*)"$/, "$1")]));
}

/** The header `Cookie` with one more (RFC 6265 §4.2). */
export function addCookie(header: string | undefined, name: string, value: string): string {
  return `${header === undefined ? "" : `${header}; `}${name}=${value}`;
}
