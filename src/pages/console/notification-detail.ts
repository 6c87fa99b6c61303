// A notification of the feed: its row, and its delivery step by step with what was sent.
import type { Notification } from "../../browser/client/client.js";
import { jsonPanel } from "../script/code-panel.js";
import { buildTime, element, span } from "../script/dom.js";
import { formatName } from "../script/subscriber-item.js";
import { buildDeliveryPill, decideDelivery, formatStepName } from "./channels.js";
import { linkTo } from "./panel.js";

type Job = NonNullable<Notification["jobs"]>[number];

export function buildNotificationCells(notification: Notification): HTMLTableCellElement[] {
  const { createdAt = "", template, jobs = [] } = notification;
  const [name, recipient] = [template?.name ?? "A deleted workflow", formatRecipient(notification)];
  const variables = readVariables(notification);
  const messages = jobs.flatMap((job) => readMessages(job, variables));
  const message = messages.find((text) => !text.includes("{{")) ?? "";
  return [
    element("td", { className: "soft number" }, buildTime(createdAt)),
    element(
      "td",
      { className: "cut", title: [name, message].filter(Boolean).join(": ") },
      `${name} `,
      span("soft small", message),
    ),
    element("td", { className: "cut soft", title: recipient }, recipient),
    buildDelivery(jobs),
  ];
}

/** With the step that has failed, or that is next. */
function buildDelivery(jobs: readonly Job[]): HTMLTableCellElement {
  const delivery = decideDelivery(jobs);
  const pill = buildDeliveryPill(delivery);
  const [first, ...others] = jobs.filter((job) => decideDelivery([job]) === delivery);
  if (!first || delivery === "delivered") return element("td", {}, pill);
  const { type = "", status = "" } = first;
  const details = [
    !EXPECTED.has(status) && !status.startsWith(type) && status,
    others.length > 0 && `+${others.length}`,
  ].filter(Boolean);
  const title = [first, ...others].map((job) => `${formatStepName(job.type ?? "")} ${job.status}`).join(", ");
  const step = span(`${delivery === "failed" ? "bad" : "soft"} small`, formatStepName(type));
  if (details.length > 0) step.append(span("", ` ${details.join(" ")}`));
  return element("td", { title }, pill, step);
}

export function buildNotificationDetail(notification: Notification): HTMLElement[] {
  const { createdAt = "", template, transactionId = "", jobs = [] } = notification;
  const delivery = element(
    "ol",
    { className: "timeline" },
    buildEvent(createdAt, "Triggered ", span("soft", transactionId)),
    ...jobs.map((job) => buildJob(job, readVariables(notification))),
  );
  const json = element("details", { className: "plain" }, element("summary", {}, "JSON"));
  json.append(jsonPanel("The notification as JSON", JSON.stringify(notification)));
  return [
    element("h3", {}, buildDeliveryPill(decideDelivery(jobs)), ` ${template?.name ?? "A deleted workflow"}`),
    element("p", { className: "soft" }, buildRecipient(notification)),
    delivery,
    json,
  ];
}

/** Leads to the preferences. */
function buildRecipient(notification: Notification): HTMLElement | string {
  const { subscriberId } = notification.subscriber ?? {};
  const name = formatRecipient(notification);
  if (subscriberId === undefined) return name;
  return element("a", { href: linkTo("preferences", { subscriber: subscriberId }) }, name);
}

function formatRecipient({ subscriber }: Notification): string {
  return subscriber ? formatName(subscriber) : "a deleted subscriber";
}

/** Statuses that the pill says already. */
const EXPECTED: ReadonlySet<string> = new Set(["completed", "failed", "pending"]);

/** A step with what its provider reported: `In-app created, delivered`. */
function buildJob(job: Job, variables: ReadonlyMap<string, unknown>): HTMLLIElement {
  const { type, status, providerId, updatedAt = "", executionDetails = [] } = job;
  const delivery = decideDelivery([{ status }]);
  const details = executionDetails.map(({ detail, status: outcome, createdAt = "" }) =>
    element("li", { className: outcome === "Failed" ? "bad" : "soft" }, buildTime(createdAt), ` ${detail}`),
  );
  const state = EXPECTED.has(status ?? "") ? undefined : span("soft", ` ${status}`);
  const provider = providerId && !state ? span("soft", ` by ${providerId}`) : undefined;
  const steps = details.length > 0 && element("ul", { className: "plain small" }, ...details);
  const name = `${formatStepName(type ?? "")} `;
  return buildEvent(
    updatedAt,
    name,
    buildDeliveryPill(delivery),
    state,
    provider,
    ...readMessages(job, variables).map((text) => element("blockquote", {}, text)),
    steps,
  );
}

/** The values of a template's variables. */
function readVariables({ payload = {}, jobs = [] }: Notification): ReadonlyMap<string, unknown> {
  const values = Object.entries(payload).map(([name, value]) => [`payload.${name}`, value] as const);
  const events = jobs.flatMap(({ digest }) => digest?.events ?? []);
  if (events.length === 0) return new Map(values); // an earlier digest has them
  return new Map<string, unknown>([...values, ["step.digest.events.length", events.length]]);
}

/** The subject and the text of a message. A variable without a value stays. */
function readMessages({ step }: Job, variables: ReadonlyMap<string, unknown>): string[] {
  const { subject, content } = step?.template ?? {};
  return [subject, content]
    .filter((text) => typeof text === "string" && text !== "")
    .map((text) => String(text).replaceAll(VARIABLE, (variable, name) => String(variables.get(name) ?? variable)));
}

const VARIABLE = /\{\{\s*([\w.]+)\s*\}\}/g;

function buildEvent(at: string, ...content: (Node | string | undefined | false)[]): HTMLLIElement {
  return element("li", {}, at === "" ? undefined : buildTime(at), element("div", {}, ...content));
}
