// Keeps keys out of the log, reports, the request history, and error responses. A redactor hides only the keys that it
// was given and those of the requests that it has seen.

import { detach } from "../../contract/json.js";
import { memoize } from "../../contract/memoize.js";
import type { ContractModel } from "../../contract/model.js";
import { findNearestName } from "../../contract/nearest-name.js";
import { decodePart } from "../../contract/pointer.js";
import { formOfKey, readCookies } from "../../contract/security.js";
import { joinTarget, pairsOf, splitTarget } from "../../contract/target.js";

type KeyedContract = Pick<ContractModel, "operations">;

interface Sent {
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  target: string;
}

export interface Redactor {
  remember(key: string): void;
  /** Remembers the keys of a request: in `Authorization`, and where the contract declares keys. */
  learn(request: Sent): void;
  /** Removes the keys from a text: as they are, percent-encoded, in base64, or escaped as in JSON. */
  redact(text: string): string;
  /** Removes the keys from path and query, in any percent-encoding. */
  redactTarget(target: string): string;
  /**
   * Removes values of the query, too, except those of the contract's parameters and of names that are nearly one: a
   * typing error is read by its value. Any other may be a key.
   */
  redactForLog(target: string): string;
}

interface RedactorOptions {
  /** Replaces each key. */
  placeholder: string;
  contract?: KeyedContract;
  /** Whether `redactForLog` keeps short numbers and words of any parameter, too: `sort=desc`. */
  keepsPlain?: boolean;
}

const MAX_KEYS = 200; // the latest, since a run has any number
const SCHEME = /^(apikey|controlkey|basic|bearer)$/i; // a header without a key

export function createRedactor({ placeholder, contract, keepsPlain = false }: RedactorOptions): Redactor {
  const places = contract && placesOf(contract);
  const keys = new Set<string>();
  const hide = () => placeholder; // a function, since a text may hold `$&`, which would insert the key
  let forms: (string | RegExp)[] | undefined;

  function remember(key: string): void {
    if (key === "" || SCHEME.test(key)) return;
    if (!keys.delete(key)) forms = undefined;
    keys.add(key); // last, as the latest
    const [oldest = ""] = keys;
    if (keys.size > MAX_KEYS) keys.delete(oldest);
  }

  function redact(text: string): string {
    forms ??= findForms(keys);
    let redacted = text;
    for (const form of forms) redacted = redacted.replaceAll(form, hide);
    return redacted;
  }

  /** Hides a part of a target that holds a key in any percent-encoding. */
  function redactPart(part: string): string {
    if (!part.includes("%")) return part;
    const text = decodePart(part);
    return redact(text) === text ? part : placeholder;
  }

  function redactParts(target: string, isShown: (name: string, value: string) => boolean): string {
    const { path, query } = splitTarget(redact(target));
    const shownPath = path.split("/").map(redactPart).join("/");
    if (query === undefined) return shownPath;
    const shownPairs = pairsOf(query).map(([name, value]) => {
      if (!value) return redactPart(name) + (value === undefined ? "" : "=");
      return `${redactPart(name)}=${isShown(name, value) ? redactPart(value) : placeholder}`;
    });
    return joinTarget(shownPath, shownPairs.join("&"));
  }

  const isParameter = (name: string) =>
    places !== undefined && (places.parameters.has(name) || isNearly(decodePart(name), places.parameters));
  return {
    remember,
    learn: (request) => keysIn(request, places).forEach(remember),
    redact,
    redactTarget: (target) => redactParts(target, () => true),
    redactForLog: (target) =>
      redactParts(target, (name, value) => isParameter(name) || (keepsPlain && isPlain(name, value))),
  };
}

/** True for a parameter's name and for a typing error of it, but for no name that may hold a secret. */
function isNearly(name: string, parameters: ReadonlySet<string>): boolean {
  return parameters.has(name) || (!SECRET.test(name) && findNearestName(name, [...parameters]) !== undefined);
}

const SECRET = /pass|pwd|pw$|pin|otp|key|token|secret|cred|sess|auth|sig|code/i;

/** True for what is no key: `page_size=5`, `sort=createdAt`. */
function isPlain(name: string, value: string): boolean {
  return /^[\w.-]+$/.test(name) && !SECRET.test(name) && /^(\d{1,4}|[a-z]{1,12})$/i.test(value);
}

/** Where a contract's requests have their keys, and which query parameters are none. */
const placesOf = memoize(({ operations }: KeyedContract) => {
  const places = detach(operations.flatMap(({ security }) => security.flat()));
  const namesIn = (where: string) => places.filter((place) => place.in === where).map(({ name }) => name);
  const keyParameters = new Set(namesIn("query"));
  const ofQuery = operations.flatMap(({ parameters }) => parameters.filter((parameter) => parameter.in === "query"));
  const names = detach(ofQuery.map(({ name }) => name));
  return {
    headers: new Set(["authorization", ...namesIn("header")]),
    cookies: new Set(namesIn("cookie")),
    keyParameters,
    parameters: new Set(names.filter((name) => !keyParameters.has(name))),
  };
});

/** The keys of a request, each as it was sent and without scheme or percent-encoding. */
function keysIn({ headers, target }: Sent, places: ReturnType<typeof placesOf> | undefined): string[] {
  const keys: string[] = [];
  for (const name of places?.headers ?? ["authorization"]) {
    const value = headers[name]?.toString() ?? "";
    keys.push(value, value.replace(/^\S+ +/, ""));
  }
  if (!places) return keys;
  const query = places.keyParameters.size === 0 ? "" : splitTarget(target).query;
  for (const [name, value = ""] of query ? pairsOf(query) : [])
    if (places.keyParameters.has(decodePart(name))) keys.push(value, decodePart(value));
  const cookies = places.cookies.size === 0 ? [] : readCookies(headers.cookie?.toString());
  for (const [name, value] of cookies) if (places.cookies.has(name)) keys.push(value, decodePart(value));
  return keys;
}

const MAX_REDACTORS = 100;
const MAX_LENGTH = 1_000; // of all keys of a cached redactor

const redactorsOf = memoize((_contract: KeyedContract) => new Map<string, Redactor>());

/** Knows the keys of one request. */
export type RequestRedactor = Pick<Redactor, "redact" | "redactTarget" | "redactForLog">;

/** The redactor of a request, cached by its keys, since most requests have the same. */
export function redactorOf(contract: KeyedContract, request: Sent, apiKey: string): RequestRedactor {
  const redactors = redactorsOf(contract);
  const keys = [apiKey, ...keysIn(request, placesOf(contract))];
  const id = keys.join("\n"); // headers have no line breaks
  const known = redactors.get(id);
  if (known) return known;
  const redactor = createRedactor({ placeholder: "…", contract, keepsPlain: true });
  keys.forEach(redactor.remember);
  if (redactors.size === MAX_REDACTORS) redactors.clear();
  if (id.length <= MAX_LENGTH) redactors.set(id, redactor);
  return redactor;
}

/** Every text to replace, longest first, since a key may be part of another. */
function findForms(keys: Iterable<string>): (string | RegExp)[] {
  const texts = [...keys].flatMap((key) => [
    key,
    encodeURIComponent(key),
    toBase64(key),
    JSON.stringify(key).slice(1, -1),
  ]);
  return [...new Set(texts)].toSorted((one, other) => other.length - one.length).map(formOfKey);
}

function toBase64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));
}
