// The pages of a list, one after the other. After a failure, the next call requests the same page again.
import type { Notification, Operations } from "../../contract/contract-types.js";
import type { Failure, Result, Success } from "./result.js";

type Query = NonNullable<Operations["listNotifications"]["parameters"]["query"]>;

/** The parameters of the contract. Dates are sent as RFC 3339 timestamps. */
export type NotificationFilter = Omit<Query, "after" | "before"> & {
  after?: Query["after"] | Date;
  before?: Query["before"] | Date;
};

/** The position of a page: plain data for a URL, a store or a query's page parameter. */
export interface PagePosition {
  page: number;
  /** The end of the range, so that new notifications do not shift the pages. */
  before?: string;
}

/** A page, with the position of the next one unless it is the last. */
export type PageResult =
  | (Success<"listNotifications"> & { next: PagePosition | undefined })
  | Failure<"listNotifications">;

type ListPage = (filter: NotificationFilter) => Promise<Result<"listNotifications">>;

/** Iterates from a position. Calls of `next()` wait for each other: pressing a button twice loads two pages. */
export function createPages(
  list: ListPage,
  filter: NotificationFilter,
  from: PagePosition,
): AsyncIterableIterator<PageResult> {
  async function* load(): AsyncGenerator<PageResult, undefined> {
    let position: PagePosition | undefined = from;
    while (position) {
      const result = await list({ ...filter, ...position });
      if (!result.ok) yield result;
      else {
        const { data, hasMore } = result.data;
        position = hasMore ? { ...position, ...pin(filter, position, data), page: position.page + 1 } : undefined;
        yield Object.assign(result, { next: position });
      }
    }
  }
  const pages = load();
  // Without `return`, so that a loop can continue after a `break`.
  return {
    next: () => pages.next(),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Ends the range just after the newest record: later records would shift others to the next page. */
function pin(filter: NotificationFilter, { page, before }: PagePosition, [newest]: Notification[]) {
  const at = Date.parse(newest?.createdAt ?? "");
  if (before || filter.before || page > 0 || Number.isNaN(at)) return {};
  return { before: new Date(at + 1).toISOString() };
}
