// Numbers and texts for a schema, the likely ones first.

import { createRequire } from "node:module";
import { lookUp } from "../json.js";
import type { SchemaObject } from "../openapi-document.js";
import { guardPattern } from "../slow-patterns.js";

const require = createRequire(import.meta.url);

/** @param unit 1 for whole numbers. Without a seed, the smallest come first. */
export function* numbers(schema: SchemaObject, unit: number | undefined, seed: string): Generator<number> {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf = unit } = schema;
  const lowest = Math.max(minimum ?? -Infinity, exclusiveMinimum ?? -Infinity);
  const highest = Math.min(maximum ?? Infinity, exclusiveMaximum ?? Infinity);
  const from = Number.isFinite(lowest) ? lowest : Math.min(0, Number.isFinite(highest) ? highest - 100 : 0);
  const to = Math.min(highest, from + 100);
  const share = (hash(seed) % 101) / 100;
  const wanted = seed === "" ? from : from + (to - from) * share;
  if (multipleOf === undefined) {
    yield* [Math.round(wanted), Number(wanted.toFixed(2)), from, to, (from + to) / 2];
    return;
  }
  for (const start of [wanted, from, to]) {
    const count = Math.round(start / multipleOf);
    // In floating point, 0.07 is no multiple of 0.01.
    for (let more = 0; more < 10; more += 1)
      for (const sign of [1, -1]) yield Number(((count + sign * more) * multipleOf).toPrecision(15));
  }
}

type ToText = (number: number, name: string) => string;

const toHex = (number: number) => number.toString(16).padStart(8, "0");
const twoDigits = (number: number) => String(number).padStart(2, "0");
const toDay = (number: number) => `2026-${twoDigits((number % 12) + 1)}-${twoDigits((number % 28) + 1)}`;
const toTime = (number: number) => `${twoDigits(number % 24)}:${twoDigits(number % 60)}:00`;

/** A text of each common format. */
export const FORMATS: Readonly<Record<string, ToText>> = {
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
  byte: () => "dGV4dA==",
};

/** Forms that patterns often describe. */
const FORMS: readonly ToText[] = [
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

/** Texts such as `title 4711`, in the format or pattern of the schema. */
export function* texts(schema: SchemaObject, name: string, seed: string): Generator<string> {
  const { minLength = 0, maxLength = Infinity, pattern, format = "" } = schema;
  const number = seed === "" ? 0 : hash(seed);
  const word = name.replaceAll(/[^A-Za-z0-9]/g, "").toLowerCase() || "text";
  const fit = (text: string) =>
    [...text.padEnd(minLength, text || "x")].slice(0, Math.min(maxLength, MAX_LENGTH)).join("");
  const ofFormat = lookUp(FORMATS, format);
  if (ofFormat) yield ofFormat(number, word);
  if (pattern === undefined) {
    yield fit(seed === "" ? word : `${word} ${number % 10_000}`);
    return;
  }
  const expression = new RegExp(guardPattern(pattern), "u"); // valid: the contract has been compiled
  const isFitting = (text: string) => expression.test(text);
  yield* [...Object.values(FORMATS), ...FORMS].map((toText) => toText(number, word)).filter(isFitting);
  yield* [fit(word), fit("1"), fit("A")].filter(isFitting);
  yield* rotate(textsOf(pattern), seed).filter(isFitting);
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
  // Loaded on demand: a server needs it only for some proposals.
  const fc = require("fast-check") as typeof import("fast-check");
  try {
    // fast-check does not support look-arounds. Without them, some texts still match.
    const expression = new RegExp(pattern.replaceAll(/\(\?<?[=!][^()]*\)/g, ""), "u");
    return fc.sample(fc.stringMatching(expression), { numRuns: MATCHES, seed: 1 });
  } catch {
    return [];
  }
}

/** Starts the list at an item that depends on the seed. */
export function rotate<T>(list: readonly T[], seed: string): T[] {
  const start = seed === "" ? 0 : hash(seed) % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}

/** FNV-1a, mixed once more so that similar texts differ. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}
