// Generates a seed: Tidepool's workflows and people, and further subscribers and notifications up to the given numbers.
import { ConfigError } from "../config.js";
import { createRandom } from "../domain/random.js";
import type { Seed, StoredNotification } from "../domain/state.js";
import { PRODUCT } from "./catalogue.js";
import { generateSubscribers, toPreferencesOfPeople } from "./generate-subscribers.js";
import type { NotificationPlan, SeedContext } from "./notification-plan.js";
import { toBrief, toNotification } from "./notification-record.js";
import { createObjectIds } from "./object-id.js";
import { planScenarios } from "./plan-scenarios.js";
import { planTraffic } from "./plan-traffic.js";
import { WORKFLOWS } from "./workflows.js";

const MONTH = 30 * 86_400_000;
const PROGRESS_STEP = 50_000;

export interface SeedOptions {
  subscribers: number;
  notifications: number;
  /** The same number gives the same seed, byte for byte. */
  randomSeed: number;
  /** Only the members that lists need: no jobs, no payload, no tags. Default: false. */
  brief?: boolean;
  /** The steps of type `custom` have the type `throttle`, which old clients do not know (D-75). Default: false. */
  throttle?: boolean;
}

/** The options of data/seeds/demo.json. */
export const DEMO_OPTIONS: SeedOptions = { subscribers: 25, notifications: 150, randomSeed: 290 };

// A larger file would exceed Node's longest string, and a server could not read it.
const MAX_FULL_NOTIFICATIONS = 100_000;
const MAX_RECORDS = 1_500_000; // brief notifications, and subscribers

/**
 * Pure: depends on the options only. `onProgress` gets the number of generated notifications, every 50,000.
 * @throws ConfigError when the options contradict each other or exceed a limit.
 */
export function generateSeed(options: SeedOptions, onProgress?: (done: number) => void): Seed {
  assertSeedOptions(options);
  const asOf = Date.parse(PRODUCT.asOf);
  const random = createRandom(options.randomSeed);
  const nextId = createObjectIds();
  const subscribers = generateSubscribers(options.subscribers, asOf - MONTH, random);
  const preferences = toPreferencesOfPeople(options.subscribers);
  const context: SeedContext = { asOf, subscribers, preferences, random, nextId };

  const scenarios = planScenarios(options.notifications, context);
  const usedTransactionIds = new Set(scenarios.map(({ transactionId }) => transactionId));
  const traffic = planTraffic(options.notifications - scenarios.length, usedTransactionIds, context);
  const plans = [...scenarios, ...traffic].sort((a, b) => a.at - b.at);

  const ids = new Map(plans.map((plan) => [plan, nextId("notification", plan.at)]));
  const idOf = (plan: NotificationPlan) => ids.get(plan) as string; // digests are in the seed too
  const notifications = plans.map((plan, index): StoredNotification => {
    if (index > 0 && index % PROGRESS_STEP === 0) onProgress?.(index);
    const notification = toNotification(plan, idOf, context);
    return options.brief ? toBrief(notification) : notification;
  });

  const seed: Seed = {
    format: "notifications-contract/environment",
    version: 2,
    name: "demo",
    asOf: PRODUCT.asOf,
    environmentId: PRODUCT.environmentId,
    organizationId: PRODUCT.organizationId,
    workflows: WORKFLOWS.map(({ workflow }) => workflow),
    subscribers,
    preferences,
    notifications,
    recordedResponses: [],
  };
  if (!options.throttle) return seed;
  return JSON.parse(JSON.stringify(seed), (_name, value) => (value === "custom" ? "throttle" : value));
}

function assertSeedOptions({ subscribers, notifications, brief }: SeedOptions): void {
  if (subscribers === 0 && notifications > 0) {
    throw new ConfigError("Notifications need a recipient: use at least one subscriber.");
  }
  if (notifications > MAX_FULL_NOTIFICATIONS && !brief) {
    throw new ConfigError(`More than ${MAX_FULL_NOTIFICATIONS} notifications must be brief: add --brief.`);
  }
  if (subscribers + notifications > MAX_RECORDS) {
    throw new ConfigError(`A seed holds at most ${MAX_RECORDS} subscribers and notifications together.`);
  }
}
