// Plans everyday traffic in addition to the scenarios, denser towards the end.
import type { Subscriber } from "../domain/state.js";
import { PRODUCT } from "./catalogue.js";
import { type PlannedNotification, toDigest, toPayload } from "./planned-notification.js";
import type { SeedContext } from "./seed-context.js";
import { type ProductWorkflow, WORKFLOWS } from "./workflows.js";

const MINUTE = 60_000;
const FOUR_WEEKS = 28 * 24 * 60 * MINUTE;

/** Exactly `count` notifications of the four weeks before `until`, transaction by transaction in order of time. */
export function planTraffic(
  count: number,
  usedTransactionIds: ReadonlySet<string>,
  { asOf, subscribers, random, nextId }: SeedContext,
): PlannedNotification[] {
  // A second remains for moving times apart.
  const until = asOf - MINUTE - 1_000;
  const notifications: PlannedNotification[] = [];
  const shares = WORKFLOWS.flatMap((workflow) => Array<ProductWorkflow>(workflow.traffic).fill(workflow));
  const transactionsOfDay = new Map<string, number>();

  while (notifications.length < count) {
    const left = count - notifications.length;
    const workflow = random.pick(shares);
    const at = toInstant((notifications.length + random.fraction()) / count);
    const isDigested = workflow.jobTemplates[0]?.type === "digest";
    notifications.push(...(isDigested ? planBurst(workflow, at, left) : planFanOut(workflow, at, left)));
  }
  return notifications;

  /** `progress` runs from 0 to 1. Half of the four weeks' notifications are of the last nine days. */
  function toInstant(progress: number): number {
    const rest = 1 - progress;
    return Math.floor(until - FOUR_WEEKS * (0.3 * rest + 0.7 * rest * rest));
  }

  /** One trigger, to one subscriber or to some that follow a topic. */
  function planFanOut(workflow: ProductWorkflow, start: number, left: number): PlannedNotification[] {
    const reach = 1 + Math.floor(random.fraction() ** 1.5 * workflow.audience);
    const recipients = pickSubscribers(Math.min(reach, left));
    const isOfProject = workflow.workflow.variables.includes("projectName");
    const topics = isOfProject && (recipients.length > 1 || random.chance(0.25)) ? [random.pick(PRODUCT.topics)] : [];
    const payload = toPayload(workflow, recipients, random);
    if (topics[0]) payload.projectName = topics[0].projectName;
    const transactionId = nameTransaction(workflow, start);
    let at = start;
    return recipients.map((recipient) => {
      const notification = { at: Math.min(at, until), transactionId, recipient, workflow, payload, topics };
      at += random.between(2, 15);
      return notification;
    });
  }

  /** Several triggers for one subscriber, until the digest closes. */
  function planBurst(workflow: ProductWorkflow, start: number, left: number): PlannedNotification[] {
    const recipient = pickSubscriber();
    const closesAt = Math.min(workflow.jobTemplates[0]?.schedule?.(start) ?? start, until);
    const plan = (at: number): PlannedNotification => {
      const payload = toPayload(workflow, [recipient], random);
      return { at, transactionId: nameTransaction(workflow, at), recipient, workflow, payload, topics: [] };
    };
    const first = plan(start);
    const others: PlannedNotification[] = [];
    let last = start;
    for (let more = Math.min(random.between(0, 3), left - 1); more > 0; more--) {
      last += random.between(1, Math.max(1, Math.floor((closesAt - last) / 2)));
      // Too close to the end for this digest.
      if (last > closesAt - MINUTE) break;
      others.push(plan(last));
    }
    return toDigest(first, others);
  }

  function nameTransaction({ transactionPrefix }: ProductWorkflow, instant: number): string {
    if (!transactionPrefix) return `txn_${nextId("transaction", instant)}`;
    const day = `${transactionPrefix}-${new Date(instant).toISOString().slice(0, 10)}`;
    let number = transactionsOfDay.get(day) ?? 0;
    do number++;
    while (usedTransactionIds.has(`${day}-${number}`));
    transactionsOfDay.set(day, number);
    return `${day}-${number}`;
  }

  /** The first subscribers use the product more than the later ones. */
  function pickSubscriber(): Subscriber {
    const subscriber = subscribers[Math.floor(random.fraction() ** 1.5 * subscribers.length)];
    if (!subscriber) throw new RangeError("There are no subscribers.");
    return subscriber;
  }

  function pickSubscribers(limit: number): Subscriber[] {
    const picked = new Set<Subscriber>();
    while (picked.size < Math.min(limit, subscribers.length)) picked.add(pickSubscriber());
    return [...picked];
  }
}
