// A client's knowledge of a subscriber: the acknowledged values, and the update without a response yet.

import type { ChannelPreferences } from "../../src/contract/schemas.js";
import type { Random } from "./random.js";
import type { TestResponse } from "./reference.js";

export interface Update {
  body: { channels: ChannelPreferences; workflowId?: string };
  key: string | undefined;
}

/** The values in responses: global, and of workflow-1. */
export interface Shown {
  global: ChannelPreferences;
  workflow: ChannelPreferences;
}

export interface UpdatedSubscriber {
  subscriberId: string;
  shown: Shown;
  pending: Update | undefined;
  /** The last acknowledged update that had a key. */
  recorded: { update: Update; text: string } | undefined;
}

const CHANNELS = ["email", "sms", "in_app", "chat", "push"] as const;
const ALL_ON = Object.fromEntries(CHANNELS.map((channel) => [channel, true])) as ChannelPreferences;

export function createUpdatedSubscriber(subscriberId: string): UpdatedSubscriber {
  return { subscriberId, shown: { global: ALL_ON, workflow: ALL_ON }, pending: undefined, recorded: undefined };
}

/** Chooses an update that inverts some channels, so that its effect is visible. */
export function chooseUpdate({ shown }: UpdatedSubscriber, random: Random): Update {
  const isGlobal = random.chance(0.6);
  const level = isGlobal ? shown.global : shown.workflow;
  const first = random.pick(CHANNELS);
  const turned = CHANNELS.filter((channel) => channel === first || random.chance(0.5));
  const channels = Object.fromEntries(turned.map((channel) => [channel, !level[channel]])) as ChannelPreferences;
  return {
    body: isGlobal ? { channels } : { channels, workflowId: "workflow-1" },
    key: random.chance(0.5) ? `key ${random.between(0, 2 ** 31)} ${random.between(0, 2 ** 31)}` : undefined,
  };
}

/** Returns the values after an update. A global value removes the workflow's own (D-15). */
export function afterUpdate({ global, workflow }: Shown, { body }: Update): Shown {
  const result = { ...workflow, ...body.channels };
  return { global: body.workflowId === undefined ? { ...global, ...body.channels } : global, workflow: result };
}

export function toShown({ body }: TestResponse): Shown {
  return { global: body.global.channels, workflow: body.workflows[0].channels };
}
