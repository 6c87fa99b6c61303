// Laws of filters: each compared with the oracle, and how they combine. Document §4.2, D-26, D-30 to D-38.
import type { Notification } from "../../contract/schemas.js";
import { FILTER_VALUES, SUBSCRIBER_FILTERS } from "../../oracle/notifications.js";
import { law, toCases } from "../case.js";
import { assume, expectPage, expectStatus } from "../expectation.js";
import { createIsAllowed, expectFiltered, valuesOf } from "../filter-oracle.js";
import { findDistinguishingValues } from "./distinguishing-values.js";

const LISTS = ["channels", "templates", "emails", "subscriberIds"];
const MOST_VALUES = 20;
const UNKNOWN_ID = "f".repeat(24);

export const FILTER_LAWS = toCases("listNotifications", { needs: ["listing"] }, [
  ...Object.entries(FILTER_VALUES).flatMap(([name, { cite }]) => [
    law(
      `${name} › returns the records that the oracle returns`,
      ["§4.2", `${cite}.${name === "channels" ? 2 : 1}`],
      async (context) => {
        for (const value of (await valuesOf(context, name)).slice(0, 8))
          await expectFiltered(context, { [name]: value });
      },
    ),
    law(
      `${name} › another case, a part or a pattern does not match as the value does`,
      ["§4.2", cite, ...(name === "search" ? ["D-34.2", "D-82.1"] : [])],
      async (context) => {
        for (const value of await findDistinguishingValues(context, name))
          await expectFiltered(context, { [name]: value });
      },
    ),
  ]),
  ...LISTS.map((name) =>
    law(
      `${name} › several values are joined by OR, whatever their order, equal ones once`,
      ["§4.2", "D-26.1", "D-26.4", "D-36.2"],
      async (context) => {
        const [first, second = first, third = first] = await valuesOf(context, name);
        for (const list of [[first], [first, first], [first, second], [third, first, second], [first, second, third]])
          await expectFiltered(context, { [name]: list });
      },
    ),
  ),
  law("lists › a comma is part of a value", ["D-26.2"], async (context) => {
    for (const name of ["emails", "subscriberIds"]) {
      const [first = "a", second = "b"] = await valuesOf(context, name);
      const raw = `${name}=${encodeURIComponent(first)},${encodeURIComponent(second)}`;
      await expectFiltered(context, { [name]: `${first},${second}` }, raw);
    }
  }),
  law("lists › 20 values, equal ones counted and empty ones not", ["D-26.5", "D-27.1"], async (context) => {
    for (const name of LISTS) {
      const [value = ""] = await valuesOf(context, name);
      const some = (count: number) => Array.from({ length: count }, () => `${name}=${encodeURIComponent(value)}`);
      const empty = Array.from({ length: 5 }, () => `${name}=`);
      await expectFiltered(context, { [name]: value }, [...empty, ...some(MOST_VALUES), ...empty].join("&"));
      expectStatus(await context.list([...some(MOST_VALUES + 1), ...empty].join("&")), 422);
    }
  }),
  law("templates › digits in either case; an unknown id matches nothing", ["D-31.1", "D-31.2"], async (context) => {
    const [id = ""] = await valuesOf(context, "templates");
    await expectFiltered(context, { templates: id.toUpperCase() });
    await expectFiltered(context, { templates: UNKNOWN_ID });
  }),
  law(
    "a record without its subscriber › is listed; no filter by subscriber matches it",
    ["D-44.1", "D-44.2"],
    async (context) => {
      const { records } = await context.snapshot();
      const lost = records.filter(({ subscriber }) => subscriber === undefined);
      assume(lost.length > 0, "no record lacks its subscriber");
      await expectFiltered(context, { search: "@" });
      for (const { transactionId } of lost.slice(0, 3)) await expectFiltered(context, { transactionId });
    },
  ),
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
