// Values that distinguish a filter that matches wrongly from the right one: for each, some record is in the result of one of the
// two and not of the other. For example, two records have the emails ada@x.test and ada2@x.test, and a server compares beginnings:
//   "ada@x.test"  both filters return the first record, so it does not distinguish them
//   "ada"         the right filter returns no record, the wrong one both, so it does
import { FILTER_VALUES, isMatch } from "../../judge/notifications.js";
import { createIsAllowed, valuesOf } from "../filter-model.js";
import type { TestContext } from "../test-context.js";

const MAX_VALUES = 20;

/** How a wrong server compares the value in a query with that of a record. */
const WRONG_MATCHES: ((sought: string) => (own: string) => boolean)[] = [
  (sought) => (own) => own === sought,
  (sought) => (own) => own.toLowerCase() === sought.toLowerCase(),
  (sought) => (own) => own.startsWith(sought),
  (sought) => (own) => own.endsWith(sought),
  (sought) => (own) => own.includes(sought),
  (sought) => (own) => own.toLowerCase().startsWith(sought.toLowerCase()),
  (sought) => (own) => own.toLowerCase().includes(sought.toLowerCase()),
  (sought) => (own) => sought.startsWith(own),
  (sought) => (own) => own.trim() === sought.trim(),
  (sought) => (own) => own.normalize("NFC") === sought.normalize("NFC"),
  (sought) => (own) => COLLATOR.compare(own, sought) === 0,
  (sought) => (own) => own.replace(/\+.*@/, "@") === sought,
  (sought) => (own) => own.split("@")[0] === sought,
  (sought) => (own) => toLetters(own) === toLetters(sought),
  (sought) => toMatch(sought, { "%": ".*", _: "." }, ""),
  (sought) => toMatch(sought, { "%": ".*", _: "." }, ".*"),
  (sought) => toMatch(sought, { "*": ".*", "?": "." }, ""),
  (sought) => toMatch(sought, { ".": "." }, ".*"),
];
const COLLATOR = new Intl.Collator("en", { sensitivity: "base" });
const toLetters = (text: string) => text.replaceAll(/[^A-Za-z0-9]/g, "");

/** A pattern in which some characters have a meaning, and all others stand for themselves. */
function toMatch(text: string, meanings: Record<string, string>, around: string): (own: string) => boolean {
  const escaped = [...text].map((char) => meanings[char] ?? char.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&")).join("");
  const pattern = new RegExp(`^${around}${escaped}${around}$`, "is");
  return (own) => pattern.test(own);
}

/** For each wrong match, in the place of the right one and beside it, a value that distinguishes them, if there is one. */
export async function findDistinguishingValues(context: TestContext, name: string): Promise<Set<string>> {
  const { records } = await context.snapshot();
  const isAllowed = createIsAllowed(context, name);
  const values = await valuesOf(context, name);
  const some = values.filter((_value, index) => index % Math.ceil(values.length / MAX_VALUES) === 0);
  const texts = [...new Set(some.flatMap(toVariants))].filter((text) => text !== "" && isAllowed(text));
  const ownOf = (record: (typeof records)[number]) =>
    FILTER_VALUES[name]?.of(record).filter((value) => value !== undefined);
  const distinct = [...new Map(records.map((record) => [JSON.stringify(ownOf(record)), record])).values()];
  const own = distinct.map((record) => ownOf(record) ?? []);
  const variants = texts.map((text) => ({ text, right: distinct.map((record) => isMatch(record, { [name]: text })) }));
  const found = WRONG_MATCHES.flatMap((toWrongMatch) =>
    [true, false].map((isAlone) =>
      variants.find(({ text, right }) => {
        const isWrong = toWrongMatch(text);
        return own.some((list, index) => (isAlone || !right[index]) && list.some(isWrong) !== right[index]);
      }),
    ),
  );
  return new Set(found.flatMap((variant) => variant?.text ?? []));
}

function toVariants(value: string): string[] {
  const middle = value.slice(1, -1);
  const half = value.slice(0, Math.ceil(value.length / 2));
  const base = value.normalize("NFD").replaceAll(/\p{M}/gu, "");
  const [name = ""] = value.split(/[@.+:]/);
  return [
    ...[value, value.toUpperCase(), value.toLowerCase(), middle.toUpperCase(), half.toLowerCase()],
    ...[half, middle, value.slice(1), value.slice(0, -1), name, value.replace(/\+.*@/, "@")],
    ...[`%${middle}%`, `${half}%`, value.replace(/[-.@: ]/, "_"), `${half}*`, ".*", value.replace(/[a-z]/, ".")],
    ...[` ${value}`, `${value} `, `${value}x`, toLetters(value), base, value.normalize("NFD"), "%", "_", "*", "@"],
  ];
}
