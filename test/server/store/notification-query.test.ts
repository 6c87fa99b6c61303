// listNotifications, which stops at a full page, compared with the reference model, which filters all notifications.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Notification } from "../../../src/contract/contract-types.js";
import { joinNotification, listNotifications } from "../../../src/core/domain/notifications.js";
import type { NotificationFilter } from "../../../src/core/domain/query.js";
import {
  type Change,
  type EnvironmentData,
  type StoredNotification,
  toMemory,
  toPlain,
} from "../../../src/core/domain/state.js";
import { createEnvironmentState } from "../../../src/core/state/environment-state.js";
import { joinParts, writeJson } from "../../../src/server/http/exchange.js";
import { createIsMatch } from "../../../src/tools/model/notifications.js";
import { createSmallSeed } from "../../support/small-seed.js";

const { asOf, ...small } = createSmallSeed({ subscribers: 6, workflows: 3, notifications: 0 });
const NOW = Date.parse(asOf);
const TIMES = Array.from({ length: 12 }, (_, index) => new Date(NOW - index * 1000).toISOString());
const TEMPLATES = [...small.workflows.map(({ _id }) => _id), "a".repeat(24), undefined];
const CHANNELS = ["email", "sms", "in_app", "chat", "push", "digest"] as const;
const TOPICS = ["project:one", "project:two"];
const SUBSCRIBERS = [...small.subscribers.map(({ _id }) => _id), "9".repeat(24)];
const EMAILS = ["ann@example.com", "Bob@example.com", "bob@example.com", "ann@example.com", undefined, "z@example.org"];
const initial: EnvironmentData = {
  ...small,
  subscribers: small.subscribers.map(({ email: _email, ...rest }, index) => {
    const email = EMAILS[index];
    return email === undefined ? rest : { ...rest, email };
  }),
};

const anyPayload = fc
  .dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 })
  .map((payload): Record<string, unknown> => JSON.parse(JSON.stringify(payload))); // JSON has no -0

const anyNotification = fc
  .record({
    number: fc.integer({ min: 1, max: 60 }), // some come again, in the place of those before
    _subscriberId: fc.constantFrom(...SUBSCRIBERS),
    _templateId: fc.constantFrom(...TEMPLATES),
    transactionId: fc.constantFrom("txn-1", "txn-2", "txn-3\t€"),
    createdAt: fc.constantFrom(...TIMES),
    channels: fc.array(fc.constantFrom(...CHANNELS), { maxLength: 4 }),
    topics: fc.option(fc.array(fc.constantFrom(...TOPICS), { maxLength: 3 }), { nil: undefined }),
    payload: fc.option(anyPayload, { nil: undefined }),
  })
  .map(({ number, _templateId, topics, payload, ...rest }): StoredNotification => {
    return {
      _id: `d${String(number).padStart(23, "0")}`,
      ...rest,
      ...(_templateId === undefined ? {} : { _templateId }),
      ...(topics ? { topics: topics.map((topicKey, index) => ({ _topicId: `${index}`.repeat(24), topicKey })) } : {}),
      ...(payload ? { payload } : {}),
    };
  });

const anyAddition = fc
  .array(anyNotification, { maxLength: 4 })
  .map((notifications) => ({ type: "notificationsAdded" as const, notifications }));
const anyRemoval = anyNotification.map(({ _id }) => ({ type: "notificationRemoved" as const, notificationId: _id }));
const anyChange = fc.oneof({ weight: 3, arbitrary: anyAddition }, { weight: 1, arbitrary: anyRemoval });

/** Each filter alone, and some together: with all of them hardly a page would hold anything. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const some = <T extends string>(...values: T[]) =>
  rarely(fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 4 }));
const maybe = (...values: string[]) => rarely(fc.constantFrom(...values));
const anyFilter = fc
  .record({
    channels: some("email", "sms", "in_app", "chat", "push"),
    templates: some("f".repeat(24), ...TEMPLATES.flatMap((id) => (id ? [id, id.toUpperCase()] : []))),
    emails: some("ann@example.com", "bob@example.com", "nobody@example.com"),
    subscriberIds: some("subscriber-1", "subscriber-2", "subscriber-5", "nobody"),
    search: maybe("example", "BOB", "subscriber-5", "@example.com", "nothing"),
    transactionId: maybe("txn-1", "txn-3\t€", "txn-4"),
    topicKey: maybe(...TOPICS, "project:three"),
    after: maybe(...TIMES),
    before: maybe(...TIMES),
    page: fc.integer({ min: 0, max: 6 }),
    limit: fc.integer({ min: 1, max: 9 }),
  })
  .filter(({ after, before }) => after === undefined || before === undefined || after <= before)
  .map((filter) => Object.entries(filter).filter(([, value]) => value !== undefined))
  .map((entries) => Object.fromEntries(entries) as unknown as NotificationFilter);

describe("listNotifications › stopping at a full page", () => {
  test("any filter, on any page, after any changes: the same page as by filtering everything", () => {
    const anyRun = fc.tuple(
      fc.array(anyNotification, { maxLength: 40 }),
      fc.array(anyChange, { maxLength: 8 }),
      fc.array(anyFilter, { minLength: 1, maxLength: 8 }),
    );
    let filled = 0;
    const law = fc.property(anyRun, ([notifications, changes, filters]) => {
      const data = { ...initial, notifications: withoutTwins(notifications) };
      const state = createEnvironmentState(toMemory(data));
      state.apply(changes);
      const wanted = { ...data, notifications: changes.reduce(withChange, data.notifications) };
      expect(toPlain(state.toData()).notifications.toSorted(byNewest)).toEqual(wanted.notifications.toSorted(byNewest));
      for (const filter of filters) {
        const listed = listNotifications(filter, state, { now: NOW + 1, plan: "enterprise" });
        const page = JSON.parse(joinParts(writeJson(listed)).toString());
        expect(page).toEqual(listByFilteringAll(filter, wanted));
        if (page.data.length > 0) filled += 1;
      }
    });
    fc.assert(law, { numRuns: 150 });
    expect(filled).toBeGreaterThan(40); // else nearly all pages were empty
  });

  test("a list by e-mail address follows changes: a subscriber added, with another address, removed", () => {
    const state = createEnvironmentState(toMemory(initial));
    const namesOf = (email: string) => state.subscribersByEmail(email).map(({ subscriberId }) => subscriberId);
    const subscriber = { _id: "8".repeat(24), subscriberId: "new", email: "ann@example.com" };
    expect(namesOf("ann@example.com")).toEqual(["subscriber-1", "subscriber-4"]);
    state.apply([{ type: "subscriberAdded", subscriber }]);
    expect(namesOf("ann@example.com")).toEqual(["subscriber-1", "subscriber-4", "new"]);
    state.apply([{ type: "subscriberAdded", subscriber: { ...subscriber, email: "new@example.com" } }]);
    expect([namesOf("ann@example.com").length, namesOf("new@example.com").length]).toEqual([2, 1]);
    state.apply([{ type: "subscriberRemoved", subscriberId: "subscriber-1" }]);
    expect(namesOf("ann@example.com")).toEqual(["subscriber-4"]);
  });
});

function withoutTwins(notifications: readonly StoredNotification[]): StoredNotification[] {
  return [...new Map(notifications.map((notification) => [notification._id, notification])).values()];
}

function withChange(notifications: StoredNotification[], change: Change): StoredNotification[] {
  if (change.type === "notificationsAdded") return withoutTwins([...notifications, ...change.notifications]);
  if (change.type === "notificationRemoved") return notifications.filter(({ _id }) => _id !== change.notificationId);
  throw new Error(`${change.type} is not made here`);
}

/** The same page by the reference model that judges other servers. */
function listByFilteringAll({ page, limit, ...query }: NotificationFilter, data: EnvironmentData) {
  const { emails, subscriberIds, search } = query;
  const isAsked = emails !== undefined || subscriberIds !== undefined || search !== undefined;
  const isNamed = createIsMatch({ emails, subscriberIds, search });
  const isFound = data.subscribers.some((subscriber) => isNamed({ subscriber } as Notification));
  if (isAsked && !isFound) return { page: 0, pageSize: limit, hasMore: false, data: [] };
  const view = createEnvironmentState(toMemory(data));
  const shown = data.notifications.toSorted(byNewest).map((stored) => joinNotification(stored, view));
  const matches = (JSON.parse(JSON.stringify(shown)) as Notification[]).filter(createIsMatch(query));
  const [start, end] = [Number(page) * limit, (Number(page) + 1) * limit];
  return { page, pageSize: limit, hasMore: matches.length > end, data: matches.slice(start, end) };
}

function byNewest(a: StoredNotification, b: StoredNotification): number {
  return a.createdAt === b.createdAt ? (a._id < b._id ? 1 : -1) : a.createdAt < b.createdAt ? 1 : -1;
}
