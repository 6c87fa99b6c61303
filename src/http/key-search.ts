// Finds a key in a text by plain string search: in any case, as it is, percent-encoded (also repeatedly), encoded for a
// form, or escaped as in JSON. No pattern is ever built from a key: a client may send one of any length and content.

/** Positions in the text: from the first, up to but not including the second. */
export type Range = [start: number, end: number];

/** A text in the forms in which two encodings of a key are equal. */
export interface SearchableText {
  literal: Form;
  /** With percent-encoding undone. */
  decoded: Form;
}

/** `units` are the text's bytes in UTF-8, one a character; `starts[n]` is where the nth of them begins in the text. */
interface Form {
  units: string;
  starts: number[];
}

// A percent-encoded byte, a run of ASCII, or one other character.
const DECODED = /%(?:25)*(?<byte>[\da-fA-F]{2})|(?<ascii>[^%\\\u0080-\u{10ffff}]+)|./gsu;
const LITERAL = /(?<ascii>[^\\\u0080-\u{10ffff}]+)|./gsu;

const MAX_SEARCH_LENGTH = 256; // what is behind that is compared, not searched: searching takes the product of the lengths

export function toSearchable(text: string): SearchableText {
  const literal = toForm(text, LITERAL);
  return { literal, decoded: text.includes("%") ? toForm(text, DECODED) : literal };
}

/** Where a key occurs. `isWord`: only where no letter or digit is beside it. */
export function findKey(text: SearchableText, key: SearchableText, { isWord }: { isWord: boolean }): Range[] {
  // Both forms: behind a key that ends with a percent sign, decoding may take it for the beginning of a code.
  return [...findForm(text.literal, key.literal.units, isWord), ...findForm(text.decoded, key.decoded.units, isWord)];
}

function findForm({ units, starts }: Form, key: string, isWord: boolean): Range[] {
  const head = key.slice(0, MAX_SEARCH_LENGTH);
  const ranges: Range[] = [];
  let end = 0;
  for (let at = units.indexOf(head); head !== "" && at !== -1; at = units.indexOf(head, end)) {
    end = at + head.length;
    while (end < at + key.length && units[end] === key[end - at]) end++;
    const isPart = isAlphanumeric(units[at - 1]) || isAlphanumeric(units[end]);
    if (!isWord || !isPart) ranges.push([starts[at] ?? 0, starts[end] ?? 0]);
  }
  return ranges;
}

function isAlphanumeric(unit: string | undefined): boolean {
  return unit !== undefined && /[a-z\d]/.test(unit);
}

function toForm(text: string, token: RegExp): Form {
  const starts: number[] = [];
  let units = "";
  let escapeAt: number | undefined; // of a backslash: it belongs to what follows it
  for (const { 0: part, index, groups: { byte, ascii } = {} } of text.matchAll(token)) {
    const character = byte === undefined ? part : String.fromCharCode(Number.parseInt(byte, 16));
    if (character === "\\") escapeAt ??= index;
    else {
      const added = byte !== undefined && character > "\u007f" ? character : fold(character);
      for (let offset = 0; offset < added.length; offset++) starts.push(ascii === undefined ? index : index + offset);
      if (escapeAt !== undefined) starts[units.length] = escapeAt;
      escapeAt = undefined;
      units += added;
    }
  }
  starts.push(escapeAt ?? text.length);
  return { units, starts };
}

/** In lower case and as the bytes of UTF-8; a blank for `+`, which stands for one in forms. */
function fold(text: string): string {
  return Buffer.from(text.toLowerCase().replaceAll("+", " ")).toString("latin1");
}
