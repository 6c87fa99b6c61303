// pattern and format. Which of two patterns is narrower cannot be computed: a witness has to tell.
import type { NarrowingRule } from "../narrowing.js";
import { type SchemaView, typesOf, written } from "../schema-view.js";

export const compareTexts: NarrowingRule = (from, to) => {
  if (!typesOf(from).includes("string")) return [];
  return ["pattern", "format"].flatMap((keyword) => {
    const before = valuesOf(from, keyword);
    const added = valuesOf(to, keyword).filter((value) => !before.includes(value));
    if (added.length === 0) return [];
    return [{ keyword, from: before[0], to: added[0], isCertain: before.length === 0, mutate: toVariants }];
  });
};

function valuesOf(view: SchemaView, keyword: string): string[] {
  return written<string>(view, keyword).map(({ value }) => value);
}

const ODD_TEXTS = [
  "text",
  "",
  "-",
  "ä",
  "0",
  "A1b2",
  "2026-01-01",
  "2026-01-01T00:00:00Z",
  "2026-01-01t00:00:00+01:00",
  "2026-02-31T00:00:00.000Z",
];
const HEXADECIMAL = ["0123456789abcdef01234567", "0123456789ABCDEF01234567"];

function toVariants(current: unknown): unknown[] {
  const text = String(current ?? "");
  const upper = text.toUpperCase();
  const lower = text.toLowerCase();
  const cut = [text.slice(1), text.slice(0, -1), text.slice(0, 1)];
  return [
    text,
    upper,
    lower,
    ...cut,
    `${text}x`,
    `${text}0`,
    ` ${text}`,
    `${text}${text}`,
    ...HEXADECIMAL,
    ...ODD_TEXTS,
  ];
}
