// The notification feed: of a channel, an outcome and a subscriber, a page at a time. A record opens as its delivery,
// step by step with what was sent.
import type { Client, Notification, NotificationFilter, Result } from "../../browser/client/client.js";
import { jsonPanel } from "../script/code-panel.js";
import { describeClock, timeOf } from "../script/dashboard.js";
import { buildTime, button, element, menu, segments, span } from "../script/dom.js";
import { buildDeliveryPill, decideDelivery, formatStepName } from "./channels.js";
import { readAddress, readForm, writeAddress } from "./form.js";
import { readPageAddress, writePageAddress } from "./navigation.js";
import {
  buildFrame,
  dataOf,
  linkTo,
  type Panel,
  pageData,
  type Selection,
  selected,
  showMissingKey,
  showToast,
} from "./panel.js";
import { createRowTable } from "./row-table.js";
import { createSendDialog } from "./send-dialog.js";
import { formatName, pickSubscriber } from "./subscribers.js";

const PAGE_SIZE = 25;
const MAX_SEARCHED = 500; // the API has no outcome, so it is searched among the latest ones

export function createFeedPanel(): Panel & { send(): void } {
  const form = buildFilter();
  const subscriber = createSubscriberFilter((ids) => choose({ subscriberIds: ids }));
  const openDialog = createSendDialog(showSent);
  const clock = element("p", { className: "soft small" });
  const sender = button("Send a notification", openDialog, { className: "" });
  const bar = [form, subscriber.element, clock, sender];
  const { panel, runner, empty, showEmpty } = buildFrame("feed", "Feed", bar);
  const pages = createPages((page) => {
    writePageAddress({ page: page === 0 ? [] : [String(page)] });
    return load();
  });
  const table = createRowTable<Notification>({
    names: ["Notifications", "Notification"],
    parameter: "notification",
    idOf: ({ _id = "" }) => _id,
    keyOf: (notification) => JSON.stringify(notification), // a changed notification gets a new row
    timeOf: ({ createdAt = "" }) => createdAt,
    toCells: buildNotificationCells,
    toDetail: ([notification]) => (notification ? buildNotificationDetail(notification) : []),
    findUnlisted: loadOne,
    missing: "It was removed, or is not among the latest of this environment.",
  });
  const body = element("div", { className: "body" }, empty, table.table, pages.element);
  panel.append(element("div", { className: "split" }, body, table.detail));
  let revision: number | undefined;

  async function load(): Promise<void> {
    const { api } = selected();
    showBar();
    if (!api) return showMissingKey(showEmpty);
    const { outcome, page, filter } = readFilter(form);
    const read = () =>
      outcome ? listLatest(api, filter) : api.listNotifications({ ...filter, page, limit: PAGE_SIZE });
    await runner.load(
      async () => dataOf(await read()),
      ({ data, hasMore }) => {
        const found = data.filter(({ jobs = [] }) => outcome === undefined || decideDelivery(jobs) === outcome);
        table.show(found);
        pages.show({ page, length: found.length, hasMore: hasMore && outcome === undefined });
        if (found.length > 0) showEmpty();
        else explain(page, outcome !== undefined || Object.keys(filter).length > 0);
      },
    );
  }

  function explain(page: number, isFiltered: boolean): void {
    if (page > 0) showEmpty("This page is empty.");
    else if (isFiltered) showEmpty("No notification matches.", button("Show all", showAll));
    else showEmpty("There are no notifications yet.", button("Send a notification", openDialog));
  }

  function showBar(): void {
    subscriber.show();
    clock.textContent = describeTime(selected());
  }

  function choose(values: Record<string, readonly string[]>): void {
    writePageAddress({ ...values, page: [] });
    void load();
  }

  function showAll(): void {
    form.reset();
    writeAddress(form);
    choose({ subscriberIds: [] });
  }

  function showSent(message: string, id: string): void {
    const open = () => {
      if (table.rowOf(id) === undefined) showAll(); // it was hidden
      table.go([id]);
    };
    showToast(message, open, undefined, "Open");
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    writeAddress(form);
    choose({});
  });
  return {
    element: panel,
    send: () => void openDialog(),
    show(isNew) {
      const { environment } = selected();
      if (isNew) readAddress(form);
      table.followAddress();
      const hasChanged = isNew || revision !== environment.revision;
      revision = environment.revision;
      if (hasChanged) void load();
      else showBar();
    },
  };
}

/** Up to when the list is, unless the clock is as usual. */
function describeTime({ environment: { clock }, loadedAt }: Selection): string {
  const time = timeOf(clock, loadedAt).toISOString().slice(0, 16).replace("T", " ");
  return describeClock(clock, loadedAt) === "running"
    ? ""
    : `as of ${time}${clock.mode === "frozen" ? ", frozen" : ""}`;
}

/** That of the form and the page's address. */
function readFilter(form: HTMLFormElement) {
  const address = readPageAddress();
  const { outcome, channels } = readForm<{ outcome?: string; channels?: string }>(form);
  const subscriberIds = address.getAll("subscriberIds");
  const filter = {
    ...(channels !== undefined && { channels: [channels] }),
    ...(subscriberIds.length > 0 && { subscriberIds }),
  } as NotificationFilter; // the channels are those of the contract
  return { outcome, filter, page: outcome === undefined ? Number(address.get("page") ?? 0) : 0 };
}

/** One subscriber, or any. @param choose called with the ids to list. */
function createSubscriberFilter(choose: (ids: readonly string[]) => void) {
  const pick = () => pickSubscriber((id) => choose([id]));
  const picker = button("", pick, { className: "quiet picker", ariaHasPopup: "dialog" });
  const anyone = button("Any", () => choose([]), { className: "link", ariaLabel: "Any subscriber" });
  return {
    element: element("div", { className: "row" }, picker, anyone),
    show(): void {
      const [id] = readPageAddress().getAll("subscriberIds");
      picker.replaceChildren(span("unseen", "Subscriber "), span("", id ?? "any subscriber"));
      anyone.hidden = id === undefined;
    },
  };
}

/** @param turn shows another page. */
function createPages(turn: (page: number) => Promise<void>) {
  let current = 0;
  const newer = button("Newer", () => turn(current - 1));
  const older = button("Older", () => turn(current + 1));
  const text = span("soft");
  return {
    element: element("div", { className: "row pages" }, newer, text, older),
    show({ page, length, hasMore }: { page: number; length: number; hasMore: boolean }): void {
      current = page;
      newer.hidden = page === 0;
      older.hidden = !hasMore;
      const first = page * PAGE_SIZE + 1;
      text.textContent = length === 0 ? "" : `${first}–${first + length - 1}`;
    },
  };
}

/** The channels that the contract's filter has. */
function buildFilter(): HTMLFormElement {
  const list = pageData.operations.find(({ id }) => id === "listNotifications");
  const channels = list?.fields.find(({ name }) => name === "channels")?.choices ?? [];
  const choices = channels.map((channel) => [channel, formatStepName(channel)] as const);
  const outcomes = segments("Outcome", "outcome", [
    ["", "All"],
    ["delivered", "Delivered"],
    ["in progress", "In progress"],
    ["failed", "Failed"],
  ]);
  const channel = menu([["", "any channel"], ...choices], { name: "channels", ariaLabel: "Channel" });
  return element("form", { className: "row", autocomplete: "off" }, outcomes, choices.length > 0 && channel);
}

/** The latest notifications of a filter: all, or as many as a search looks at. */
async function listLatest(api: Client, filter: NotificationFilter): Promise<Result<"listNotifications">> {
  const latest: Notification[] = [];
  for (let page = 0; ; page += 1) {
    const result = await api.listNotifications({ ...filter, page, limit: 50 });
    if (!result.ok) return result;
    latest.push(...result.data.data);
    if (!result.data.hasMore || latest.length >= MAX_SEARCHED)
      return { ...result, data: { ...result.data, data: latest } };
  }
}

async function loadOne(id: string): Promise<Notification | undefined> {
  const { api } = selected();
  const result = await (api && listLatest(api, {}));
  return result?.data?.data.find(({ _id }) => _id === id);
}

type Job = NonNullable<Notification["jobs"]>[number];

function buildNotificationCells(notification: Notification): HTMLTableCellElement[] {
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
  const [first, ...further] = jobs.filter((job) => decideDelivery([job]) === delivery);
  if (!first || delivery === "delivered") return element("td", {}, pill);
  const { type = "", status = "" } = first;
  const details = [
    !EXPECTED.has(status) && !status.startsWith(type) && status,
    further.length > 0 && `+${further.length}`,
  ].filter(Boolean);
  const title = [first, ...further].map((job) => `${formatStepName(job.type ?? "")} ${job.status}`).join(", ");
  const step = span(`${delivery === "failed" ? "bad" : "soft"} small`, formatStepName(type));
  if (details.length > 0) step.append(span("", ` ${details.join(" ")}`));
  return element("td", { title }, pill, step);
}

function buildNotificationDetail(notification: Notification): HTMLElement[] {
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
