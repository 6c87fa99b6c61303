// The preferences of one subscriber: a matrix of switches. Each switch sends one request.
import type { Client, Preferences, PreferencesUpdate } from "../../browser/client/client.js";
import type { Workflow } from "../../browser/client/control.js";
import { snippet } from "../script/code-panel.js";
import { element, find, showEmpty } from "../script/dom.js";
import { CHANNELS } from "./channels.js";
import { onSubmit, suggestSubscribers } from "./form.js";
import { formatApiCurl, showMissingKey } from "./keys.js";
import { readPageAddress, writePageAddress } from "./navigation.js";
import { createPanelStatus, dataOf, type Panel, type PanelStatus, selected } from "./panel.js";
import { createMatrix } from "./preference-matrix.js";
import { showToast } from "./toast.js";

export function createPreferencePanel(): Panel {
  const panel = find("section", "#preferences");
  const field = find("input", "#subscriber", panel);
  const container = find("fieldset", "[data-matrix]", panel);
  const status = createPanelStatus(panel);
  const filter = find("input", "#workflow-filter", panel);
  const legend = find("p", "[data-legend]", panel);
  const sent = find("div", "[data-update]", panel);
  let environmentName: string | undefined;
  let revision: number | undefined;
  /** Shows changes that others have made. */
  let update: () => void = load;

  function load(): void {
    update = load;
    status.say("");
    showEmpty(panel);
    container.replaceChildren();
    legend.hidden = true;
    const { api } = selected();
    if (!api) showMissingKey(panel);
    else
      void status.load(
        () => loadPreferences(api, field.value),
        (loaded) => show(api, loaded),
      );
  }

  function show(api: Client, { subscriberId, workflows = [], preferences }: LoadedPreferences): void {
    if (subscriberId !== undefined) {
      field.value ||= subscriberId; // keeps what the user is typing
      writePageAddress({ subscriber: [subscriberId] });
    }
    if (subscriberId === undefined || !preferences) {
      const text = subscriberId
        ? `There is no subscriber ${subscriberId}.`
        : "This environment has no subscribers yet.";
      showEmpty(panel, text, element("a", { href: "#environment" }, "Add subscriber"));
      return;
    }
    const switches = createSwitches({ api, subscriberId, workflows, preferences }, status, { load, showUpdate });
    update = switches.update;
    container.replaceChildren(switches.table);
    legend.hidden = !switches.table.querySelector(".unseen"); // of a cell without a switch
    applyFilter();
  }

  function showUpdate(subscriberId: string, change: PreferencesUpdate): void {
    const target = `/v2/subscribers/${encodeURIComponent(subscriberId)}/preferences`;
    const link = element("a", { href: "#requests" }, "See the response in Requests");
    sent.replaceChildren(snippet("As curl", formatApiCurl("PATCH", target, change)), link);
  }

  function applyFilter(): void {
    const text = filter.value.trim().toLowerCase();
    for (const row of container.querySelectorAll<HTMLElement>("tbody tr")) {
      row.hidden = !(row.textContent ?? "").toLowerCase().includes(text);
    }
  }
  filter.addEventListener("input", applyFilter);
  suggestSubscribers(field, panel);
  field.addEventListener("change", load);
  onSubmit(find("form", "[data-subscriber]", panel), load);
  field.value = readPageAddress().get("subscriber") ?? "";
  return (isNew) => {
    const { environment } = selected();
    if (environmentName !== undefined && environmentName !== environment.name) field.value = "";
    environmentName = environment.name;
    const hasChanged = revision !== environment.revision;
    revision = environment.revision;
    if (isNew) load();
    else if (hasChanged) update();
  };
}

interface LoadedPreferences {
  /** Undefined if the environment has no subscribers. */
  subscriberId?: string;
  workflows?: readonly Workflow[];
  /** Undefined if the subscriber does not exist. */
  preferences?: Preferences;
}

/** @param text the text of the field. If it is empty, the first subscriber is loaded. */
async function loadPreferences(api: Client, text: string): Promise<LoadedPreferences> {
  const { control, environment } = selected();
  const { subscribers } = text ? { subscribers: [] } : await control.listSubscribers(environment.name, { limit: 1 });
  const subscriberId = text || subscribers[0]?.subscriberId;
  if (subscriberId === undefined) return {};
  const [workflows, result] = await Promise.all([
    control.listWorkflows(environment.name),
    api.readPreferences(subscriberId),
  ]);
  return result.status === 404 ? { subscriberId } : { subscriberId, workflows, preferences: dataOf(result) };
}

/** The matrix. Its switches send one update at a time, since a response has the state after its own update. */
function createSwitches(
  { api, subscriberId, workflows, preferences }: Required<LoadedPreferences> & { api: Client },
  status: PanelStatus,
  on: { load(): void; showUpdate(subscriberId: string, change: PreferencesUpdate): void },
) {
  let current = preferences;
  let pending = 0;
  let queue = Promise.resolve();
  const enqueue = (update: PreferencesUpdate): void => {
    pending += 1;
    queue = queue.then(() => send(update));
  };
  const { table, show } = createMatrix(workflows, preferences, (update) => {
    if (update.workflowId === undefined) offerUndo(update, current, enqueue);
    enqueue(update);
  });
  const showCurrent = () => pending === 0 && show(current);

  async function send(update: PreferencesUpdate): Promise<void> {
    on.showUpdate(subscriberId, update);
    await status.act(
      async () => dataOf(await api.updatePreferences(subscriberId, update)),
      (updated) => {
        current = updated;
        showCurrent(); // after "Try again"
      },
    );
    pending -= 1;
    showCurrent(); // reverts a rejected switch
  }

  function update(): void {
    void status.load(
      async () => dataOf(await api.readPreferences(subscriberId)),
      (latest) => {
        if (pending > 0) return;
        if (latest.workflows.length !== current.workflows.length) return on.load();
        current = latest;
        show(current);
      },
    );
  }
  return { table, update };
}

/** A global switch sets its channel in every workflow, so taking it back restores each that differed. */
function offerUndo(
  { channels = {} }: PreferencesUpdate,
  before: Preferences,
  send: (update: PreferencesUpdate) => void,
): void {
  const changed = CHANNELS.find(({ channel }) => channels[channel] !== undefined);
  if (!changed) return;
  const { channel, name } = changed;
  const isOn = channels[channel] === true;
  showToast(`${name} is ${isOn ? "on" : "off"} in all workflows.`, () => {
    send({ channels: { [channel]: !isOn } });
    for (const { workflow, channels: own } of before.workflows) {
      const { identifier } = workflow;
      if (own[channel] === isOn && identifier !== undefined)
        send({ channels: { [channel]: isOn }, workflowId: identifier });
    }
  });
}
