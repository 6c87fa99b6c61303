// The feed's search and its choice of an outcome. The API has neither, so they choose among the latest notifications
// that its filter finds.
import type { Client, Notification, NotificationFilter, Result } from "../../browser/client/client.js";
import { type Delivery, decideDelivery } from "./channels.js";
import { readAddress, valuesOf, writeAddress } from "./form.js";
import { formatRecipient } from "./notification-detail.js";

const PAGE_SIZE = 50;
const MAX_SEARCHED = 500;

interface Fields {
  find?: string;
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
    /** Those with every word of the search, and the outcome. */
    choose(notifications: readonly Notification[]): readonly Notification[] {
      const { find = "", delivery } = read();
      const words = find.toLowerCase().split(/\s+/);
      return notifications.filter((notification) => {
        if (delivery !== undefined && decideDelivery(notification.jobs ?? []) !== delivery) return false;
        const text = [formatRecipient(notification), ...readTexts(notification)].join("\n").toLowerCase();
        return words.every((word) => text.includes(word));
      });
    },
    clear(): void {
      form.reset();
      writeAddress(form);
    },
  };
}

/** All values, without the names of members. */
function readTexts(value: unknown): string[] {
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(readTexts) : [String(value)];
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
