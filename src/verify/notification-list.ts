// The list as cases read it: page by page.
import { expectSame, expectStatus } from "./expectation.js";
import type { Notification, Page, Query, Snapshot } from "./notification.js";
import type { TestContext } from "./test-context.js";
import type { TestResponse } from "./test-response.js";

export interface NotificationList {
  page(query: Query, headers?: Record<string, string>): Promise<Page & { response: TestResponse }>;
  /** All records of a query, over all its pages. */
  collect(query: Query, limit?: number): Promise<Notification[]>;
  readAll(): Promise<Snapshot>;
}

const LARGEST_PAGE = 50;
const MAX_PAGES = 20;

export function openNotificationList(context: TestContext): NotificationList {
  const operation = context.operation("listNotifications");

  async function page(query: Query, headers: Record<string, string> = {}) {
    const response = expectStatus(await context.send({ operation, query, headers }), 200);
    return { ...(response.body as Page), response }; // `send` has checked it
  }

  async function collect(query: Query, limit = LARGEST_PAGE, mostPages = 10 * MAX_PAGES) {
    const records: Notification[] = [];
    for (let number = 0; number < mostPages; number++) {
      const { data, hasMore, page: shown, response } = await page({ ...query, page: number, limit });
      if (data.length > 0) expectSame("body.page", number, shown, response.request); // or it never ends
      records.push(...data);
      if (!hasMore || data.length === 0) break;
    }
    return records;
  }

  return {
    page,
    collect: (query, limit) => collect(query, limit),
    async readAll() {
      const records = await collect({}, LARGEST_PAGE, MAX_PAGES);
      const oldest = records.at(-1)?.createdAt;
      const isTruncated = records.length === LARGEST_PAGE * MAX_PAGES && oldest !== undefined;
      if (!isTruncated) return { records, base: {} };
      return { records: records.filter(({ createdAt }) => createdAt !== oldest), base: { after: oldest } };
    },
  };
}
