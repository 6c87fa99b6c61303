// updatePreferences: the level that changes, what it overrides, and the resulting values. Document §2.2 and §4.1.
import slugify from "@sindresorhus/slugify";
import type { Channel, ChannelPreferences, Preferences } from "../../contract/contract-types.js";
import { memoize } from "../../contract/memoize.js";
import { DomainError } from "./errors.js";
import type { EnvironmentState, PreferenceLayer, StoredPreferences, Workflow } from "./state.js";
import { parseWorkflowId, toBase62 } from "./workflow-slug.js";

type WorkflowPreferences = Preferences["workflows"][number];

const CHANNEL_ORDER: readonly Channel[] = ["email", "sms", "in_app", "chat", "push"]; // D-08
const OVERRIDE_ORDER: readonly Channel[] = ["in_app", "sms", "email", "push", "chat"]; // D-06
const MAX_LISTED_WORKFLOWS = 200; // D-10

export interface PreferencesUpdate {
  subscriberId: string;
  channels: ChannelPreferences;
  /** An `_id`, identifier or slug. Undefined for the global level. */
  workflowId?: string | undefined;
}

/**
 * Decides an update: the subscriber's new stored preferences and the response that shows them.
 * @throws DomainError workflowNotFound, subscriberNotFound or workflowCritical, checked in this order (D-47).
 */
export function updatePreferences(
  update: PreferencesUpdate,
  state: EnvironmentState,
): { stored: StoredPreferences; preferences: Preferences } {
  const workflow = update.workflowId === undefined ? undefined : findWorkflow(update.workflowId, state);
  if (!state.subscriberBySubscriberId(update.subscriberId)) {
    throw new DomainError(
      "subscriberNotFound",
      `Subscriber with id: ${update.subscriberId} is not found. ${hintFor(update)}`,
    );
  }
  if (workflow && isCritical(workflow)) {
    throw new DomainError(
      "workflowCritical",
      `Critical workflow with id: ${workflow._id} can not be updated. Show its switches as read-only.`,
    );
  }
  const before = state.preferencesOf(update.subscriberId);
  const record = workflow
    ? withWorkflowChannels(before, workflow._id, update.channels)
    : withGlobalChannels(before, update.channels);
  return { stored: record, preferences: findPreferences(record, state.workflows) };
}

/** Texts that a client sends in the place of an id that it does not have. */
const NO_ID = /^(undefined|null|NaN|\[object Object\]|[{:].*)$/;

function hintFor({ subscriberId }: PreferencesUpdate): string {
  return NO_ID.test(subscriberId) ? "The client has sent no id." : "Send its subscriberId, which is not its _id.";
}

/** Shows a subscriber's preferences as in the contract (D-06 to D-10, D-14). `workflows` must be in listing order. */
export function findPreferences(stored: StoredPreferences, workflows: readonly Workflow[]): Preferences {
  const active = workflows.filter((workflow) => workflow.active);
  const byWorkflow = new Map(stored.workflows.map(({ workflowId, channels }) => [workflowId, channels]));
  return {
    global: { enabled: true, channels: decideGlobalChannels(stored.global, active) },
    workflows: active
      .filter((workflow) => !isReadOnly(workflow))
      .slice(0, MAX_LISTED_WORKFLOWS)
      .map((workflow) => decideWorkflowPreferences(workflow, stored.global, byWorkflow.get(workflow._id) ?? {})),
  };
}

/** A text in the form of an `_id` or slug may still be an identifier (D-16). */
function findWorkflow(text: string, state: EnvironmentState): Workflow {
  const id = parseWorkflowId(text);
  const workflow = (id === undefined ? undefined : state.workflowById(id)) ?? state.workflowByIdentifier(text);
  if (!workflow) {
    throw new DomainError("workflowNotFound", `Workflow cannot be found: ${text}. Send its identifier, slug or _id.`, {
      workflowId: text,
    });
  }
  return workflow;
}

function withWorkflowChannels(
  before: StoredPreferences,
  workflowId: string,
  channels: ChannelPreferences,
): StoredPreferences {
  const previous = before.workflows.find((entry) => entry.workflowId === workflowId);
  const entry = { workflowId, channels: { ...previous?.channels, ...channels } };
  const remaining = before.workflows.filter((other) => other !== previous);
  return { ...before, workflows: isEmpty(entry.channels) ? remaining : [...remaining, entry] };
}

/** A global value removes the workflow values of its channel, so that the latest update wins (D-15). */
function withGlobalChannels(before: StoredPreferences, channels: ChannelPreferences): StoredPreferences {
  const workflows = before.workflows
    .map((entry) => ({ ...entry, channels: without(entry.channels, channels) }))
    .filter((entry) => !isEmpty(entry.channels));
  return { ...before, global: { ...before.global, ...channels }, workflows };
}

function decideGlobalChannels(global: ChannelPreferences, active: readonly Workflow[]): ChannelPreferences {
  return mapChannels(
    CHANNEL_ORDER.filter((channel) => active.some((workflow) => constantsOf(workflow).used.includes(channel))),
    (channel) => global[channel] ?? true,
  );
}

function decideWorkflowPreferences(
  workflow: Workflow,
  global: ChannelPreferences,
  ofWorkflow: ChannelPreferences,
): WorkflowPreferences {
  const { used, shown } = constantsOf(workflow);
  return {
    enabled: true,
    channels: mapChannels(used, (channel) => ofWorkflow[channel] ?? global[channel] ?? defaultOf(workflow, channel)),
    ...shown,
  };
}

/** What is the same for every subscriber. `used` has the channels of active steps in the contract's order (D-08). */
const constantsOf = memoize((workflow: Workflow) => {
  const { identifier, name, updatedAt, steps } = workflow;
  const used = CHANNEL_ORDER.filter((channel) => steps.some((step) => step.active && step.type === channel));
  const overrides = OVERRIDE_ORDER.filter((channel) => used.includes(channel)).map((channel) => ({
    channel,
    source: "subscriber" as const,
  }));
  return { used, shown: { overrides, workflow: { slug: formatWorkflowSlug(workflow), identifier, name, updatedAt } } };
});

/** Creates a workflow's slug, such as `comment-mention_wf_edR9BQuWTSAjNqkf` (D-16, D-22). */
export function formatWorkflowSlug({ _id, name }: Pick<Workflow, "_id" | "name">): string {
  return `${slugify(name) || "workflow"}_wf_${toBase62(_id)}`;
}

/** The workflow's default: the dashboard's, else code's, else true; in each, the channel's, else `enabled` (D-14). */
function defaultOf({ defaults }: Workflow, channel: Channel): boolean {
  const valueIn = (layer: PreferenceLayer | undefined) => layer?.channels?.[channel] ?? layer?.enabled;
  return valueIn(defaults?.dashboard) ?? valueIn(defaults?.code) ?? true;
}

/** True if subscribers cannot change it (D-20). */
export function isCritical({ defaults }: Pick<Workflow, "defaults">): boolean {
  return defaults?.dashboard?.readOnly === true;
}

function isReadOnly({ defaults }: Workflow): boolean {
  return defaults?.dashboard?.readOnly ?? defaults?.code?.readOnly ?? false;
}

function mapChannels(channels: readonly Channel[], isOn: (channel: Channel) => boolean): ChannelPreferences {
  return Object.fromEntries(channels.map((channel) => [channel, isOn(channel)]));
}

function without(channels: ChannelPreferences, names: ChannelPreferences): ChannelPreferences {
  return Object.fromEntries(Object.entries(channels).filter(([channel]) => !Object.hasOwn(names, channel)));
}

function isEmpty(channels: ChannelPreferences): boolean {
  return Object.keys(channels).length === 0;
}
