// The list as cases see it: read page by page, and filtered by hand, so that the target's filters can be compared.
import type { SuccessBody } from "../contract/operations.js";
import { expectStatus } from "./check.js";
import type { Answer, World } from "./world.js";

export type Page = SuccessBody<"listNotifications">;
export type Notification = Page["data"][number];

/** Query parameters as values: `{ channels: ["email"], limit: 5 }`. */
export type Query = Record<string, unknown>;

export interface Snapshot {
  /** Newest first. */
  records: Notification[];
  /** Set when the target has more than were read: queries then ask for what is later than the oldest one read. */
  base: { after?: string };
}

export interface NotificationList {
  page(query: Query, headers?: Record<string, string>): Promise<Page & { answer: Answer }>;
  /** All records of a query, over all its pages. */
  collect(query: Query, limit?: number): Promise<Notification[]>;
  readAll(): Promise<Snapshot>;
}

const LARGEST_PAGE = 50;
const MOST_PAGES = 20;

export function openNotificationList(world: World): NotificationList {
  const operation = world.operation("listNotifications");

  async function page(query: Query, headers: Record<string, string> = {}) {
    const answer = await world.send({ operation, query, headers });
    expectStatus(answer, 200);
    return { ...(answer.body as Page), answer }; // `send` has held it against the contract
  }

  async function collect(query: Query, limit = LARGEST_PAGE, mostPages = Number.POSITIVE_INFINITY) {
    const records: Notification[] = [];
    for (let number = 0; number < mostPages; number++) {
      const { data, hasMore } = await page({ ...query, page: number, limit });
      records.push(...data);
      if (!hasMore || data.length === 0) break;
    }
    return records;
  }

  return {
    page,
    collect: (query, limit) => collect(query, limit),
    async readAll() {
      const records = await collect({}, LARGEST_PAGE, MOST_PAGES);
      const oldest = records.at(-1)?.createdAt;
      const isCut = records.length === LARGEST_PAGE * MOST_PAGES && oldest !== undefined;
      if (!isCut) return { records, base: {} };
      return { records: records.filter(({ createdAt }) => createdAt !== oldest), base: { after: oldest } };
    },
  };
}

/** Whether a record matches a query, by the words of the contract (D-30 to D-40). */
export function isMatch(record: Notification, query: Query): boolean {
  const { channels, templates, emails, subscriberIds, search, transactionId, topicKey, after, before } = query;
  const created = toMs(String(record.createdAt));
  const { subscriber, _templateId } = record;
  const wanted = (values: unknown) => [values ?? []].flat().map(String);
  const isNamed = emails !== undefined || subscriberIds !== undefined || search !== undefined;
  const text = search === undefined ? undefined : String(search);
  const isOfSubscriber =
    subscriber !== undefined &&
    ((subscriber.email !== undefined && wanted(emails).includes(subscriber.email)) ||
      wanted(subscriberIds).includes(subscriber.subscriberId) ||
      subscriber.subscriberId === text ||
      (text !== undefined && subscriber.email?.toLowerCase().includes(text.toLowerCase()) === true));
  return (
    (channels === undefined || wanted(channels).some((channel) => record.channels?.some((own) => own === channel))) &&
    (templates === undefined || wanted(templates).some((id) => id.toLowerCase() === _templateId)) &&
    (!isNamed || isOfSubscriber) &&
    (transactionId === undefined || record.transactionId === transactionId) &&
    (topicKey === undefined || record.topics?.some((topic) => topic.topicKey === topicKey) === true) &&
    (after === undefined || created > toMs(String(after))) &&
    (before === undefined || created < toMs(String(before)))
  );
}

/** Milliseconds since 1970, with what is below a millisecond as a fraction. */
export function toMs(text: string): number {
  const [, seconds = "", fraction = "", offset = ""] = /^(.{19})(\.\d+)?(.*)$/.exec(text) ?? [];
  return Date.parse(`${seconds}${offset}`.toUpperCase()) + Number(`0${fraction}`) * 1000;
}
