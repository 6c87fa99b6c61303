// The preferences of one subscriber: a matrix of switches, each of which sends one request.
import type { Preferences, PreferencesUpdate } from "../client/client.js";
import type { Workflow } from "../client/control.js";
import { button, find, showEmpty } from "../docs-page/dom.js";
import { toUpdateCode } from "../docs-page/snippets.js";
import { filterBy, onSubmit } from "./form.js";
import { readPageAddress, writePageAddress } from "./page-address.js";
import { createPanelStatus } from "./panel-status.js";
import { createMatrix } from "./preference-matrix.js";
import { createRecordingClient, type RecordingClient, toData } from "./recording-client.js";
import { showRequest } from "./request-view.js";
import { type Panel, selected } from "./selection.js";
import { suggestSubscribers } from "./subscriber-field.js";

const NO_CHANGE: PreferencesUpdate = { channels: {} }; // valid, and returns the current state

export function createPreferencePanel(): Panel {
  const panel = find("section", "#preferences");
  const form = find("form", "[data-subscriber]", panel);
  const field = find("input", "#subscriber", panel);
  const container = find("fieldset", "[data-matrix]", panel);
  const request = find("details", "[data-request]", panel);
  const status = createPanelStatus(panel);
  const applyFilter = filterBy(find("input", "#workflow-filter", panel), () =>
    container.querySelectorAll<HTMLElement>("tbody tr"),
  );
  let environmentName: string | undefined;
  let revision: number | undefined;
  /** Shows what others have changed. */
  let update: () => void = load;

  function load(): void {
    update = load;
    status.say();
    showEmpty(panel);
    container.hidden = true;
    request.hidden = true;
    const { api } = selected();
    if (!api) status.say("Enter the environment's API key first, under Environment.");
    else void status.load(() => loadPreferences(api), showMatrix);
  }

  /** The subscribers whose ids, names or addresses begin as the one that is not there. */
  async function suggestNear(subscriberId: string): Promise<void> {
    const { control, environment } = selected();
    const { subscribers } = await control.listSubscribers(environment.name, {
      search: subscriberId.slice(0, 3),
      limit: 5,
    });
    const text =
      subscribers.length > 0
        ? `There is no subscriber ${subscriberId}. Did you mean:`
        : `There is no subscriber ${subscriberId}.`;
    showEmpty(
      panel,
      text,
      ...subscribers.map((near) => button(near.subscriberId, () => open(near.subscriberId))),
      adder(),
    );
  }

  function open(subscriberId: string): void {
    field.value = subscriberId;
    load();
  }

  const adder = () =>
    button("Add subscriber", () => {
      location.hash = "environment";
      find("input", "#new-subscriber").focus();
    });

  async function loadPreferences(api: RecordingClient): Promise<LoadedPreferences | undefined> {
    const { control, environment } = selected();
    const text = field.value;
    const subscriberId = text || (await findFirst());
    if (subscriberId === undefined) return undefined;
    if (field.value === text) field.value = subscriberId; // else the user is typing
    writePageAddress({ subscriber: [subscriberId] });
    const [workflows, preferences] = await Promise.all([
      control.listWorkflows(environment.name),
      api.client.updatePreferences(subscriberId, NO_CHANGE),
    ]);
    if (preferences.status === 404) await suggestNear(subscriberId);
    return { api, subscriberId, workflows, preferences: toData(preferences) };
  }

  function showMatrix(result: LoadedPreferences | undefined): void {
    if (!result) {
      const text = "This environment has no subscribers yet. Add one under Environment.";
      status.say(text);
      showEmpty(panel, text, adder());
      return;
    }
    const { api, subscriberId, workflows, preferences } = result;
    let current = preferences;
    let pending = 0;
    let queue = Promise.resolve();
    const matrix = createMatrix(workflows, preferences, (update) => {
      pending += 1;
      queue = queue.then(() => send(update)); // one after the other: a response is the state after its own update
    });
    const showLatest = (update: PreferencesUpdate) =>
      showRequest(request, api, toUpdateCode(api, subscriberId, update));
    async function send(update: PreferencesUpdate) {
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
          if (latest.workflows.length !== current.workflows.length) load();
          current = latest;
          const changes = matrix.show(latest, "by others");
          if (changes.length > 0) status.say(`Changed by others: ${changes.join(", ")}.`);
        },
      );
    container.replaceChildren(matrix.table);
    applyFilter();
    container.hidden = false;
    void showLatest(NO_CHANGE);
  }

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

interface LoadedPreferences {
  api: RecordingClient;
  subscriberId: string;
  workflows: Workflow[];
  preferences: Preferences;
}

async function findFirst(): Promise<string | undefined> {
  const { control, environment } = selected();
  const { subscribers } = await control.listSubscribers(environment.name, { limit: 1 });
  return subscribers[0]?.subscriberId;
}
