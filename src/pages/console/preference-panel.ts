// The preferences of one subscriber: a matrix of switches, each of which sends one request.
import type { Preferences, PreferencesUpdate } from "../../browser/client/client.js";
import type { Workflow } from "../../browser/client/control.js";
import { button, find, showEmpty } from "../docs-page/dom.js";
import { toUpdateCode } from "../docs-page/snippets.js";
import { onSubmit } from "./form.js";
import { showMissingKey } from "./keys.js";
import { readPageAddress, writePageAddress } from "./navigation.js";
import { createPanelStatus } from "./panel-status.js";
import { createMatrix } from "./preference-matrix.js";
import { createRecordingClient, type RecordingClient, showRequest, toData } from "./recording-client.js";
import { type Panel, selected } from "./selection.js";
import { suggestSubscribers } from "./subscriber-field.js";

const MAX_NEAR = 5;
const NO_CHANGE: PreferencesUpdate = { channels: {} }; // valid, and returns the current state

export function createPreferencePanel(): Panel {
  const panel = find("section", "#preferences");
  const form = find("form", "[data-subscriber]", panel);
  const field = find("input", "#subscriber", panel);
  const container = find("fieldset", "[data-matrix]", panel);
  const request = find("details", "[data-request]", panel);
  const status = createPanelStatus(panel);
  const filter = find("input", "#workflow-filter", panel);
  let environmentName: string | undefined;
  let revision: number | undefined;
  /** Shows what others have changed. */
  let update: () => void = load;

  function load(): void {
    update = load;
    status.say();
    showEmpty(panel);
    container.replaceChildren();
    request.hidden = true;
    const { api } = selected();
    if (!api) showMissingKey(panel);
    else void status.load(() => loadPreferences(api, field.value), show);
  }

  function show(loaded: LoadedPreferences): void {
    const { subscriberId } = loaded;
    showEmpty(panel);
    if (subscriberId !== undefined) {
      field.value ||= subscriberId; // else it is there, or the user is typing another
      writePageAddress({ subscriber: [subscriberId] });
    }
    if (loaded.near) showMissing(subscriberId, loaded.near);
    else showMatrix(loaded);
  }

  function showMissing(subscriberId: string | undefined, near: readonly string[]): void {
    const add = button("Add subscriber", () => {
      location.hash = "environment";
      find("input", "[data-add=subscriber] input").focus();
    });
    const suggestions = near.map((id) =>
      button(id, () => {
        field.value = id;
        load();
      }),
    );
    const text = subscriberId ? `There is no subscriber ${subscriberId}.` : "This environment has no subscribers yet.";
    if (near.length === 0) showEmpty(panel, text, add);
    else showEmpty(panel, `${text} Did you mean:`, ...suggestions);
  }

  function showMatrix({ api, subscriberId, workflows, preferences }: ExistingPreferences): void {
    let current = preferences;
    let pending = 0;
    let queue = Promise.resolve();
    const matrix = createMatrix(workflows, preferences, (update) => {
      pending += 1;
      queue = queue.then(() => send(update)); // one after the other: a response is the state after its own update
    });
    async function showLatest(update: PreferencesUpdate): Promise<void> {
      const sent = await api.latestRequest();
      if (matrix.table.isConnected) showRequest(request, sent, toUpdateCode(api, subscriberId, update));
    }
    async function send(update: PreferencesUpdate): Promise<void> {
      await status.act(
        async () => toData(await api.client.updatePreferences(subscriberId, update)),
        (updated) => {
          current = updated;
          if (pending === 0) matrix.show(current); // after "Try again"
        },
      );
      pending -= 1;
      if (pending === 0) matrix.show(current); // reverts a rejected switch
      await showLatest(update);
    }
    const { client: reader } = createRecordingClient(api.baseUrl, api.apiKey); // what it reads is not the latest request
    update = () =>
      void status.load(
        async () => toData(await reader.updatePreferences(subscriberId, NO_CHANGE)),
        (latest) => {
          if (pending > 0) return;
          if (latest.workflows.length !== current.workflows.length) return load();
          current = latest;
          const changes = matrix.show(latest, "by others");
          if (changes.length > 0) status.say(`Changed by others: ${changes.join(", ")}.`);
        },
      );
    container.replaceChildren(matrix.table);
    applyFilter();
    void showLatest(NO_CHANGE);
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
  onSubmit(form, load);
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

interface ExistingPreferences {
  api: RecordingClient;
  subscriberId: string;
  near?: undefined;
  workflows: Workflow[];
  preferences: Preferences;
}

/** For a subscriber that does not exist: similar ids. Without any subscriber, no id. */
type LoadedPreferences = ExistingPreferences | { subscriberId?: string; near: string[] };

/** @param text of the field; without one, the first subscriber is loaded. */
async function loadPreferences(api: RecordingClient, text: string): Promise<LoadedPreferences> {
  const { control, environment } = selected();
  const find = async (filter: { search?: string; limit: number }) =>
    (await control.listSubscribers(environment.name, filter)).subscribers.map(({ subscriberId }) => subscriberId);
  const subscriberId = text || (await find({ limit: 1 }))[0];
  if (subscriberId === undefined) return { near: [] };
  const [workflows, preferences] = await Promise.all([
    control.listWorkflows(environment.name),
    api.client.updatePreferences(subscriberId, NO_CHANGE),
  ]);
  if (preferences.status !== 404) return { api, subscriberId, workflows, preferences: toData(preferences) };
  const [start, end] = await Promise.all(
    [subscriberId.slice(0, 3), subscriberId.slice(-3)].map((search) => find({ search, limit: MAX_NEAR })),
  );
  return { subscriberId, near: [...new Set([...(start ?? []), ...(end ?? [])])].slice(0, MAX_NEAR) };
}
