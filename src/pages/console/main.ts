// The console: watches the server's environments, and shows the selected one in the current view.
import { type Client, createClient } from "../../browser/client/client.js";
import { type Control, ControlError, createControl, type Environment } from "../../browser/client/control.js";
import { VIEWS } from "../docs/console-data.js";
import { copyButton, startCopying } from "../script/code-panel.js";
import { formatStart, type Readiness } from "../script/dashboard.js";
import { button, capitalize, element, find, occurrence, span } from "../script/dom.js";
import { createPalette, type PaletteItem, startSearch } from "../script/palette.js";
import { createEnvironmentPanel } from "./environment-panel.js";
import { createFaultPanel } from "./fault-panel.js";
import { createFeedPanel } from "./feed-panel.js";
import { createLogPanel } from "./log-panel.js";
import { currentView, followAddress, readPageAddress, type View, writePageAddress } from "./navigation.js";
import {
  apiKeyOf,
  isNetworkError,
  messageOf,
  type Panel,
  promptForControlKey,
  readControlKey,
  type Selection,
  select,
  selected,
  showToast,
} from "./panel.js";
import { createPreferencePanel } from "./preference-panel.js";
import { createRequestLog, isRejected, type RequestLog } from "./request-log.js";
import { findSubscribers } from "./subscribers.js";

const RETRY_MS = 1_000;
const BATCH_MS = 150; // under load, changes are shown in batches
const baseUrl = location.origin;
const main = find("main", "#main");
const picker = find("button", "#environment-name");
const icon = find("link", "link[rel=icon]");
const plainIcon = icon.href;
const outage = element("p", { className: "banner bad row", role: "alert", hidden: true });
const gone = element("div", { className: "empty soft", role: "alert", hidden: true });

/** Views that have to load everything when they are shown next. */
const stale = new Set<View>(VIEWS);
let latest: { control: Control; environments: readonly Environment[]; version: string; loadedAt: number } | undefined;
/** The server as it was last. */
let server: Readiness | undefined;
let watching = new AbortController();
void watch(); // before the panels are created: both take about as long

const log = createRequestLog(showLog);
/** What the log follows. */
let followed = "";
const requests = createLogPanel({ follow: followLog, cleared: () => log.clear() });
const feed = createFeedPanel();
const faults = createFaultPanel(() => openView("faults"));
const environmentPanel = createEnvironmentPanel(open);
const panels: Readonly<Record<View, Panel>> = {
  requests,
  preferences: createPreferencePanel(),
  feed,
  faults,
  environment: environmentPanel,
};
main.append(outage, gone, ...VIEWS.map((view) => panels[view].element));

const openEnvironments = createPalette("Environment", (text) =>
  environmentPanel.items(latest?.environments ?? [], text),
);
picker.addEventListener("click", () => openEnvironments());
startSearch(findItems);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    watching.abort(); // browsers limit the connections to one server
    log.stop();
    followed = "";
  } else render();
});
followAddress(render, markStale);
startCopying();

async function findItems(text: string): Promise<PaletteItem[]> {
  if (!outage.hidden || !latest) return [];
  const action = (name: string, view: View, run: () => void): PaletteItem => ({
    group: "Actions",
    isTop: true,
    name,
    run() {
      openView(view);
      run();
    },
  });
  return [
    ...environmentPanel.actions(text),
    ...faults.actions(),
    action("Send a notification", "feed", feed.send),
    ...environmentPanel.items(latest.environments, ""),
    ...(await findSubscribers(text, openSubscriber)),
  ];
}

function openSubscriber(id: string): void {
  writePageAddress({ subscriber: [id] });
  stale.add("preferences");
  openView("preferences");
}

function openView(view: View): void {
  if (currentView() === view) render();
  else location.hash = view;
}

function open(name: string, view?: View): void {
  writePageAddress({ environment: [name], request: [], notification: [] });
  markStale();
  latest = undefined;
  watching.abort();
  if (view) location.hash = view;
}

function markStale(): void {
  for (const view of VIEWS) stale.add(view);
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
      outage.hidden = true;
      if (version === latest?.version) continue;
      for (const view of VIEWS) if (view !== currentView()) stale.add(view);
      latest = { control, environments, version, loadedAt: Date.now() };
      render();
      await new Promise((resolve) => setTimeout(resolve, BATCH_MS));
    } catch (error) {
      if (signal.aborted) continue;
      if (!(await recover(error))) return;
      markStale();
      latest = undefined;
      followed = "";
    }
  }
}

/** Shows the error. True once the request should be sent again. */
async function recover(error: unknown): Promise<boolean> {
  const isRejected = error instanceof ControlError && !isNetworkError(error);
  if (isRejected && error.status === 401 && promptForControlKey(error.message)) return true;
  if (isRejected) outage.textContent = error.message;
  else if (outage.hidden) outage.replaceChildren(...describeOutage(error));
  outage.hidden = false;
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

/** Says if the server has been started again: what it had in memory is lost. */
async function noticeRestart(control: Control): Promise<void> {
  const ready = await control.getReadiness();
  const data = ready.dataFolder === undefined ? " Its data was in memory, and is its seed's now." : "";
  if (server && ready.startedAt !== server.startedAt) showToast(`The server was started again.${data}`);
  server = ready;
}

function render(): void {
  const view = currentView();
  for (const link of document.querySelectorAll(".rail a"))
    link.ariaCurrent = link.getAttribute("href") === `#${view}` ? "page" : null;
  if (latest) showLatest(latest);
  else showViews(view);
}

function showViews(view: View | undefined): void {
  for (const name of VIEWS) panels[name].element.hidden = name !== view;
}

function showLatest({ environments, control, loadedAt }: NonNullable<typeof latest>): void {
  const wanted = readPageAddress().get("environment");
  const environment = wanted === null ? environments[0] : environments.find(({ name }) => name === wanted);
  const view = currentView();
  find("span", "span:last-child", picker).textContent = environment?.name ?? `${wanted} (gone)`;
  gone.hidden = environment !== undefined;
  if (!environment) {
    showGone(String(wanted), environments);
    return;
  }
  showSummary(view, environment);
  const apiKey = apiKeyOf(environment);
  select({ control, environment, loadedAt, api: apiKey === undefined ? undefined : createApi(apiKey) });
  followLog(readPageAddress().get("show") === "all");
  if (!view) return; // until the log says which
  showViews(view);
  panels[view].show(stale.delete(view));
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
  showViews(undefined);
  gone.replaceChildren(
    element("h2", {}, `There is no environment ${wanted}.`),
    element("p", {}, "It was deleted, or it was not durable and the server has restarted. Open another one:"),
    ...environments.map(({ name }) => button(name, () => open(name))),
  );
}

function followLog(isEverywhere: boolean): void {
  const { control, environment }: Selection = selected();
  const name = isEverywhere ? undefined : environment.name;
  const key = `${environment.name} ${isEverywhere}`;
  if (key === followed) return;
  followed = key;
  requests.showLog(undefined);
  log.follow(control, name);
}

/** Without a view in the address, the page opens on rejected requests, if there are some. */
function showLog(shown: RequestLog): void {
  const { name } = selected().environment;
  const here = shown.requests.filter(({ environment = name }) => environment === name);
  const { length } = here.filter(isRejected);
  setBadge("requests", String(length), "bad", length > 0);
  requests.showLog(shown);
  if (currentView()) return;
  history.replaceState(null, "", `#${length > 0 ? "requests" : "preferences"}`);
  render();
}

/** What is seen outside of the view. The icon is red while a fault applies. */
function showSummary(view: View | undefined, { name, faults: count, clock }: Environment): void {
  setBadge("faults", String(count), "warn", count > 0);
  setBadge("environment", "frozen", "warn", clock.mode === "frozen");
  const href = count > 0 ? plainIcon.replaceAll("%232453d3", "%23b3261e") : plainIcon;
  if (icon.href !== href) icon.href = href;
  document.title = `${view ? `${capitalize(view)} · ` : ""}${name} · notifications-contract`;
}

function setBadge(view: View, text: string, tone: "bad" | "warn", isShown: boolean): void {
  const badge = find("span", `[data-badge=${view}]`);
  badge.className = `tag ${tone}`;
  badge.textContent = text;
  badge.hidden = !isShown;
}
