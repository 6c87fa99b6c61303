// Security requirements of an operation: the credentials that they ask for, written into a request and found in one.

import { isEqual } from "../../../contract/json.js";
import type { RequestSpec, RequestTemplate } from "../../../contract/request-spec.js";
import { readCookies } from "../../../contract/security.js";
import { queryOf } from "../../../contract/target.js";
import type { OperationVersion } from "./operation-version.js";

/** A required scheme, without its texts, and the scopes. */
interface Credential {
  scheme: Record<string, string>;
  scopes: string[];
}

/** The requirement that needs no key. */
export const NO_KEY = "[]";

/** The alternative requirements, each as text. */
export function requirementsOf({ contract: { document }, operation: { path, method } }: OperationVersion): string[] {
  const required = document.paths[path]?.[method]?.security ?? document.security ?? [];
  const schemes = (document.components.securitySchemes ?? {}) as Record<string, Record<string, string>>;
  return (required.length > 0 ? required : [{}]).map((names) => {
    const credentials = Object.entries(names).map(([name, scopes]): Credential => {
      const said = Object.entries(schemes[name] ?? {}).filter(
        ([key]) => key !== "description" && !key.startsWith("x-"),
      );
      return { scheme: Object.fromEntries(said.toSorted()), scopes: scopes.toSorted() };
    });
    return JSON.stringify(credentials.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))));
  });
}

const KEY = "demo-key";
const TOKEN = "Bearer token";
/** True for the contract's key, which requests have by default. */
const isUsual = ({ scheme }: Credential) => scheme.in === "header" && scheme.name?.toLowerCase() === "authorization";
/** Schemes other than keys and tokens are outside of the dialect: they are neither written nor looked for. */
const isKey = ({ scheme }: Credential) => scheme.type === "apiKey";
const isToken = ({ scheme }: Credential) => scheme.type === "http" && scheme.scheme?.toLowerCase() === "bearer";

/** Adds the credentials of a requirement to a request. */
export function writeCredentials(
  requirement: string,
): Pick<RequestTemplate, "headers"> & { query: string[]; cookies: string[] } {
  const credentials: Credential[] = JSON.parse(requirement);
  const headers: Record<string, string | null> = credentials.some(isUsual) ? {} : { authorization: null };
  const [query, cookies]: [string[], string[]] = [[], []];
  for (const credential of credentials.filter((one) => !isUsual(one))) {
    const { in: place, name = "" } = credential.scheme;
    if (isToken(credential)) headers.authorization = TOKEN;
    else if (isKey(credential) && place === "query") query.push(`${encodeURIComponent(name)}=${KEY}`);
    else if (isKey(credential) && place === "cookie") cookies.push(`${name}=${KEY}`);
    else if (isKey(credential)) headers[name.toLowerCase()] = KEY;
  }
  return { headers, query, cookies };
}

/** The first requirement that a request fulfils, if any. */
export function findRequirement(version: OperationVersion, request: RequestSpec): string | undefined {
  const credentialsOf = (requirement: string): Credential[] => JSON.parse(requirement);
  return requirementsOf(version).find((text) => credentialsOf(text).every((one) => isCarried(one, request)));
}

function isCarried(credential: Credential, { target, headers }: RequestSpec): boolean {
  const { in: place, name = "" } = credential.scheme;
  if (isToken(credential)) return headers.authorization === TOKEN;
  if (!isKey(credential)) return true;
  if (place === "query") return queryOf(target).has(name);
  if (place === "cookie") return readCookies(headers.cookie).has(name);
  const value = headers[name.toLowerCase()];
  return value !== undefined && value !== TOKEN;
}

/** True if whoever fulfils a requirement of one version fulfils one of the other. */
export function isFulfilled(from: OperationVersion, to: OperationVersion): boolean {
  const [own, wanted] = [from, to].map((version) =>
    requirementsOf(version).map((text) => JSON.parse(text) as Credential[]),
  );
  const isGiven = (one: Credential, credentials: readonly Credential[]) =>
    credentials.some(
      ({ scheme, scopes }) => isEqual(scheme, one.scheme) && one.scopes.every((scope) => scopes.includes(scope)),
    );
  return (own ?? []).every((credentials) =>
    (wanted ?? []).some((requirement) => requirement.every((one) => isGiven(one, credentials))),
  );
}

export function toSecuritySentence(before: readonly string[], after: readonly string[]): string {
  if (after.includes(NO_KEY)) return "is open to everybody now: no key is needed";
  if (before.includes(NO_KEY)) return "needs a key now";
  const isKept = before.every((requirement) => after.includes(requirement));
  return isKept ? "accepts more kinds of authentication" : "asks for other keys than before";
}
