// The environment: its API key, size and records; created, reset, deleted.
import type { Environment } from "../client/control.js";
import { confirmAction } from "./confirm.js";
import { element, find, onPress, onSubmit, textOf } from "./dom.js";
import { storeApiKey } from "./keys.js";
import { createPanelStatus } from "./panel-status.js";
import { CHANNELS, type Channel } from "./preference-matrix.js";
import { copyText } from "./request-view.js";
import { createSelectionHolder, type Panel } from "./selection.js";
import { createSnapshotPanel } from "./snapshot-panel.js";

const DEFAULT = "default";

export interface EnvironmentEvents {
  select(name: string): void;
  /** The environment has changed as a whole. */
  reload(): void;
}

export function createEnvironmentPanel({ select, reload }: EnvironmentEvents): Panel {
  const panel = find("section", "#environment");
  const keyForm = find("form", "[data-unknown-key]", panel);
  const createForm = find("form", "[data-create]", panel);
  const remove = find("button", "[data-do=delete]", panel);
  const copy = find("button", "[data-do=copy]", panel);
  const status = createPanelStatus(panel);
  const selection = createSelectionHolder();
  const snapshots = createSnapshotPanel(reload);

  onPress(find("button", "[data-do=reset]", panel), () =>
    selection.use(async ({ control, environment: { name } }) => {
      if (!(await confirmAction(`${name} returns to its seed. All changes are lost.`, `Reset ${name}`))) return;
      await status.run(
        () => control.resetEnvironment(name),
        () => {
          status.say(`${name} is reset.`);
          reload();
        },
      );
    }),
  );
  onPress(remove, () =>
    selection.use(async ({ control, environment: { name } }) => {
      if (!(await confirmAction(`${name} is deleted with all its data.`, `Delete ${name}`))) return;
      await status.run(
        () => control.deleteEnvironment(name),
        () => {
          status.say(`${name} is deleted.`);
          select(DEFAULT);
        },
      );
    }),
  );
  onPress(copy, () => copyText(copy, find("code", "[data-key]", panel).textContent ?? ""));
  onSubmit(keyForm, (data) =>
    selection.use(({ environment }) => {
      storeApiKey(environment.name, textOf(data, "key") ?? "");
      keyForm.reset();
      reload();
    }),
  );
  onSubmit(createForm, (data) => {
    const [name, seed] = [textOf(data, "name"), textOf(data, "seed")];
    const options = { ...(name ? { name } : {}), ...(seed ? { seed } : {}) };
    return selection.use(({ control }) =>
      status.run(
        () => control.createEnvironment(options),
        (created) => {
          createForm.reset();
          status.say(`${created.name} is created.`);
          select(created.name);
        },
      ),
    );
  });
  const addForm = (what: "subscriber" | "workflow") => {
    const form = find("form", `[data-add=${what}]`, panel);
    onSubmit(form, (data) =>
      selection.use(({ control, environment: { name } }) => {
        const id = textOf(data, "id") ?? "";
        const channels = data.getAll("channels") as Channel[]; // the values of CHANNELS
        const workflow = {
          identifier: id,
          tags: [],
          critical: false,
          channels: channels.length > 0 ? channels : [...DEFAULT_CHANNELS],
        };
        return status.run<unknown>(
          () =>
            what === "workflow"
              ? control.addWorkflow(name, workflow)
              : control.addSubscriber(name, { subscriberId: id }),
          () => {
            form.reset();
            status.say(`The ${what} ${id} is added.`);
          },
        );
      }),
    );
  };
  addForm("subscriber");
  addForm("workflow");
  find("fieldset", "[data-channels]", panel).append(
    ...CHANNELS.map(({ channel, name }) => {
      const defaultChecked = DEFAULT_CHANNELS.includes(channel);
      return element(
        "label",
        {},
        element("input", { type: "checkbox", name: "channels", value: channel, defaultChecked }),
        name,
      );
    }),
  );

  return (selected, isNew) => {
    const { environment, api } = selected;
    selection.set(selected);
    remove.hidden = environment.name === DEFAULT; // cannot be deleted
    find("h2", "h2", panel).textContent = `Environment ${environment.name}`;
    find("p", "[data-size]", panel).textContent = toSizeText(environment);
    find("div", "[data-known-key]", panel).hidden = api === undefined;
    find("code", "[data-key]", panel).textContent = api?.apiKey ?? "";
    keyForm.hidden = api !== undefined;
    snapshots(selected, isNew);
  };
}

const DEFAULT_CHANNELS: readonly Channel[] = ["in_app", "email"];

/** The chooser, and what is unusual about the selected environment. */
export function showInRail(
  environments: readonly Environment[],
  selected: Environment | undefined,
  wanted: string,
): void {
  const picker = find("select", "#environment-name");
  const names = [...environments.map(({ name }) => name), ...(selected ? [] : [wanted])];
  const shown = [...picker.options].map(({ value }) => value);
  if (names.join() !== shown.join()) {
    const toText = (name: string) => (selected || name !== wanted ? name : `${name} (gone)`);
    picker.replaceChildren(...names.map((value) => element("option", { value }, toText(value))));
  }
  picker.value = selected?.name ?? wanted;
  const [faults, clock] = [find("span", "[data-badge=faults]"), find("span", "[data-badge=clock]")];
  faults.textContent = String(selected?.faults ?? "");
  faults.hidden = !selected?.faults;
  clock.hidden = selected?.clock.mode !== "frozen";
}

function toSizeText({ durable, workflows, subscribers, notifications }: Environment): string {
  const [first, second, third] = [workflows, subscribers, notifications].map((count) => count.toLocaleString("en"));
  const storage = durable ? "stored on disk" : "in memory only";
  return `${first} workflows, ${second} subscribers, ${third} notifications; ${storage}.`;
}
