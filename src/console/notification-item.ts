// One notification of the feed: a line, and all of it as JSON when it is opened.
import type { Notification } from "../client/client.js";
import { element } from "./dom.js";

export function toNotificationItem(notification: Notification): HTMLLIElement {
  const { createdAt = "", template, subscriber, channels = [] } = notification;
  const { firstName = "", lastName = "", subscriberId } = subscriber ?? {};
  const whom = subscriber ? `${firstName} ${lastName}`.trim() || subscriberId : "a deleted subscriber";
  const tag = toTag(notification);
  const details = element(
    "details",
    {},
    element(
      "summary",
      {},
      element("time", { dateTime: createdAt, className: "mono soft" }, createdAt.slice(0, 19).replace("T", " ")),
      " ",
      element("strong", {}, template?.name ?? "A deleted workflow"),
      ` to ${whom} `,
      element("span", { className: "soft" }, channels.join(", ")),
      tag && " ",
      tag,
    ),
  );
  details.addEventListener("toggle", () => showJson(details, notification), { once: true });
  return element("li", {}, details);
}

function showJson(details: HTMLDetailsElement, notification: Notification): void {
  const text = JSON.stringify(notification, null, 2);
  const code = element("code", {}, text);
  details.append(element("pre", { tabIndex: 0, role: "group", ariaLabel: "The notification as JSON" }, code));
}

/** What became of its jobs, where that is worth a word. */
function toTag({ jobs = [] }: Notification): HTMLSpanElement | undefined {
  const statuses = new Set<string>(jobs.map(({ status }) => status));
  if (statuses.has("failed")) return element("span", { className: "tag bad" }, "failed");
  const isUnderWay = ["pending", "queued", "running", "delayed"].some((status) => statuses.has(status));
  return isUnderWay ? element("span", { className: "tag warn" }, "under way") : undefined;
}
