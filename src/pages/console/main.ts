// The console: watches the server's environments, and shows the selected one in the current view.
import { type Client, createClient } from "../../browser/client/client.js";
import { type Control, ControlError, createControl, type Environment } from "../../browser/client/control.js";
import { startCopying } from "../script/code-panel.js";
import { button, element, find } from "../script/dom.js";
import { createEnvironmentPanel } from "./environment-panel.js";
import { createFaultPanel } from "./fault-panel.js";
import { createFeedPanel } from "./feed-panel.js";
import { apiKeyOf, promptForControlKey, readControlKey } from "./keys.js";
import { createLogPanel } from "./log-panel.js";
import {
  currentView,
  followHash,
  readPageAddress,
  showView,
  VIEWS,
  type View,
  writePageAddress,
} from "./navigation.js";
import { isNetworkError, type Panel, select, toMessage } from "./panel.js";
import { createPreferencePanel } from "./preference-panel.js";

const RETRY_MS = 1_000;
const BATCH_MS = 150; // under load, changes are shown in batches
const baseUrl = location.origin;
const outage = find("p", "#outage");
const gone = find("div", "#gone");
const picker = find("select", "#environment-name");

/** Views that have to load everything when they are shown next. */
const stale = new Set<View>(VIEWS);
let latest: { control: Control; environments: readonly Environment[]; version: string } | undefined;
let watching = new AbortController();
void watch(); // before the panels are created: both take about as long

const panels: Record<View, Panel> = {
  preferences: createPreferencePanel(),
  feed: createFeedPanel(),
  requests: createLogPanel(),
  faults: createFaultPanel(),
  environment: createEnvironmentPanel({ open, reload }),
};

picker.addEventListener("change", () => open(picker.value));
document.addEventListener("visibilitychange", () => document.hidden && watching.abort()); // browsers limit the connections to one server
followHash(render);
startCopying();

function open(name: string): void {
  writePageAddress({ environment: [name] });
  reload();
}

function reload(): void {
  for (const view of VIEWS) stale.add(view);
  latest = undefined;
  watching.abort();
}

/** Shows every change while the page is visible; retries until the server responds. */
async function watch(): Promise<void> {
  for (;;) {
    const control = createControl({ baseUrl, controlKey: readControlKey() });
    watching = new AbortController();
    const { signal } = watching;
    try {
      if (document.hidden) await untilVisible();
      const { environments, version } = await control.watchEnvironments(latest?.version, { signal });
      if (signal.aborted) continue;
      outage.hidden = true;
      if (version === latest?.version) continue;
      for (const view of VIEWS) if (view !== currentView()) stale.add(view);
      latest = { control, environments, version };
      render();
      await new Promise((resolve) => setTimeout(resolve, BATCH_MS));
    } catch (error) {
      if (signal.aborted) continue;
      reload();
      if (!(await recover(error))) return;
    }
  }
}

/** Shows the error. True once the request should be sent again. */
async function recover(error: unknown): Promise<boolean> {
  const isRejected = error instanceof ControlError && !isNetworkError(error);
  if (isRejected && error.status === 401 && promptForControlKey(error.message)) return true;
  outage.textContent = isRejected ? error.message : `${toMessage(error)} Trying again …`;
  outage.hidden = false;
  if (!isRejected) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  return !isRejected;
}

function untilVisible(): Promise<void> {
  return new Promise((resolve) => document.addEventListener("visibilitychange", () => resolve(), { once: true }));
}

function render(): void {
  if (!latest) return;
  const { control, environments } = latest;
  const wanted = readPageAddress().get("environment");
  const environment = wanted === null ? environments[0] : environments.find(({ name }) => name === wanted);
  showInRail(environments, environment, String(wanted));
  gone.hidden = environment !== undefined;
  showView(environment === undefined);
  if (environment) showEnvironment(control, environment);
  else showGone(String(wanted), environments);
}

function showEnvironment(control: Control, environment: Environment): void {
  const apiKey = apiKeyOf(environment);
  const api = apiKey === undefined ? undefined : createApi(apiKey);
  const view = currentView();
  const isNew = stale.delete(view);
  select({ control, environment, api });
  panels[view](isNew);
}

/** The header keeps these requests out of the default log, and faults out of their responses. */
function createApi(apiKey: string): Client {
  return createClient({
    baseUrl,
    apiKey,
    fetch(request) {
      request.headers.set("x-requested-by", "console");
      return fetch(request);
    },
  });
}

function showGone(wanted: string, environments: readonly Environment[]): void {
  for (const view of VIEWS) stale.add(view);
  gone.replaceChildren(
    element("h2", {}, `There is no environment ${wanted}.`),
    element("p", {}, "It was deleted, or it was not durable and the server has restarted. Open another one:"),
    ...environments.map(({ name }) => button(name, () => open(name))),
  );
}

/** Updates the list of environments, and the badges of faults and frozen clock. */
function showInRail(environments: readonly Environment[], current: Environment | undefined, wanted: string): void {
  const options = environments.map(({ name }) => ({ value: name, text: name }));
  if (!current) options.push({ value: wanted, text: `${wanted} (gone)` });
  if (options.map(({ text }) => text).join() !== [...picker.options].map(({ text }) => text).join()) {
    picker.replaceChildren(...options.map((option) => element("option", option)));
  }
  picker.value = current?.name ?? wanted;
  const [faults, clock] = [find("span", "[data-badge=faults]"), find("span", "[data-badge=clock]")];
  faults.textContent = String(current?.faults ?? "");
  faults.hidden = !current?.faults;
  clock.hidden = current?.clock.mode !== "frozen";
}
