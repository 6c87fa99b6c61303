// The selected environment: its API key, clock and size; forms to add records and to create an environment; export, reset, delete.
import type {
  Clock,
  Control,
  Environment,
  NewEnvironment,
  NewSubscriber,
  NewWorkflow,
} from "../../browser/client/control.js";
import { element, find, onPress } from "../script/dom.js";
import { checkbox, onSubmit } from "./form.js";
import { apiKeyOf, storeApiKey } from "./keys.js";
import { createPanelStatus, type Panel, type PanelStatus, selected } from "./panel.js";
import { CHANNELS } from "./preference-matrix.js";

const DEFAULT = "default";

export interface EnvironmentEvents {
  open(name: string): void;
  /** Loads everything again. */
  reload(): void;
}

export function createEnvironmentPanel(events: EnvironmentEvents): Panel {
  const panel = find("section", "#environment");
  const keyForm = find("form", "[data-unknown-key]", panel);
  const createForm = find("form", "[data-create]", panel);
  const status = createPanelStatus(panel);
  const showClock = createClock();
  const remove = startDangerousButtons(panel, status, events);
  startAddForms(panel, status);

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
    events.reload();
  });
  onSubmit<NewEnvironment>(createForm, (options) =>
    status.act(
      (control) => control.createEnvironment(options),
      ({ name }) => {
        createForm.reset();
        status.say(`${name} is created.`);
        events.open(name);
      },
    ),
  );

  return () => {
    const { environment } = selected();
    const apiKey = apiKeyOf(environment);
    remove.hidden = environment.name === DEFAULT; // cannot be deleted
    find("h2", "h2", panel).textContent = `Environment ${environment.name}`;
    find("p", "[data-size]", panel).textContent = toSizeText(environment);
    find("div", "[data-known-key]", panel).hidden = apiKey === undefined;
    find("code", "[data-key]", panel).textContent = apiKey ?? "";
    keyForm.hidden = apiKey !== undefined;
    showClock(environment.clock);
  };
}

/** Reset and delete ask for confirmation first. Returns the delete button. */
function startDangerousButtons(panel: HTMLElement, status: PanelStatus, { open, reload }: EnvironmentEvents) {
  const remove = find("button", "[data-do=delete]", panel);
  onPress(find("button", "[data-do=reset]", panel), async () => {
    const { name } = selected().environment;
    if (!confirm(`Reset ${name} to its seed? All changes are lost.`)) return;
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
    if (!confirm(`Delete ${name} with all its data? This cannot be undone.`)) return;
    await status.act(
      (control) => control.deleteEnvironment(name),
      () => {
        status.say(`${name} is deleted.`);
        open(DEFAULT);
      },
    );
  });
  return remove;
}

const DEFAULT_CHANNELS: readonly string[] = ["in_app", "email"];

function startAddForms(panel: HTMLElement, status: PanelStatus): void {
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
  onSubmit<Pick<NewWorkflow, "identifier" | "channels">>(workflowForm, (workflow) =>
    status.act(
      (control, name) => control.addWorkflow(name, { tags: [], critical: false, ...workflow }),
      sayAdded(workflowForm, `workflow ${workflow.identifier}`),
    ),
  );
  const boxes = CHANNELS.map(({ channel, name }) =>
    checkbox("channels", channel, name, DEFAULT_CHANNELS.includes(channel)),
  );
  find("fieldset", "[data-channels]", panel).append(...boxes);
}

/** The clock's controls. Returns a function that shows a clock. */
function createClock(): (clock: Clock) => void {
  const panel = find("div", "#clock");
  const now = find("time", "[data-now]", panel);
  const mode = find("span", "[data-mode]", panel);
  const toggle = find("button", "[data-do=toggle]", panel);
  const status = createPanelStatus(panel);
  let shown: { clock: Clock; since: number } | undefined;

  function tick(): void {
    if (!shown) return;
    const elapsed = shown.clock.mode === "running" ? performance.now() - shown.since : 0;
    now.dateTime = new Date(Date.parse(shown.clock.now) + elapsed).toISOString();
    now.textContent = `${now.dateTime.slice(0, 19).replace("T", " ")} UTC`;
  }
  setInterval(tick, 1000);

  function show(clock: Clock): void {
    shown = { clock, since: performance.now() };
    mode.textContent = clock.mode;
    toggle.textContent = clock.mode === "running" ? "Freeze" : "Resume";
    tick();
  }

  const change = (send: (control: Control, environment: string) => Promise<Clock>) => status.act(send, show);
  const otherMode = () => (shown?.clock.mode === "frozen" ? "running" : "frozen");
  onPress(toggle, () => change((control, name) => control.setClock(name, { mode: otherMode() })));
  onPress(find("button", "[data-do=follow]", panel), () => change((control, name) => control.resetClock(name)));
  for (const step of panel.querySelectorAll<HTMLButtonElement>("[data-advance]")) {
    onPress(step, () => change((control, name) => control.advanceClock(name, Number(step.dataset.advance))));
  }
  onSubmit<{ now: string }>(find("form", "[data-set]", panel), ({ now }) => {
    const setting = { mode: shown?.clock.mode ?? "frozen", now };
    return change((control, name) => control.setClock(name, setting));
  });
  return show;
}

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
