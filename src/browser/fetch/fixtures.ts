// Values for component tests and stories: the contract's examples, and builders of further values. All conform to the
// contract: builders throw a TypeError for invalid members.
import type { ValidateFunction } from "ajv";
import type {
  Channel,
  ChannelPreferences,
  Notification,
  NotificationPage,
  Preferences,
} from "../../contract/contract-types.js";
import { responseExamplesOf } from "../../contract/operation.js";
import { findViolations } from "../../contract/violation.js";
import { formatWorkflowSlug } from "../../core/domain/preferences.js";
import { suggestName } from "../../core/options.js";
import { contract } from "./built-contract.js";
import type { Examples } from "./contract.gen.js";
import { validators } from "./responses.gen.js";

export type { Notification, NotificationPage, Preferences } from "../../contract/contract-types.js";

export interface NewPreferences {
  /** The global values. Default: all channels are on. */
  channels?: ChannelPreferences;
  workflows?: { identifier: string; name?: string; channels?: ChannelPreferences }[];
}

const ALL_ON: ChannelPreferences = { email: true, sms: true, in_app: true, chat: true, push: true };

/** The bodies of the contract's response examples, by operation and name. */
export const examples = Object.fromEntries(
  contract.operations.map((operation) => {
    const bodies = responseExamplesOf(operation).map(({ name, body }) => [name, body]);
    return [operation.id, Object.fromEntries(bodies)];
  }),
) as Examples;

let built = 0;

/** A notification like the first of the example `firstPage`, with its own ids. */
export function buildNotification(members: Partial<Notification> = {}): Notification {
  const [example] = structuredClone(examples.listNotifications.firstPage.data);
  if (!example) throw new Error("the example has no notification");
  const _id = nextId();
  return assertValid("buildNotification", "Notification", { ...example, _id, transactionId: `txn_${_id}`, ...members });
}

/** The last page, unless `members` say otherwise. */
export function buildPage(
  data: Notification[],
  members: Partial<Omit<NotificationPage, "data">> = {},
): NotificationPage {
  return assertValid("buildPage", "NotificationPage", { page: 0, pageSize: 10, hasMore: false, ...members, data });
}

/** The preferences of a subscriber. Workflows without `channels` have the global ones. */
export function buildPreferences({ channels = ALL_ON, workflows = [] }: NewPreferences = {}): Preferences {
  return assertValid("buildPreferences", "Preferences", {
    global: { enabled: true, channels },
    workflows: workflows.map(({ identifier, name = identifier, channels: used = channels }) => ({
      enabled: true,
      channels: used,
      overrides: (Object.keys(used) as Channel[]).map((channel) => ({ channel, source: "subscriber" })),
      workflow: {
        slug: formatWorkflowSlug({ _id: nextId(), name }),
        identifier,
        name,
        updatedAt: "2026-11-02T09:00:00.000Z",
      },
    })),
  });
}

/** @throws TypeError if it is invalid, or has an unknown member. */
function assertValid<T extends object>(builder: string, schema: string, value: T): T {
  const names = Object.keys(contract.document.components.schemas[schema]?.properties ?? {});
  const unknown = Object.keys(value).filter((name) => !names.includes(name));
  const validate = validators[`components/schemas/${schema}`] as ValidateFunction;
  const violations = findViolations(validate, JSON.parse(JSON.stringify(value)), schema);
  const lines = [
    ...unknown.map((name) => `there is no member \`${name}\`. ${suggestName(name, names)}`),
    ...violations.map(({ location, message }) => `${location} ${message}`),
  ];
  if (lines.length > 0) throw new TypeError(`${builder}: ${lines.join("; ")}`);
  return value;
}

/** The same ids in each run. */
function nextId(): string {
  built += 1;
  return `f1c0${built.toString(16).padStart(20, "0")}`;
}
