// The channels that a subscriber has enabled for a workflow, so that notifications agree with the preferences.
import { toPreferences } from "../domain/preferences.js";
import type { ChannelPreferences, StoredPreferences, Workflow } from "../domain/state.js";

export type ChannelLookup = (subscriberId: string, workflow: Workflow) => ChannelPreferences;

/** Resolves `preferences` and the workflow's defaults. A channel that is absent is enabled. */
export function createChannelLookup(preferences: readonly StoredPreferences[]): ChannelLookup {
  const bySubscriber = new Map(preferences.map((stored) => [stored.subscriberId, stored]));
  // Most subscribers have no preferences, so that a few results serve them all.
  const cache = new Map<string, ChannelPreferences>();

  return (subscriberId, workflow) => {
    const stored = bySubscriber.get(subscriberId) ?? { subscriberId: "", global: {}, workflows: [] };
    const key = `${workflow._id} ${stored.subscriberId}`;
    // Read-only workflows are not listed.
    const channels = cache.get(key) ?? toPreferences(stored, [workflow]).workflows[0]?.channels ?? {};
    cache.set(key, channels);
    return channels;
  };
}
