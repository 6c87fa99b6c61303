// Security requirements of an operation: the credentials that they ask for, written into a request and found in one.

import { isEqual } from "../../../contract/json.js";
import { mapDefined } from "../../../contract/lists.js";
import type { OperationObject } from "../../../contract/openapi-document.js";
import type { RequestSpec, RequestTemplate } from "../../../contract/request-spec.js";
import { readCookies } from "../../../contract/security.js";
import { queryOf } from "../../../contract/target.js";
import { type OperationVersion, writtenAt } from "./operation-version.js";

/** A required scheme, without its texts, and the scopes. */
interface Credential {
  scheme: Record<string, string>;
  scopes: string[];
}

/** The requirement that needs no key. */
export const NO_KEY = "[]";

/** The alternative requirements, each as text. */
export function requirementsOf(version: OperationVersion): string[] {
  const { document } = version.contract;
  const own = writtenAt(version, version.operation.pointer) as Pick<OperationObject, "security">;
  const required = own.security ?? document.security ?? [];
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

const parseRequirement = (text: string): Credential[] => JSON.parse(text);

/** What a request carries for a credential. */
interface Carried {
  in: string;
  /** That of a header is in lower case. */
  name: string;
  value: string;
}

const KEY = "demo-key";
const TOKEN = / token$/;

/** undefined for schemes outside of the dialect, such as OAuth: they are neither written nor looked for. */
function findCarried({ scheme }: Credential): Carried | undefined {
  const { type, in: place = "", name = "", scheme: method = "" } = scheme;
  const word = method.charAt(0).toUpperCase() + method.slice(1);
  if (type === "http") return { in: "header", name: "authorization", value: `${word} token` };
  if (type !== "apiKey") return undefined;
  return { in: place, name: place === "header" ? name.toLowerCase() : name, value: KEY };
}

/** True for the contract's key, which requests have by default. */
const isUsual = ({ name, value }: Carried) => name === "authorization" && value === KEY;

/** Adds the credentials of a requirement to a request. */
export function writeCredentials(
  requirement: string,
): Pick<RequestTemplate, "headers"> & { query: string[]; cookies: string[] } {
  const all = mapDefined(parseRequirement(requirement), findCarried);
  const within = (place: string) => all.filter((one) => one.in === place && !isUsual(one));
  return {
    headers: {
      ...(all.some(isUsual) ? {} : { authorization: null }),
      ...Object.fromEntries(within("header").map(({ name, value }) => [name, value])),
    },
    query: within("query").map(({ name, value }) => `${encodeURIComponent(name)}=${value}`),
    cookies: within("cookie").map(({ name, value }) => `${name}=${value}`),
  };
}

/** The first requirement that a request fulfils, if any. */
export function findRequirement(version: OperationVersion, request: RequestSpec): string | undefined {
  return requirementsOf(version).find((text) => parseRequirement(text).every((one) => isCarried(one, request)));
}

function isCarried(credential: Credential, { target, headers }: RequestSpec): boolean {
  const wanted = findCarried(credential);
  if (!wanted) return true;
  if (wanted.in === "query") return queryOf(target).has(wanted.name);
  if (wanted.in === "cookie") return readCookies(headers.cookie).has(wanted.name);
  const sent = headers[wanted.name];
  if (TOKEN.test(wanted.value)) return sent?.toLowerCase() === wanted.value.toLowerCase();
  return sent !== undefined && !TOKEN.test(sent);
}

/** True if whoever fulfils a requirement of one version fulfils one of the other. */
export function isFulfilled(from: OperationVersion, to: OperationVersion): boolean {
  const wanted = requirementsOf(to).map(parseRequirement);
  return requirementsOf(from).every((text) => {
    const isGiven = (one: Credential) =>
      parseRequirement(text).some(
        ({ scheme, scopes }) => isEqual(scheme, one.scheme) && one.scopes.every((scope) => scopes.includes(scope)),
      );
    return wanted.some((requirement) => requirement.every(isGiven));
  });
}

export function describeSecurity(before: readonly string[], after: readonly string[]): string {
  if (after.includes(NO_KEY)) return "is open to everybody now: no key is needed";
  if (before.includes(NO_KEY)) return "needs a key now";
  const isKept = before.every((requirement) => after.includes(requirement));
  return isKept ? "accepts more kinds of authentication" : "asks for other keys than before";
}
