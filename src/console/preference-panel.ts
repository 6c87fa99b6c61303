// The preferences of one subscriber: a matrix of switches, each of which is one request of the API.
import type { PreferencesUpdate } from "../client/client.js";
import type { Workflow } from "../client/control.js";
import { type Access, toData } from "./access.js";
import { readAddress, writeAddress } from "./address.js";
import type { Chosen, Panel } from "./chosen.js";
import { element, find, onSubmit } from "./dom.js";
import { createMatrix, type Preferences } from "./preference-matrix.js";
import { showRequest } from "./request-view.js";
import { toUpdateCode } from "./snippets.js";
import { createTask } from "./task.js";

const NO_CHANGE: PreferencesUpdate = { channels: {} }; // legal, and answers the present state
const MOST_SUGGESTIONS = 20;

export function createPreferencePanel(): Panel {
  const panel = find("section", "#preferences");
  const form = find("form", "[data-subscriber]", panel);
  const field = find("input", "#subscriber", panel);
  const place = find("fieldset", "[data-matrix]", panel);
  const request = find("details", "[data-request]", panel);
  const [loading, sending, suggesting] = [createTask(panel), createTask(panel), createTask(panel)];
  let chosen: Chosen | undefined;

  function load(): void {
    if (!chosen) return;
    const { control, environment, access } = chosen;
    place.hidden = true;
    request.hidden = true;
    if (!access) {
      loading.say("Give the environment's API key first.");
      return;
    }
    const ask = async () => {
      const typed = field.value;
      const subscriberId = typed || (await findFirst(chosen as Chosen));
      if (subscriberId === undefined) return undefined;
      if (field.value === typed) field.value = subscriberId; // else somebody is typing
      writeAddress({ subscriber: [subscriberId] });
      const workflows = await control.listWorkflows(environment.name);
      const preferences = toData(await access.client.updatePreferences(subscriberId, NO_CHANGE));
      return { access, subscriberId, workflows, preferences };
    };
    void loading.run(ask, (found) => {
      if (found) showSwitches(found);
      else loading.say("This environment has no subscribers yet.");
    });
  }

  function showSwitches({ access, subscriberId, workflows, preferences }: Shown): void {
    let known = preferences;
    let waiting = 0;
    let sent = Promise.resolve();
    const matrix = createMatrix(workflows, preferences, (update) => {
      waiting += 1;
      sent = sent.then(() => send(update)); // one after the other: an answer is the state after its own update
    });
    const showLatest = (update: PreferencesUpdate) =>
      showRequest(request, access, toUpdateCode(access, subscriberId, update));
    async function send(update: PreferencesUpdate) {
      await sending.run(
        async () => toData(await access.client.updatePreferences(subscriberId, update)),
        (answer) => {
          known = answer;
          if (waiting === 0) matrix.show(known); // when it was tried again
        },
      );
      waiting -= 1;
      if (waiting === 0) matrix.show(known); // a refused switch goes back
      await showLatest(update);
    }
    place.replaceChildren(matrix.table);
    place.hidden = false;
    void showLatest(NO_CHANGE);
  }

  field.addEventListener("input", () => {
    if (!chosen) return;
    const { control, environment } = chosen;
    const filter = { ...(field.value ? { search: field.value } : {}), limit: MOST_SUGGESTIONS };
    void suggesting.run(
      () => control.listSubscribers(environment.name, filter),
      ({ subscribers }) =>
        find("datalist", "#subscribers", panel).replaceChildren(
          ...subscribers.map(({ subscriberId, firstName = "", lastName = "" }) =>
            element("option", { value: subscriberId, label: `${firstName} ${lastName}`.trim() }),
          ),
        ),
    );
  });
  field.addEventListener("change", load);
  onSubmit(form, load);
  field.value = readAddress().get("subscriber") ?? "";
  return (shown) => {
    if (chosen && chosen.environment.name !== shown.environment.name) field.value = "";
    chosen = shown;
    load();
  };
}

interface Shown {
  access: Access;
  subscriberId: string;
  workflows: Workflow[];
  preferences: Preferences;
}

async function findFirst({ control, environment }: Chosen): Promise<string | undefined> {
  const { subscribers } = await control.listSubscribers(environment.name, { limit: 1 });
  return subscribers[0]?.subscriberId;
}
