// A notification of the feed: its row, and its delivery step by step.
import type { Notification } from "../../browser/client/client.js";
import { toCurl } from "../../contract/request-spec.js";
import { jsonPanel, snippet } from "../script/code-panel.js";
import { element, span } from "../script/dom.js";
import { createTabs } from "../script/tabs.js";
import { toDelivery, toDeliveryPill, toStepName } from "./channels.js";
import { apiKeyOf } from "./keys.js";
import { selected } from "./panel.js";
import { toTime } from "./row-table.js";

type Job = NonNullable<Notification["jobs"]>[number];

export function toNotificationCells(
  notification: Notification,
  opener: (text: string) => HTMLButtonElement,
): HTMLTableCellElement[] {
  const { createdAt = "", template, channels = [], jobs = [] } = notification;
  const [name, recipient] = [template?.name ?? "A deleted workflow", toRecipient(notification)];
  const steps = channels.map(toStepName).join(", ");
  return [
    element("td", { className: "soft" }, toTime(createdAt)),
    element("td", { title: name }, opener(name)),
    element("td", { title: recipient }, recipient),
    element("td", { className: "soft", title: steps }, steps),
    element("td", {}, toDeliveryPill(toDelivery(jobs))),
  ];
}

export function toNotificationDetail(notification: Notification): HTMLElement[] {
  const { createdAt = "", template, transactionId = "", jobs = [] } = notification;
  const delivery = element(
    "ol",
    { className: "timeline" },
    toEvent(createdAt, "Triggered ", span("soft", transactionId)),
    ...jobs.map(toJob),
  );
  return [
    element("h3", {}, toDeliveryPill(toDelivery(jobs)), ` ${template?.name ?? "A deleted workflow"}`),
    element("p", { className: "soft" }, toRecipient(notification)),
    createTabs("notification", "Shown as", [
      ["Delivery", delivery],
      ["JSON", jsonPanel("The notification as JSON", JSON.stringify(notification))],
      ["curl", snippet("The list with this notification", toListCurl(transactionId))],
    ]),
  ];
}

function toRecipient({ subscriber }: Notification): string {
  if (!subscriber) return "a deleted subscriber";
  const { firstName = "", lastName = "", subscriberId = "" } = subscriber;
  return `${firstName} ${lastName}`.trim() || subscriberId;
}

/** Statuses that the pill says already. */
const EXPECTED: ReadonlySet<string> = new Set(["completed", "failed", "pending"]);

/** A step with what its provider reported: `In-app created, delivered`. */
function toJob({ type, status, providerId, updatedAt = "", executionDetails = [] }: Job): HTMLLIElement {
  const delivery = toDelivery([{ status }]);
  const details = executionDetails.map(({ detail, status: outcome, createdAt = "" }) =>
    element("li", { className: outcome === "Failed" ? "bad" : "soft" }, toTime(createdAt), ` ${detail}`),
  );
  const state = EXPECTED.has(status ?? "") ? undefined : span("soft", ` ${status}`);
  const provider = providerId ? span("soft", ` by ${providerId}`) : undefined;
  const steps = details.length > 0 && element("ul", { className: "plain small" }, ...details);
  return toEvent(updatedAt, `${toStepName(type ?? "")} `, toDeliveryPill(delivery), state, provider, steps);
}

function toEvent(at: string, ...content: (Node | string | undefined | false)[]): HTMLLIElement {
  return element("li", {}, at === "" ? undefined : toTime(at), element("div", {}, ...content));
}

function toListCurl(transactionId: string): string {
  const target = `/v1/notifications?transactionId=${encodeURIComponent(transactionId)}`;
  const authorization = `ApiKey ${apiKeyOf(selected().environment) ?? "<API key>"}`;
  return toCurl({ method: "GET", target, headers: { authorization } }, location.origin);
}
