// A table of switches by workflow and channel. It shows preferences, and reports what a switch would change; it sends
// nothing.
import type { Channel, Preferences, PreferencesUpdate } from "../../browser/client/client.js";
import type { Workflow } from "../../browser/client/control.js";
import { button, element, span } from "../script/dom.js";
import { CHANNELS } from "./channels.js";

export interface MatrixEvents {
  /** The user has pressed a switch, or has reset a workflow. */
  update(update: PreferencesUpdate, isReset: boolean): void;
  /** The user points at a switch, and what pressing it would change; undefined at the end. */
  preview(update: PreferencesUpdate | undefined): void;
}

export function createMatrix(workflows: readonly Workflow[], preferences: Preferences, on: MatrixEvents) {
  const switches: { input: HTMLInputElement; isOn: (current: Preferences) => boolean; channel: Channel }[] = [];
  const resets: { reset: HTMLButtonElement; findChange: () => PreferencesUpdate }[] = [];
  let shown = preferences;

  /** Reports what a press would change while it is pointed at. */
  function preview(place: HTMLElement, findChange: () => PreferencesUpdate): void {
    for (const name of ["pointerenter", "focus"]) place.addEventListener(name, () => on.preview(findChange()));
    for (const name of ["pointerleave", "blur"]) place.addEventListener(name, () => on.preview(undefined));
  }

  const buildCells = (row: string, workflowId?: string) =>
    CHANNELS.map(({ channel, name }) => {
      const valueIn = (current: Preferences) => channelsOf(current, workflowId)?.[channel];
      if (valueIn(preferences) === undefined) return unusedCell();
      const input = element("input", { type: "checkbox", role: "switch", ariaLabel: `${row}: ${name}` });
      switches.push({ input, isOn: (current) => valueIn(current) ?? false, channel });
      const build = (isOn: boolean): PreferencesUpdate => ({
        channels: { [channel]: isOn },
        ...(workflowId === undefined ? {} : { workflowId }),
      });
      input.addEventListener("change", () => on.update(build(input.checked), false));
      preview(input, () => build(!input.checked));
      return element("td", {}, input);
    });
  /** Sets every channel of a workflow that differs to what it is in all workflows. */
  function buildReset(name: string, workflowId: string): HTMLButtonElement {
    const findChange = () => ({ channels: findDifferences(shown, workflowId), workflowId });
    const ariaLabel = `Reset to all workflows: ${name}`;
    const press = () => {
      reset.closest("tr")?.querySelector("input")?.focus(); // since the button goes
      on.update(findChange(), true);
    };
    const reset = button("Reset", press, { className: "link small", ariaLabel });
    preview(reset, findChange);
    resets.push({ reset, findChange });
    return reset;
  }

  const buildRow = (workflow: Workflow) => {
    const { name, identifier, tags, active, critical } = workflow;
    const isFixed = !active || critical || channelsOf(preferences, identifier) === undefined;
    const cells = isFixed ? buildFixedCells(workflow) : buildCells(name, identifier);
    const header = rowHeader(name, identifier, tags);
    if (!isFixed) header.append(buildReset(name, identifier));
    return element("tr", {}, header, ...cells);
  };

  const columns = ["Workflow", ...CHANNELS.map(({ name }) => name)];
  const header = element("tr", {}, ...columns.map((name) => element("th", { scope: "col" }, name)));
  const globalRow = element("tr", {}, rowHeader("All workflows", "global"), ...buildCells("All workflows"));
  const rows = element("tbody", {}, globalRow, ...workflows.map(buildRow));
  const table = element("table", { className: "matrix" }, element("thead", {}, header), rows);
  /** Sets the switches to these preferences. */
  const show = (current: Preferences) => {
    shown = current;
    for (const { reset, findChange } of resets) reset.hidden = Object.keys(findChange().channels ?? {}).length === 0;
    for (const { input, isOn, channel } of switches) {
      input.checked = isOn(current);
      const differs = current.global.channels[channel] !== input.checked;
      input.classList.toggle("differs", differs);
      input.title = differs ? "differs from all workflows" : "";
    }
  };
  show(preferences);
  table.addEventListener("keydown", (event) => moveFocus(event, rows));
  return { table, show };
}

const STEPS: Record<string, readonly [down: number, right: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** An arrow moves to the next switch of its row or column. */
function moveFocus(event: KeyboardEvent, { rows }: HTMLTableSectionElement): void {
  const cell = (event.target as Element).closest<HTMLTableCellElement>("td, th");
  const [down, right] = STEPS[event.key] ?? [0, 0];
  if (!cell || (down === 0 && right === 0)) return;
  event.preventDefault(); // it would scroll
  const seen = [...rows].filter(({ hidden }) => !hidden);
  let y = seen.findIndex((row) => row.contains(cell)) + down;
  let x = cell.cellIndex + right;
  let next: HTMLElement | null | undefined;
  for (; !next && seen[y] && x >= 0 && x <= CHANNELS.length; y += down, x += right) {
    next = seen[y]?.cells[x]?.querySelector<HTMLElement>("input, button:not([hidden])");
  }
  next?.focus();
}

function channelsOf({ global, workflows }: Preferences, workflowId: string | undefined) {
  if (workflowId === undefined) return global.channels;
  return workflows.find(({ workflow }) => workflow.identifier === workflowId)?.channels;
}

/** The channels of a workflow that differ, with what they are in all workflows. */
function findDifferences(current: Preferences, workflowId: string): NonNullable<PreferencesUpdate["channels"]> {
  const { channels } = current.global;
  const own = channelsOf(current, workflowId) ?? {};
  const differing = CHANNELS.filter(({ channel }) => own[channel] !== undefined && own[channel] !== channels[channel]);
  return Object.fromEntries(differing.map(({ channel }) => [channel, channels[channel]]));
}

/** The cells of a workflow without switches. */
function buildFixedCells({ active, critical, steps }: Workflow) {
  if (!active) return [buildReason("inactive: nothing is sent")];
  if (!critical) return [buildReason("read-only: the API omits it")];
  const channels = new Set(steps.filter(({ active: isSent }) => isSent).map(({ type }) => type));
  return CHANNELS.map(({ channel }) =>
    channels.has(channel) ? element("td", { className: "soft" }, "always") : unusedCell(),
  );
}

const buildReason = (text: string) => element("td", { className: "soft", colSpan: CHANNELS.length }, text);

function rowHeader(name: string, note: string, tags: readonly string[] = []) {
  const shownTags = tags.length > 0 && span("soft tags", ` · ${tags.join(", ")}`);
  const title = [name, note, ...tags].join(" · ");
  return element("th", { scope: "row", title }, span("cut", name), span("cut soft small", note, shownTags));
}

function unusedCell() {
  return element("td", { className: "soft" }, "–", span("unseen", "not used"));
}
