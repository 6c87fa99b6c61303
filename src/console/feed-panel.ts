// The notification feed: the pages of a filter, one at a time. What arrives meanwhile appears at once, marked.
import type { Notification, NotificationFilter } from "../client/client.js";
import { button, element, find, onPress, showEmpty, span } from "../docs-page/dom.js";
import { toListCode } from "../docs-page/snippets.js";
import { createFeedFilter, goToPage } from "./feed-filter.js";
import { createPanelStatus } from "./panel-status.js";
import { toData } from "./recording-client.js";
import { relativeTime } from "./relative-time.js";
import { jsonPanel, showRequest } from "./request-view.js";
import { createRowTable } from "./row-table.js";
import { type Panel, selected } from "./selection.js";
import { createSendDialog } from "./send-dialog.js";

export function createFeedPanel(): Panel {
  const panel = find("section", "#feed");
  const pages = find("div", "[data-pages]", panel);
  const newer = find("button", "[data-do=newer]", pages);
  const older = find("button", "[data-do=older]", pages);
  const request = find("details", "[data-request]", panel);
  const status = createPanelStatus(panel);
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
    if (!api) return status.say("Enter the environment's API key first, under Environment.");
    const filter = filterForm.read();
    if (!isUpdate) pages.hidden = true;
    await status.load(
      async () => {
        const result = await api.client.listNotifications(filter);
        await showRequest(request, api, toListCode(api, filter));
        if (!result.ok) table.show([], false);
        return toData(result);
      },
      ({ data, page, pageSize, hasMore }) => {
        const newCount = table.show(data, isUpdate);
        showEmpty(panel);
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
    const text = page
      ? "This page is empty."
      : isFiltered
        ? "No notification matches the filter. Clear it to see all."
        : NONE;
    status.say(text);
    if (page) showEmpty(panel, text);
    else if (isFiltered)
      showEmpty(
        panel,
        text,
        button("Clear filter", () => find("button", "[data-do=clear]", panel).click()),
      );
    else showEmpty(panel, text, button("Send a notification", openDialog));
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
    const { control, environment: current } = selected();
    const hasChanged = revision !== current.revision;
    revision = current.revision;
    if (!isNew) return hasChanged ? void load(true) : undefined;
    if (environment !== current.name) table.close();
    environment = current.name;
    void status.load(
      () => control.listWorkflows(environment),
      (workflows) => {
        filterForm.showWorkflows(workflows);
        void load(false);
      },
    );
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
  if (statuses.has("failed")) return span("tag bad", "failed");
  return PENDING.some((status) => statuses.has(status)) ? span("soft", "in progress") : span("soft", "done");
}

/** What happened for each step, with the time since the notification was created. */
function toTimeline({ jobs = [], createdAt = "" }: Notification): HTMLElement {
  const start = Date.parse(createdAt);
  const steps = jobs.map(({ type, status, executionDetails }) => {
    const tone = status === "failed" ? "bad" : status === "completed" ? "good" : "soft";
    const events = executionDetails.map(({ status: outcome, detail, createdAt: at }) =>
      element(
        "li",
        { className: outcome === "Failed" ? "bad" : "" },
        span("soft", at === undefined ? "" : toDuration(Date.parse(at) - start)),
        ` ${detail}`,
      ),
    );
    return element("li", {}, element("b", {}, type), " ", span(`tag ${tone}`, status), element("ol", {}, ...events));
  });
  return element("ol", { className: "timeline", ariaLabel: "What happened" }, ...steps);
}

/** `+ 1.2 s` */
function toDuration(ms: number): string {
  const [length, unit] =
    ms < 1000 ? [1, "ms"] : ms < 120_000 ? [1000, "s"] : ms < 7_200_000 ? [60_000, "min"] : [3_600_000, "h"];
  return `+${(ms / length).toLocaleString("en", { maximumFractionDigits: 1 })} ${unit}`;
}

const NONE = "There are no notifications yet. Send one, or trigger a workflow.";
