// Laws of filters: each compared with the reference model, and how they combine. Document §4.2, D-26, D-30 to D-38.

import type { Notification } from "../../../contract/contract-types.js";
import { lookUp } from "../../../contract/json.js";
import { mapDefined } from "../../../contract/lists.js";
import { FILTERS, filterValuesOf, isSearchable, SUBSCRIBER_FILTERS } from "../../model/notifications.js";
import { createCases, law } from "../case.js";
import { assume, expectPage, expectStatus } from "../expectation.js";
import { createIsAllowed, expectFiltered, formatPair, listedValues } from "../filter-model.js";
import { USUAL_SIZE } from "../test-context.js";

const LISTS = ["channels", "templates", "emails", "subscriberIds"];
const MOST_VALUES = 20;
const CHANNELS = ["in_app", "email", "sms", "chat", "push"];

const SENTENCES: Record<string, string[]> = {
  channels: ["D-30.2"],
  templates: ["D-31.1", "D-31.2"],
  emails: ["D-32.1", "D-32.2"],
  subscriberIds: ["D-33.1", "D-33.2"],
  search: ["D-34.1", "D-34.2", "D-82.1"],
  transactionId: ["D-37.1"],
  topicKey: ["D-38.1"],
};

/** One value of each kind is tried in all variants, since a server may treat the kinds differently. */
const KINDS = [/^/, /[A-Z]/, /i.*@.+\./i, /\+/, /[%_*]/, /[^ -~]/];

/** The sentences that define how a filter matches. */
export const citesOf = (filter: string) => ["§4.2", ...(lookUp(SENTENCES, filter) ?? [])];

export const FILTER_LAWS = createCases({ operation: "listNotifications", needs: ["listing"] }, [
  ...Object.keys(FILTERS).map((name) =>
    law(`${name} › returns what the reference model returns`, citesOf(name), async (context) => {
      const values = await listedValues(context, name);
      const isAllowed = createIsAllowed(context, name);
      const chosen = new Set(KINDS.flatMap((kind) => values.find((value) => kind.test(value)) ?? []));
      const variants = [...chosen].flatMap(createVariants).filter((text) => text !== "" && isAllowed(text));
      const unused = name === "channels" ? CHANNELS.filter(isAllowed) : [];
      for (const value of new Set([...values.slice(0, 8), ...variants, ...unused]))
        await expectFiltered(context, { [name]: value });
    }),
  ),
  ...LISTS.map((name) =>
    law(`${name} › several values are joined by OR`, ["§4.2", "D-26.1", "D-26.4", "D-36.2"], async (context) => {
      const [first, second = first, third = first] = await listedValues(context, name);
      for (const list of [[first], [first, first], [first, second], [third, first, second], [first, second, third]])
        await expectFiltered(context, { [name]: list });
    }),
  ),
  law(
    "lists › 20 values, equal ones counted and empty ones not",
    ["D-26.5", "D-27.1"],
    async (context) => {
      for (const name of LISTS) {
        const [value = "", last = value] = await listedValues(context, name);
        const repeat = (count: number, text: string) => Array.from({ length: count }, () => formatPair(name, text));
        const some = [...repeat(MOST_VALUES - 1, value), formatPair(name, last)]; // a target may read fewer
        const empty = repeat(5, "");
        await expectFiltered(context, { [name]: [value, last] }, [...empty, ...some, ...empty].join("&"));
        expectStatus(await context.list([...repeat(MOST_VALUES + 1, value), ...empty].join("&")), 422);
      }
    },
    { place: "query", keyword: "maxItems" },
  ),
  law("a record without its subscriber › is listed, and no filter finds it", ["D-44.1", "D-44.2"], async (context) => {
    const { records, sent } = await context.snapshot();
    const lost = records.filter(({ subscriber }) => subscriber === undefined);
    assume(lost.length > 0, "no record lacks its subscriber");
    assume(sent.has("data.subscriber.subscriberId"), "records show no subscriber");
    await expectFiltered(context, { search: "@" });
    const transactions = mapDefined(lost, ({ transactionId }) => transactionId);
    for (const transactionId of transactions.slice(0, 3)) await expectFiltered(context, { transactionId });
    const ids = lost.flatMap(({ to }) => String(to?.subscriberId ?? "") || []);
    for (const id of ids.slice(0, 3)) {
      await expectFiltered(context, { subscriberIds: id });
      if (isSearchable(id)) await expectFiltered(context, { search: id });
    }
    for (const { to } of lost.slice(0, 3)) if (to?.email) await expectFiltered(context, { emails: String(to.email) });
  }),
  law("filters of different names are joined by AND", ["D-36.1"], async (context) => {
    const { records } = await context.snapshot();
    const names = Object.keys(FILTERS).filter((name) => name !== "search");
    const isAllowed = new Map(names.map((name) => [name, createIsAllowed(context, name)]));
    const filterOf = (name: string, record: Notification | undefined) =>
      record && filterValuesOf(record, name).find((value) => value && isAllowed.get(name)?.(value));
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
  ...Object.keys(FILTERS).map((name) =>
    law(`${name} › matches no other attribute of a record`, [...citesOf(name), "D-44.2"], async (context) => {
      const { records } = await context.snapshot();
      const isAllowed = createIsAllowed(context, name);
      const present = new Set(records.flatMap((record) => filterValuesOf(record, name)));
      const absent = new Map(
        records.flatMap((record) => textsOf(withoutDetails(record)).filter(([, text]) => isForeign(text))),
      );
      function isForeign(text: string): boolean {
        return text !== "" && !present.has(text) && isAllowed(text);
      }
      const values = [...new Set(absent.values())];
      assume(values.length > 0, `no other attribute of a record has a value that ${name} allows`);
      const count = LISTS.includes(name) ? MOST_VALUES : 1;
      for (let at = 0; at < values.length; at += count)
        await expectFiltered(context, { [name]: values.slice(at, at + count) });
    }),
  ),
  law("emails, subscriberIds and search together select one set of subscribers", ["D-35.1"], async (context) => {
    const [emails, ids] = [await listedValues(context, "emails"), await listedValues(context, "subscriberIds")];
    const [first, second, third] = [emails[0], ids.at(-1), emails[Math.floor(emails.length / 2)]];
    await expectFiltered(context, { emails: [first], subscriberIds: [second] });
    await expectFiltered(context, { emails: [first], search: third });
    await expectFiltered(context, { subscriberIds: ["nobody"], search: third });
    await expectFiltered(context, { emails: [first], subscriberIds: [second], search: third, channels: ["email"] });
  }),
  law("an empty set of subscribers › page 0, whatever page was requested", ["D-35.2", "D-23.2"], async ({ page }) => {
    for (const name of SUBSCRIBER_FILTERS)
      for (const limit of [undefined, 7, 1]) {
        const pageSize = limit ?? USUAL_SIZE;
        const received = await page({ [name]: "nobody-7f3a9c", page: 3, ...(limit ? { limit } : {}) });
        expectPage(received, { page: 0, pageSize, data: [], hasMore: false });
      }
  }),
]);

/** Steps and free texts, which no filter is mistaken for. */
const withoutDetails = ({ jobs: _jobs, payload: _payload, ...record }: Notification) => record;

const DEEPEST = 3; // of names that lead to a text: `template.triggers.0.identifier`

/** The texts of a record, each with the names that lead to it; of a list, its first item. */
function textsOf(value: unknown, path: readonly string[] = []): [path: string, text: string][] {
  if (typeof value === "string") return value.length <= 100 ? [[path.join("."), value]] : [];
  if (typeof value !== "object" || value === null || path.length > DEEPEST) return [];
  const members = Array.isArray(value) ? value.slice(0, 1).entries() : Object.entries(value);
  return [...members].flatMap(([name, member]) => textsOf(member, [...path, String(name)]));
}

/**
 * Texts that a wrong filter equates with the value, because it compares a part, folds or trims letters, or reads
 * patterns.
 */
function createVariants(value: string): string[] {
  const middle = value.slice(1, -1);
  const half = value.slice(0, Math.ceil(value.length / 2));
  const base = value.normalize("NFD").replaceAll(/\p{M}/gu, "");
  const letters = value.replaceAll(/[^A-Za-z0-9]/g, "");
  const [name = ""] = value.split(/[@.+:]/);
  const inOtherCase = [value.toUpperCase(), value.toLowerCase(), middle.toUpperCase(), half.toLowerCase()];
  const parts = [half, middle, value.slice(1), value.slice(0, -1), name];
  const addresses = [value.replace(/\+.*@/, "@"), value.replace(/@.*/, (domain) => domain.toUpperCase())];
  const likePatterns = [`%${middle}%`, `${half}%`, value.replace(/[-.@: ]/, "_")];
  const otherPatterns = [`${half}*`, ".*", value.replace(/[a-z]/, ".")];
  const longer = [` ${value}`, `${value} `, `${value}x`];
  const folded = [letters, base, value.normalize("NFD")];
  const characters = ["%", "_", "*", "@"];
  const patterns = [likePatterns, otherPatterns, characters];
  return [value, inOtherCase, parts, addresses, longer, folded, ...patterns].flat();
}
