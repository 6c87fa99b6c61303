// Keeps keys out of everything that is written: logs, reports, the request history. It learns them from requests and
// replaces them wherever they turn up, also when the other side repeats them.
import type { Request } from "express";
import { findKey, type Range, type SearchableText, toSearchable } from "./key-search.js";

export interface Redactor {
  remember(key: string): void;
  /** Remembers the keys in a request: from headers, cookies, and query parameters whose names say that they hold one. */
  learn(rawHeaders: readonly string[], target: string): void;
  /**
   * The text without any key that was learned. `target` is that of the request which the text is about: what it holds
   * outside its known parameters may be a key too.
   */
  redact(text: string, target?: string): string;
  /** Path and query, without keys and without the values of unknown parameters. */
  redactTarget(target: string): string;
}

export interface RedactorOptions {
  /** Stands in the place of a key. */
  placeholder: string;
  /** Names of query parameters whose values are written. Default: none. */
  parameters?: Iterable<string>;
}

/** Matches headers that hold something secret, by the names that clients use. */
export const SECRET_HEADER = /^cookie$|authorization|api[-_]?key|-auth(-key)?$|token|secret|password|session/i;
const SECRET_PARAMETER = // `topicKey` is none
  /^key$|[-_.]key$|(api[-_]?|access|auth|private)key|auth$|authorization|token|secret|password|session|signature/i;
export const SCHEME = /^(apikey|basic|bearer|controlkey|digest|token)$/i;

const MAX_KEYS = 1_000; // the latest; a run of any length holds no more
const MAX_CHARACTERS = 1_000_000; // of all keys together
const SHORT = 8; // a shorter key counts as a word of its own: "e" must not take every e from then on

export function createRedactor({ placeholder, parameters = [] }: RedactorOptions): Redactor {
  const writtenParameters = new Set(parameters);
  const keys = new Map<string, SearchableText>();
  let characters = 0;

  function remember(key: string): void {
    if (!isKey(key)) return;
    characters += keys.has(key) ? 0 : key.length;
    const searchable = keys.get(key) ?? toSearchable(key);
    keys.delete(key);
    keys.set(key, searchable); // at the end: the latest
    for (const oldest of keys.keys()) {
      if (keys.size <= MAX_KEYS && characters <= MAX_CHARACTERS) break;
      keys.delete(oldest);
      characters -= oldest.length;
    }
  }

  function redact(text: string, target = ""): string {
    const searched = toSearchable(text);
    const unknown = toParameters(target)
      .filter(({ name }) => !writtenParameters.has(decode(name)))
      .map(({ name, value }) => decodeAll(value || name)) // `?<key>` is a name without a value
      .filter((key) => key.length >= SHORT && isKey(key))
      .map((key) => [key, toSearchable(key)] as const);
    const ranges = [...keys, ...unknown].flatMap(([key, searchable]) =>
      findKey(searched, searchable, { isWord: key.length < SHORT }),
    );
    return replaceRanges(text, ranges, placeholder);
  }

  return {
    remember,
    learn(rawHeaders, target) {
      for (const [name, value] of toHeaderPairs(rawHeaders)) {
        if (!SECRET_HEADER.test(name)) continue;
        const text = Buffer.from(value, "latin1").toString(); // as the client meant it, if that was UTF-8
        const keysOf = /^cookie$/i.test(name) ? keysOfCookies : keysOfHeader;
        [...keysOf(value), ...keysOf(text)].forEach(remember);
      }
      for (const { name, value } of toParameters(target)) {
        if (SECRET_PARAMETER.test(decodeAll(name))) remember(decodeAll(value));
      }
    },
    redact,
    redactTarget(target) {
      const [path = ""] = target.split("?", 1);
      const pairs = toParameters(target).map(({ name, value, text }) =>
        value === "" || writtenParameters.has(decode(name)) ? text : `${name}=${placeholder}`,
      );
      return redact(target.length > path.length ? `${path}?${pairs.join("&")}` : path, target);
    },
  };
}

/**
 * The target of a request for its own response, which may end up in a log: without keys that were sent in the query by
 * mistake.
 */
export function hideKeysInQuery({ rawHeaders, originalUrl }: Pick<Request, "rawHeaders" | "originalUrl">): string {
  const start = originalUrl.indexOf("?");
  if (start === -1) return originalUrl;
  const redactor = createRedactor({ placeholder: "…" });
  redactor.learn(rawHeaders, originalUrl);
  return originalUrl.slice(0, start) + redactor.redact(originalUrl.slice(start));
}

function isKey(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text) && !SCHEME.test(text);
}

/** The parts of a header that may be the key, and all of it: `ApiKey <key>`, `Digest a="<key>", b=<key>`, Basic's halves. */
function keysOfHeader(value: string): string[] {
  const [scheme = "", ...rest] = value.trim().split(/\s+/);
  const whole = rest.length > 0 ? rest.join(" ") : scheme;
  const parts = value.split(/[\s,]+/).flatMap((part) => [part, part.slice(part.indexOf("=") + 1)]);
  const unquoted = [whole, ...parts].map((part) => part.replaceAll(/^"+|"+$/g, ""));
  return [whole, ...parts, ...unquoted, ...(/^basic$/i.test(scheme) ? halvesOf(whole) : [])];
}

/** RFC 7617: user and password, base64-encoded as one. */
function halvesOf(encoded: string): string[] {
  const pair = Buffer.from(encoded, "base64").toString();
  const colon = pair.indexOf(":");
  return colon === -1 ? [pair] : [pair, pair.slice(0, colon), pair.slice(colon + 1)];
}

/** Not the short values: `lang=en` would take every "en" from then on, and what opens a session is long. */
function keysOfCookies(value: string): string[] {
  const values = value.split(";").map((cookie) => cookie.slice(cookie.indexOf("=") + 1).trim());
  return values.flatMap((text) => [text, decodeAll(text)]).filter((text) => text.length >= SHORT);
}

function toParameters(target: string): { name: string; value: string; text: string }[] {
  const start = target.indexOf("?");
  if (start === -1) return [];
  const texts = target.slice(start + 1).split("&");
  return texts.map((text) => {
    const end = text.indexOf("=");
    return end === -1
      ? { name: text, value: "", text }
      : { name: text.slice(0, end), value: text.slice(end + 1), text };
  });
}

/** Undoes percent-encoding that was done repeatedly. */
export function decodeAll(text: string): string {
  return decode(decode(decode(decode(text))));
}

function decode(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text; // malformed
  }
}

function replaceRanges(text: string, ranges: readonly Range[], placeholder: string): string {
  let result = "";
  let position = 0; // up to here the text is in the result, or replaced
  for (const [start, end] of ranges.toSorted(([one], [other]) => one - other)) {
    if (start >= position) result += text.slice(position, start) + placeholder;
    position = Math.max(position, end);
  }
  return result + text.slice(position);
}

/** Headers as Node received them (names and values in turn) as pairs: names in their own case, repeated ones apart. */
export function toHeaderPairs(raw: readonly string[]): [name: string, value: string][] {
  return raw.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, raw[index + 1] ?? ""]] : []));
}
