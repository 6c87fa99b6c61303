// Generates a seed: Tidepool's workflows and people, and further subscribers and notifications up to the given numbers.
import { createRandom } from "../domain/random.js";
import type { Seed, StoredNotification } from "../domain/state.js";
import { PRODUCT } from "./catalogue.js";
import { generateSubscribers, toPreferencesOfPeople } from "./generate-subscribers.js";
import { toBrief, toNotification } from "./notification-record.js";
import { createObjectIds } from "./object-id.js";
import { planScenarios } from "./plan-scenarios.js";
import { planTraffic } from "./plan-traffic.js";
import type { PlannedNotification } from "./planned-notification.js";
import type { SeedContext } from "./seed-context.js";
import { assertSeedOptions, type SeedOptions } from "./seed-options.js";
import { WORKFLOWS } from "./workflows.js";

const MONTH = 30 * 86_400_000;

/** Pure: depends on the options only. `onProgress` gets the number of generated notifications, every thousand. */
export function generateSeed(options: SeedOptions, onProgress: (done: number) => void = () => {}): Seed {
  assertSeedOptions(options);
  const asOf = Date.parse(options.asOf);
  const random = createRandom(options.randomSeed);
  const nextId = createObjectIds();
  const subscribers = generateSubscribers(options.subscribers, asOf - MONTH, random);
  const preferences = toPreferencesOfPeople(options.subscribers);
  const context: SeedContext = { asOf, subscribers, preferences, random, nextId };

  const scenarios = planScenarios(options.notifications, context);
  const usedTransactionIds = new Set(scenarios.map(({ transactionId }) => transactionId));
  const traffic = planTraffic(options.notifications - scenarios.length, usedTransactionIds, context);
  const planned = sortByTime([...scenarios, ...traffic]);

  const ids = new Map(planned.map((notification) => [notification, nextId("notification", notification.at)]));
  const idOf = (notification: PlannedNotification) => ids.get(notification) as string; // digests are in the seed too
  const notifications = planned.map((plan, index): StoredNotification => {
    if (index % 1_000 === 0) onProgress(index);
    const notification = toNotification(plan, idOf, context);
    return options.brief ? toBrief(notification) : notification;
  });

  const seed: Seed = {
    format: "notifications-contract/environment",
    version: 2,
    name: "demo",
    asOf: new Date(asOf).toISOString(),
    environmentId: PRODUCT.environmentId,
    organizationId: PRODUCT.organizationId,
    workflows: WORKFLOWS.map(({ workflow }) => workflow),
    subscribers,
    preferences,
    notifications,
    recordedResponses: [],
  };
  return options.throttle ? withThrottles(seed) : seed;
}

/** The catalogue has steps of type `custom` where a throttle would be. */
function withThrottles(seed: Seed): Seed {
  return JSON.parse(JSON.stringify(seed), (_name, value) => (value === "custom" ? "throttle" : value));
}

/** Each at a separate millisecond, except for notifications of a transaction that share theirs. */
function sortByTime(planned: PlannedNotification[]): PlannedNotification[] {
  planned.sort((one, other) => one.at - other.at);
  let previous: PlannedNotification | undefined;
  for (const plan of planned) {
    const isTogether = previous && plan.scenario?.sameInstant && plan.transactionId === previous.transactionId;
    if (previous) plan.at = isTogether ? previous.at : Math.max(plan.at, previous.at + 1);
    previous = plan;
  }
  return planned;
}
