// A notification of the feed: its row, and its delivery step by step.
import type { Notification } from "../../browser/client/client.js";
import { jsonPanel, snippet } from "../script/code-panel.js";
import { buildTime, element, span } from "../script/dom.js";
import { createTabs } from "../script/tabs.js";
import { buildDeliveryPill, decideDelivery, formatStepName } from "./channels.js";
import { formatApiCurl } from "./keys.js";
import { formatName } from "./subscribers.js";

type Job = NonNullable<Notification["jobs"]>[number];

export function buildNotificationCells(
  notification: Notification,
  opener: (text: string) => HTMLButtonElement,
): HTMLTableCellElement[] {
  const { createdAt = "", template, channels = [], jobs = [] } = notification;
  const [name, recipient] = [template?.name ?? "A deleted workflow", formatRecipient(notification)];
  const steps = channels.map(formatStepName).join(", ");
  const failed = jobs.filter((job) => decideDelivery([job]) === "failed").map(({ type }) => formatStepName(type ?? ""));
  const others = failed.length > 1 ? ` +${failed.length - 1}` : "";
  const failedStep = failed[0] !== undefined && span("bad small", `${failed[0]}${others}`);
  return [
    element("td", { className: "soft" }, buildTime(createdAt)),
    element("td", { title: name }, opener(name)),
    element("td", { title: recipient }, recipient),
    element("td", { className: "soft", title: steps }, steps),
    element("td", { title: failed.join(", ") }, buildDeliveryPill(decideDelivery(jobs)), failedStep),
  ];
}

export function buildNotificationDetail(notification: Notification): HTMLElement[] {
  const { createdAt = "", template, transactionId = "", jobs = [] } = notification;
  const target = `/v1/notifications?transactionId=${encodeURIComponent(transactionId)}`;
  const delivery = element(
    "ol",
    { className: "timeline" },
    buildEvent(createdAt, "Triggered ", span("soft", transactionId)),
    ...jobs.map(buildJob),
  );
  return [
    element("h3", {}, buildDeliveryPill(decideDelivery(jobs)), ` ${template?.name ?? "A deleted workflow"}`),
    element("p", { className: "soft" }, formatRecipient(notification)),
    createTabs("notification", "Shown as", [
      ["Delivery", delivery],
      ["JSON", jsonPanel("The notification as JSON", JSON.stringify(notification))],
      ["curl", snippet("The list with this notification", formatApiCurl("GET", target))],
    ]),
  ];
}

export function formatRecipient({ subscriber }: Notification): string {
  return subscriber ? formatName(subscriber) : "a deleted subscriber";
}

/** Statuses that the pill says already. */
const EXPECTED: ReadonlySet<string> = new Set(["completed", "failed", "pending"]);

/** A step with what its provider reported: `In-app created, delivered`. */
function buildJob({ type, status, providerId, updatedAt = "", executionDetails = [] }: Job): HTMLLIElement {
  const delivery = decideDelivery([{ status }]);
  const details = executionDetails.map(({ detail, status: outcome, createdAt = "" }) =>
    element("li", { className: outcome === "Failed" ? "bad" : "soft" }, buildTime(createdAt), ` ${detail}`),
  );
  const state = EXPECTED.has(status ?? "") ? undefined : span("soft", ` ${status}`);
  const provider = providerId ? span("soft", ` by ${providerId}`) : undefined;
  const steps = details.length > 0 && element("ul", { className: "plain small" }, ...details);
  return buildEvent(updatedAt, `${formatStepName(type ?? "")} `, buildDeliveryPill(delivery), state, provider, steps);
}

function buildEvent(at: string, ...content: (Node | string | undefined | false)[]): HTMLLIElement {
  return element("li", {}, at === "" ? undefined : buildTime(at), element("div", {}, ...content));
}
