// The selected environment in three groups: key, clock and data; and all environments of the server.
import type {
  Clock,
  Control,
  Environment,
  NewEnvironment,
  NewSubscriber,
  NewWorkflow,
} from "../../browser/client/control.js";
import { formatAge } from "../script/dashboard.js";
import { button, element, find, onPress, span } from "../script/dom.js";
import { ask } from "./ask.js";
import { CHANNELS } from "./channels.js";
import { onSubmit } from "./form.js";
import { apiKeyOf, storeApiKey } from "./keys.js";
import { createPanelStatus, type Panel, type PanelStatus, selected } from "./panel.js";
import { showToast } from "./toast.js";

const DEFAULT = "default";

export interface EnvironmentEvents {
  /** Loads everything of it. */
  open(name: string): void;
  /** All environments, oldest first. */
  list(): readonly Environment[];
}

export function createEnvironmentPanel(events: EnvironmentEvents): Panel {
  const panel = find("section", "#environment");
  const keyForm = find("form", "[data-unknown-key]", panel);
  const createForm = find("form", "[data-create]", panel);
  const status = createPanelStatus(panel);
  const showClock = createClock();
  const showList = createEnvironmentList(panel, status, events);
  startSeedButtons(panel, status, events);
  startFileDialog(panel, status, events);
  startAddForms(panel, status);

  onSubmit<{ key: string }>(keyForm, ({ key }) => {
    const { name } = selected().environment;
    storeApiKey(name, key);
    keyForm.reset();
    events.open(name);
  });
  onSubmit<NewEnvironment>(createForm, (options) =>
    status.act(
      (control) => control.createEnvironment(options),
      (created) => {
        createForm.reset();
        openAfter("created", events)(created);
      },
      createForm,
    ),
  );

  return () => {
    const { environment } = selected();
    const apiKey = apiKeyOf(environment);
    find("h2", "h2", panel).textContent = `Environment ${environment.name}`;
    find("p", "[data-size]", panel).textContent = formatSize(environment);
    find("div", "[data-known-key]", panel).hidden = apiKey === undefined;
    find("code", "[data-key]", panel).textContent = apiKey ?? "";
    keyForm.hidden = apiKey !== undefined;
    find("button", "[data-do=delete]", panel).hidden = environment.name === DEFAULT;
    showClock(environment.clock);
    showList();
  };
}

/** Opens the environment that an action was applied to, and says so. */
function openAfter(action: string, { open }: EnvironmentEvents) {
  return ({ name }: Environment): void => {
    showToast(`${name} is ${action}.`);
    open(name);
  };
}

/** Reset and deletion ask for confirmation first. */
function startSeedButtons(panel: HTMLElement, status: PanelStatus, events: EnvironmentEvents): void {
  onPress(find("button", "[data-do=export]", panel), () => {
    const file = `${selected().environment.name}.json`;
    return status.act(
      async (control, name) => download(file, await control.exportEnvironment(name, { extends: "demo" })),
      () => status.say(`Saved. Start a server from it with --seed ${file}.`),
    );
  });
  onPress(find("button", "[data-do=reset]", panel), async () => {
    const { name } = selected().environment;
    if (!(await ask(`Reset ${name} to its seed? All changes are lost.`, { value: "reset", text: "Reset" }))) return;
    await status.act((control) => control.resetEnvironment(name), openAfter("reset", events));
  });
  onPress(find("button", "[data-do=delete]", panel), () =>
    deleteEnvironment(selected().environment.name, status, events),
  );
}

/** A file becomes an environment of its own, under the name that links of a bug report have, or replaces this one's data. */
function startFileDialog(panel: HTMLElement, status: PanelStatus, events: EnvironmentEvents): void {
  const field = find("input", "[data-file]", panel);
  field.addEventListener("change", async () => {
    const [file] = field.files ?? [];
    if (!file) return;
    const answer = await ask(
      `Open ${file.name}`,
      { value: "new", text: "Open as an environment of its own", isSafe: true },
      { value: "replace", text: `Replace the data of ${selected().environment.name}` },
    );
    field.value = ""; // or the same file could not be chosen again
    if (answer === "") return;
    const isNew = answer === "new";
    await status.act(
      async (control, name) => {
        const data = JSON.parse(await file.text());
        return isNew ? control.createEnvironment({ name: data.name, data }) : control.resetEnvironment(name, { data });
      },
      openAfter(isNew ? "open" : "reset", events),
    );
  });
}

async function deleteEnvironment(name: string, status: PanelStatus, { open }: EnvironmentEvents): Promise<void> {
  if (!(await ask(`Delete ${name} with all its data?`, { value: "delete", text: "Delete" }))) return;
  await status.act(
    (control) => control.deleteEnvironment(name),
    () => {
      showToast(`${name} is deleted.`);
      if (name === selected().environment.name) open(DEFAULT);
    },
  );
}

/** All environments with their last use, to open or delete. Returns a function that shows them. */
function createEnvironmentList(panel: HTMLElement, status: PanelStatus, events: EnvironmentEvents): () => void {
  const { open, list } = events;
  const section = find("section", "#environments", panel);
  const items = find("ul", "[data-list]", section);
  const field = find("input", "[data-find]", section);

  function buildItem({ name, notifications, lastUsedAt, ttlSeconds }: Environment): HTMLLIElement {
    const isOpen = name === selected().environment.name;
    const facts = [
      `${notifications.toLocaleString("en")} notifications`,
      `used ${formatAge(lastUsedAt)} ago`,
      ...(ttlSeconds === undefined ? [] : [`deleted ${ttlSeconds.toLocaleString("en")} s after that`]),
    ];
    const opener = button(name, () => open(name), { className: "link", title: name });
    if (isOpen) opener.ariaCurrent = "true";
    const label = `Delete ${name}`;
    const remover =
      name !== DEFAULT &&
      button("×", () => deleteEnvironment(name, status, events), { className: "icon", ariaLabel: label, title: label });
    const text = span("sentence", span("cut", opener), span("soft small", facts.join(" · ")));
    text.title = `Last used ${lastUsedAt}`;
    return element("li", { className: "row" }, text, remover);
  }

  function show(): void {
    const text = field.value.trim().toLowerCase();
    items.replaceChildren(
      ...list()
        .filter(({ name }) => name.includes(text))
        .map(buildItem),
    );
  }
  field.addEventListener("input", show);
  return show;
}

const DEFAULT_CHANNELS: readonly string[] = ["in_app", "email"];

function startAddForms(panel: HTMLElement, status: PanelStatus): void {
  const sayAdded = (form: HTMLFormElement, what: string) => () => {
    form.reset();
    showToast(`The ${what} is added.`);
  };
  const subscriberForm = find("form", "[data-add=subscriber]", panel);
  onSubmit<NewSubscriber>(subscriberForm, (subscriber) =>
    status.act(
      (control, name) => control.addSubscriber(name, subscriber),
      sayAdded(subscriberForm, `subscriber ${subscriber.subscriberId}`),
      subscriberForm,
    ),
  );
  const workflowForm = find("form", "[data-add=workflow]", panel);
  onSubmit<Pick<NewWorkflow, "identifier" | "channels" | "critical">>(workflowForm, (workflow) =>
    status.act(
      (control, name) => control.addWorkflow(name, { tags: [], critical: false, ...workflow }),
      sayAdded(workflowForm, `workflow ${workflow.identifier}`),
      workflowForm,
    ),
  );
  const boxes = CHANNELS.map(({ channel, name }) => {
    const defaultChecked = DEFAULT_CHANNELS.includes(channel);
    const input = element("input", { type: "checkbox", name: "channels", value: channel, defaultChecked });
    return element("label", { className: "choice" }, input, name);
  });
  find("fieldset", "[data-channels]", panel).append(...boxes);
}

/** The clock's controls. Returns a function that shows a clock. */
function createClock(): (clock: Clock) => void {
  const panel = find("section", "#clock");
  const now = find("time", "[data-now]", panel);
  const mode = find("span", "[data-mode]", panel);
  const toggle = find("button", "[data-do=toggle]", panel);
  const follow = find("button", "[data-do=follow]", panel);
  const instant = find("input", "[name=now]", panel);
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
    mode.className = `tag ${clock.mode === "frozen" ? "warn" : "good"}`;
    follow.hidden = isFollowing(clock);
    toggle.textContent = clock.mode === "running" ? "Freeze" : "Resume";
    tick();
    if (document.activeElement !== instant) instant.value = now.dateTime.slice(0, 19);
  }

  const change = (send: (control: Control, environment: string) => Promise<Clock>) => status.act(send, show);
  const otherMode = () => (shown?.clock.mode === "frozen" ? "running" : "frozen");
  onPress(toggle, () => change((control, name) => control.setClock(name, { mode: otherMode() })));
  onPress(follow, () => change((control, name) => control.resetClock(name)));
  for (const step of panel.querySelectorAll<HTMLButtonElement>("[data-advance]")) {
    onPress(step, () => change((control, name) => control.advanceClock(name, Number(step.dataset.advance))));
  }
  onSubmit<{ now: string }>(find("form", "[data-set]", panel), (values) => {
    const setting = { mode: shown?.clock.mode ?? "frozen", now: new Date(`${values.now}Z`).toISOString() };
    return change((control, name) => control.setClock(name, setting));
  });
  return show;
}

const SECOND_MS = 1000;

/** True if the clock shows the time of this machine, give or take how long the response took. */
function isFollowing({ mode, now }: Clock): boolean {
  return mode === "running" && Math.abs(Date.parse(now) - Date.now()) < SECOND_MS;
}

function formatSize({ durable, workflows, subscribers, notifications }: Environment): string {
  const [first, second, third] = [workflows, subscribers, notifications].map((count) => count.toLocaleString("en"));
  const storage = durable ? "stored on disk" : "in memory only";
  return `${first} workflows, ${second} subscribers, ${third} notifications; ${storage}.`;
}

function download(name: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  element("a", { href, download: name }).click();
  URL.revokeObjectURL(href);
}
