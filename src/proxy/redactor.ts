// Keeps keys out of everything that is written: it learns them from the requests and blanks them wherever they turn up,
// in whatever case or encoding, also when the upstream repeats them.
import { SECRET_HEADER, SECRET_PARAMETER } from "../http/secret-names.js";
import { toPairs } from "./forwarded-headers.js";

export interface Redactor {
  /** Takes note of the keys in a request, before anything is written about it. */
  learn(rawHeaders: readonly string[], target: string): void;
  /** A text without any key that was learned. */
  redact(text: string): string;
  /** Path and query, without keys and without the values of parameters that are not among the known ones. */
  redactTarget(target: string, known: ReadonlySet<string>): string;
}

export const REDACTED = "[redacted]";

const MAX_KEYS = 1_000; // the latest; a run of any length holds no more
const SCHEME = /^(apikey|basic|bearer|digest|token)$/i;
const SHORT = 8;

interface Key {
  plain: string;
  pattern: RegExp;
}

export function createRedactor(): Redactor {
  const keys = new Map<string, Key>();

  const remember = (key: string) => {
    if (!/[\p{L}\p{N}]/u.test(key) || SCHEME.test(key)) return;
    const known = keys.get(key) ?? { plain: toPlain(key), pattern: toPattern(key) };
    keys.delete(key);
    keys.set(key, known);
    const [oldest] = keys.keys();
    if (keys.size > MAX_KEYS && oldest !== undefined) keys.delete(oldest);
  };

  const redact = (text: string) => {
    const within = toPlain(text); // a thousand patterns would take long
    const present = [...keys.values()].filter(({ plain }) => within.includes(plain) || plain.includes("%"));
    const longestFirst = present.sort((one, other) => other.plain.length - one.plain.length); // one may be part of another
    return longestFirst.reduce((rest, { pattern }) => rest.replaceAll(pattern, REDACTED), text);
  };

  return {
    learn(rawHeaders, target) {
      for (const [name, value] of toPairs(rawHeaders)) {
        const text = Buffer.from(value, "latin1").toString(); // as the client meant it, if that was UTF-8
        if (SECRET_HEADER.test(name)) for (const key of [value, text].flatMap(keysOfHeader)) remember(key);
        if (name.toLowerCase() === "cookie") for (const key of keysOfCookies(text)) remember(key);
      }
      for (const { name, value } of toParameters(target)) {
        if (SECRET_PARAMETER.test(decodeAll(name))) remember(decodeAll(value));
      }
    },
    redact,
    redactTarget(target, known) {
      const [path = ""] = target.split("?", 1);
      const pairs = toParameters(target).map(({ name, value, text }) =>
        value === "" || known.has(decode(name)) ? text : `${name}=${REDACTED}`,
      );
      return redact(target.length > path.length ? `${path}?${pairs.join("&")}` : path);
    },
  };
}

/** What may be the key in a header, whole and in its parts: `ApiKey <key>`, `Digest a="<key>", b=<key>`, Basic's halves. */
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

/** Not the short values: `lang=en` would blank every "en" from then on, and what opens a session is long. */
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
function decodeAll(text: string): string {
  return decode(decode(decode(decode(text))));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text; // not encoded, or broken
  }
}

/** A text in the one form in which two that a pattern takes for the same are equal, but for percent signs in a key. */
function toPlain(text: string): string {
  return Buffer.from(text.toLowerCase())
    .toString("latin1")
    .replaceAll(/%(?:25)*([0-9a-f]{2})/g, (_all, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)))
    .replaceAll("\\", "")
    .replaceAll("+", " ")
    .toLowerCase();
}

/**
 * Finds a key in any case, each of its characters as it is, percent-encoded (also repeatedly) or escaped as in JSON. A
 * short one, which a bad request may bring, counts as a word of its own: "e" must not blank every e from then on.
 */
function toPattern(key: string): RegExp {
  const characters = Array.from(key, (character) => {
    const bytes = Array.from(Buffer.from(character), (byte) => `%(?:25)*${byte.toString(16).padStart(2, "0")}`);
    const literal = character.replace(/[.*+?^${}()|[\]\\]/, "\\$&");
    return `(?:${character === " " ? "[ +]" : `\\\\?${literal}`}|${bytes.join("")})`;
  }).join("");
  const isWord = key.length < SHORT;
  return new RegExp(isWord ? `(?<=^|[^a-z0-9]|%[0-9a-f]{2})${characters}(?![a-z0-9])` : characters, "giu");
}
