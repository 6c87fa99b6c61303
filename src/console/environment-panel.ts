// The environment: its name, API key and size; created, reset, deleted.
import type { Environment } from "../client/control.js";
import { element, find, onPress, onSubmit, textOf } from "./dom.js";
import { createPanelStatus } from "./panel-status.js";
import { copyText } from "./request-view.js";
import { createSelectionHolder, type Panel } from "./selection.js";

const DEFAULT = "default";

export interface EnvironmentEvents {
  select(name: string): void;
  /** The environment has changed as a whole. */
  reload(): void;
  useKey(apiKey: string): void;
}

export function createEnvironmentPanel({ select, reload, useKey }: EnvironmentEvents) {
  const panel = find("section", "#environment");
  const picker = find("select", "#environment-name", panel);
  const keyForm = find("form", "[data-unknown-key]", panel);
  const createForm = find("form", "[data-create]", panel);
  const status = createPanelStatus(panel);
  const selection = createSelectionHolder();

  picker.addEventListener("change", () => select(picker.value));
  onPress(find("button", "[data-do=reset]", panel), () => {
    if (!confirm(`Reset ${picker.value} to its seed? All changes are lost.`)) return;
    return selection.use(({ control }) => status.run(() => control.resetEnvironment(picker.value), reload));
  });
  const remove = find("button", "[data-do=delete]", panel);
  onPress(remove, () => {
    if (!confirm(`Delete ${picker.value} with all its data?`)) return;
    return selection.use(({ control }) => status.run(() => control.deleteEnvironment(picker.value), reload));
  });
  const copy = find("button", "[data-do=copy]", panel);
  onPress(copy, () => copyText(copy, find("code", "[data-key]", panel).textContent ?? ""));
  onSubmit(keyForm, (data) => {
    useKey(textOf(data, "key") ?? "");
    keyForm.reset();
  });
  onSubmit(createForm, (data) => {
    const [name, seed] = [textOf(data, "name"), textOf(data, "seed")];
    const options = { ...(name ? { name } : {}), ...(seed ? { seed } : {}) };
    return selection.use(({ control }) =>
      status.run(
        () => control.createEnvironment(options),
        (created) => {
          createForm.reset();
          select(created.name);
        },
      ),
    );
  });

  const show: Panel = (selected) => {
    const { environment, api } = selected;
    selection.set(selected);
    picker.value = environment.name;
    remove.hidden = environment.name === DEFAULT; // cannot be deleted
    find("p", "[data-size]", panel).textContent = toSizeText(environment);
    find("div", "[data-known-key]", panel).hidden = api === undefined;
    find("code", "[data-key]", panel).textContent = api?.apiKey ?? "";
    keyForm.hidden = api !== undefined;
  };
  const showNames = (environments: readonly Environment[]) => {
    const names = environments.map(({ name }) => name);
    if (names.join() === [...picker.options].map(({ text }) => text).join()) return; // it may be open
    picker.replaceChildren(...names.map((name) => element("option", {}, name)));
  };
  return { show, showNames };
}

function toSizeText({ durable, workflows, subscribers, notifications }: Environment): string {
  const [first, second, third] = [workflows, subscribers, notifications].map((count) => count.toLocaleString("en"));
  const storage = durable ? "stored on disk" : "in memory only";
  return `${first} workflows, ${second} subscribers, ${third} notifications; ${storage}.`;
}
