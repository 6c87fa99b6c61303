// The notification feed: of a channel, an outcome and a subscriber, a page at a time. A record opens as its delivery.
import type { Client, Notification, NotificationFilter, Result } from "../../browser/client/client.js";
import { describeClock, timeOf } from "../script/dashboard.js";
import { button, element, menu, segments, span } from "../script/dom.js";
import { decideDelivery, formatStepName } from "./channels.js";
import { readAddress, valuesOf, writeAddress } from "./form.js";
import { showMissingKey } from "./keys.js";
import { readPageAddress, writePageAddress } from "./navigation.js";
import { buildNotificationCells, buildNotificationDetail } from "./notification-detail.js";
import { pageData } from "./page-data.js";
import { buildFrame, dataOf, type Panel, type Selection, selected } from "./panel.js";
import { createRowTable } from "./row-table.js";
import { createSendDialog } from "./send-dialog.js";
import { pickSubscriber } from "./subscribers.js";
import { showToast } from "./toast.js";

const PAGE_SIZE = 25;
const MAX_SEARCHED = 500; // the API has no outcome, so it is searched among the latest ones

export interface FeedPanel extends Panel {
  send(): void;
}

export function createFeedPanel(): FeedPanel {
  const form = buildFilter();
  const subscriber = createSubscriberFilter((ids) => choose({ subscriberIds: ids }));
  const openDialog = createSendDialog(showSent);
  const clock = element("p", { className: "soft small" });
  const sender = button("Send a notification", openDialog, { className: "" });
  const bar = [form, subscriber.element, clock, sender];
  const { panel, status, empty, showEmpty } = buildFrame("feed", "Feed", bar);
  const pages = createPages((page) => {
    writePageAddress({ page: page === 0 ? [] : [String(page)] });
    return load();
  });
  const table = createRowTable<Notification>({
    names: ["Notifications", "Notification"],
    parameter: "notification",
    idOf: ({ _id = "" }) => _id,
    keyOf: (notification) => JSON.stringify(notification), // a changed notification gets a new row
    timeOf: ({ createdAt = "" }) => createdAt,
    toCells: buildNotificationCells,
    toDetail: ([notification]) => (notification ? buildNotificationDetail(notification) : []),
    findUnlisted: loadOne,
    missing: "It was removed, or is not among the latest of this environment.",
  });
  const body = element("div", { className: "body" }, empty, table.table, pages.element);
  panel.append(element("div", { className: "split" }, body, table.detail));
  let revision: number | undefined;

  async function load(): Promise<void> {
    const { api } = selected();
    showBar();
    if (!api) return showMissingKey(showEmpty);
    const { outcome, page, filter } = readFilter(form);
    const read = () =>
      outcome ? listLatest(api, filter) : api.listNotifications({ ...filter, page, limit: PAGE_SIZE });
    await status.load(
      async () => dataOf(await read()),
      ({ data, hasMore }) => {
        const found = data.filter(({ jobs = [] }) => outcome === undefined || decideDelivery(jobs) === outcome);
        table.show(found);
        pages.show({ page, length: found.length, hasMore: hasMore && outcome === undefined });
        if (found.length > 0) showEmpty();
        else explain(page, outcome !== undefined || Object.keys(filter).length > 0);
      },
    );
  }

  function explain(page: number, isFiltered: boolean): void {
    if (page > 0) showEmpty("This page is empty.");
    else if (isFiltered) showEmpty("No notification matches.", button("Show all", showAll));
    else showEmpty("There are no notifications yet.", button("Send a notification", openDialog));
  }

  function showBar(): void {
    subscriber.show();
    clock.textContent = describeTime(selected());
  }

  function choose(values: Record<string, readonly string[]>): void {
    writePageAddress({ ...values, page: [] });
    void load();
  }

  function showAll(): void {
    form.reset();
    writeAddress(form);
    choose({ subscriberIds: [] });
  }

  function showSent(message: string, id: string): void {
    const open = () => {
      if (table.rowOf(id) === undefined) showAll(); // it was hidden
      table.go([id]);
    };
    showToast(message, open, undefined, "Open");
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    writeAddress(form);
    choose({});
  });
  return {
    element: panel,
    send: () => void openDialog(),
    show(isNew) {
      const { environment } = selected();
      if (isNew) readAddress(form);
      table.followAddress();
      const hasChanged = isNew || revision !== environment.revision;
      revision = environment.revision;
      if (hasChanged) void load();
      else showBar();
    },
  };
}

/** Up to when the list is, unless the clock is as usual. */
function describeTime({ environment: { clock }, loadedAt }: Selection): string {
  const time = timeOf(clock, loadedAt).toISOString().slice(0, 16).replace("T", " ");
  return describeClock(clock, loadedAt) === "running"
    ? ""
    : `as of ${time}${clock.mode === "frozen" ? ", frozen" : ""}`;
}

/** That of the form and the page's address. */
function readFilter(form: HTMLFormElement) {
  const address = readPageAddress();
  const { outcome, channels } = valuesOf<{ outcome?: string; channels?: string }>(form);
  const subscriberIds = address.getAll("subscriberIds");
  const filter = {
    ...(channels !== undefined && { channels: [channels] }),
    ...(subscriberIds.length > 0 && { subscriberIds }),
  } as NotificationFilter; // the channels are those of the contract
  return { outcome, filter, page: outcome === undefined ? Number(address.get("page") ?? 0) : 0 };
}

/** One subscriber, or any. @param choose called with the ids to list. */
function createSubscriberFilter(choose: (ids: readonly string[]) => void) {
  const pick = () => pickSubscriber((id) => choose([id]));
  const picker = button("", pick, { className: "quiet picker", ariaHasPopup: "dialog" });
  const anyone = button("Any", () => choose([]), { className: "link", ariaLabel: "Any subscriber" });
  return {
    element: element("div", { className: "row" }, picker, anyone),
    show(): void {
      const [id] = readPageAddress().getAll("subscriberIds");
      picker.replaceChildren(span("unseen", "Subscriber "), span("", id ?? "any subscriber"));
      anyone.hidden = id === undefined;
    },
  };
}

interface ShownPage {
  page: number;
  length: number;
  hasMore: boolean;
}

/** @param turn shows another page. */
function createPages(turn: (page: number) => Promise<void>) {
  let current = 0;
  const newer = button("Newer", () => turn(current - 1));
  const older = button("Older", () => turn(current + 1));
  const text = span("soft");
  return {
    element: element("div", { className: "row pages" }, newer, text, older),
    show({ page, length, hasMore }: ShownPage): void {
      current = page;
      newer.hidden = page === 0;
      older.hidden = !hasMore;
      const first = page * PAGE_SIZE + 1;
      text.textContent = length === 0 ? "" : `${first}–${first + length - 1}`;
    },
  };
}

/** The channels that the contract's filter has. */
function buildFilter(): HTMLFormElement {
  const list = pageData.operations.find(({ id }) => id === "listNotifications");
  const channels = list?.fields.find(({ name }) => name === "channels")?.choices ?? [];
  const choices = channels.map((channel) => [channel, formatStepName(channel)] as const);
  const outcomes = segments("Outcome", "outcome", [
    ["", "All"],
    ["delivered", "Delivered"],
    ["in progress", "In progress"],
    ["failed", "Failed"],
  ]);
  const channel = menu([["", "any channel"], ...choices], { name: "channels", ariaLabel: "Channel" });
  return element("form", { className: "row", autocomplete: "off" }, outcomes, choices.length > 0 && channel);
}

/** The latest notifications of a filter: all, or as many as a search looks at. */
async function listLatest(api: Client, filter: NotificationFilter): Promise<Result<"listNotifications">> {
  const latest: Notification[] = [];
  for (let page = 0; ; page += 1) {
    const result = await api.listNotifications({ ...filter, page, limit: 50 });
    if (!result.ok) return result;
    latest.push(...result.data.data);
    if (!result.data.hasMore || latest.length >= MAX_SEARCHED)
      return { ...result, data: { ...result.data, data: latest } };
  }
}

async function loadOne(id: string): Promise<Notification | undefined> {
  const { api } = selected();
  const result = await (api && listLatest(api, {}));
  return result?.data?.data.find(({ _id }) => _id === id);
}
