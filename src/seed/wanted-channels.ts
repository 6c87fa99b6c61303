// Which channels a subscriber wants of a workflow, so that notifications went the way that the preferences say.
import { toPreferences } from "../domain/preferences.js";
import type { ChannelPreferences, StoredPreferences, Workflow } from "../domain/state.js";

export type WantedChannels = (subscriberId: string, workflow: Workflow) => ChannelPreferences;

/** Looks up what `preferences` and the workflow's defaults come to. A channel that is not named is wanted. */
export function createWantedChannels(preferences: readonly StoredPreferences[]): WantedChannels {
  const bySubscriber = new Map(preferences.map((one) => [one.subscriberId, one]));
  // Most subscribers have set nothing, so that few answers serve them all.
  const answers = new Map<string, ChannelPreferences>();

  return (subscriberId, workflow) => {
    const stored = bySubscriber.get(subscriberId) ?? { subscriberId: "", global: {}, workflows: [] };
    const key = `${workflow._id} ${stored.subscriberId}`;
    // Workflows that subscribers have no say in are not listed.
    const answer = answers.get(key) ?? toPreferences(stored, [workflow]).workflows[0]?.channels ?? {};
    answers.set(key, answer);
    return answer;
  };
}
