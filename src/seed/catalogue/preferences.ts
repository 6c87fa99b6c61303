// The preferences of some of Tidepool's people. Inés has none, so that she has the defaults.
import type { ChannelPreferences, StoredPreferences } from "../../domain/state.js";
import { WORKFLOWS } from "./workflows.js";

interface Choice {
  subscriberId: string;
  global?: ChannelPreferences;
  /** By the workflow's identifier. */
  workflows?: Record<string, ChannelPreferences>;
}

const CHOICES: readonly Choice[] = [
  { subscriberId: "tomas-novak", global: { email: false } },
  // Push is off, except for mentions.
  { subscriberId: "eleni-papadaki", global: { push: false }, workflows: { "comment-mention": { push: true } } },
  {
    subscriberId: "haruka-sato",
    workflows: { "task-assigned": { email: false, chat: false }, "weekly-digest": { email: false } },
  },
  {
    subscriberId: "lucas-moreau",
    global: { email: true, sms: false },
    workflows: { "release-notes": { email: false, push: true } },
  },
  // Enables the e-mail that the workflow's code disables.
  { subscriberId: "amara-okafor", workflows: { "project-update": { email: true } } },
  {
    subscriberId: "bjorn.aslund@example.com",
    global: { email: false, sms: false, in_app: false, chat: false, push: false },
  },
  {
    subscriberId: "crew/night shift",
    workflows: { "incident-alert": { sms: true, push: false }, "deploy-finished": { chat: false } },
  },
  { subscriberId: "joao-araujo", global: { chat: false }, workflows: { "deploy-finished": { in_app: false } } },
  // Stored, but without effect: the first workflow is read-only by its code, the second is inactive.
  {
    subscriberId: "emma-hughes",
    workflows: { "billing-receipt": { email: false }, "legacy-newsletter": { email: false } },
  },
];

export const PREFERENCES: readonly StoredPreferences[] = CHOICES.map(
  ({ subscriberId, global = {}, workflows = {} }) => ({
    subscriberId,
    global,
    workflows: WORKFLOWS.flatMap(({ workflow: { _id, identifier } }) => {
      const channels = workflows[identifier];
      return channels ? [{ workflowId: _id, channels }] : [];
    }),
  }),
);
