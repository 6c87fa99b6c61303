// Keeps keys out of everything that is written: it learns them from the requests and blanks them wherever they turn up,
// in whatever case, also when the upstream repeats them.
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
const SECRET_NAME = /authorization|api[-_]?key|token|secret|password/i;

export function createRedactor(): Redactor {
  const keys = new Set<string>();

  const remember = (key: string) => {
    if (key === "") return;
    keys.delete(key);
    keys.add(key);
    const [oldest] = keys;
    if (keys.size > MAX_KEYS && oldest !== undefined) keys.delete(oldest);
  };

  const redact = (text: string) => {
    const lowerCased = text.toLowerCase();
    const forms = [...keys].flatMap(toForms).filter((form) => lowerCased.includes(form.toLowerCase()));
    const present = forms.sort((a, b) => b.length - a.length); // the longest first: a key may be part of another
    return present.reduce((rest, key) => rest.replaceAll(toPattern(key), REDACTED), text);
  };

  const holdsKey = (encoded: string) => {
    const text = decode(encoded);
    return redact(text) !== text;
  };

  return {
    learn(rawHeaders, target) {
      for (const [name, value] of toPairs(rawHeaders)) {
        if (SECRET_NAME.test(name)) for (const key of toKeys(value)) remember(key);
      }
      for (const { name, value } of toParameters(target)) if (SECRET_NAME.test(name)) remember(decode(value));
    },
    redact,
    redactTarget(target, known) {
      const [path = ""] = target.split("?", 1);
      const segments = path.split("/").map((segment) => (holdsKey(segment) ? REDACTED : segment));
      const pairs = toParameters(target).map(({ name, value, text }) => {
        const isShown = value === "" || (known.has(decode(name)) && !holdsKey(value));
        const shownName = holdsKey(name) ? REDACTED : name;
        return shownName + (isShown ? text.slice(name.length) : `=${REDACTED}`);
      });
      const query = target.length > path.length ? `?${pairs.join("&")}` : "";
      return redact(segments.join("/") + query);
    },
  };
}

/** The key of `ApiKey <key>`, whole and in its parts; a value without a blank may be a key that lacks its scheme. */
function toKeys(value: string): string[] {
  const [scheme = "", ...parts] = value.trim().split(/\s+/);
  if (parts.length > 0) return [parts.join(" "), ...parts];
  return scheme.toLowerCase() === "apikey" ? [] : [scheme];
}

/** A key as Node has it, in UTF-8, as it stands in a URL, and as it stands in JSON. */
function toForms(key: string): string[] {
  const utf8 = Buffer.from(key, "latin1").toString();
  return [...new Set([key, utf8, encodeURIComponent(utf8), JSON.stringify(key).slice(1, -1)])];
}

function toParameters(target: string): { name: string; value: string; text: string }[] {
  const start = target.indexOf("?");
  if (start === -1) return [];
  return target
    .slice(start + 1)
    .split("&")
    .map((text) => {
      const end = text.indexOf("=");
      return end === -1
        ? { name: text, value: "", text }
        : { name: text.slice(0, end), value: text.slice(end + 1), text };
    });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text; // not encoded, or broken
  }
}

/** A short one, which a bad request may bring, counts as a word of its own: "e" must not blank every e from then on. */
function toPattern(key: string): RegExp {
  const literal = key.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(key.length < 8 ? `(?<![a-z0-9])${literal}(?![a-z0-9])` : literal, "gi");
}
