// Switches by workflow and channel. It shows what the API answered and says what was switched; it asks nothing itself.
import type { PreferencesUpdate, Success } from "../client/client.js";
import type { Workflow } from "../client/control.js";
import { element } from "./dom.js";

export type Preferences = Success<"updatePreferences">["data"];
export type Channel = keyof PreferencesUpdate["channels"];

export const CHANNELS: readonly { channel: Channel; name: string }[] = [
  { channel: "in_app", name: "In-app" },
  { channel: "email", name: "E-mail" },
  { channel: "sms", name: "SMS" },
  { channel: "chat", name: "Chat" },
  { channel: "push", name: "Push" },
];

export interface Matrix {
  table: HTMLTableElement;
  /** Puts the switches as the preferences are. */
  show(preferences: Preferences): void;
}

/** @param switchTo is called with the update that a switch stands for. */
export function createMatrix(
  workflows: readonly Workflow[],
  preferences: Preferences,
  switchTo: (update: PreferencesUpdate) => void,
): Matrix {
  const switches: { input: HTMLInputElement; valueIn: (preferences: Preferences) => boolean }[] = [];

  const toSwitch = (row: string, name: string, valueIn: (preferences: Preferences) => boolean | undefined) => {
    const input = element("input", { type: "checkbox", role: "switch", ariaLabel: `${row}: ${name}` });
    switches.push({ input, valueIn: (present) => valueIn(present) ?? false });
    return input;
  };
  const toCells = (row: string, workflowId: string | undefined) =>
    CHANNELS.map(({ channel, name }) => {
      const valueIn = (present: Preferences) => channelsOf(present, workflowId)?.[channel];
      if (valueIn(preferences) === undefined) return unused();
      const input = toSwitch(row, name, valueIn);
      input.addEventListener("change", () =>
        switchTo({ channels: { [channel]: input.checked }, ...(workflowId === undefined ? {} : { workflowId }) }),
      );
      return element("td", {}, input);
    });
  const toRow = (workflow: Workflow) => {
    const reason = toReason(workflow, preferences);
    const cells = reason ? toFixedCells(workflow) : toCells(workflow.name, workflow.identifier);
    return element("tr", {}, rowHeader(workflow.name, reason ?? workflow.identifier), ...cells);
  };

  const table = element(
    "table",
    { className: "matrix" },
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        ...["Workflow", ...CHANNELS.map(({ name }) => name)].map((name) => element("th", { scope: "col" }, name)),
      ),
    ),
    element(
      "tbody",
      {},
      element("tr", {}, rowHeader("All workflows", "global"), ...toCells("All workflows", undefined)),
      ...workflows.map(toRow),
    ),
  );
  const show = (present: Preferences) => {
    for (const { input, valueIn } of switches) input.checked = valueIn(present);
  };
  show(preferences);
  return { table, show };
}

function channelsOf({ global, workflows }: Preferences, workflowId: string | undefined) {
  if (workflowId === undefined) return global.channels;
  return workflows.find(({ workflow }) => workflow.identifier === workflowId)?.channels;
}

/** Why nothing of a workflow can be switched. */
function toReason({ active, critical, identifier }: Workflow, preferences: Preferences): string | undefined {
  if (!active) return "inactive: nothing is sent";
  if (critical) return "critical: sent whatever the subscriber prefers";
  if (channelsOf(preferences, identifier)) return undefined;
  return "read-only: the API leaves it out";
}

function toFixedCells({ critical, steps }: Workflow) {
  const used = new Set(steps.filter(({ active }) => active && critical).map(({ type }) => type));
  return CHANNELS.map(({ channel }) => (used.has(channel) ? element("td", { className: "soft" }, "always") : unused()));
}

function rowHeader(name: string, note: string) {
  return element("th", { scope: "row" }, name, element("br"), element("span", { className: "soft" }, note));
}

function unused() {
  return element("td", { className: "soft" }, "–", element("span", { className: "unseen" }, "not used"));
}
