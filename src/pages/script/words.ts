// The words of what is searched, and of what is typed: tokens, stems, synonyms.
const STOP_WORDS = new Set(
  "a about an and are at by can do does for from happens how i if in is it mean means my no of on or the to use what when why with".split(
    " ",
  ),
);

/** What others call it: each word of a line finds the others. */
const SYNONYMS = [
  "filter query",
  "date time timestamp after before timezone iso 8601",
  "time clock now",
  "error fault fail",
  "delete remove clear",
  "create add new inject",
  "change edit update set",
  "data records results seed",
  "sort order",
  "max maximum most",
  "min minimum least",
  "multiple several repeat",
  "page pagination paginate paging cursor offset",
  "auth authenticate authentication authorization token apikey",
  "delay slow latency",
  "off disable",
  "wrong invalid unknown",
].map((line) => line.split(" "));

/** What is searched for: the words that say something, if there are any. `rate-limit` is two words. */
export function wordsOf(text: string): string[] {
  const words = fold(text)
    .split(/\s+|(?<=\p{L}{3})-(?=\p{L}{3})/u)
    .map(trim)
    .filter(Boolean);
  const meant = words.filter((word) => !STOP_WORDS.has(word));
  return meant.length > 0 ? meant : words;
}

/** `pageSize, D-29` → pageSize, page, Size, D-29, D. A number within a word is none. */
export function tokenize(text: string): string[] {
  const parts = text.split(/[^\p{L}\p{M}\p{N}]+/u);
  const humps = parts.flatMap((part) => part.split(/(?<=\p{Ll})(?=\p{Lu})/u));
  return [...new Set([...text.split(/\s+/).map(trim), ...[...parts, ...humps].filter((part) => /\D/.test(part))])];
}

/** `pages`, `paged` → page; the start of its other forms. */
export const stemOf = (word: string) =>
  /^(.{4,}?)(?:ations?|ating|ate[sd]?|ings?|ed|es|s|e|y)$/.exec(word)?.[1] ?? word;

export function synonymsOf(word: string): string[] {
  return SYNONYMS.filter((line) => line.includes(word) || line.includes(stemOf(word))).flat();
}

/** Without capitals and accents: `ines` finds Inès. */
export const fold = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

const trim = (text: string) => text.replaceAll(/^[^\p{L}\p{N}§/]+|[^\p{L}\p{N}]+$/gu, "");
