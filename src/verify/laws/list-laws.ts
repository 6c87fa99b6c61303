// The list: order, pages, and each filter against the same filter done by hand. Document §4.2, decisions D-23 to D-44.
import { type Case, type Law, toCases } from "../case.js";
import { expectSame, expectStatus, NotApplicable } from "../check.js";
import { isMatch, type Notification, openNotificationList, type Query } from "../notification-list.js";
import { createVerdict, flatten } from "../schema.js";
import type { World } from "../world.js";

export function createListLaws(): Case[] {
  return toCases("listNotifications", [...PAGES, ...FILTERS, ...COMBINATIONS, ...READING], { needs: ["listing"] });
}

const PAGES: Law[] = [
  {
    title: "order › newest first, of equal times the greater _id",
    cites: ["D-25"],
    async run(world) {
      const keys = (await world.snapshot()).records.map(({ createdAt, _id }) => `${createdAt} ${_id}`);
      expectSame("createdAt and _id", keys.toSorted().reverse(), keys);
    },
  },
  ...[7, 10, 50].map(
    (limit): Law => ({
      title: `pages of ${limit} › together the whole list, each record once`,
      cites: ["§4.2", "D-23", "D-25"],
      async run(world) {
        const { records, base } = await world.snapshot();
        const count = Math.ceil(records.length / limit);
        for (let number = 0; number < count; number++) {
          const { page, pageSize, data, answer } = await openNotificationList(world).page({
            ...base,
            page: number,
            limit,
          });
          expectSame("body", { page: number, pageSize: limit }, { page, pageSize }, answer.request);
          expectSame(
            "body.data",
            idsOf(records.slice(number * limit, (number + 1) * limit)),
            idsOf(data),
            answer.request,
          );
        }
      },
    }),
  ),
  {
    title: "hasMore › true exactly when the next page has a record",
    cites: ["D-24"],
    async run(world) {
      const { records, base } = await world.snapshot();
      const total = records.length;
      const divisors = [50, 25, 10, 6, 5, 3, 2, 1].filter((limit) => limit <= total && total % limit === 0).slice(0, 3);
      for (const limit of [...divisors, 50, 10, 7]) {
        const last = Math.ceil(total / limit) - 1;
        for (const number of [0, last - 1, last, last + 1].filter((page) => page >= 0)) {
          const { hasMore, answer } = await openNotificationList(world).page({ ...base, page: number, limit });
          expectSame("body.hasMore", number < last, hasMore, answer.request);
        }
      }
    },
  },
  {
    title: "page › one far behind the last is empty",
    cites: ["§4.2", "D-23"],
    async run(world) {
      const { page, data, hasMore, answer } = await openNotificationList(world).page({ page: 100_000, limit: 50 });
      expectSame("body", { page: 100_000, data: [], hasMore: false }, { page, data, hasMore }, answer.request);
    },
  },
  {
    title: "defaults › page 0, limit 10",
    cites: ["§4.2", "§8"],
    async run(world) {
      const { page, pageSize, data, answer } = await openNotificationList(world).page({});
      const { records } = await world.snapshot();
      expectSame("body", { page: 0, pageSize: 10 }, { page, pageSize }, answer.request);
      expectSame("body.data", idsOf(records.slice(0, 10)), idsOf(data), answer.request);
    },
  },
];

/** Each filter, the decision on how it matches, and the values that the records have for it. */
export const FILTER_VALUES: Record<string, { cite: string; of: (record: Notification) => (string | undefined)[] }> = {
  channels: { cite: "D-30", of: ({ channels = [] }) => channels },
  templates: { cite: "D-31", of: ({ _templateId }) => [_templateId] },
  emails: { cite: "D-32", of: ({ subscriber }) => [subscriber?.email] },
  subscriberIds: { cite: "D-33", of: ({ subscriber }) => [subscriber?.subscriberId] },
  search: { cite: "D-34", of: ({ subscriber }) => [subscriber?.email, subscriber?.subscriberId] },
  transactionId: { cite: "D-37", of: ({ transactionId }) => [transactionId] },
  topicKey: { cite: "D-38", of: ({ topics = [] }) => topics.map(({ topicKey }) => topicKey) },
};

const FILTERS: Law[] = Object.entries(FILTER_VALUES).flatMap(([name, { cite }]): Law[] => [
  {
    title: `${name} › gives what the same filter gives by hand`,
    cites: ["§4.2", cite],
    async run(world) {
      for (const value of (await valuesOf(world, name)).slice(0, 12)) await expectByHand(world, { [name]: value });
    },
  },
  {
    title: `${name} › case, parts, pattern characters and more are not taken for the value`,
    cites: ["§4.2", cite],
    async run(world) {
      const isFree = allowed(world, name);
      for (const value of (await valuesOf(world, name)).slice(0, 3)) {
        const variants = [
          value.toUpperCase(),
          value.toLowerCase(),
          value.slice(0, -1),
          value.slice(1),
          `${value}x`,
          ` ${value}`,
        ];
        const patterns = [
          value.replace(/[-.@]/, "_"),
          value.replace(/[a-z0-9]/, "."),
          ".*",
          "^",
          "%",
          "*",
          "@",
          value.split(/[@.]/)[0] ?? "",
        ];
        for (const variant of new Set([...variants, ...patterns])) {
          if (variant !== "" && isFree(variant)) await expectByHand(world, { [name]: variant });
        }
      }
    },
  },
  ...(["search", "transactionId", "topicKey"].includes(name) ? [] : [listLaw(name)]),
]);

function listLaw(name: string): Law {
  return {
    title: `${name} › several values are joined by OR, equal ones count once, their order does not`,
    cites: ["§4.2", "D-26", "D-36"],
    async run(world) {
      const [one, other = one, third = one] = await valuesOf(world, name);
      for (const list of [[one], [one, one], [one, other], [third, one, other], [one, other, third]]) {
        await expectByHand(world, { [name]: list });
      }
    },
  };
}

const COMBINATIONS: Law[] = [
  {
    title: "filters of different names are joined by AND",
    cites: ["D-36"],
    async run(world) {
      const { records } = await world.snapshot();
      const names = Object.keys(FILTER_VALUES).filter((name) => name !== "search");
      const isFree = new Map(names.map((name) => [name, allowed(world, name)]));
      const some = [0, 0.2, 0.5, 0.9].map((part) => records[Math.floor(part * records.length)]);
      const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other] as const));
      for (const [index, pair] of pairs.entries()) {
        const [one, other] = [some[index % 4], some[(index + 1) % 4]];
        // Both of one record, so that something is left; then of two records, so that AND and OR part.
        for (const sources of [
          [one, one],
          [one, other],
        ]) {
          const values = pair.map((name, at) =>
            FILTER_VALUES[name]?.of(sources[at] as Notification).find((value) => value && isFree.get(name)?.(value)),
          );
          if (values.every((value) => value !== undefined))
            await expectByHand(world, { [pair[0]]: values[0], [pair[1]]: values[1] });
        }
      }
    },
  },
  {
    title: "emails, subscriberIds and search together name one set of subscribers",
    cites: ["D-35"],
    async run(world) {
      const [emails, ids] = [await valuesOf(world, "emails"), await valuesOf(world, "subscriberIds")];
      const [first, second, third] = [emails[0], ids.at(-1), emails[Math.floor(emails.length / 2)]];
      await expectByHand(world, { emails: [first], subscriberIds: [second] });
      await expectByHand(world, { emails: [first], search: third });
      await expectByHand(world, { subscriberIds: ["nobody"], search: third });
      await expectByHand(world, { emails: [first], subscriberIds: [second], search: third, channels: ["email"] });
    },
  },
  {
    title: "a set of subscribers that is empty answers page 0, whatever was asked",
    cites: ["D-35"],
    async run(world) {
      for (const name of ["emails", "subscriberIds", "search"]) {
        const { page, data, hasMore, answer } = await openNotificationList(world).page({
          [name]: "nobody-7f3a9c",
          page: 3,
        });
        expectSame("body", { page: 0, data: [], hasMore: false }, { page, data, hasMore }, answer.request);
      }
    },
  },
];

const READING: Law[] = [
  {
    title: "records belong to one environment and agree with what is joined to them",
    cites: ["D-11", "D-46"],
    async run(world) {
      const { records } = await world.snapshot();
      const [first] = records;
      for (const record of records) {
        const {
          _id,
          _environmentId,
          _organizationId,
          _subscriberId,
          _templateId,
          subscriber,
          template,
          jobs = [],
        } = record;
        const what = `record ${_id}`;
        expectSame(
          what,
          { e: first?._environmentId, o: first?._organizationId },
          { e: _environmentId, o: _organizationId },
        );
        if (subscriber) expectSame(`${what}.subscriber._id`, _subscriberId, subscriber._id);
        if (template?._id) expectSame(`${what}.template._id`, _templateId, template._id);
        for (const { executionDetails } of jobs) {
          const times = executionDetails.map(({ createdAt = "" }) => createdAt);
          expectSame(`${what}.jobs.executionDetails, oldest first`, times.toSorted(), times);
        }
      }
    },
  },
  {
    title: "a body is not read",
    cites: ["§4.2", "D-72"],
    async run(world) {
      const operation = world.operation("listNotifications");
      const answer = await world.send({ operation, query: { limit: 1 }, method: "GET", rawBody: "{" });
      expectStatus(answer, 200);
    },
  },
  {
    title: "an Idempotency-Key is accepted and ignored",
    cites: ["§4", "D-58"],
    async run(world) {
      const headers = { "idempotency-key": crypto.randomUUID() };
      const { page } = openNotificationList(world);
      const first = await page({ limit: 1 }, headers);
      const second = await page({ limit: 2 }, headers);
      expectSame("body.data", [1, 2], [first.data.length, second.data.length], second.answer.request);
      for (const name of ["idempotency-key", "idempotency-replay"]) {
        expectSame(`header.${name}`, undefined, second.answer.headers[name], second.answer.request);
      }
    },
  },
  {
    title: "an unencoded + is a plus sign where the contract marks it, and a blank elsewhere",
    cites: ["D-67"],
    async run(world) {
      const { records, base } = await world.snapshot();
      const operation = world.operation("listNotifications");
      const since = base.after ? `after=${base.after}&` : "";
      for (const { name, "x-literal-plus": isLiteral = false } of operation.parameters) {
        if (["after", "before"].includes(name)) {
          const answer = await world.send({ operation, rawQuery: `${name}=2026-07-01T02:00:00+02:00` });
          expectStatus(answer, isLiteral ? 200 : 422);
        }
        const meant = isLiteral ? "+" : " ";
        const values = records.flatMap((record) => FILTER_VALUES[name]?.of(record) ?? []);
        const value = values.find((one) => one?.includes(meant));
        if (value === undefined) continue;
        const written = encodeURIComponent(value).replaceAll(encodeURIComponent(meant), "+");
        const answer = await world.send({ operation, rawQuery: `${since}limit=50&${name}=${written}` });
        expectStatus(answer, 200);
        const wanted = records.filter((record) => isMatch(record, { [name]: value })).slice(0, 50);
        const { data } = answer.body as { data: Notification[] }; // `send` has held it against the contract
        expectSame("body.data", idsOf(wanted), idsOf(data), answer.request);
      }
    },
  },
];

/** Compares a query's records, over all pages, with the snapshot filtered by hand. */
export async function expectByHand(world: World, query: Query): Promise<void> {
  const { records, base } = await world.snapshot();
  const wanted = records.filter((record) => isMatch(record, query));
  const { collect, page } = openNotificationList(world);
  const got = await collect({ ...base, ...query });
  if (JSON.stringify(idsOf(wanted)) === JSON.stringify(idsOf(got))) return;
  const { answer } = await page({ ...base, ...query, limit: 50 });
  expectSame(`records of ${JSON.stringify(query)}`, idsOf(wanted), idsOf(got), answer.request);
}

/** Values of the records that the contract allows in a filter, the most telling first: those that only some have. */
export async function valuesOf(world: World, name: string): Promise<string[]> {
  const { records } = await world.snapshot();
  const isFree = allowed(world, name);
  const values = new Set(records.flatMap((record) => FILTER_VALUES[name]?.of(record) ?? []));
  const found = [...values].filter((value): value is string => value !== undefined && isFree(value));
  if (found.length === 0) throw new NotApplicable(`no record has a value for ${name}`);
  return found;
}

/** Whether the contract lets a value be given for a parameter, or as an item of it. */
function allowed({ contract, operation }: World, name: string): (value: string) => boolean {
  const parameter = operation("listNotifications").parameters.find((known) => known.name === name);
  if (!parameter) throw new NotApplicable(`the contract has no parameter ${name}`);
  const schema = flatten(contract.document, parameter.schema);
  const { isValid } = createVerdict(contract, flatten(contract.document, schema.items ?? schema));
  return isValid;
}

function idsOf(records: readonly Notification[]): (string | undefined)[] {
  return records.map(({ _id }) => _id);
}
