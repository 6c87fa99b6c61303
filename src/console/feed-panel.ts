// The notification feed: the filter's pages, one at a time, however many notifications there are.
import type { NotificationFilter } from "../client/client.js";
import { toData } from "./access.js";
import type { Chosen, Panel } from "./chosen.js";
import { find, onPress } from "./dom.js";
import { createFeedFilter, turnTo } from "./feed-filter.js";
import { toNotificationItem } from "./notification-item.js";
import { showRequest } from "./request-view.js";
import { toListCode } from "./snippets.js";
import { createTask } from "./task.js";

export function createFeedPanel(): Panel {
  const panel = find("section", "#feed");
  const list = find("ol", "[data-list]", panel);
  const pages = find("div", "[data-pages]", panel);
  const newer = find("button", "[data-do=newer]", pages);
  const older = find("button", "[data-do=older]", pages);
  const request = find("details", "[data-request]", panel);
  const task = createTask(panel);
  const filter = createFeedFilter(find("form", "[data-filter]", panel), () => void load());
  let chosen: Chosen | undefined;

  function load(): Promise<void> {
    if (!chosen?.access) {
      task.say("Give the environment's API key first.");
      return Promise.resolve();
    }
    const { access } = chosen;
    const asked = filter.read();
    list.replaceChildren();
    pages.hidden = true;
    return task.run(
      async () => {
        const answer = await access.client.listNotifications(asked);
        await showRequest(request, access, toListCode(access, asked));
        return toData(answer);
      },
      ({ data, page, pageSize, hasMore }) => {
        if (data.length === 0) task.say(toEmptyText(asked));
        list.replaceChildren(...data.map(toNotificationItem));
        find("span", "[data-page]", pages).textContent = `Page ${page + 1}, up to ${pageSize} a page`;
        newer.disabled = page === 0;
        older.disabled = !hasMore;
        pages.hidden = page === 0 && !hasMore;
      },
    );
  }

  const turnBy = (step: number) => () => {
    turnTo((filter.read().page ?? 0) + step);
    return load();
  };
  onPress(newer, turnBy(-1));
  onPress(older, turnBy(1));
  return (shown) => {
    chosen = shown;
    const { control, environment } = shown;
    void task.run(
      () => control.listWorkflows(environment.name),
      (workflows) => {
        filter.showWorkflows(workflows);
        void load();
      },
    );
  };
}

function toEmptyText({ page, ...filter }: NotificationFilter): string {
  if (page) return "This page is empty: there are fewer notifications.";
  return Object.keys(filter).length > 0 ? "No notification fits the filter." : "There are no notifications yet.";
}
