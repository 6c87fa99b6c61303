// A table of switches by workflow and channel. It shows preferences, and reports each switch as an update; it sends nothing.
import type { Channel, Preferences, PreferencesUpdate } from "../../browser/client/client.js";
import type { Workflow } from "../../browser/client/control.js";
import { element, span } from "../script/dom.js";
import { CHANNELS } from "./channels.js";

/** @param update called for each switch that the user presses. */
export function createMatrix(
  workflows: readonly Workflow[],
  preferences: Preferences,
  update: (update: PreferencesUpdate) => void,
) {
  const switches: { input: HTMLInputElement; isOn: (current: Preferences) => boolean; channel: Channel }[] = [];

  const buildCells = (row: string, workflowId?: string) =>
    CHANNELS.map(({ channel, name }) => {
      const valueIn = (current: Preferences) => channelsOf(current, workflowId)?.[channel];
      if (valueIn(preferences) === undefined) return unusedCell();
      const input = element("input", { type: "checkbox", role: "switch", ariaLabel: `${row}: ${name}` });
      switches.push({ input, isOn: (current) => valueIn(current) ?? false, channel });
      input.addEventListener("change", () =>
        update({ channels: { [channel]: input.checked }, ...(workflowId === undefined ? {} : { workflowId }) }),
      );
      return element("td", {}, input);
    });
  const buildRow = (workflow: Workflow) => {
    const reason = findReadOnlyReason(workflow, preferences);
    const cells = reason ? buildFixedCells(workflow) : buildCells(workflow.name, workflow.identifier);
    return element("tr", {}, rowHeader(workflow.name, reason ?? workflow.identifier, workflow.tags), ...cells);
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

/** The reason why a workflow has no switches. */
function findReadOnlyReason({ active, critical, identifier }: Workflow, preferences: Preferences): string | undefined {
  if (!active) return "inactive: nothing is sent";
  if (critical) return "critical: always sent";
  if (channelsOf(preferences, identifier)) return undefined;
  return "read-only: the API omits it";
}

function buildFixedCells({ critical, steps }: Workflow) {
  const channels = new Set(steps.filter(({ active }) => active && critical).map(({ type }) => type));
  return CHANNELS.map(({ channel }) =>
    channels.has(channel) ? element("td", { className: "soft" }, "always") : unusedCell(),
  );
}

function rowHeader(name: string, note: string, tags: readonly string[] = []) {
  const shownTags = tags.length > 0 && span("soft tags", ` · ${tags.join(", ")}`);
  const title = [name, note, ...tags].join(" · ");
  return element("th", { scope: "row", title }, span("cut", name), span("cut soft small", note, shownTags));
}

function unusedCell() {
  return element("td", { className: "soft" }, "–", span("unseen", "not used"));
}
