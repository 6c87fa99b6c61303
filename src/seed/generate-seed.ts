// Makes a seed: Tidepool's workflows and people, and as many more subscribers and notifications as are asked for.

import { createRandom } from "../domain/random.js";
import type { Seed, StoredNotification } from "../domain/state.js";
import { PREFERENCES } from "./catalogue/preferences.js";
import { ENVIRONMENT_ID, ORGANIZATION_ID } from "./catalogue/product.js";
import { CATALOGUE_INSTANT, WORKFLOWS } from "./catalogue/workflows.js";
import { generateSubscribers } from "./generate-subscribers.js";
import { toBrief, toNotification } from "./notification-record.js";
import { createObjectIds, JOB_MAKER, LAST_ID_INSTANT, NOTIFICATION_MAKER, TRANSACTION_MAKER } from "./object-id.js";
import { planScenes } from "./plan-scenes.js";
import { planTraffic } from "./plan-traffic.js";
import type { PlannedNotification } from "./planned-notification.js";
import { createWantedChannels } from "./wanted-channels.js";

const MINUTE = 60_000;

export interface SeedOptions {
  subscribers: number;
  notifications: number;
  /** The same number gives the same seed, byte for byte. */
  randomSeed: number;
  /** RFC 3339. The present of the seed; its newest notification is a minute older. */
  asOf: string;
  /** Default: `demo`. */
  name?: string;
  /** Of each notification only what lists are made by: no jobs, no payload, no tags. Default: false. */
  brief?: boolean;
}

/** What data/seeds/demo.json is made with. */
export const DEMO_OPTIONS: SeedOptions = {
  subscribers: 25,
  notifications: 150,
  randomSeed: 290,
  asOf: "2026-11-02T09:00:00.000Z",
};

// More would be a text longer than a string in Node can be, which a server could not read.
const MOST_NOTIFICATIONS = 100_000; // as they come
const MOST_RECORDS = 1_500_000; // brief notifications, and subscribers

/** The options ask for a seed that there cannot be. */
export class SeedOptionsError extends Error {
  override name = "SeedOptionsError";
}

/** Pure: the options alone decide. `onProgress` hears how many notifications are done, every thousand. */
export function generateSeed(options: SeedOptions, onProgress: (done: number) => void = () => {}): Seed {
  const asOf = toAsOf(options);
  const random = createRandom(options.randomSeed);
  const subscribers = generateSubscribers(options.subscribers, asOf - 30 * 24 * 60 * MINUTE, random);
  const present = new Set(subscribers.map(({ subscriberId }) => subscriberId));
  const preferences = PREFERENCES.filter(({ subscriberId }) => present.has(subscriberId));

  const nextDigits = createObjectIds(TRANSACTION_MAKER);
  const nextTransactionId = (instant: number) => `txn_${nextDigits(instant)}`;
  const scenes = planScenes({ limit: options.notifications, asOf, subscribers, random, nextTransactionId });
  const count = options.notifications - scenes.length;
  const takenTransactionIds = new Set(scenes.map(({ transactionId }) => transactionId));
  // A second is left for times that have to make way for each other.
  const until = asOf - MINUTE - 1_000;
  const traffic = planTraffic({ count, until, subscribers, takenTransactionIds, random, nextTransactionId });
  const planned = toOrder([...scenes, ...traffic]);

  const nextNotificationId = createObjectIds(NOTIFICATION_MAKER);
  const ids = new Map(planned.map((one) => [one, nextNotificationId(one.at)]));
  const world = {
    asOf,
    wantedChannels: createWantedChannels(preferences),
    random,
    nextId: createObjectIds(JOB_MAKER),
  };
  const notifications = planned.map((one, index): StoredNotification => {
    if (index % 1_000 === 0) onProgress(index);
    const notification = toNotification(one, (other) => toKnown(ids.get(other)), world);
    return options.brief ? toBrief(notification) : notification;
  });

  return {
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
}

function toAsOf({ asOf, subscribers, notifications, brief }: SeedOptions): number {
  const instant = Date.parse(asOf);
  if (!(instant >= CATALOGUE_INSTANT && instant <= LAST_ID_INSTANT)) {
    const [first, last] = [CATALOGUE_INSTANT, LAST_ID_INSTANT].map((one) => new Date(one).toISOString());
    throw new SeedOptionsError(`asOf must be an instant from ${first} to ${last}; it is ${asOf}.`);
  }
  if (subscribers === 0 && notifications > 0) {
    throw new SeedOptionsError("Notifications need someone to go to: ask for at least one subscriber.");
  }
  if (notifications > MOST_NOTIFICATIONS && !brief) {
    throw new SeedOptionsError(`More than ${MOST_NOTIFICATIONS} notifications have to be brief: add --brief.`);
  }
  if (subscribers + notifications > MOST_RECORDS) {
    throw new SeedOptionsError(`A seed holds at most ${MOST_RECORDS} subscribers and notifications together.`);
  }
  return instant;
}

/** By time, each at a millisecond of its own, but for transactions whose notifications share theirs. */
function toOrder(planned: PlannedNotification[]): PlannedNotification[] {
  planned.sort((one, other) => one.at - other.at);
  let previous: PlannedNotification | undefined;
  for (const one of planned) {
    const together = previous && one.sameInstant && one.transactionId === previous.transactionId;
    if (previous) one.at = together ? previous.at : Math.max(one.at, previous.at + 1);
    previous = one;
  }
  return planned;
}

function toKnown(id: string | undefined): string {
  if (id === undefined) throw new Error("A notification was digested into one that is not in the seed.");
  return id;
}
