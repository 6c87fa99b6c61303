// pattern and format. Which of two patterns is narrower cannot be computed: a witness has to decide.
import type { NarrowingRule } from "../narrowing-rule.js";
import { keywordValues, typesOf } from "../schema-view.js";

export const compareStrings: NarrowingRule = (from, to) => {
  if (!typesOf(from).includes("string")) return [];
  return ["pattern", "format"].flatMap((keyword) => {
    const before = keywordValues<string>(from, keyword);
    const added = keywordValues<string>(to, keyword).filter((value) => !before.includes(value));
    if (added.length === 0) return [];
    return [{ keyword, from: before[0], to: added[0], isCertain: before.length === 0, mutate: toVariants }];
  });
};

const UNUSUAL = [
  ...["0123456789abcdef01234567", "0123456789ABCDEF01234567", "text", "", "-", "ä", "0", "A1b2", "2026-01-01"],
  ...["2026-01-01T00:00:00Z", "2026-01-01t00:00:00+01:00", "2026-02-31T00:00:00.000Z"],
];

function toVariants(current: unknown): unknown[] {
  const text = String(current ?? "");
  const shortened = [text.slice(1), text.slice(0, -1), text.slice(0, 1)];
  const extended = [`${text}x`, `${text}0`, ` ${text}`, `${text}${text}`];
  return [text, text.toUpperCase(), text.toLowerCase(), ...shortened, ...extended, ...UNUSUAL];
}
