// The selected environment: its key, clock and data; and the picker that opens, creates and deletes environments.
import type { Clock, Control, Environment } from "../../browser/client/control.js";
import { copyButton } from "../script/code-panel.js";
import { describeClock, formatAge, timeOf } from "../script/dashboard.js";
import { ask, button, element, labelled, span } from "../script/dom.js";
import type { PaletteItem } from "../script/palette.js";
import { onSubmit } from "./form.js";
import { apiKeyOf, buildFrame, type Frame, type Panel, selected, showToast, storeApiKey } from "./panel.js";

const DEFAULT = "default";
const HOUR_MS = 3_600_000;

export interface EnvironmentPanel extends Panel {
  /** What the search does. */
  actions(text: string): PaletteItem[];
  /** What the picker of environments lists. @param environments oldest first. */
  items(environments: readonly Environment[], text: string): PaletteItem[];
}

/** @param open loads everything of an environment, in a view if there is one. */
export function createEnvironmentPanel(open: (name: string, view?: "environment") => void): EnvironmentPanel {
  const name = span("soft");
  const frame = buildFrame("environment", "Environment", [name]);
  const { panel, runner } = frame;
  const size = element("p", { className: "soft small" });
  const key = buildKey(open);
  const clock = buildClock(frame);
  const deleter = button("Delete this environment", () => remove(selected().environment), { className: "danger" });
  const groups = [
    buildGroup("Key", key.element),
    buildGroup("Clock", clock.element),
    buildGroup("Data", size, buildSeedButtons(frame, open)),
    element("footer", { className: "row" }, deleter),
  ];
  panel.append(element("div", { className: "body groups" }, ...groups));

  /** With an undo: the records and the key come back. */
  async function remove(environment: Environment): Promise<void> {
    const { name: removed, apiKey, durable, ttlSeconds } = environment;
    const restore = async (data: Record<string, unknown>) => {
      const options = { ...(apiKey ? { apiKey } : {}), ...(ttlSeconds ? { ttlSeconds } : {}) };
      await selected().control.createEnvironment({ name: removed, data, durable, ...options });
      open(removed);
    };
    await runner.act(
      async (control) => {
        const data = JSON.parse(await control.exportEnvironment(removed));
        await control.deleteEnvironment(removed);
        return data as Record<string, unknown>;
      },
      (data) => {
        showToast(`${removed} is deleted.`, () => restore(data));
        if (removed === selected().environment.name) open(DEFAULT);
      },
    );
  }

  function create(created: string): Promise<void> {
    return runner.act(
      (control) => control.createEnvironment({ name: created }),
      () => {
        showToast(`${created} is created.`);
        open(created, "environment");
      },
    );
  }

  const toItem = (environment: Environment): PaletteItem => ({
    group: "Environments",
    name: environment.name,
    note: describeUse(environment),
    run: () => open(environment.name),
    ...(environment.name === DEFAULT ? {} : { remove: () => remove(environment) }),
  });
  const toAction = (text: string, run: () => unknown): PaletteItem => ({
    group: "Actions",
    isTop: true,
    isFound: true,
    name: text,
    run: () => void run(),
  });
  return {
    element: panel,
    show() {
      const { environment, loadedAt } = selected();
      name.textContent = environment.name;
      size.textContent = formatSize(environment);
      deleter.hidden = environment.name === DEFAULT;
      key.show(environment);
      clock.show(environment.clock, loadedAt);
    },
    items(environments, text) {
      const isNew = NAME.test(text) && environments.every((environment) => environment.name !== text);
      const creating = isNew ? [toAction(`Create ${text}`, () => create(text))] : [];
      return [...environments.map(toItem), ...creating];
    },
    actions(text) {
      const [, created] = /^(?:new|create) (?:environment )?(.+)$/.exec(text) ?? [];
      const { environment } = selected();
      const isNew = created !== undefined && NAME.test(created);
      const isRemovable = environment.name !== DEFAULT && /^(delete|remove)\b/.test(text);
      return [
        ...(isNew ? [toAction(`Create environment ${created}`, () => create(created))] : []),
        ...(isRemovable ? [toAction(`Delete environment ${environment.name}`, () => remove(environment))] : []),
        ...clock.actions.map(({ name: action, run }) => ({ ...toAction(action, run), isFound: false })),
      ];
    },
  };
}

const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

function buildGroup(title: string, ...parts: HTMLElement[]): HTMLElement {
  return element("section", { ariaLabel: title }, element("h3", {}, title), element("div", {}, ...parts));
}

/** The key, or a field for it where the server knows only its hash. */
function buildKey(open: (name: string) => void) {
  const code = element("code");
  const known = element("div", { className: "row" }, code, copyButton("API key"));
  const field = element("input", { name: "key", required: true });
  const hint = element("p", { className: "soft small" }, "The server stores keys as hashes.");
  const form = element(
    "form",
    { className: "row", autocomplete: "off" },
    labelled("API key", field),
    element("button", { type: "submit", className: "quiet" }, "Use key"),
    hint,
  );
  onSubmit<{ key: string }>(form, (values) => {
    const { name } = selected().environment;
    storeApiKey(name, values.key);
    form.reset();
    open(name);
  });
  return {
    element: element("div", {}, known, form),
    show(environment: Environment): void {
      const apiKey = apiKeyOf(environment);
      code.textContent = apiKey ?? "";
      known.hidden = apiKey === undefined;
      form.hidden = apiKey !== undefined;
    },
  };
}

function buildClock({ runner }: Frame) {
  const now = element("time");
  const mode = span("tag");
  const instant = element("input", {
    type: "datetime-local",
    step: "1",
    name: "now",
    required: true,
    ariaLabel: "Time (UTC)",
  });
  const toggle = button("Freeze", () => change((control, name) => control.setClock(name, { mode: otherMode() })));
  const follow = button("Follow the server", () => change((control, name) => control.resetClock(name)), {
    className: "link",
  });
  const advance = (ms: number) => () => change((control, name) => control.advanceClock(name, ms));
  const setter = element("button", { type: "submit", className: "quiet" }, "Set");
  const form = element("form", { className: "row", autocomplete: "off" }, instant, setter);
  let shown: { clock: Clock; loadedAt: number } | undefined;
  const otherMode = () => (shown?.clock.mode === "frozen" ? "running" : "frozen");

  function change(send: (control: Control, environment: string) => Promise<Clock>): Promise<void> {
    return runner.act(send, (clock) => show(clock, Date.now()));
  }

  function tick(): void {
    if (!shown) return;
    now.dateTime = timeOf(shown.clock, shown.loadedAt).toISOString();
    now.textContent = `${now.dateTime.slice(0, 19).replace("T", " ")} UTC`;
  }
  setInterval(tick, 1000);

  /** @param loadedAt when the clock showed this time. */
  function show(clock: Clock, loadedAt: number): void {
    shown = { clock, loadedAt };
    mode.textContent = describeClock(clock, loadedAt);
    const isFollowing = mode.textContent === "running";
    mode.className = `tag ${isFollowing ? "good" : "warn"}`;
    follow.hidden = isFollowing;
    toggle.textContent = clock.mode === "frozen" ? "Resume" : "Freeze";
    tick();
    if (document.activeElement !== instant) instant.value = now.dateTime.slice(0, 19);
  }

  onSubmit<{ now: string }>(form, (values) => {
    const setting = { mode: shown?.clock.mode ?? "frozen", now: new Date(`${values.now}Z`).toISOString() };
    return change((control, name) => control.setClock(name, setting));
  });
  const buttons = [
    toggle,
    button("+ 1 hour", advance(HOUR_MS)),
    button("+ 1 day", advance(24 * HOUR_MS)),
    form,
    follow,
  ];
  const freezeADayOn = async (control: Control, name: string) => {
    await control.setClock(name, { mode: "frozen" });
    return control.advanceClock(name, 24 * HOUR_MS);
  };
  return {
    element: element(
      "div",
      {},
      element("p", { className: "now" }, now, " ", mode),
      element("div", { className: "row" }, ...buttons),
    ),
    show,
    actions: [
      { name: "Freeze or resume the clock", run: () => toggle.click() },
      { name: "Freeze the clock and go a day on", run: () => change(freezeADayOn) },
      { name: "Let the clock follow the server", run: () => follow.click() },
    ],
  };
}

/** A file of records, to take and to load; and the way back to the seed. */
function buildSeedButtons({ runner }: Frame, open: (name: string) => void): HTMLElement {
  const openAfter = (action: string) => (environment: Environment) => {
    showToast(`${environment.name} is ${action}.`);
    open(environment.name);
  };
  const save = () => {
    const file = `${selected().environment.name}.json`;
    return runner.act(
      async (control, name) => download(file, await control.exportEnvironment(name)),
      () => runner.say(`Downloaded. Start a server from it with --seed ${file}.`),
    );
  };
  const reset = async () => {
    const { name } = selected().environment;
    const loss = "Records, preferences, clock and faults are as at the start. The request log stays.";
    if (!(await ask(`Reset ${name} to its seed?`, [{ value: "reset", text: "Reset" }], loss))) return;
    await runner.act((control) => control.resetEnvironment(name), openAfter("reset"));
  };
  const field = element("input", { type: "file", accept: ".json,application/json" });
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
    await runner.act(
      async (control, name) => {
        const data = JSON.parse(await file.text());
        return isNew ? control.createEnvironment({ name: data.name, data }) : control.resetEnvironment(name, { data });
      },
      openAfter(isNew ? "created" : "reset"),
    );
  });
  const loader = element("label", { className: "button" }, "Load a seed … ", field);
  return element(
    "div",
    { className: "row" },
    button("Download as seed", save),
    loader,
    button("Reset to its seed", reset),
  );
}

function download(name: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  element("a", { href, download: name }).click();
  URL.revokeObjectURL(href);
}

function formatSize({ durable, workflows, subscribers, notifications }: Environment): string {
  const [first, second, third] = [workflows, subscribers, notifications].map((count) => count.toLocaleString("en"));
  const storage = durable ? "stored on disk" : "in memory only";
  return `${first} workflows · ${second} subscribers · ${third} notifications · ${storage}`;
}

const MINUTE_MS = 60_000;

/** By the clock of this machine, as the server counts. */
function describeUse({ notifications, faults, clock, lastUsedAt }: Environment): string {
  const isRecent = Date.now() - Date.parse(lastUsedAt) < MINUTE_MS;
  const facts = [
    `${notifications.toLocaleString("en")} notifications`,
    faults > 0 && `${faults} fault${faults === 1 ? "" : "s"}`,
    clock.mode === "frozen" && "clock frozen",
    isRecent ? "used just now" : `used ${formatAge(lastUsedAt)} ago`,
  ];
  return facts.filter(Boolean).join(" · ");
}
