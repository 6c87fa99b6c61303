// A table of switches by workflow and channel. It shows preferences, and reports what a switch would change; it sends
// nothing.
import type { Channel, Preferences, PreferencesUpdate } from "../../browser/client/client.js";
import type { Workflow } from "../../browser/client/control.js";
import { element, span } from "../script/dom.js";
import { CHANNELS } from "./channels.js";

export interface MatrixEvents {
  /** The user has pressed a switch. */
  update(update: PreferencesUpdate): void;
  /** The user points at a switch, and what pressing it would change; undefined at the end. */
  preview(update: PreferencesUpdate | undefined): void;
}

export function createMatrix(workflows: readonly Workflow[], preferences: Preferences, on: MatrixEvents) {
  const switches: { input: HTMLInputElement; isOn: (current: Preferences) => boolean; channel: Channel }[] = [];

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
      input.addEventListener("change", () => on.update(build(input.checked)));
      for (const name of ["pointerenter", "focus"])
        input.addEventListener(name, () => on.preview(build(!input.checked)));
      for (const name of ["pointerleave", "blur"]) input.addEventListener(name, () => on.preview(undefined));
      return element("td", {}, input);
    });
  const buildRow = (workflow: Workflow) => {
    const { name, identifier, tags, active, critical } = workflow;
    const isFixed = !active || critical || channelsOf(preferences, identifier) === undefined;
    const cells = isFixed ? buildFixedCells(workflow) : buildCells(name, identifier);
    return element("tr", {}, rowHeader(name, identifier, tags), ...cells);
  };

  const columns = ["Workflow", ...CHANNELS.map(({ name }) => name)];
  const header = element("tr", {}, ...columns.map((name) => element("th", { scope: "col" }, name)));
  const globalRow = element("tr", {}, rowHeader("All workflows", "global"), ...buildCells("All workflows"));
  const rows = element("tbody", {}, globalRow, ...workflows.map(buildRow));
  const table = element("table", { className: "matrix" }, element("thead", {}, header), rows);
  /** Sets the switches to these preferences. */
  const show = (current: Preferences) => {
    for (const { input, isOn, channel } of switches) {
      input.checked = isOn(current);
      const differs = current.global.channels[channel] !== input.checked;
      input.classList.toggle("differs", differs);
      input.title = differs ? "differs from all workflows" : "";
    }
  };
  show(preferences);
  return { table, show };
}

function channelsOf({ global, workflows }: Preferences, workflowId: string | undefined) {
  if (workflowId === undefined) return global.channels;
  return workflows.find(({ workflow }) => workflow.identifier === workflowId)?.channels;
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
