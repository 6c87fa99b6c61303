// Numbers and texts for a schema, the likely ones first.

import { type Conjunction, keywordValues } from "./conjunctions.js";

/** @param unit 1 for whole numbers. Without a seed, the smallest come first. */
export function* numbers(parts: Conjunction, unit: number | undefined, randomSeed: string): Generator<number> {
  const highest = Math.min(
    ...keywordValues<number>(parts, "maximum"),
    ...keywordValues<number>(parts, "exclusiveMaximum"),
  );
  const lowest = Math.max(
    ...keywordValues<number>(parts, "minimum"),
    ...keywordValues<number>(parts, "exclusiveMinimum"),
  );
  const from = Number.isFinite(lowest) ? lowest : Math.min(0, Number.isFinite(highest) ? highest - 100 : 0);
  const to = Math.min(highest, from + 100);
  const share = (hash(randomSeed) % 101) / 100;
  const wanted = randomSeed === "" ? from : from + (to - from) * share;
  const step = commonMultiple([...keywordValues<number>(parts, "multipleOf"), ...(unit === undefined ? [] : [unit])]);
  if (step === undefined) {
    yield* [Math.round(wanted), Number(wanted.toFixed(2)), from, to, (from + to) / 2];
    yield* [wanted + 0.5, from + (to - from) / 3, from + 0.01];
    return;
  }
  for (const start of [wanted, from, to]) {
    const count = Math.round(start / step);
    // In floating point, 0.07 is no multiple of 0.01.
    for (let more = 0; more < 10; more += 1)
      for (const sign of [1, -1]) yield Number(((count + sign * more) * step).toPrecision(15));
  }
}

const MAX_DECIMALS = 10;

/** The smallest number that is a multiple of all; undefined for none. */
function commonMultiple(numbers: readonly number[]): number | undefined {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  const isWhole = (scale: number) =>
    numbers.every((number) => Number.isInteger(Number((number * scale).toPrecision(15))));
  const scales = Array.from({ length: MAX_DECIMALS }, (_none, index) => 10 ** index);
  const scale = scales.find(isWhole) ?? 1;
  const whole = numbers.map((number) => Math.round(number * scale));
  return numbers.length === 0 ? undefined : whole.reduce((a, b) => (a / divisor(a, b)) * b) / scale;
}

type WriteText = (number: number, name: string) => string;

const toHex = (number: number) => number.toString(16).padStart(8, "0");
const twoDigits = (number: number) => String(number).padStart(2, "0");
const toDay = (number: number) => `2026-${twoDigits((number % 12) + 1)}-${twoDigits((number % 28) + 1)}`;
const toTime = (number: number) => `${twoDigits(number % 24)}:${twoDigits(number % 60)}:00`;

/** A text of each common format. */
export const FORMATS: Readonly<Record<string, WriteText>> = {
  "date-time": (number) => `${toDay(number)}T${toTime(number)}.000Z`,
  date: toDay,
  time: (number) => `${toTime(number)}Z`,
  duration: (number) => `PT${number % 60}M`,
  uuid: (number) => `${toHex(number)}-5f57-4a70-9d55-6b1f${toHex(number)}`,
  email: (number, name) => `${name}.${number % 1000}@example.com`,
  hostname: (number) => `host${number % 1000}.example.com`,
  ipv4: (number) => `192.0.2.${number % 255}`,
  ipv6: (number) => `2001:db8::${(number % 0xffff).toString(16)}`,
  uri: (number, name) => `https://example.com/${name}/${number % 1000}`,
  "uri-reference": (number, name) => `/${name}/${number % 1000}`,
  "uri-template": (number, name) => `/${name}/{id}/${number % 1000}`,
  url: (number, name) => `https://example.com/${name}/${number % 1000}`,
  "json-pointer": (_number, name) => `/${name}`,
  "json-pointer-uri-fragment": (_number, name) => `#/${name}`,
  "relative-json-pointer": (number, name) => `${number % 10}/${name}`,
  "iso-time": (number) => `${toTime(number)}Z`,
  "iso-date-time": (number) => `${toDay(number)}T${toTime(number)}.000Z`,
  regex: (_number, name) => `^${name}`,
  byte: () => "dGV4dA==",
};

/** Forms that patterns often describe. */
const FORMS: readonly WriteText[] = [
  ...[1, 3, 4, 8].map((times) => (number: number) => toHex(number).repeat(times)),
  (number) => String(number % 10),
  (number) => String(number),
  (number) => String(10 + (number % 90)),
  (number) => `1.${number % 10}.0`,
  (_number, name) => name,
  ...["en", "en-US", "EUR"].map((text) => () => text),
  (number) => `+1555${String(number % 10_000_000).padStart(7, "0")}`,
  (number) => `#${toHex(number).slice(0, 6)}`,
  ...["-", "_"].map((sign) => (number: number, name: string) => `${name}${sign}${number % 1000}`),
  (_number, name) => name.toUpperCase(),
];

/** Texts such as `title 4711`, in the formats and patterns of the schemas. */
export function* texts(parts: Conjunction, name: string, randomSeed: string): Generator<string> {
  const number = randomSeed === "" ? 0 : hash(randomSeed);
  const word = name.replaceAll(/[^A-Za-z0-9]/g, "").toLowerCase() || "text";
  const minLength = Math.max(0, ...keywordValues<number>(parts, "minLength"));
  const maxLength = Math.min(Infinity, ...keywordValues<number>(parts, "maxLength"));
  const fit = (text: string) =>
    [...text.padEnd(minLength, text || "x")].slice(0, Math.min(maxLength, MAX_LENGTH)).join("");
  const patterns = keywordValues<string>(parts, "pattern");
  const expressions = patterns.map((pattern) => new RegExp(pattern, "u")); // they compile
  const isFitting = (text: string) =>
    expressions.every((expression) => expression.test(text)) &&
    [...text].length >= minLength &&
    [...text].length <= maxLength;
  const padded = word.padEnd(minLength, word);
  for (const format of keywordValues<string>(parts, "format").filter((one) => Object.hasOwn(FORMATS, one))) {
    const writeText = FORMATS[format] as WriteText;
    yield* [
      writeText(number, word),
      writeText(number, padded),
      writeText(number, "a"),
      ...(SHORT[format] ?? []),
    ].filter(isFitting);
  }
  if (patterns.length === 0) {
    yield fit(randomSeed === "" ? word : `${word} ${number % 10_000}`);
    yield* [fit("1"), fit("a")];
    return;
  }
  yield* [...Object.values(FORMATS), ...FORMS].map((writeText) => writeText(number, word)).filter(isFitting);
  yield* [fit(word), fit("1"), fit("A"), fit(" a")].filter(isFitting);
  for (const pattern of patterns)
    yield* rotate(textsOf(pattern), randomSeed)
      .flatMap((text) => [text, fit(text)])
      .filter(isFitting);
}

/** Shorter texts of a format. */
const SHORT: Readonly<Record<string, readonly string[]>> = {
  "date-time": ["2026-11-02T09:00:00Z"],
  email: ["a@b.co"],
  hostname: ["a.co"],
  ipv6: ["::1"],
  uri: ["a:b"],
  "uri-reference": ["/", ""],
  "json-pointer": [""],
  byte: [""],
};

/** Each form of RFC 3339. */
export const INSTANTS = [
  "2026-06-30T00:00:00Z",
  "2026-06-30t23:59:59.999z",
  "2026-06-30T12:00:00.123+05:30",
  "2026-06-30T00:00:00-00:00",
  "2026-06-30 00:00:00Z",
];

export const HEX_ID = "66e0f1a20c4b3d5e6f708101";

/** 19, 20 and 21 for a bound of 20; nothing for an absent one. */
export function aroundBounds(bounds: readonly (number | undefined)[]): number[] {
  return bounds.filter((bound) => typeof bound === "number").flatMap((bound) => [bound - 1, bound, bound + 1]);
}

const MAX_LENGTH = 100_000;
const MATCHES = 40;
const textsByPattern = new Map<string, readonly string[]>();

/** Texts that match a pattern, the same each time; none if fast-check does not support it. */
export function textsOf(pattern: string): readonly string[] {
  const texts = textsByPattern.get(pattern) ?? drawTexts(pattern);
  textsByPattern.set(pattern, texts); // creating the generator takes a third of a second
  return texts;
}

function drawTexts(pattern: string): string[] {
  // Loaded on demand: a server needs it only for some proposals. A bundle for a browser has neither it nor Node.
  const { createRequire } = globalThis.process?.getBuiltinModule?.("node:module") ?? {};
  if (!createRequire) return [];
  const fc = createRequire(import.meta.url)("fast-check") as typeof import("fast-check");
  try {
    // fast-check does not support look-arounds. Without them, some texts still match.
    const expression = new RegExp(pattern.replaceAll(/\(\?<?[=!][^()]*\)/g, ""), "u");
    return fc.sample(fc.stringMatching(expression), { numRuns: MATCHES, seed: 1 });
  } catch {
    return [];
  }
}

/** Starts the list at an item that depends on the seed. */
export function rotate<T>(list: readonly T[], randomSeed: string): T[] {
  const start = randomSeed === "" ? 0 : hash(randomSeed) % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}

/** FNV-1a, mixed once more so that similar texts differ. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}
