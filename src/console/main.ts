// The console: connects, chooses an environment, and lets each panel show its part of it.
import { type Control, ControlError, createControl, type Environment } from "../client/control.js";
import { createAccess } from "./access.js";
import { readAddress, writeAddress } from "./address.js";
import type { Panel } from "./chosen.js";
import { createClockPanel } from "./clock-panel.js";
import { find } from "./dom.js";
import { createEnvironmentPanel } from "./environment-panel.js";
import { createFaultPanel } from "./fault-panel.js";
import { createFeedPanel } from "./feed-panel.js";
import { apiKeyOf, askForControlKey, controlKey, keepApiKey } from "./keys.js";
import { createLogPanel } from "./log-panel.js";
import { createPreferencePanel } from "./preference-panel.js";
import { createSnapshotPanel } from "./snapshot-panel.js";
import { toReason } from "./task.js";

const RETRY_MS = 1_000;
const baseUrl = location.origin;
const outage = find("p", "#outage");

const environmentPanel = createEnvironmentPanel({
  choose(name) {
    writeAddress({ environment: [name] });
    void connect();
  },
  reload: () => void connect(),
  useKey(apiKey) {
    keepApiKey(find("select", "#environment-name").value, apiKey);
    void connect();
  },
});
const clockPanel = createClockPanel(() => void refresh());
const feedPanel = createFeedPanel();
const faultPanel = createFaultPanel();
const logPanel = createLogPanel({ changed: () => void refresh(), lost: () => void connect() });
/** What other programs may change at any time, and what is read without a request of the API's own. */
const quietPanels: Panel[] = [environmentPanel.show, clockPanel, faultPanel];
const panels: Panel[] = [
  ...quietPanels,
  createSnapshotPanel(() => void connect()),
  createPreferencePanel(),
  feedPanel,
  logPanel,
];

let isConnecting = false;

/** Reads what there is and shows all of it; tries until the server answers. */
async function connect(): Promise<void> {
  if (isConnecting) return;
  isConnecting = true;
  try {
    while (!(await tryToConnect())) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  } finally {
    isConnecting = false;
  }
}

/** Whether there is nothing more to try. */
async function tryToConnect(): Promise<boolean> {
  const control = createControl({ baseUrl, ...controlKey() });
  try {
    show(control, await control.listEnvironments(), panels);
    outage.hidden = true;
    return true;
  } catch (error) {
    if (error instanceof ControlError && error.status === 401) {
      await askForControlKey(error.message);
      return tryToConnect();
    }
    const isRefused = error instanceof ControlError;
    outage.textContent = isRefused ? error.message : `${toReason(error)} Trying again …`;
    outage.hidden = false;
    return isRefused;
  }
}

/** Shows what others may have changed meanwhile, without a request to the API itself. */
async function refresh(): Promise<void> {
  const control = createControl({ baseUrl, ...controlKey() });
  try {
    show(control, await control.listEnvironments(), quietPanels);
  } catch {
    await connect(); // says what is wrong
  }
}

function show(control: Control, environments: readonly Environment[], shown: readonly Panel[]): void {
  const wanted = readAddress().get("environment");
  const environment = environments.find(({ name }) => name === wanted) ?? environments[0];
  if (!environment) throw new Error("The server has no environment.");
  environmentPanel.showNames(environments);
  const apiKey = apiKeyOf(environment);
  const access = apiKey === undefined ? undefined : createAccess(baseUrl, apiKey);
  for (const panel of shown) panel({ control, environment, access });
}

void connect();
