// The notification feed: the pages of a filter, one at a time. What arrives meanwhile appears at once, marked.
import type { Notification, NotificationFilter } from "../../browser/client/client.js";
import { jsonPanel } from "../docs-page/code-panel.js";
import { button, element, find, onPress, showEmpty, span } from "../docs-page/dom.js";
import { toListCode } from "../docs-page/snippets.js";
import { createFeedFilter, goToPage } from "./feed-filter.js";
import { showMissingKey } from "./keys.js";
import { createPanelStatus } from "./panel-status.js";
import { showRequest, toData } from "./recording-client.js";
import { relativeTime } from "./relative-time.js";
import { createRowTable } from "./row-table.js";
import { type Panel, selected } from "./selection.js";
import { createSendDialog } from "./send-dialog.js";

export function createFeedPanel(): Panel {
  const panel = find("section", "#feed");
  const pages = find("div", "[data-pages]", panel);
  const newer = find("button", "[data-do=newer]", pages);
  const older = find("button", "[data-do=older]", pages);
  const request = find("details", "[data-request]", panel);
  const [status, choosing] = [createPanelStatus(panel), createPanelStatus(panel)];
  const filterForm = createFeedFilter(find("form", "[data-filter]", panel), () => void load(false));
  let environment = "";
  let revision: number | undefined;
  const table = createRowTable<Notification>(panel, {
    keyOf: (notification) => JSON.stringify(notification), // a changed one is another row
    toCells: (notification, opener) => toCells(notification, opener, environment),
    toDetail: (notification) => [
      element("h3", {}, notification.template?.name ?? "A deleted workflow"),
      element("p", { className: "soft" }, notification.createdAt ?? ""),
      toTimeline(notification),
      jsonPanel("The notification as JSON", JSON.stringify(notification, null, 2)),
    ],
  });

  async function load(isUpdate: boolean): Promise<void> {
    const { api } = selected();
    if (!api) {
      table.show([], false);
      return showMissingKey(panel);
    }
    const filter = filterForm.read();
    if (!isUpdate) pages.hidden = true;
    await status.load(
      async () => ({ result: await api.client.listNotifications(filter), sent: await api.latestRequest() }),
      ({ result, sent }) => {
        showRequest(request, sent, toListCode(api, filter));
        showEmpty(panel);
        if (!result.ok) table.show([], false);
        const { data, page, pageSize, hasMore } = toData(result);
        const newCount = table.show(data, isUpdate);
        if (data.length === 0) sayEmpty(filter);
        else if (newCount > 0) status.say(`${newCount} new.`);
        find("span", "[data-page]", pages).textContent = `Page ${page + 1}, up to ${pageSize} per page`;
        newer.disabled = page === 0;
        older.disabled = !hasMore;
        pages.hidden = page === 0 && !hasMore;
      },
    );
  }

  function sayEmpty({ page, ...filter }: NotificationFilter): void {
    const isFiltered = Object.keys(filter).length > 0;
    const clear = () => find("button", "[data-do=clear]", panel).click();
    if (page) showEmpty(panel, "This page is empty.", button("Newer", turnBy(-1)));
    else if (isFiltered) showEmpty(panel, "No notification matches the filter.", button("Clear filter", clear));
    else showEmpty(panel, "There are no notifications yet.", button("Send a notification", openDialog));
  }

  const turnBy = (step: number) => () => {
    goToPage((filterForm.read().page ?? 0) + step);
    return load(false);
  };
  onPress(newer, turnBy(-1));
  onPress(older, turnBy(1));
  const openDialog = createSendDialog((message) => status.say(message));
  onPress(find("button", "[data-do=send]", panel), openDialog);
  return (isNew) => {
    const { environment: current } = selected();
    const hasChanged = revision !== current.revision;
    revision = current.revision;
    if (!isNew) return hasChanged ? void load(true) : undefined;
    if (environment !== current.name) table.close();
    environment = current.name;
    void choosing.load((control) => control.listWorkflows(environment), filterForm.showWorkflows);
    void load(false);
  };
}

function toCells(
  notification: Notification,
  opener: (text: string) => HTMLButtonElement,
  environment: string,
): HTMLTableCellElement[] {
  const { createdAt = "", template, subscriber, channels = [] } = notification;
  const { firstName = "", lastName = "", subscriberId } = subscriber ?? {};
  const recipient = subscriber ? `${firstName} ${lastName}`.trim() || subscriberId : "a deleted subscriber";
  return [
    element("td", { className: "soft" }, relativeTime(createdAt, environment)),
    element("td", {}, opener(template?.name ?? "A deleted workflow")),
    element("td", {}, recipient),
    element("td", { className: "soft" }, channels.join(", ")),
    element("td", {}, toState(notification)),
  ];
}

const PENDING = ["pending", "queued", "running", "delayed"];

function toState({ jobs = [] }: Notification): Node {
  const statuses = new Set<string>(jobs.map(({ status }) => status));
  if (statuses.has("failed")) return span("tag bad loud", "failed");
  return span("soft", PENDING.some((status) => statuses.has(status)) ? "in progress" : "done");
}

/** The events of each step, with the time since the notification was created. */
function toTimeline({ jobs = [], createdAt = "" }: Notification): HTMLElement {
  const start = Date.parse(createdAt);
  const steps = jobs.map(({ type, status, executionDetails }) => {
    const tone = status === "failed" ? "tag bad loud" : status === "completed" ? "good" : "soft";
    const events = executionDetails.map(({ status: outcome, detail, createdAt: at }) =>
      element(
        "li",
        { className: outcome === "Failed" ? "bad" : "" },
        span("soft", at === undefined ? "" : toDuration(Date.parse(at) - start)),
        ` ${detail}`,
      ),
    );
    return element(
      "li",
      {},
      element("b", {}, type),
      " ",
      span(tone, status),
      element("ol", { className: "small" }, ...events),
    );
  });
  return element("ol", { className: "timeline", ariaLabel: "What happened" }, ...steps);
}

/** `+ 1.2 s` */
function toDuration(ms: number): string {
  const [length, unit] =
    ms < 1000 ? [1, "ms"] : ms < 120_000 ? [1000, "s"] : ms < 7_200_000 ? [60_000, "min"] : [3_600_000, "h"];
  return `+${(ms / length).toLocaleString("en", { maximumFractionDigits: 1 })} ${unit}`;
}
