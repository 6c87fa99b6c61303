// The console: watches the server's environments, and shows the selected one in the current view.
import { type Client, createClient } from "../../browser/client/client.js";
import { type Control, ControlError, createControl, type Environment } from "../../browser/client/control.js";
import { copyButton, startCopying } from "../script/code-panel.js";
import { button, element, find, occurrence, span } from "../script/dom.js";
import { createPalette, type PaletteItem } from "../script/palette.js";
import { startSearch, VIEWS } from "../script/search.js";
import { formatStart, type Readiness } from "../script/start-command.js";
import { createEnvironmentPanel } from "./environment-panel.js";
import { createFaultPanel } from "./fault-panel.js";
import { createFeedPanel } from "./feed-panel.js";
import { apiKeyOf, promptForControlKey, readControlKey } from "./keys.js";
import { createLogPanel } from "./log-panel.js";
import { currentView, followAddress, readPageAddress, showView, type View, writePageAddress } from "./navigation.js";
import { isNetworkError, messageOf, type Panel, type Selection, select } from "./panel.js";
import { createPreferencePanel } from "./preference-panel.js";
import { followRejections, showStatus, stopRejections } from "./status-marks.js";
import { findSubscriberItems } from "./subscribers.js";
import { showToast } from "./toast.js";

const RETRY_MS = 1_000;
const BATCH_MS = 150; // under load, changes are shown in batches
const baseUrl = location.origin;
const outage = find("p", "#outage");
const gone = find("div", "#gone");
const picker = find("button", "#environment-name");

/** Buttons of the views that the search presses, too. */
const ACTIONS = [
  ["Send a notification", "feed", "[data-do=send]"],
  ["Freeze or resume the clock", "environment", "[data-do=toggle]"],
  ["Advance the clock by 1 day", "environment", "[data-advance='86400000']"],
  ["Download as seed", "environment", "[data-do=export]"],
  ["Reset to its seed", "environment", "[data-do=reset]"],
  ["Clear log", "requests", "[data-do=clear]"],
] as const;

/** Views that have to load everything when they are shown next. */
const stale = new Set<View>(VIEWS);
/** The views that have data, with the time until which the data are those of the server. */
const seenAt = new Map<View, string>();
let shownView: View | undefined;
const asOf = span("soft small");
let latest: { control: Control; environments: readonly Environment[]; version: string; loadedAt: number } | undefined;
/** The server as it was last. */
let server: Readiness | undefined;
/** The environment whose rejected requests are counted in the rail. */
let counted: string | undefined;
let watching = new AbortController();
void watch(); // before the panels are created: both take about as long

const panels: Record<View, Panel> = {
  preferences: createPreferencePanel(),
  feed: createFeedPanel(),
  requests: createLogPanel(countRejections),
  faults: createFaultPanel(),
  environment: createEnvironmentPanel({ open, list: () => latest?.environments ?? [] }),
};

const openEnvironments = createPalette("Environment", findEnvironmentItems);
picker.addEventListener("click", () => openEnvironments());
startSearch(async (text) => {
  if (!outage.hidden) return [];
  const subscribers = latest && text !== "" ? await findSubscriberItems(text, openSubscriber) : [];
  return [
    ...findEnvironmentItems(),
    ...ACTIONS.map(toActionItem),
    ...subscribers.filter(({ group }) => group === "Subscribers"),
  ];
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    watching.abort(); // browsers limit the connections to one server
    stopRejections();
  } else countRejections();
});
followAddress(render, markStale);
startCopying();
const isWide = matchMedia("(min-width: 40rem)");
isWide.addEventListener("change", foldFilters);
foldFilters();

/** Folded on a narrow screen, so that the first row is seen. */
function foldFilters(): void {
  for (const filters of document.querySelectorAll<HTMLDetailsElement>("[data-fold]")) filters.open = isWide.matches;
}

function findEnvironmentItems(): PaletteItem[] {
  return (latest?.environments ?? []).map(({ name, notifications, clock }) => ({
    group: "Environments",
    name,
    note: `${notifications.toLocaleString("en")} notifications${clock.mode === "frozen" ? ", clock frozen" : ""}`,
    run: () => open(name),
  }));
}

function toActionItem([name, view, selector]: readonly [name: string, view: View, selector: string]): PaletteItem {
  const run = () => {
    location.hash = view;
    find("button", `#${view} ${selector}`).click();
  };
  return { group: "Actions", isFirst: true, name, run };
}

function openSubscriber(id: string): void {
  writePageAddress({ subscriber: [id] });
  location.hash = "preferences";
  location.reload();
}

function open(name: string): void {
  writePageAddress({ environment: [name], request: [], notification: [] });
  reload();
}

function markStale(): void {
  for (const view of VIEWS) stale.add(view);
}

function reload(): void {
  markStale();
  latest = undefined;
  counted = undefined;
  watching.abort();
}

/** Shows every change while the page is visible; retries until the server responds. */
async function watch(): Promise<void> {
  for (;;) {
    const control = createControl({ baseUrl, controlKey: readControlKey(), fetch: fetchAsConsole });
    watching = new AbortController();
    const { signal } = watching;
    try {
      if (document.hidden) await occurrence("visibilitychange");
      const { environments, version } = await control.watchEnvironments(latest?.version, { signal });
      if (signal.aborted) continue;
      if (!server || !outage.hidden) await noticeRestart(control);
      showOutage(false);
      if (version === latest?.version) continue;
      for (const view of VIEWS) if (view !== currentView()) stale.add(view);
      latest = { control, environments, version, loadedAt: Date.now() };
      render();
      await new Promise((resolve) => setTimeout(resolve, BATCH_MS));
    } catch (error) {
      if (signal.aborted) continue;
      if (!(await recover(error))) return;
      reload();
    }
  }
}

/** Shows the error. True once the request should be sent again. */
async function recover(error: unknown): Promise<boolean> {
  const isRejected = error instanceof ControlError && !isNetworkError(error);
  if (isRejected && error.status === 401 && promptForControlKey(error.message)) return true;
  if (isRejected) outage.textContent = error.message;
  else if (outage.hidden) outage.replaceChildren(...describeOutage(error));
  showOutage(true);
  render();
  if (!isRejected) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  return !isRejected;
}

function describeOutage(error: unknown): (Node | string)[] {
  if (!isNetworkError(error)) return [messageOf(error)];
  const since = new Date().toISOString().slice(11, 19);
  const command = element("code", {}, formatStart(server));
  const text = `No response since ${since} UTC. Start the server again, with its other options if it had any:`;
  return [text, command, copyButton("command"), span("", "This page tries every second.")];
}

/** What sends a request. Rows, tabs and copies do with what is loaded. */
const SENDERS = `#environment-name, main :is(button:not(.rows button, [data-copy], [data-close], [data-do=close]),
  [role=switch], [type=file], [data-size], :is([data-filter], [data-choose]) :is(input, select)):enabled`;

let disabled: (HTMLButtonElement | HTMLInputElement)[] = [];
let hadFocus: HTMLElement | undefined;
const added = new MutationObserver(disableSenders);

/** Without a server, what is loaded can be read; nothing can be sent. */
function showOutage(isOut: boolean): void {
  if (isOut !== outage.hidden) return;
  outage.hidden = !isOut;
  if (isOut) {
    noteSeen();
    disableSenders();
    added.observe(find("main", "#main"), { childList: true, subtree: true });
    return;
  }
  added.disconnect();
  asOf.remove();
  for (const sender of disabled) sender.disabled = false;
  if (document.activeElement === document.body) hadFocus?.focus();
  disabled = [];
}

function disableSenders(): void {
  for (const sender of document.querySelectorAll<HTMLButtonElement>(SENDERS)) {
    if (sender === document.activeElement) hadFocus = sender;
    sender.disabled = true;
    disabled.push(sender);
  }
}

function noteSeen(): void {
  if (shownView) seenAt.set(shownView, new Date().toISOString().slice(11, 19));
}

/** Says if the server has been started again: what it had in memory is lost. */
async function noticeRestart(control: Control): Promise<void> {
  const ready = await control.getReadiness();
  const data = ready.dataFolder === undefined ? " Its data was in memory, and is its seed's now." : "";
  if (server && ready.startedAt !== server.startedAt) showToast(`The server was started again.${data}`);
  server = ready;
}

function render(): void {
  if (!outage.hidden) showLast();
  else if (latest) showLatest(latest);
}

function showLatest({ environments, control, loadedAt }: NonNullable<typeof latest>): void {
  noteSeen();
  shownView = currentView();
  const wanted = readPageAddress().get("environment");
  const environment = wanted === null ? environments[0] : environments.find(({ name }) => name === wanted);
  find("span", "span:last-child", picker).textContent = environment?.name ?? `${wanted} (gone)`;
  showStatus(currentView(), environment);
  gone.hidden = environment !== undefined;
  showView(environment === undefined);
  if (environment?.name !== counted) countRejections(environment?.name);
  if (environment) showEnvironment(environment, { control, loadedAt });
  else showGone(String(wanted), environments);
}

/** Shows what the view had before the outage. */
function showLast(): void {
  const view = currentView();
  const since = seenAt.get(view);
  gone.hidden = since !== undefined;
  showView(since === undefined);
  asOf.textContent = `as of ${since} UTC`;
  find("h2", `#${view} h2`).after(asOf);
  const heading = element("h2", {}, find("h2", `#${view} h2`).textContent ?? "");
  gone.replaceChildren(heading, element("p", {}, "The server does not respond, and this view was not loaded before."));
}

/** Counts again, as of another environment or after the log was cleared. */
function countRejections(name = counted): void {
  counted = name;
  if (latest && name !== undefined && !document.hidden) followRejections(latest.control, name);
}

function showEnvironment(
  environment: Environment,
  { control, loadedAt }: Pick<Selection, "control" | "loadedAt">,
): void {
  const apiKey = apiKeyOf(environment);
  const api = apiKey === undefined ? undefined : createApi(apiKey);
  const view = currentView();
  const isNew = stale.delete(view);
  select({ control, environment, loadedAt, api });
  panels[view](isNew);
}

function createApi(apiKey: string): Client {
  return createClient({ baseUrl, apiKey, fetch: fetchAsConsole });
}

/** The header keeps these requests out of the default log and the terminal, and faults out of their responses. */
function fetchAsConsole(request: Request): Promise<Response> {
  request.headers.set("x-requested-by", "console");
  return fetch(request);
}

function showGone(wanted: string, environments: readonly Environment[]): void {
  markStale();
  gone.replaceChildren(
    element("h2", {}, `There is no environment ${wanted}.`),
    element("p", {}, "It was deleted, or it was not durable and the server has restarted. Open another one:"),
    ...environments.map(({ name }) => button(name, () => open(name))),
  );
}
