// The environment that is shown: which one, its key, what it holds; made, reset, deleted.
import type { Control, Environment } from "../client/control.js";
import type { Panel } from "./chosen.js";
import { element, find, onPress, onSubmit, textOf } from "./dom.js";
import { showCopied } from "./request-view.js";
import { createTask } from "./task.js";

const DEFAULT = "default";

export interface EnvironmentEvents {
  choose(name: string): void;
  /** What is shown has changed as a whole. */
  reload(): void;
  useKey(apiKey: string): void;
}

export function createEnvironmentPanel({ choose, reload, useKey }: EnvironmentEvents) {
  const panel = find("section", "#environment");
  const picker = find("select", "#environment-name", panel);
  const keyForm = find("form", "[data-unknown-key]", panel);
  const createForm = find("form", "[data-create]", panel);
  const task = createTask(panel);
  let control: Control;

  picker.addEventListener("change", () => choose(picker.value));
  onPress(find("button", "[data-do=reset]", panel), () => {
    if (!confirm(`Put ${picker.value} back to its seed? What was changed is lost.`)) return;
    return task.run(() => control.resetEnvironment(picker.value), reload);
  });
  const remove = find("button", "[data-do=delete]", panel);
  onPress(remove, () => {
    if (!confirm(`Delete ${picker.value}, with all that is in it?`)) return;
    return task.run(() => control.deleteEnvironment(picker.value), reload);
  });
  const copy = find("button", "[data-do=copy]", panel);
  onPress(copy, () => showCopied(copy, find("code", "[data-key]", panel).textContent ?? ""));
  onSubmit(keyForm, (data) => {
    useKey(textOf(data, "key") ?? "");
    keyForm.reset();
  });
  onSubmit(createForm, (data) => {
    const [name, seed] = [textOf(data, "name"), textOf(data, "seed")];
    const wanted = { ...(name ? { name } : {}), ...(seed ? { seed } : {}) };
    return task.run(
      () => control.createEnvironment(wanted),
      (made) => {
        createForm.reset();
        choose(made.name);
      },
    );
  });

  const show: Panel = ({ control: shown, environment, access }) => {
    control = shown;
    picker.value = environment.name;
    remove.hidden = environment.name === DEFAULT; // it stays
    find("p", "[data-facts]", panel).textContent = toFacts(environment);
    find("div", "[data-known-key]", panel).hidden = access === undefined;
    find("code", "[data-key]", panel).textContent = access?.apiKey ?? "";
    keyForm.hidden = access !== undefined;
  };
  const showNames = (environments: readonly Environment[]) => {
    const names = environments.map(({ name }) => name);
    if (names.join() === [...picker.options].map(({ text }) => text).join()) return; // it may be open
    picker.replaceChildren(...names.map((name) => element("option", {}, name)));
  };
  return { show, showNames };
}

function toFacts({ durable, workflows, subscribers, notifications }: Environment): string {
  const counts = [
    [workflows, "workflows"],
    [subscribers, "subscribers"],
    [notifications, "notifications"],
  ] as const;
  const parts = counts.map(([count, what]) => `${count.toLocaleString("en")} ${what}`);
  return `${parts.join(", ")}; ${durable ? "kept on disk" : "in memory only"}.`;
}
