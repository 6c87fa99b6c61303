// What an update of preferences changes, and what takes it back.
import type { Channel, Preferences, PreferencesUpdate } from "../../browser/client/client.js";
import { CHANNELS } from "./channels.js";

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
  const own = workflows.map(({ workflow: { identifier = "", name = identifier }, channels }) => ({
    id: identifier,
    name,
    channels,
  }));
  return [{ id: "", name: "All workflows", channels: global.channels }, ...own];
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
  const restored = listChannels(before).filter(({ id, channels: own }) => {
    if (workflowId !== undefined) return id === workflowId;
    const differs = (channel: Channel) => own[channel] !== undefined && own[channel] === channels[channel];
    return id === "" || changed.some(differs);
  });
  return restored.map(({ id, channels: own }) => ({
    channels: Object.fromEntries(changed.map((channel) => [channel, own[channel]])),
    ...(id === "" ? {} : { workflowId: id }),
  }));
}
