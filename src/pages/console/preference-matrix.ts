// A table of switches by workflow and channel: all workflows, those that differ, and the others on demand. It shows
// preferences, and reports what a switch changes; it sends nothing.
import type { Channel, Preferences, PreferencesUpdate } from "../../browser/client/client.js";
import type { Workflow } from "../../browser/client/control.js";
import { button, element, span } from "../script/dom.js";
import { CHANNELS } from "./channels.js";

/** @param isReset true if a workflow is reset to what holds in all. */
type Update = (update: PreferencesUpdate, isReset: boolean) => void;

/** True once the user wants to see every workflow. */
let isExpanded = false;

export function createMatrix(workflows: readonly Workflow[], preferences: Preferences, update: Update) {
  const switches: { input: HTMLInputElement; isOn: (current: Preferences) => boolean; channel: Channel }[] = [];
  const resets: {
    row: HTMLTableRowElement;
    reset: HTMLButtonElement;
    findChange: () => Required<Pick<PreferencesUpdate, "channels">> & PreferencesUpdate;
  }[] = [];
  let shown = preferences;

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
      input.addEventListener("change", () => update(build(input.checked), false));
      return element("td", {}, input);
    });
  /** Sets every channel of a workflow that differs to what it is in all workflows. */
  function addReset(row: HTMLTableRowElement, name: string, workflowId: string): void {
    const findChange = () => ({ channels: findDifferences(shown, workflowId), workflowId });
    const press = () => {
      row.querySelector("input")?.focus(); // since the button goes
      update(findChange(), true);
    };
    const reset = button("Reset", press, { className: "link small", ariaLabel: `Reset to all workflows: ${name}` });
    row.cells[0]?.append(reset);
    resets.push({ row, reset, findChange });
  }

  function buildRow(workflow: Workflow): HTMLTableRowElement {
    const { name, identifier, active, critical } = workflow;
    const isFixed = !active || critical || channelsOf(preferences, identifier) === undefined;
    const cells = isFixed ? buildFixedCells(workflow) : buildCells(name, identifier);
    const row = element("tr", { hidden: !isExpanded }, rowHeader(name, identifier), ...cells);
    if (!isFixed) addReset(row, name, identifier);
    return row;
  }

  const columns = ["Workflow", ...CHANNELS.map(({ name }) => name)];
  const header = element("tr", {}, ...columns.map((name) => element("th", { scope: "col" }, name)));
  const globalRow = element("tr", {}, rowHeader("All workflows", "global"), ...buildCells("All workflows"));
  const rows = element("tbody", {}, globalRow, ...workflows.map(buildRow));
  const table = element("table", { className: "matrix" }, element("thead", {}, header), rows);
  const expand = () => {
    isExpanded = true;
    for (const row of rows.rows) row.hidden = false;
    expander.remove();
    rows.querySelector("input")?.focus();
  };
  const expander = button(`Show all ${workflows.length} workflows`, expand, { className: "link" });
  /** Sets the switches to these preferences. A row that differs is shown, and then stays. */
  const show = (current: Preferences) => {
    shown = current;
    for (const { row, reset, findChange } of resets) {
      reset.hidden = Object.keys(findChange().channels).length === 0;
      if (!reset.hidden) row.hidden = false;
    }
    for (const { input, isOn, channel } of switches) {
      input.checked = isOn(current);
      const differs = current.global.channels[channel] !== input.checked;
      input.classList.toggle("differs", differs);
      input.title = differs ? "differs from all workflows" : "";
    }
    if ([...rows.rows].every(({ hidden }) => !hidden)) expander.remove();
  };
  show(preferences);
  table.addEventListener("keydown", (event) => moveFocus(event, rows));
  return { parts: [table, expander], show };
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
  const ofWorkflow = channelsOf(current, workflowId) ?? {};
  const differing = CHANNELS.filter(
    ({ channel }) => ofWorkflow[channel] !== undefined && ofWorkflow[channel] !== channels[channel],
  );
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

function rowHeader(name: string, note: string) {
  return element("th", { scope: "row", title: `${name} · ${note}` }, span("cut", name), span("cut soft small", note));
}

function unusedCell() {
  return element("td", { className: "soft" }, "–", span("unseen", "not used"));
}

/** `All workflows: Chat off`. */
export function findChanges(before: Preferences, after: Preferences): string[] {
  const earlier = new Map(listChannels(before).map(({ id, channels }) => [id, channels]));
  return listChannels(after).flatMap(({ id, name, channels }) =>
    CHANNELS.filter(({ channel }) => channels[channel] !== earlier.get(id)?.[channel]).map(
      ({ channel, name: label }) => `${name}: ${label} ${channels[channel] ? "on" : "off"}`,
    ),
  );
}

function listChannels({ global, workflows }: Preferences) {
  const ofWorkflows = workflows.map(({ workflow: { identifier = "", name = identifier }, channels }) => ({
    id: identifier,
    name,
    channels,
  }));
  return [{ id: "", name: "All workflows", channels: global.channels }, ...ofWorkflows];
}

/** `E-mail is off in all workflows.` */
export function describeUpdate(
  { channels = {}, workflowId = "" }: PreferencesUpdate,
  before: Preferences,
  isReset: boolean,
) {
  const workflow = listChannels(before).find(({ id }) => id === workflowId)?.name ?? workflowId;
  if (isReset) return `${workflow} is reset to all workflows.`;
  const [changed] = CHANNELS.filter(({ channel }) => channels[channel] !== undefined);
  const state = changed && channels[changed.channel] ? "on" : "off";
  return `${changed?.name} is ${state} in ${workflowId === "" ? "all workflows" : workflow}.`;
}

/** A global switch sets its channel in every workflow, so taking it back restores each that differed. */
export function reverseUpdate(
  { channels = {}, workflowId }: PreferencesUpdate,
  before: Preferences,
): PreferencesUpdate[] {
  const changed = CHANNELS.map(({ channel }) => channel).filter((channel) => channels[channel] !== undefined);
  const restored = listChannels(before).filter(({ id, channels: previous }) => {
    if (workflowId !== undefined) return id === workflowId;
    const differs = (channel: Channel) => previous[channel] !== undefined && previous[channel] === channels[channel];
    return id === "" || changed.some(differs);
  });
  return restored.map(({ id, channels: previous }) => ({
    channels: Object.fromEntries(changed.map((channel) => [channel, previous[channel]])),
    ...(id === "" ? {} : { workflowId: id }),
  }));
}
