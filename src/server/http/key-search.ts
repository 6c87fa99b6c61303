// Finds a key in a text by plain string search: in any case, as it is, percent-encoded (also repeatedly), encoded for a
// form, or escaped as in JSON. No pattern is ever built from a key: a client may send one of any length and content.
//
// Text and key are folded until equal keys are equal strings, and what is found there is counted back to the text. The key
// `Ü/k` in the text `?key=%25c3%BC%2FK`:
//   folded, the key is the bytes `ü/k` in lower case, and the text, decoded, `?key=ü/k`: found at bytes 5 to 9
//   counted back, byte 5 begins at character 5, with `%25c3`, and byte 9 is the end: [5, 17]

/** Positions in the text: from the first, up to but not including the second. */
export type Range = [start: number, end: number];

/** A text, and the forms in which two encodings of a key are equal: the bytes of UTF-8, one a character. */
export interface SearchableText {
  text: string;
  literal: string;
  /** With percent-encoding undone. */
  decoded: string;
}

// A percent-encoded byte, a run of ASCII, or one other character.
const DECODED = /%(?:25)*(?<byte>[\da-fA-F]{2})|(?<ascii>[^%\\\u0080-\u{10ffff}]+)|./gsu;
const LITERAL = /(?<ascii>[^\\\u0080-\u{10ffff}]+)|./gsu;
const ENCODED_BYTE = /%(?:25)*([\da-f]{2})/g;

const MAX_SEARCH_LENGTH = 256; // what is behind that is compared, not searched: searching takes the product of the lengths

export function toSearchable(text: string): SearchableText {
  const bytes = fold(text);
  const decoded = bytes.replaceAll(ENCODED_BYTE, (_code, byte: string) => foldByte(byte));
  return { text, literal: withoutEscapes(bytes), decoded: withoutEscapes(decoded) };
}

/** The places of a key. `isWord`: only places without a letter or digit beside them. */
export function findKey(searched: SearchableText, key: SearchableText, { isWord }: { isWord: boolean }): Range[] {
  const { text, literal, decoded } = searched;
  // Both forms: behind a key that ends with a percent sign, decoding may take it for the beginning of a code.
  const inLiteral = findUnits(literal, key.literal, isWord);
  const inDecoded = findUnits(decoded, key.decoded, isWord);
  return [...toPositions(inLiteral, text, LITERAL), ...toPositions(inDecoded, text, DECODED)];
}

function findUnits(units: string, key: string, isWord: boolean): Range[] {
  const head = key.slice(0, MAX_SEARCH_LENGTH);
  const ranges: Range[] = [];
  let end = 0;
  for (let at = units.indexOf(head); head !== "" && at !== -1; at = units.indexOf(head, end)) {
    end = at + head.length;
    while (end < at + key.length && units[end] === key[end - at]) end++;
    const isPart = isAlphanumeric(units[at - 1]) || isAlphanumeric(units[end]);
    if (!isWord || !isPart) ranges.push([at, end]);
  }
  return ranges;
}

function isAlphanumeric(unit: string | undefined): boolean {
  return unit !== undefined && /[a-z\d]/.test(unit);
}

/** From positions in a form to those in the text. Few texts hold a key: only theirs are computed. */
function toPositions(ranges: readonly Range[], text: string, token: RegExp): Range[] {
  if (ranges.length === 0) return [];
  const starts: number[] = []; // where the nth byte of the form begins in the text
  let escapeAt: number | undefined; // of a backslash: it belongs to what follows it
  for (const { 0: part, index, groups: { byte, ascii } = {} } of text.matchAll(token)) {
    const units = withoutEscapes(byte === undefined ? fold(part) : foldByte(byte));
    if (units === "") escapeAt ??= index;
    for (let offset = 0; offset < units.length; offset++) {
      starts.push(escapeAt ?? (ascii === undefined ? index : index + offset));
      escapeAt = undefined;
    }
  }
  starts.push(escapeAt ?? text.length);
  return ranges.map(([start, end]) => [starts[start] ?? 0, starts[end] ?? 0]);
}

/** In lower case and as the bytes of UTF-8; a blank for `+`, which stands for one in forms. */
function fold(text: string): string {
  const lowerCase = text.toLowerCase().replaceAll("ς", "σ"); // which of the two it is depends on what follows
  return Buffer.from(lowerCase.replaceAll("+", " ")).toString("latin1");
}

/** @param byte in hexadecimal digits. */
function foldByte(byte: string): string {
  const character = String.fromCharCode(Number.parseInt(byte, 16));
  return character > "\u007f" ? character : fold(character);
}

function withoutEscapes(bytes: string): string {
  return bytes.replaceAll("\\", "");
}
