// Notifications as cases see them.
import type { SuccessBody } from "../contract/operations.js";
import { expectSame } from "./expectation.js";

export type Page = SuccessBody<"listNotifications">;
export type Notification = Page["data"][number];

/** Query parameters as values: `{ channels: ["email"], limit: 5 }`. */
export type Query = Record<string, unknown>;

export interface Snapshot {
  /** Newest first. */
  records: Notification[];
  /** Set when the target has more records than were read: limits queries to what is later than the oldest one read. */
  base: { after?: string };
}

export function idsOf(records: readonly Notification[]): (string | undefined)[] {
  return records.map(({ _id }) => _id);
}

/** Compares the members of a page that are expected; of its records, the ids. */
export function expectPage(page: Page, { data, ...expected }: Partial<Page>): void {
  if (data) expectSame("body.data", idsOf(data), idsOf(page.data));
  for (const [name, value] of Object.entries(expected)) expectSame(`body.${name}`, value, page[name as keyof Page]);
}
