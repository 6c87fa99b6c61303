import { FILTER_VALUES, SUBSCRIBER_FILTERS } from "../../judge/notifications.js";
import { law, toCases } from "../case.js";
import { assume, expectPage } from "../expectation.js";
import { createIsAllowed, expectFiltered, valuesOf } from "../filter-model.js";

const LISTS = ["channels", "templates", "emails", "subscriberIds"];

const SENTENCES: Record<string, string[]> = {
  channels: ["D-30.2"],
  templates: ["D-31.1", "D-31.2"],
  emails: ["D-32.1", "D-32.2"],
  subscriberIds: ["D-33.1", "D-33.2"],
  search: ["D-34.1", "D-34.2", "D-82.1"],
  transactionId: ["D-37.1"],
  topicKey: ["D-38.1"],
};

/** One value of each kind is tried in all variants: a server may treat it in its own way. */
const KINDS = [/^/, /[A-Z]/, /i.*@.+\./i, /\+/, /[%_*]/, /[^ -~]/];

/** The sentences on how a filter matches. */
export const citesOf = (filter: string) => ["§4.2", ...(SENTENCES[filter] ?? [])];

export const FILTER_LAWS = toCases({ operation: "listNotifications", needs: ["listing"] }, [
  ...Object.keys(FILTER_VALUES).map((name) =>
    law(`${name} › returns what the reference model returns`, citesOf(name), async (context) => {
      const values = await valuesOf(context, name);
      const isAllowed = createIsAllowed(context, name);
      const chosen = new Set(KINDS.flatMap((kind) => values.find((value) => kind.test(value)) ?? []));
      const variants = [...chosen].flatMap(toVariants).filter((text) => text !== "" && isAllowed(text));
      for (const value of new Set([...values.slice(0, 8), ...variants]))
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

/** Texts that a wrong filter takes for the value: it compares a part, folds or trims letters, or reads patterns. */
function toVariants(value: string): string[] {
  const middle = value.slice(1, -1);
  const half = value.slice(0, Math.ceil(value.length / 2));
  const base = value.normalize("NFD").replaceAll(/\p{M}/gu, "");
  const letters = value.replaceAll(/[^A-Za-z0-9]/g, "");
  const [name = ""] = value.split(/[@.+:]/);
  return [
    ...[value, value.toUpperCase(), value.toLowerCase(), middle.toUpperCase(), half.toLowerCase()],
    ...[half, middle, value.slice(1), value.slice(0, -1), name, value.replace(/\+.*@/, "@")],
    ...[`%${middle}%`, `${half}%`, value.replace(/[-.@: ]/, "_"), `${half}*`, ".*", value.replace(/[a-z]/, ".")],
    ...[` ${value}`, `${value} `, `${value}x`, letters, base, value.normalize("NFD"), "%", "_", "*", "@"],
  ];
}
