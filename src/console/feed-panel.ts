// The notification feed: the pages of a filter, one at a time.
import type { NotificationFilter } from "../client/client.js";
import { find, onPress } from "./dom.js";
import { createFeedFilter, goToPage } from "./feed-filter.js";
import { toNotificationItem } from "./notification-item.js";
import { createPanelStatus } from "./panel-status.js";
import { toData } from "./recording-client.js";
import { showRequest } from "./request-view.js";
import { createSelectionHolder, type Panel } from "./selection.js";
import { toListCode } from "./snippets.js";

export function createFeedPanel(): Panel {
  const panel = find("section", "#feed");
  const list = find("ol", "[data-list]", panel);
  const pages = find("div", "[data-pages]", panel);
  const newer = find("button", "[data-do=newer]", pages);
  const older = find("button", "[data-do=older]", pages);
  const request = find("details", "[data-request]", panel);
  const status = createPanelStatus(panel);
  const selection = createSelectionHolder();
  const filterForm = createFeedFilter(find("form", "[data-filter]", panel), () => void load());

  async function load(): Promise<void> {
    const api = selection.use((selected) => selected.api);
    if (!api) return status.say("Enter the environment's API key first.");
    const filter = filterForm.read();
    list.replaceChildren();
    pages.hidden = true;
    await status.run(
      async () => {
        const result = await api.client.listNotifications(filter);
        await showRequest(request, api, toListCode(api, filter));
        return toData(result);
      },
      ({ data, page, pageSize, hasMore }) => {
        if (data.length === 0) status.say(toEmptyText(filter));
        list.replaceChildren(...data.map(toNotificationItem));
        find("span", "[data-page]", pages).textContent = `Page ${page + 1}, up to ${pageSize} per page`;
        newer.disabled = page === 0;
        older.disabled = !hasMore;
        pages.hidden = page === 0 && !hasMore;
      },
    );
  }

  const turnBy = (step: number) => () => {
    goToPage((filterForm.read().page ?? 0) + step);
    return load();
  };
  onPress(newer, turnBy(-1));
  onPress(older, turnBy(1));
  return (selected) => {
    selection.set(selected);
    const { control, environment } = selected;
    void status.run(
      () => control.listWorkflows(environment.name),
      (workflows) => {
        filterForm.showWorkflows(workflows);
        void load();
      },
    );
  };
}

function toEmptyText({ page, ...filter }: NotificationFilter): string {
  if (page) return "This page is empty.";
  return Object.keys(filter).length > 0 ? "No notification matches the filter." : "There are no notifications yet.";
}
