// Laws of filters: each compared with the reference model, and how they combine. Document §4.2, D-26, D-30 to D-38.
import type { Notification } from "../../../contract/schemas.js";
import { FILTER_VALUES, isMatch, SUBSCRIBER_FILTERS } from "../../judge/notifications.js";
import { law, toCases } from "../case.js";
import { assume, expectPage, expectStatus } from "../expectation.js";
import { createIsAllowed, expectFiltered, valuesOf } from "../filter-model.js";
import type { TestContext } from "../test-context.js";

const LISTS = ["channels", "templates", "emails", "subscriberIds"];
const MOST_VALUES = 20;

const SENTENCES: Record<string, string[]> = {
  channels: ["D-30.2"],
  templates: ["D-31.1", "D-31.2"],
  emails: ["D-32.1", "D-32.2"],
  subscriberIds: ["D-33.1", "D-33.2"],
  search: ["D-34.1", "D-34.2", "D-82.1"],
  transactionId: ["D-37.1"],
  topicKey: ["D-38.1"],
};

/** The sentences on how a filter matches. */
export const citesOf = (filter: string) => ["§4.2", ...(SENTENCES[filter] ?? [])];

export const FILTER_LAWS = toCases({ operation: "listNotifications", needs: ["listing"] }, [
  ...Object.keys(FILTER_VALUES).map((name) =>
    law(`${name} › returns what the reference model returns`, citesOf(name), async (context) => {
      const values = (await valuesOf(context, name)).slice(0, 8);
      for (const value of new Set([...values, ...(await findDistinguishingValues(context, name))]))
        await expectFiltered(context, { [name]: value });
    }),
  ),
  ...LISTS.map((name) =>
    law(`${name} › several values are joined by OR`, ["§4.2", "D-26.1", "D-26.4", "D-36.2"], async (context) => {
      const [first, second = first, third = first] = await valuesOf(context, name);
      for (const list of [[first], [first, first], [first, second], [third, first, second], [first, second, third]])
        await expectFiltered(context, { [name]: list });
    }),
  ),
  law("lists › 20 values, equal ones counted and empty ones not", ["D-26.5", "D-27.1"], async (context) => {
    for (const name of LISTS) {
      const [value = ""] = await valuesOf(context, name);
      const some = (count: number) => Array.from({ length: count }, () => `${name}=${encodeURIComponent(value)}`);
      const empty = Array.from({ length: 5 }, () => `${name}=`);
      await expectFiltered(context, { [name]: value }, [...empty, ...some(MOST_VALUES), ...empty].join("&"));
      expectStatus(await context.list([...some(MOST_VALUES + 1), ...empty].join("&")), 422);
    }
  }),
  law("a record without its subscriber › is listed, and no filter finds it", ["D-44.1", "D-44.2"], async (context) => {
    const { records } = await context.snapshot();
    const lost = records.filter(({ subscriber }) => subscriber === undefined);
    assume(lost.length > 0, "no record lacks its subscriber");
    await expectFiltered(context, { search: "@" });
    for (const { transactionId } of lost.slice(0, 3)) await expectFiltered(context, { transactionId });
    const ids = lost.flatMap(({ to }) => String(to?.subscriberId ?? "") || []);
    for (const subscriberIds of ids.slice(0, 3)) await expectFiltered(context, { subscriberIds });
  }),
  law("topicKey › the _topicId is no key", ["D-38.1"], async (context) => {
    const { records } = await context.snapshot();
    const ids = records.flatMap(({ topics = [] }) => topics.flatMap(({ _topicId }) => _topicId ?? []));
    assume(ids.length > 0, "no record has a topic");
    for (const topicKey of new Set(ids.slice(0, 3))) await expectFiltered(context, { topicKey });
  }),
  law("filters of different names are joined by AND", ["D-36.1"], async (context) => {
    const { records } = await context.snapshot();
    const names = Object.keys(FILTER_VALUES).filter((name) => name !== "search");
    const isAllowed = new Map(names.map((name) => [name, createIsAllowed(context, name)]));
    const filterOf = (name: string, record: Notification | undefined) =>
      record && FILTER_VALUES[name]?.of(record).find((value) => value && isAllowed.get(name)?.(value));
    const some = [0, 0.2, 0.5, 0.9].map((part) => records[Math.floor(part * records.length)]);
    const pairs = names.flatMap((name, index) => names.slice(index + 1).map((other) => [name, other] as const));
    for (const [index, [name, otherName]] of pairs.entries()) {
      const [record, other] = [some[index % 4], some[(index + 1) % 4]];
      // Both of one record, so that something matches; then of two records, so that AND and OR differ.
      for (const source of [record, other]) {
        const [value, otherValue] = [filterOf(name, record), filterOf(otherName, source)];
        if (value !== undefined && otherValue !== undefined)
          await expectFiltered(context, { [name]: value, [otherName]: otherValue });
      }
    }
  }),
  law("emails, subscriberIds and search together select one set of subscribers", ["D-35.1"], async (context) => {
    const [emails, ids] = [await valuesOf(context, "emails"), await valuesOf(context, "subscriberIds")];
    const [first, second, third] = [emails[0], ids.at(-1), emails[Math.floor(emails.length / 2)]];
    await expectFiltered(context, { emails: [first], subscriberIds: [second] });
    await expectFiltered(context, { emails: [first], search: third });
    await expectFiltered(context, { subscriberIds: ["nobody"], search: third });
    await expectFiltered(context, { emails: [first], subscriberIds: [second], search: third, channels: ["email"] });
  }),
  law("an empty set of subscribers › page 0, whatever page was requested", ["D-35.2"], async ({ page }) => {
    for (const name of SUBSCRIBER_FILTERS)
      expectPage(await page({ [name]: "nobody-7f3a9c", page: 3 }), { page: 0, data: [], hasMore: false });
  }),
]);

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
  (sought) => (own) => own === sought || (own.includes("@") && isPartInTurkish(own, sought)), // a search in addresses
  (sought) => toMatch(sought, { "%": ".*", _: "." }, ""),
  (sought) => toMatch(sought, { "%": ".*", _: "." }, ".*"),
  (sought) => toMatch(sought, { "*": ".*", "?": "." }, ""),
  (sought) => toMatch(sought, { ".": "." }, ".*"),
];
const COLLATOR = new Intl.Collator("en", { sensitivity: "base" });
const isPartInTurkish = (own: string, sought: string) => {
  const fold = (text: string) => text.replaceAll("I", "ı").toLowerCase();
  return fold(own).includes(fold(sought));
};
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
