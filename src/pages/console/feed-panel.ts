// The notification feed: the pages of a filter, one at a time.
import type { Notification, NotificationFilter } from "../../browser/client/client.js";
import { button, element, find, onPress, showEmpty } from "../script/dom.js";
import { createFeedFilter } from "./feed-filter.js";
import { showMissingKey } from "./keys.js";
import { writePageAddress } from "./navigation.js";
import { buildNotificationCells, buildNotificationDetail } from "./notification-detail.js";
import { createPanelStatus, dataOf, type Panel, selected } from "./panel.js";
import { createRowTable } from "./row-table.js";
import { createSendDialog } from "./send-dialog.js";
import { showToast } from "./toast.js";

export function createFeedPanel(): Panel {
  const panel = find("section", "#feed");
  const status = createPanelStatus(panel);
  const workflowStatus = createPanelStatus(panel); // loads beside the feed
  const filterForm = createFeedFilter(find("form", "[data-filter]", panel), load);
  const openDialog = createSendDialog(showSent);
  let listed: readonly Notification[] = [];
  let sentId = "";
  let revision: number | undefined;
  const keyOf = (notification: Notification) => JSON.stringify(notification); // a changed notification gets a new row
  const table = createRowTable<Notification>(panel, {
    parameter: "notification",
    idOf: ({ _id = "" }) => _id,
    keyOf,
    timeOf: ({ createdAt = "" }) => createdAt,
    toCells: buildNotificationCells,
    toDetail: buildNotificationDetail,
  });

  async function load(): Promise<void> {
    const { api } = selected();
    if (!api) {
      showNothing();
      return showMissingKey(panel);
    }
    const filter = filterForm.read();
    await status.load(
      () => api.listNotifications(filter),
      (result) => {
        if (!result.ok) showNothing();
        const { data, page, pageSize, hasMore } = dataOf(result);
        listed = data;
        table.show(data);
        const sent = findSent();
        if (sent) table.markNew(keyOf(sent));
        if (data.length > 0) showEmpty(panel);
        else explainEmpty(filter);
        pages.show({ page, pageSize, hasMore, count: data.length });
      },
    );
  }

  const findSent = () => listed.find(({ _id }) => _id === sentId);

  function showSent(message: string, id: string): void {
    sentId = id;
    const open = () => {
      writePageAddress({ notification: [id] }, "pushState");
      if (findSent()) table.followAddress();
      else filterForm.clear(); // it was hidden
    };
    showToast(message, open, "Open");
  }

  function showNothing(): void {
    table.show([]);
    showEmpty(panel);
    pages.hide();
  }

  function explainEmpty({ page, limit, ...filter }: NotificationFilter): void {
    if (page) showEmpty(panel, "This page is empty.");
    else if (Object.keys(filter).length > 0)
      showEmpty(panel, "No notification matches the filter.", button("Show all", filterForm.clear));
    else showEmpty(panel, "There are no notifications yet.", button("Send a notification", openDialog));
  }

  const pages = createPageBar(panel, {
    turn(step) {
      const page = (filterForm.read().page ?? 0) + step;
      writePageAddress({ page: page === 0 ? [] : [String(page)] });
      return load();
    },
    resize: (size) => filterForm.set({ limit: [size] }),
  });
  onPress(find("button", "[data-do=send]", panel), openDialog);
  return (isNew) => {
    const { environment: current } = selected();
    table.followAddress();
    const hasChanged = revision !== current.revision;
    revision = current.revision;
    if (!isNew) return hasChanged ? void load() : undefined;
    status.say("");
    void workflowStatus.load((control, name) => control.listWorkflows(name), filterForm.showWorkflows);
    void load();
  };
}

const SIZES = [10, 25, 50];

interface Page {
  page: number;
  pageSize: number;
  hasMore: boolean;
  count: number;
}

/** What the page shows, the pages beside it, and how long they are. */
function createPageBar(panel: HTMLElement, on: { turn(step: number): Promise<void>; resize(size: string): void }) {
  const bar = find("div", "[data-pages]", panel);
  const size = find("select", "[data-size]", bar);
  const newer = find("button", "[data-do=newer]", bar);
  const older = find("button", "[data-do=older]", bar);
  onPress(newer, () => on.turn(-1));
  onPress(older, () => on.turn(1));
  size.addEventListener("change", () => on.resize(size.value));
  return {
    hide(): void {
      bar.hidden = true;
    },
    show({ page, pageSize, hasMore, count }: Page): void {
      const first = page * pageSize;
      find("span", "[data-page]", bar).textContent = `${first + 1}–${first + count}`;
      const sizes = [...new Set([...SIZES, pageSize])].toSorted((one, other) => one - other);
      size.replaceChildren(...sizes.map((each) => element("option", { selected: each === pageSize }, String(each))));
      newer.disabled = page === 0;
      older.disabled = !hasMore;
      bar.hidden = page === 0 && !hasMore && count <= Math.min(...SIZES);
    },
  };
}
