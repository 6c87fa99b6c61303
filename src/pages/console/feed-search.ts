// The feed's choice of an outcome. The API has none, so it chooses among the latest notifications that its filter finds.
import type { Client, Notification, NotificationFilter, Result } from "../../browser/client/client.js";
import { type Delivery, decideDelivery } from "./channels.js";
import { readAddress, valuesOf, writeAddress } from "./form.js";

const PAGE_SIZE = 50;
const MAX_SEARCHED = 500;

interface Fields {
  delivery?: Delivery;
}

/** @param change called when another choice is made. */
export function createFeedSearch(form: HTMLFormElement, change: () => void) {
  const read = () => valuesOf<Fields>(form);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    writeAddress(form);
    change();
  });
  return {
    readAddress: () => readAddress(form),
    isActive: () => Object.keys(read()).length > 0,
    /** Those with the outcome. */
    choose(notifications: readonly Notification[]): readonly Notification[] {
      const { delivery } = read();
      return notifications.filter(({ jobs = [] }) => delivery === undefined || decideDelivery(jobs) === delivery);
    },
    clear(): void {
      form.reset();
      writeAddress(form);
    },
  };
}

/** The latest notifications of a filter as one page: all, or as many as a search looks at. */
export async function listLatest(api: Client, filter: NotificationFilter): Promise<Result<"listNotifications">> {
  const latest: Notification[] = [];
  for (let page = 0; ; page += 1) {
    const result = await api.listNotifications({ ...filter, page, limit: PAGE_SIZE });
    if (!result.ok) return result;
    latest.push(...result.data.data);
    if (!result.data.hasMore || latest.length >= MAX_SEARCHED)
      return { ...result, data: { ...result.data, page: 0, pageSize: latest.length, data: latest } };
  }
}
