// The notification feed: the pages of a filter, one at a time.
import type { Notification, NotificationFilter } from "../../browser/client/client.js";
import { button, find, onPress, showEmpty } from "../script/dom.js";
import { createFeedFilter } from "./feed-filter.js";
import { showMissingKey } from "./keys.js";
import { writePageAddress } from "./navigation.js";
import { buildNotificationCells, buildNotificationDetail } from "./notification-detail.js";
import { createPanelStatus, dataOf, type Panel, selected } from "./panel.js";
import { createRowTable } from "./row-table.js";
import { createSendDialog } from "./send-dialog.js";

export function createFeedPanel(): Panel {
  const panel = find("section", "#feed");
  const pages = find("div", "[data-pages]", panel);
  const newer = find("button", "[data-do=newer]", pages);
  const older = find("button", "[data-do=older]", pages);
  const status = createPanelStatus(panel);
  const workflowStatus = createPanelStatus(panel); // loads beside the feed
  const filterForm = createFeedFilter(find("form", "[data-filter]", panel), load);
  const openDialog = createSendDialog((message) => status.say(message));
  let environment = "";
  let revision: number | undefined;
  const table = createRowTable<Notification>(panel, {
    keyOf: (notification) => JSON.stringify(notification), // a changed notification gets a new row
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
        table.show(data);
        if (data.length > 0) showEmpty(panel);
        else explainEmpty(filter);
        find("span", "[data-page]", pages).textContent = `Page ${page + 1}, up to ${pageSize} per page`;
        newer.disabled = page === 0;
        older.disabled = !hasMore;
        pages.hidden = page === 0 && !hasMore;
      },
    );
  }

  function showNothing(): void {
    table.show([]);
    showEmpty(panel);
    pages.hidden = true;
  }

  function explainEmpty({ page, ...filter }: NotificationFilter): void {
    if (page) showEmpty(panel, "This page is empty.");
    else if (Object.keys(filter).length > 0)
      showEmpty(panel, "No notification matches the filter.", button("Show all", filterForm.clear));
    else showEmpty(panel, "There are no notifications yet.", button("Send a notification", openDialog));
  }

  const turnBy = (step: number) => () => {
    const page = (filterForm.read().page ?? 0) + step;
    writePageAddress({ page: page === 0 ? [] : [String(page)] });
    return load();
  };
  onPress(newer, turnBy(-1));
  onPress(older, turnBy(1));
  onPress(find("button", "[data-do=send]", panel), openDialog);
  return (isNew) => {
    const { environment: current } = selected();
    const hasChanged = revision !== current.revision;
    revision = current.revision;
    if (!isNew) return hasChanged ? void load() : undefined;
    if (environment !== current.name) table.close();
    environment = current.name;
    status.say("");
    void workflowStatus.load((control) => control.listWorkflows(environment), filterForm.showWorkflows);
    void load();
  };
}
