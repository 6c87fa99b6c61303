// Preferences, and the model of what an update does to them.
import type { SuccessBody } from "../contract/operations.js";

export type Preferences = SuccessBody<"updatePreferences">;
export type WorkflowPreferences = Preferences["workflows"][number];
export type Channels = Preferences["global"]["channels"];

export interface Update {
  channels: Channels;
  workflowId?: string;
}

/** The preferences after an update, from those before it (D-02, D-14, D-15). */
export function toNext(before: Preferences, { channels, workflowId }: Update): Preferences {
  const apply = (shown: Channels): Channels => ({ ...shown, ...pick(channels, Object.keys(shown)) });
  const isAddressed = ({ workflow }: WorkflowPreferences) =>
    workflowId === undefined || workflow.identifier === workflowId || workflow.slug === workflowId;
  return {
    global: workflowId === undefined ? { ...before.global, channels: apply(before.global.channels) } : before.global,
    workflows: before.workflows.map((entry) =>
      isAddressed(entry) ? { ...entry, channels: apply(entry.channels) } : entry,
    ),
  };
}

/** The same channels, all with one value. */
export function setAll(channels: Channels, value: boolean): Channels {
  return Object.fromEntries(Object.keys(channels).map((name) => [name, value]));
}

/** The entry of a workflow; undefined where it is not listed. */
export function findWorkflow({ workflows }: Preferences, identifier: string): WorkflowPreferences | undefined {
  return workflows.find(({ workflow }) => workflow.identifier === identifier);
}

function pick(channels: Channels, names: string[]): Channels {
  return Object.fromEntries(Object.entries(channels).filter(([name]) => names.includes(name)));
}

/** The `_id` inside a slug: 16 base62 digits at its end (D-16, D-22). */
export function toIdInSlug(slug: string): string {
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const end = slug.slice(slug.lastIndexOf("_wf_") + 4);
  const number = [...end].reduce((sum, digit) => sum * 62n + BigInt(digits.indexOf(digit)), 0n);
  return number.toString(16).padStart(24, "0");
}
