// The environment: its API key, clock, size and records; created, saved as a seed, reset, deleted.
import type { Environment, NewEnvironment, NewSubscriber, NewWorkflow } from "../../browser/client/control.js";
import { element, find, onPress } from "../docs-page/dom.js";
import { createClockPanel } from "./clock-panel.js";
import { confirmAction } from "./confirm.js";
import { checkbox, onSubmit } from "./form.js";
import { apiKeyOf, storeApiKey } from "./keys.js";
import { createPanelStatus } from "./panel-status.js";
import { CHANNELS } from "./preference-matrix.js";
import { type Panel, selected } from "./selection.js";

const DEFAULT = "default";

export interface EnvironmentEvents {
  open(name: string): void;
  /** The environment has changed as a whole. */
  reload(): void;
}

export function createEnvironmentPanel({ open, reload }: EnvironmentEvents): Panel {
  const panel = find("section", "#environment");
  const keyForm = find("form", "[data-unknown-key]", panel);
  const createForm = find("form", "[data-create]", panel);
  const remove = find("button", "[data-do=delete]", panel);
  const status = createPanelStatus(panel);
  const showClock = createClockPanel();

  onPress(find("button", "[data-do=reset]", panel), async () => {
    const { name } = selected().environment;
    if (!(await confirmAction(`The environment ${name} returns to its seed. All changes are lost.`, `Reset ${name}`)))
      return;
    await status.act(
      (control) => control.resetEnvironment(name),
      () => {
        status.say(`${name} is reset.`);
        reload();
      },
    );
  });
  onPress(remove, async () => {
    const { name } = selected().environment;
    const question = `The environment ${name} is deleted with all its data. This cannot be undone.`;
    if (!(await confirmAction(question, `Delete ${name}`))) return;
    await status.act(
      (control) => control.deleteEnvironment(name),
      () => {
        status.say(`${name} is deleted.`);
        open(DEFAULT);
      },
    );
  });
  onPress(find("button", "[data-do=export]", panel), () => {
    const file = `${selected().environment.name}.json`;
    return status.act(
      async (control, name) => download(file, await control.exportEnvironment(name)),
      () => status.say(`Saved. Start a server from it with --seed ${file}.`),
    );
  });
  onSubmit<{ key: string }>(keyForm, ({ key }) => {
    storeApiKey(selected().environment.name, key);
    keyForm.reset();
    reload();
  });
  onSubmit<NewEnvironment>(createForm, (options) =>
    status.act(
      (control) => control.createEnvironment(options),
      ({ name }) => {
        createForm.reset();
        status.say(`${name} is created.`);
        open(name);
      },
    ),
  );

  const sayAdded = (form: HTMLFormElement, what: string) => () => {
    form.reset();
    status.say(`The ${what} is added.`);
  };
  const subscriberForm = find("form", "[data-add=subscriber]", panel);
  onSubmit<NewSubscriber>(subscriberForm, (subscriber) =>
    status.act(
      (control, name) => control.addSubscriber(name, subscriber),
      sayAdded(subscriberForm, `subscriber ${subscriber.subscriberId}`),
    ),
  );
  const workflowForm = find("form", "[data-add=workflow]", panel);
  onSubmit<Partial<NewWorkflow> & Pick<NewWorkflow, "identifier">>(workflowForm, (workflow) => {
    const complete = { tags: [], critical: false, channels: [...DEFAULT_CHANNELS], ...workflow };
    const done = sayAdded(workflowForm, `workflow ${workflow.identifier}`);
    return status.act((control, name) => control.addWorkflow(name, complete), done);
  });
  find("fieldset", "[data-channels]", panel).append(
    ...CHANNELS.map(({ channel, name }) =>
      checkbox(
        "channels",
        channel,
        name,
        DEFAULT_CHANNELS.some((one) => one === channel),
      ),
    ),
  );

  return (isNew) => {
    const { environment } = selected();
    const apiKey = apiKeyOf(environment);
    remove.hidden = environment.name === DEFAULT; // cannot be deleted
    find("h2", "h2", panel).textContent = `Environment ${environment.name}`;
    find("p", "[data-size]", panel).textContent = toSizeText(environment);
    find("div", "[data-known-key]", panel).hidden = apiKey === undefined;
    find("code", "[data-key]", panel).textContent = apiKey ?? "";
    keyForm.hidden = apiKey !== undefined;
    showClock(isNew);
  };
}

const DEFAULT_CHANNELS = ["in_app", "email"] as const;

function toSizeText({ durable, workflows, subscribers, notifications }: Environment): string {
  const [first, second, third] = [workflows, subscribers, notifications].map((count) => count.toLocaleString("en"));
  const storage = durable ? "stored on disk" : "in memory only";
  return `${first} workflows, ${second} subscribers, ${third} notifications; ${storage}.`;
}

function download(name: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  element("a", { href, download: name }).click();
  URL.revokeObjectURL(href);
}
