// Pseudonyms in the place of personal data: the same value has the same one wherever it stands, and nobody can get back from it to
// the value, or try values on it, without the key of the hash.
//   "ines@acme.test"                    →  "9c1f40aa73d2@example.com"
//   "Inés Moreau"                       →  "Bakelo Tuvisa", in a name as within a text
//   "Inés moved the offsite to Monday"  →  "Bakelo foru mine kebasa pa Rotu": other words for each text, or texts could be deciphered
import { createHmac } from "node:crypto";

export type PersonalKind = "subscriberId" | "email" | "phone" | "name" | "objectId";

export type Pseudonyms = ReturnType<typeof createPseudonyms>;

const EMAIL = /[^\s"'<>()[\]{},;:|@]+@[^\s"'<>()[\]{},;:|@/?&#]+\.[^\s"'<>()[\]{},;:|@/?&#.]+/gu;
const PHONE = /(?<![\w.+-])(?:\+\d[\d ().-]{5,}|\d[\d ().-]{7,})\d(?![\w-])/g;
const URL_TEXT = /^https?:\/\/\S+$/i;
/** Parts of a text, from coarse to fine. A known value may be any of them. */
const TOKENS = [/[^\s"'`<>()[\]{},;|]+/gu, /[^\s"'`<>()[\]{},;|:/?&=#]+/gu, /[\p{L}\p{M}\p{N}]+/gu];

/** @param key of the hash; @param keep kinds that stay as they are */
export function createPseudonyms(key: string | Buffer, keep: ReadonlySet<PersonalKind> = new Set()) {
  /** What was recorded of people, by itself and in lower case. */
  const known = new Map<string, { kind: PersonalKind; value: string }>();
  const find = (text: string) => {
    const personal = known.get(text) ?? known.get(text.toLowerCase());
    return personal && of(personal.kind, personal.value);
  };
  const texts = new Map<string, string>();
  const hash = (...parts: string[]) => createHmac("sha256", key).update(JSON.stringify(parts)).digest();
  const hex = (length: number, ...parts: string[]) =>
    hash(...parts)
      .toString("hex")
      .slice(0, length);
  const digits = (length: number, text: string) =>
    Array.from({ length }, (_digit, index) => (hash("digit", text, `${index}`)[0] ?? 0) % 10).join("");
  /** Three syllables, unless they happen to be the name of somebody who was recorded. */
  const word = (...parts: string[]): string => {
    const bytes = hash(...parts);
    const syllables = [0, 1, 2].map((index) => {
      const [consonant = 0, vowel = 0] = bytes.subarray(2 * index);
      return `${"bdfgklmnprstvz"[consonant % 14]}${"aeiou"[vowel % 5]}`;
    });
    return known.has(syllables.join("")) ? word(...parts, "again") : syllables.join("");
  };

  const MAKE: Record<PersonalKind, (value: string) => string> = {
    subscriberId: (value) => `subscriber-${hex(12, "subscriberId", value)}`,
    email: (value) => `${hex(12, "email", value)}@example.com`,
    phone: (value) => `+999${digits(10, value.replaceAll(/\D/g, ""))}`,
    name: (value) => value.replaceAll(/[\p{L}\p{M}\p{N}]+/gu, (part) => capitalize(word("name", part.toLowerCase()))),
    objectId: (value) => hex(24, "objectId", value),
  };

  function of(kind: PersonalKind, value: string): string {
    return keep.has(kind) || value === "" ? value : MAKE[kind](value);
  }

  return {
    of,

    /** Makes `scrub` and `replace` find the value within texts. */
    learn(kind: PersonalKind, value: string | undefined): void {
      if (value === undefined || keep.has(kind)) return;
      const words = kind === "name" ? (value.match(/[\p{L}\p{M}\p{N}]{2,}/gu) ?? []) : [];
      for (const part of [value, ...words]) {
        const personal = { kind, value: part };
        if (!known.has(part.toLowerCase())) known.set(part.toLowerCase(), personal);
        known.set(part, personal);
      }
    },

    /** The same for a text of a payload, where it stands alone. */
    learnText(text: string): void {
      if (text.trim().length > 2 && !texts.has(text)) texts.set(text, replace(text));
    },

    isKnown: (text: string) => find(text) !== undefined,

    /** The text, with pseudonyms for what is known or looks like an e-mail address or a phone number. */
    scrub: (text: string) => texts.get(text) ?? translate(text, (part) => part),

    /** Another text of the same form: nothing is left but white space and punctuation. */
    replace,

    /** A number that may be a phone's or an account's. */
    replaceNumber(value: number): number {
      const text = String(Math.trunc(Math.abs(value)));
      return text.length < 7 || !Number.isSafeInteger(value) ? value : Number(`1${digits(text.length - 1, text)}`);
    },
  };

  function replace(text: string): string {
    if (URL_TEXT.test(text)) return `https://example.com/${hex(12, "url", text)}`;
    let index = 0;
    return translate(text, (part) => {
      index += 1;
      if (/^\d+$/.test(part)) return digits(part.length, `${index} ${text}`);
      const other = word("text", text, `${index}`);
      return /^\p{Lu}/u.test(part) ? capitalize(other) : other;
    });
  }

  function translate(text: string, toOther: (part: string) => string): string {
    const whole = find(text);
    if (whole !== undefined) return whole;
    const withKnown = (part: string, level = 0): string => {
      const pattern = TOKENS[level];
      if (!pattern) return toOther(part);
      return part.replaceAll(pattern, (token) => find(token) ?? withKnown(token, level + 1));
    };
    return replaceBetween(
      text,
      EMAIL,
      (email) => of("email", email),
      (rest) =>
        replaceBetween(
          rest,
          PHONE,
          (phone) => of("phone", phone),
          (part) => withKnown(part),
        ),
    );
  }
}

/** What a pattern matches is replaced in one way, what is between in the other. */
function replaceBetween(
  text: string,
  pattern: RegExp,
  toMatch: (match: string) => string,
  toRest: (rest: string) => string,
): string {
  let end = 0;
  const parts: string[] = [];
  for (const { 0: match, index } of text.matchAll(pattern)) {
    parts.push(toRest(text.slice(end, index)), toMatch(match));
    end = index + match.length;
  }
  return [...parts, toRest(text.slice(end))].join("");
}

function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
