// A notification of the feed: a line, and its JSON when it is opened.
import type { Notification } from "../client/client.js";
import { element, span } from "./dom.js";
import { codeBlock } from "./request-view.js";

export function toNotificationItem(notification: Notification): HTMLLIElement {
  const { createdAt = "", template, subscriber, channels = [] } = notification;
  const { firstName = "", lastName = "", subscriberId } = subscriber ?? {};
  const recipient = subscriber ? `${firstName} ${lastName}`.trim() || subscriberId : "a deleted subscriber";
  const tag = toTag(notification);
  const summary = element(
    "summary",
    {},
    element("time", { dateTime: createdAt, className: "mono soft" }, createdAt.slice(0, 19).replace("T", " ")),
    " ",
    element("strong", {}, template?.name ?? "A deleted workflow"),
    ` to ${recipient} `,
    span("soft", channels.join(", ")),
    tag && " ",
    tag,
  );
  const details = element("details", {}, summary);
  const toJson = () => codeBlock("The notification as JSON", JSON.stringify(notification, null, 2));
  details.addEventListener("toggle", () => details.append(toJson()), { once: true });
  return element("li", {}, details);
}

/** The state of its jobs, where they have failed or are not done. */
function toTag({ jobs = [] }: Notification): HTMLSpanElement | undefined {
  const statuses = new Set<string>(jobs.map(({ status }) => status));
  if (statuses.has("failed")) return span("tag bad", "failed");
  const isPending = ["pending", "queued", "running", "delayed"].some((status) => statuses.has(status));
  return isPending ? span("tag warn", "in progress") : undefined;
}
