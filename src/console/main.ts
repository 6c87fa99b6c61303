// The console: connects to the server, selects an environment and shows it in the panels.
import { type Control, ControlError, createControl, type Environment } from "../client/control.js";
import { createClockPanel } from "./clock-panel.js";
import { find } from "./dom.js";
import { createEnvironmentPanel } from "./environment-panel.js";
import { createFaultPanel } from "./fault-panel.js";
import { createFeedPanel } from "./feed-panel.js";
import { apiKeyOf, controlKey, promptForControlKey, storeApiKey } from "./keys.js";
import { createLogPanel } from "./log-panel.js";
import { readPageAddress, writePageAddress } from "./page-address.js";
import { toMessage } from "./panel-status.js";
import { createPreferencePanel } from "./preference-panel.js";
import { createRecordingClient } from "./recording-client.js";
import type { Panel } from "./selection.js";
import { createSnapshotPanel } from "./snapshot-panel.js";

const RETRY_MS = 1_000;
const baseUrl = location.origin;
const outage = find("p", "#outage");

const environmentPanel = createEnvironmentPanel({
  select(name) {
    writePageAddress({ environment: [name] });
    void connect();
  },
  reload: () => void connect(),
  useKey(apiKey) {
    storeApiKey(find("select", "#environment-name").value, apiKey);
    void connect();
  },
});
const clockPanel = createClockPanel(() => void refresh());
const feedPanel = createFeedPanel();
const faultPanel = createFaultPanel();
const logPanel = createLogPanel({ changed: () => void refresh(), lost: () => void connect() });
/** Other programs may change these at any time; they are refreshed without a request to the API. */
const livePanels: Panel[] = [environmentPanel.show, clockPanel, faultPanel];
const panels: Panel[] = [
  ...livePanels,
  createSnapshotPanel(() => void connect()),
  createPreferencePanel(),
  feedPanel,
  logPanel,
];

let isConnecting = false;

/** Loads and shows everything; retries until the server responds. */
async function connect(): Promise<void> {
  if (isConnecting) return;
  isConnecting = true;
  try {
    while (!(await tryToConnect())) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  } finally {
    isConnecting = false;
  }
}

/** Whether no retry is needed. */
async function tryToConnect(): Promise<boolean> {
  const control = createControl({ baseUrl, ...controlKey() });
  try {
    show(control, await control.listEnvironments(), panels);
    outage.hidden = true;
    return true;
  } catch (error) {
    if (error instanceof ControlError && error.status === 401) {
      await promptForControlKey(error.message);
      return tryToConnect();
    }
    const isRejected = error instanceof ControlError;
    outage.textContent = isRejected ? error.message : `${toMessage(error)} Trying again …`;
    outage.hidden = false;
    return isRejected;
  }
}

/** Shows what others may have changed, without a request to the API. */
async function refresh(): Promise<void> {
  const control = createControl({ baseUrl, ...controlKey() });
  try {
    show(control, await control.listEnvironments(), livePanels);
  } catch {
    await connect(); // shows the error
  }
}

function show(control: Control, environments: readonly Environment[], shown: readonly Panel[]): void {
  const selected = readPageAddress().get("environment");
  const environment = environments.find(({ name }) => name === selected) ?? environments[0];
  if (!environment) throw new Error("The server has no environment.");
  environmentPanel.showNames(environments);
  const apiKey = apiKeyOf(environment);
  const api = apiKey === undefined ? undefined : createRecordingClient(baseUrl, apiKey);
  for (const panel of shown) panel({ control, environment, api });
}

void connect();
