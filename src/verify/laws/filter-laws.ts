// Laws of filters: each compared with the oracle, and how they combine. Document §4.2, D-26, D-30 to D-38.

import { type Case, type Law, law, toCases } from "../case.js";
import { expectSame } from "../expectation.js";
import { FILTER_VALUES, isMatch } from "../filter-match.js";
import { createIsAllowed, expectFiltered, valuesOf } from "../filter-oracle.js";
import type { Notification } from "../notification.js";
import { openNotificationList } from "../notification-list.js";
import type { TestContext } from "../test-context.js";

export function createFilterLaws(): Case[] {
  return toCases("listNotifications", [...FILTERS, ...COMBINATIONS], { needs: ["listing"] });
}

const FILTERS: Law[] = Object.entries(FILTER_VALUES).flatMap(([name, { cite }]): Law[] => [
  law(`${name} › returns the records that the oracle returns`, ["§4.2", cite], async (context) => {
    for (const value of (await valuesOf(context, name)).slice(0, 8)) await expectFiltered(context, { [name]: value });
  }),
  law(
    `${name} › another case, a part or a pattern does not match as the value does`,
    ["§4.2", cite],
    async (context) => {
      for (const value of await findTellingValues(context, name)) await expectFiltered(context, { [name]: value });
    },
  ),
  ...(["search", "transactionId", "topicKey"].includes(name) ? [] : [listLaw(name)]),
]);

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

const MAX_VALUES = 20;

/** For each wrong match, in place of the right one and beside it, a value for which it returns other records. */
async function findTellingValues(context: TestContext, name: string): Promise<Set<string>> {
  const { records } = await context.snapshot();
  const isAllowed = createIsAllowed(context, name);
  const values = await valuesOf(context, name);
  const some = values.filter((_value, index) => index % Math.ceil(values.length / MAX_VALUES) === 0);
  const variants = [...new Set(some.flatMap(toVariants))].filter((text) => text !== "" && isAllowed(text));
  const own = records.map((record) => FILTER_VALUES[name]?.of(record).filter((value) => value !== undefined) ?? []);
  const distinct = [...new Set(own.flat())];
  const right = new Map<string, boolean[]>();
  const rightOf = (text: string) => {
    const found = right.get(text) ?? records.map((record) => isMatch(record, { [name]: text }));
    right.set(text, found);
    return found;
  };
  const telling = WRONG_MATCHES.flatMap((toWrongMatch) =>
    [true, false].map((isAlone) =>
      variants.find((text) => {
        const matched = new Set(distinct.filter(toWrongMatch(text)));
        const isWrong = (isFound: boolean, isRight: boolean) => (isAlone ? isFound !== isRight : isFound && !isRight);
        return own.some((list, index) =>
          isWrong(
            list.some((one) => matched.has(one)),
            rightOf(text)[index] ?? false,
          ),
        );
      }),
    ),
  );
  return new Set(telling.filter((text) => text !== undefined));
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

function listLaw(name: string): Law {
  return law(
    `${name} › several values are joined by OR, whatever their order, equal ones once`,
    ["§4.2", "D-26", "D-36"],
    async (context) => {
      const [one, other = one, third = one] = await valuesOf(context, name);
      for (const list of [[one], [one, one], [one, other], [third, one, other], [one, other, third]]) {
        await expectFiltered(context, { [name]: list });
      }
    },
  );
}

const COMBINATIONS: Law[] = [
  law("filters of different names are joined by AND", ["D-36"], async (context) => {
    const { records } = await context.snapshot();
    const names = Object.keys(FILTER_VALUES).filter((name) => name !== "search");
    const isAllowed = new Map(names.map((name) => [name, createIsAllowed(context, name)]));
    const some = [0, 0.2, 0.5, 0.9].map((part) => records[Math.floor(part * records.length)]);
    const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other] as const));
    for (const [index, pair] of pairs.entries()) {
      const [one, other] = [some[index % 4], some[(index + 1) % 4]];
      // Both of one record, so that something matches; then of two records, so that AND and OR differ.
      for (const sources of [
        [one, one],
        [one, other],
      ]) {
        const values = pair.map((name, at) =>
          FILTER_VALUES[name]?.of(sources[at] as Notification).find((value) => value && isAllowed.get(name)?.(value)),
        );
        if (values.every((value) => value !== undefined))
          await expectFiltered(context, { [pair[0]]: values[0], [pair[1]]: values[1] });
      }
    }
  }),
  law("emails, subscriberIds and search together select one set of subscribers", ["D-35"], async (context) => {
    const [emails, ids] = [await valuesOf(context, "emails"), await valuesOf(context, "subscriberIds")];
    const [first, second, third] = [emails[0], ids.at(-1), emails[Math.floor(emails.length / 2)]];
    await expectFiltered(context, { emails: [first], subscriberIds: [second] });
    await expectFiltered(context, { emails: [first], search: third });
    await expectFiltered(context, { subscriberIds: ["nobody"], search: third });
    await expectFiltered(context, { emails: [first], subscriberIds: [second], search: third, channels: ["email"] });
  }),
  law("an empty set of subscribers › page 0, whatever page was requested", ["D-35"], async (context) => {
    for (const name of ["emails", "subscriberIds", "search"]) {
      const { page, data, hasMore, response } = await openNotificationList(context).page({
        [name]: "nobody-7f3a9c",
        page: 3,
      });
      expectSame("body", { page: 0, data: [], hasMore: false }, { page, data, hasMore }, response.request);
    }
  }),
];
