// The reference model of preferences: what an update changes, and the shape of every response (D-06 to D-10).
import { isDeepStrictEqual } from "node:util";
import type { ChannelPreferences, Preferences } from "../../contract/contract-types.js";

export type WorkflowPreferences = Preferences["workflows"][number];

export interface Update {
  channels: ChannelPreferences;
  workflowId?: string;
}

/** Applies an update to preferences (D-02, D-14, D-15). */
export function applyUpdate(before: Preferences, { channels, workflowId }: Update): Preferences {
  const apply = <Level extends { channels: ChannelPreferences }>(level: Level): Level => {
    const shown = Object.entries(channels).filter(([name]) => name in level.channels);
    return { ...level, channels: { ...level.channels, ...Object.fromEntries(shown) } };
  };
  const isAddressed = ({ workflow }: WorkflowPreferences) =>
    workflowId === undefined || workflow.identifier === workflowId || workflow.slug === workflowId;
  return {
    global: workflowId === undefined ? apply(before.global) : before.global,
    workflows: before.workflows.map((entry) => (isAddressed(entry) ? apply(entry) : entry)),
  };
}

/** The same channels, all with one value. */
export function setAll(channels: ChannelPreferences, value: boolean): ChannelPreferences {
  return Object.fromEntries(Object.keys(channels).map((name) => [name, value]));
}

/** The entry of a workflow; undefined if it is not listed. */
export function findWorkflow({ workflows }: Preferences, identifier: string): WorkflowPreferences | undefined {
  return workflows.find(({ workflow }) => workflow.identifier === identifier);
}

const BASE_62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The end of a workflow's slugs: `_wf_` and its `_id` in base62 (D-22). */
export function formatSlugEnd(id: string): string {
  let digits = "";
  for (let number = BigInt(`0x${id}`); number > 0n; number /= 62n)
    digits = BASE_62.charAt(Number(number % 62n)) + digits;
  return `_wf_${digits.padStart(16, "0")}`;
}

/** The `_id` inside a slug: 16 base62 digits at its end (D-16, D-22). */
export function parseIdInSlug(slug: string): string {
  const end = slug.slice(slug.lastIndexOf("_wf_") + 4);
  const number = [...end].reduce((sum, digit) => sum * 62n + BigInt(BASE_62.indexOf(digit)), 0n);
  return number.toString(16).padStart(24, "0");
}

const OVERRIDES = ["in_app", "sms", "email", "push", "chat"];
const OLDEST_MS = Date.UTC(2010);

/** A difference from the contract, and the decision that it violates. */
export interface CitedDifference {
  cite: string;
  what: string;
  expected: unknown;
  actual: unknown;
}

/** Lists where preferences differ from the contract. */
export function findShapeDifferences({ global, workflows }: Preferences): CitedDifference[] {
  const compare = (cite: string, what: string, expected: unknown, actual: unknown): CitedDifference[] =>
    isDeepStrictEqual(expected, actual) ? [] : [{ cite, what, expected, actual }];
  const inOrder = (order: string[], names: string[]) => order.filter((name) => names.includes(name));
  const levels = workflows.flatMap(({ enabled, channels, overrides }, index) => {
    const names = Object.keys(channels);
    const place = `body.workflows.${index}`;
    const sources = inOrder(OVERRIDES, names).map((channel) => ({ channel, source: "subscriber" }));
    const shown = overrides.map(({ channel, source }) => ({ channel, source })); // a proposal may add members
    const missing = names.filter((name) => !(name in global.channels));
    return [
      ...compare("D-09", `${place}.enabled`, true, enabled),
      ...compare("D-06", `${place}.overrides`, sources, shown),
      ...compare("D-07", `${place}.channels`, [], missing),
    ];
  });
  const slugs = workflows.map(({ workflow }) => workflow.slug);
  const times = slugs.map((slug) => Number.parseInt(parseIdInSlug(slug).slice(0, 8), 16) * 1000);
  // Database ids contain their creation time; other ids need not.
  const isTimed = times.every((time) => time > OLDEST_MS && time < Date.now());
  const oldestFirst = times.toSorted((a, b) => a - b);
  return [
    ...compare("D-09", "body.global.enabled", true, global.enabled),
    ...levels,
    ...(isTimed ? compare("D-10", "body.workflows", oldestFirst, times) : []),
    ...compare("D-10", "body.workflows", [...new Set(slugs)], slugs),
  ];
}
