// The selected environment: its key, clock, records and seed; and all environments of the server.
import type { Clock, Control, Environment, NewEnvironment } from "../../browser/client/control.js";
import { ask } from "../script/ask.js";
import { copyButton } from "../script/code-panel.js";
import { describeClock, formatAge, formatSpan, timeOf } from "../script/dashboard.js";
import { button, element, find, onPress, placeChildren, span } from "../script/dom.js";
import { download } from "./download.js";
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

  onSubmit<{ key: string }>(keyForm, ({ key }) => {
    const { name } = selected().environment;
    storeApiKey(name, key);
    keyForm.reset();
    events.open(name);
  });
  onSubmit<NewEnvironment>(createForm, ({ seed, ...options }) =>
    status.act(
      async (control, name) => {
        if (seed !== "copy") return control.createEnvironment({ ...options, ...(seed ? { seed } : {}) });
        const data = JSON.parse(await control.exportEnvironment(name));
        return control.createEnvironment({ ...options, data });
      },
      (created) => {
        createForm.reset();
        openAfter("created", events)(created);
      },
      createForm,
    ),
  );

  return () => {
    const { environment, loadedAt } = selected();
    const apiKey = apiKeyOf(environment);
    find("span", "[data-name]", panel).textContent = environment.name;
    find("p", "[data-size]", panel).textContent = formatSize(environment);
    find("div", "[data-known-key]", panel).hidden = apiKey === undefined;
    find("code", "[data-key]", panel).textContent = apiKey ?? "";
    keyForm.hidden = apiKey !== undefined;
    find("button", "[data-do=delete]", panel).hidden = environment.name === DEFAULT;
    showClock(environment.clock, loadedAt);
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
      async (control, name) => download(file, await control.exportEnvironment(name)),
      () => status.say(`Downloaded. Start a server from it with --seed ${file}.`),
    );
  });
  onPress(find("button", "[data-do=reset]", panel), async () => {
    const { name } = selected().environment;
    const question = `Reset ${name} to its seed?`;
    const note = "It takes back every change to records, preferences, clock and faults. The request log stays.";
    if (!(await ask(question, [{ value: "reset", text: "Reset" }], note))) return;
    await status.act((control) => control.resetEnvironment(name), openAfter("reset", events));
  });
  onPress(find("button", "[data-do=delete]", panel), () =>
    deleteEnvironment(selected().environment.name, status, events),
  );
}

/**
 * A file becomes an environment of its own, under the name that links of a bug report have, or replaces this one's
 * data.
 */
function startFileDialog(panel: HTMLElement, status: PanelStatus, events: EnvironmentEvents): void {
  const field = find("input", "[data-file]", panel);
  field.addEventListener("change", async () => {
    const [file] = field.files ?? [];
    field.value = ""; // or the same file could not be chosen again
    if (!file) return;
    const answer = await ask(`Load ${file.name}`, [
      { value: "new", text: "Load as a new environment", isSafe: true },
      { value: "replace", text: `Replace the data of ${selected().environment.name}` },
    ]);
    if (answer === "") return;
    const isNew = answer === "new";
    await status.act(
      async (control, name) => {
        const data = JSON.parse(await file.text());
        return isNew ? control.createEnvironment({ name: data.name, data }) : control.resetEnvironment(name, { data });
      },
      openAfter(isNew ? "created" : "reset", events),
    );
  });
}

async function deleteEnvironment(name: string, status: PanelStatus, { open }: EnvironmentEvents): Promise<void> {
  if (!(await ask(`Delete ${name} with all its data?`, [{ value: "delete", text: "Delete" }]))) return;
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
  const section = find("section", "#environments", panel);
  const items = find("ul", "[data-list]", section);
  const field = find("input", "[data-find]", section);
  /** By name. A row keeps its elements: a press or the focus outlives a change. */
  let rows = new Map<string, EnvironmentRow>();

  function show(): void {
    const environments = events.list();
    const text = field.value.trim().toLowerCase();
    field.hidden = text === "" && environments.length <= MAX_SEEN;
    const build = (name: string) =>
      buildRow(name, { open: events.open, remove: () => deleteEnvironment(name, status, events) });
    rows = new Map(environments.map(({ name }) => [name, rows.get(name) ?? build(name)]));
    for (const environment of environments) rows.get(environment.name)?.show(environment);
    const found = [...rows].filter(([name]) => name.includes(text));
    placeChildren(
      items,
      found.map(([, row]) => row.element),
    );
  }
  field.addEventListener("input", show);
  return show;
}

interface EnvironmentRow {
  element: HTMLLIElement;
  show(environment: Environment): void;
}

function buildRow(
  name: string,
  { open, remove }: { open(name: string): void; remove(): Promise<void> },
): EnvironmentRow {
  const opener = button(name, () => open(name), { className: "link", title: name });
  const facts = span("soft small");
  const faulty = span("tag warn");
  const key = element("code", { hidden: true });
  const copier = copyButton(name, "Copy key", "link small");
  const label = `Delete ${name}`;
  const remover = name !== DEFAULT && button("×", remove, { className: "icon", ariaLabel: label, title: label });
  const text = span("sentence", span("cut", opener, " ", faulty), facts);
  return {
    element: element("li", { className: "row" }, text, copier, key, remover),
    show(environment) {
      const { notifications, faults, lastUsedAt, ttlSeconds } = environment;
      const lifetime = ttlSeconds !== undefined && `deleted after ${formatSpan(ttlSeconds * 1000)} without use`;
      const parts = [`${notifications.toLocaleString("en")} notifications`, formatUse(lastUsedAt), lifetime];
      facts.textContent = parts.filter(Boolean).join(" · ");
      faulty.textContent = `${faults} fault${faults === 1 ? "" : "s"}`;
      faulty.hidden = faults === 0;
      opener.ariaCurrent = name === selected().environment.name ? "true" : null;
      const apiKey = apiKeyOf(environment);
      key.textContent = apiKey ?? "";
      copier.hidden = apiKey === undefined;
    },
  };
}

const MAX_SEEN = 6;
const MINUTE_MS = 60_000;

/** By the clock of this machine, as the server counts. */
function formatUse(lastUsedAt: string): string {
  const isRecent = Date.now() - Date.parse(lastUsedAt) < MINUTE_MS;
  return isRecent ? "used just now" : `used ${formatAge(lastUsedAt)} ago`;
}

/** The clock's controls. Returns a function that shows a clock. */
function createClock(): (clock: Clock, loadedAt?: number) => void {
  const panel = find("section", "#clock");
  const now = find("time", "[data-now]", panel);
  const mode = find("span", "[data-mode]", panel);
  const toggle = find("button", "[data-do=toggle]", panel);
  const follow = find("button", "[data-do=follow]", panel);
  const instant = find("input", "[name=now]", panel);
  const status = createPanelStatus(panel);
  let shown: { clock: Clock; loadedAt: number } | undefined;

  function tick(): void {
    if (!shown || toggle.disabled) return; // without a server, what time it has is unknown
    now.dateTime = timeOf(shown.clock, shown.loadedAt).toISOString();
    now.textContent = `${now.dateTime.slice(0, 19).replace("T", " ")} UTC`;
  }
  setInterval(tick, 1000);

  /** @param loadedAt when the clock showed this time. */
  function show(clock: Clock, loadedAt = Date.now()): void {
    shown = { clock, loadedAt };
    mode.textContent = describeClock(clock, loadedAt);
    const isFollowing = mode.textContent === "running";
    mode.className = `tag ${isFollowing ? "good" : "warn"}`;
    follow.hidden = isFollowing;
    toggle.textContent = clock.mode === "frozen" ? "Resume" : "Freeze";
    tick();
    if (document.activeElement !== instant) instant.value = now.dateTime.slice(0, 19);
  }

  const change = (send: (control: Control, environment: string) => Promise<Clock>) =>
    status.act(send, (clock) => show(clock));
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

function formatSize({ durable, workflows, subscribers, notifications }: Environment): string {
  const [first, second, third] = [workflows, subscribers, notifications].map((count) => count.toLocaleString("en"));
  const storage = durable ? "stored on disk" : "in memory only";
  return `${first} workflows · ${second} subscribers · ${third} notifications · ${storage}`;
}
