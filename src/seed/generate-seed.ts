// Generates a seed: Tidepool's workflows and people, and further subscribers and notifications up to the given numbers.
import { createRandom } from "../domain/random.js";
import type { Seed, StoredNotification, WorkflowStep } from "../domain/state.js";
import { PREFERENCES } from "./catalogue/preferences.js";
import { ENVIRONMENT_ID, ORGANIZATION_ID } from "./catalogue/product.js";
import { CATALOGUE_INSTANT, WORKFLOWS } from "./catalogue/workflows.js";
import { createChannelLookup } from "./channel-lookup.js";
import { generateSubscribers } from "./generate-subscribers.js";
import { toBrief, toNotification } from "./notification-record.js";
import type { NotificationSpec } from "./notification-spec.js";
import {
  createObjectIds,
  JOB_PROCESS_ID,
  LAST_ID_INSTANT,
  NOTIFICATION_PROCESS_ID,
  TRANSACTION_PROCESS_ID,
} from "./object-id.js";
import { planScenarios } from "./plan-scenarios.js";
import { planTraffic } from "./plan-traffic.js";

const MINUTE = 60_000;

export interface SeedOptions {
  subscribers: number;
  notifications: number;
  /** The same number gives the same seed, byte for byte. */
  randomSeed: number;
  /** RFC 3339. The seed's present time; its newest notification is a minute older. */
  asOf: string;
  /** Default: `demo`. */
  name?: string;
  /** Only the members that lists need: no jobs, no payload, no tags. Default: false. */
  brief?: boolean;
  /** The steps of type `custom` have the type `throttle`, which old clients do not know (D-75). Default: false. */
  throttle?: boolean;
}

/** The options of data/seeds/demo.json. */
export const DEMO_OPTIONS: SeedOptions = {
  subscribers: 25,
  notifications: 150,
  randomSeed: 290,
  asOf: "2026-11-02T09:00:00.000Z",
};

// A larger file would exceed Node's longest string, and a server could not read it.
const MAX_FULL_NOTIFICATIONS = 100_000;
const MAX_RECORDS = 1_500_000; // brief notifications, and subscribers

/** The options contradict each other or exceed a limit. */
export class SeedOptionsError extends Error {
  override name = "SeedOptionsError";
}

/** Pure: depends on the options only. `onProgress` gets the number of generated notifications, every thousand. */
export function generateSeed(options: SeedOptions, onProgress: (done: number) => void = () => {}): Seed {
  const asOf = toAsOf(options);
  const random = createRandom(options.randomSeed);
  const subscribers = generateSubscribers(options.subscribers, asOf - 30 * 24 * 60 * MINUTE, random);
  const subscriberIds = new Set(subscribers.map(({ subscriberId }) => subscriberId));
  const preferences = PREFERENCES.filter(({ subscriberId }) => subscriberIds.has(subscriberId));

  const nextDigits = createObjectIds(TRANSACTION_PROCESS_ID);
  const nextTransactionId = (instant: number) => `txn_${nextDigits(instant)}`;
  const scenarios = planScenarios({ limit: options.notifications, asOf, subscribers, random, nextTransactionId });
  const count = options.notifications - scenarios.length;
  const usedTransactionIds = new Set(scenarios.map(({ transactionId }) => transactionId));
  // A second remains for moving times apart.
  const until = asOf - MINUTE - 1_000;
  const traffic = planTraffic({ count, until, subscribers, usedTransactionIds, random, nextTransactionId });
  const specs = sortByTime([...scenarios, ...traffic]);

  const nextNotificationId = createObjectIds(NOTIFICATION_PROCESS_ID);
  const ids = new Map(specs.map((spec) => [spec, nextNotificationId(spec.at)]));
  const findChannels = createChannelLookup(preferences);
  const context = { asOf, findChannels, random, nextId: createObjectIds(JOB_PROCESS_ID) };
  const notifications = specs.map((spec, index): StoredNotification => {
    if (index % 1_000 === 0) onProgress(index);
    const notification = toNotification(spec, (other) => ids.get(other) as string, context); // digests are in the seed too
    return options.brief ? toBrief(notification) : notification;
  });

  const seed: Seed = {
    format: "notifications-contract/environment",
    version: 2,
    name: options.name ?? "demo",
    asOf: new Date(asOf).toISOString(),
    environmentId: ENVIRONMENT_ID,
    organizationId: ORGANIZATION_ID,
    workflows: WORKFLOWS.map(({ workflow }) => workflow),
    subscribers,
    preferences,
    notifications,
    recordedResponses: [],
  };
  return options.throttle ? withThrottles(seed) : seed;
}

function withThrottles(seed: Seed): Seed {
  const toType = (type: WorkflowStep["type"]) => (type === "custom" ? "throttle" : type);
  const withType = <T extends { type: WorkflowStep["type"] }>(one: T): T => ({ ...one, type: toType(one.type) });
  return {
    ...seed,
    workflows: seed.workflows.map((workflow) => ({ ...workflow, steps: workflow.steps.map(withType) })),
    notifications: seed.notifications.map((notification) => ({
      ...notification,
      channels: notification.channels.map(toType),
      ...(notification.jobs && { jobs: notification.jobs.map(withType) }),
    })),
  };
}

function toAsOf({ asOf, subscribers, notifications, brief }: SeedOptions): number {
  const instant = Date.parse(asOf);
  if (!(instant >= CATALOGUE_INSTANT && instant <= LAST_ID_INSTANT)) {
    const [first, last] = [CATALOGUE_INSTANT, LAST_ID_INSTANT].map((limit) => new Date(limit).toISOString());
    throw new SeedOptionsError(`asOf must be an instant from ${first} to ${last}; it is ${asOf}.`);
  }
  if (subscribers === 0 && notifications > 0) {
    throw new SeedOptionsError("Notifications need a recipient: use at least one subscriber.");
  }
  if (notifications > MAX_FULL_NOTIFICATIONS && !brief) {
    throw new SeedOptionsError(`More than ${MAX_FULL_NOTIFICATIONS} notifications must be brief: add --brief.`);
  }
  if (subscribers + notifications > MAX_RECORDS) {
    throw new SeedOptionsError(`A seed holds at most ${MAX_RECORDS} subscribers and notifications together.`);
  }
  return instant;
}

/** Each at a separate millisecond, except for notifications of a transaction that share theirs. */
function sortByTime(specs: NotificationSpec[]): NotificationSpec[] {
  specs.sort((one, other) => one.at - other.at);
  let previous: NotificationSpec | undefined;
  for (const spec of specs) {
    const isTogether = previous && spec.sameInstant && spec.transactionId === previous.transactionId;
    if (previous) spec.at = isTogether ? previous.at : Math.max(spec.at, previous.at + 1);
    previous = spec;
  }
  return specs;
}
