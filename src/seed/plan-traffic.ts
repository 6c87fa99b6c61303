// Plans everyday traffic in addition to the scenarios, denser towards the end.
import type { Subscriber } from "../domain/state.js";
import { PRODUCT } from "./catalogue.js";
import { type NotificationPlan, type SeedContext, toDigest, toPayload } from "./notification-plan.js";
import { SCHEDULES } from "./schedules.js";
import { type ProductWorkflow, WORKFLOWS } from "./workflows.js";

const MINUTE = 60_000;
const FOUR_WEEKS = 28 * 24 * 60 * MINUTE;

/** Exactly `count` notifications of the last four weeks, transaction by transaction in order of time. */
export function planTraffic(
  count: number,
  usedTransactionIds: ReadonlySet<string>,
  { asOf, subscribers, random, nextId }: SeedContext,
): NotificationPlan[] {
  const end = asOf - 61_000; // no later than the newest scenario
  const plans: NotificationPlan[] = [];
  const shares = WORKFLOWS.flatMap((workflow) => Array<ProductWorkflow>(workflow.traffic.share).fill(workflow));
  const transactionsOfDay = new Map<string, number>();

  while (plans.length < count) {
    const left = count - plans.length;
    const workflow = random.pick(shares);
    // Half of the four weeks' notifications are of the last nine days.
    const rest = 1 - (plans.length + random.fraction()) / count;
    const at = Math.floor(end - FOUR_WEEKS * (0.3 * rest + 0.7 * rest * rest));
    const isDigested = workflow.jobTemplates[0]?.type === "digest";
    plans.push(...(isDigested ? planBurst(workflow, at, left) : planFanOut(workflow, at, left)));
  }
  return plans;

  /** One trigger, to one subscriber or to some that follow a topic. */
  function planFanOut(workflow: ProductWorkflow, start: number, left: number): NotificationPlan[] {
    const reach = 1 + Math.floor(random.fraction() ** 1.5 * (workflow.traffic.audience ?? 1));
    const recipients = pickSubscribers(Math.min(reach, left));
    const isOfProject = workflow.workflow.variables.includes("projectName");
    const topics = isOfProject && (recipients.length > 1 || random.chance(0.25)) ? [random.pick(PRODUCT.topics)] : [];
    const payload = toPayload(workflow, recipients, random);
    if (topics[0]) payload.projectName = topics[0].projectName;
    const transactionId = nameTransaction(workflow, start);
    let at = start;
    return recipients.map((recipient) => {
      const plan = { at, transactionId, recipient, workflow, payload, topics };
      at += random.between(2, 15);
      return plan;
    });
  }

  /** Several triggers for one subscriber, until the digest closes. */
  function planBurst(workflow: ProductWorkflow, start: number, left: number): NotificationPlan[] {
    const recipient = pickSubscriber();
    const schedule = workflow.jobTemplates[0]?.until;
    const closesAt = Math.min(schedule ? SCHEDULES[schedule](start) : start, end);
    const toPlan = (at: number): NotificationPlan => {
      const payload = toPayload(workflow, [recipient], random);
      return { at, transactionId: nameTransaction(workflow, at), recipient, workflow, payload, topics: [] };
    };
    const first = toPlan(start);
    const others: NotificationPlan[] = [];
    let last = start;
    for (let more = Math.min(random.between(0, 3), left - 1); more > 0; more--) {
      last += random.between(1, Math.max(1, Math.floor((closesAt - last) / 2)));
      // Too close to the end for this digest.
      if (last > closesAt - MINUTE) break;
      others.push(toPlan(last));
    }
    return toDigest(first, others);
  }

  function nameTransaction({ traffic: { transactionPrefix } }: ProductWorkflow, instant: number): string {
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
    // generateSeed has checked that there is one.
    return subscribers[Math.floor(random.fraction() ** 1.5 * subscribers.length)] as Subscriber;
  }

  function pickSubscribers(limit: number): Subscriber[] {
    const selection = new Set<Subscriber>();
    while (selection.size < Math.min(limit, subscribers.length)) selection.add(pickSubscriber());
    return [...selection];
  }
}
