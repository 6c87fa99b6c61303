// Generates everyday traffic in addition to the scenarios, denser towards the end.
import type { Random } from "../domain/random.js";
import type { Subscriber } from "../domain/state.js";
import { TOPICS } from "./catalogue/product.js";
import type { ProductWorkflow } from "./catalogue/workflow-definition.js";
import { WORKFLOWS } from "./catalogue/workflows.js";
import type { NotificationSpec } from "./notification-spec.js";
import { toPayload } from "./payload.js";

const FOUR_WEEKS = 28 * 86_400_000;
const MINUTE = 60_000;

export interface TrafficPlan {
  count: number;
  /** No notification is later (milliseconds). */
  until: number;
  subscribers: readonly Subscriber[];
  usedTransactionIds: ReadonlySet<string>;
  random: Random;
  nextTransactionId: (instant: number) => string;
}

/** Exactly `count` notifications of the four weeks before `until`, transaction by transaction in order of time. */
export function planTraffic(plan: TrafficPlan): NotificationSpec[] {
  const { count, until, subscribers, usedTransactionIds, random, nextTransactionId } = plan;
  const specs: NotificationSpec[] = [];
  const shares = WORKFLOWS.flatMap((workflow) => Array<ProductWorkflow>(workflow.traffic).fill(workflow));
  const transactionsOfDay = new Map<string, number>();

  while (specs.length < count) {
    const left = count - specs.length;
    const workflow = random.pick(shares);
    const at = toInstant((specs.length + random.fraction()) / count);
    specs.push(...(workflow.jobShapes[0]?.digest ? planBurst(workflow, at, left) : planFanOut(workflow, at, left)));
  }
  return specs;

  /** `progress` runs from 0 to 1. Half of the four weeks' notifications are of the last nine days. */
  function toInstant(progress: number): number {
    const rest = 1 - progress;
    return Math.floor(until - FOUR_WEEKS * (0.3 * rest + 0.7 * rest * rest));
  }

  /** One trigger, to one subscriber or to some that follow a topic. */
  function planFanOut(workflow: ProductWorkflow, start: number, left: number): NotificationSpec[] {
    const reach = 1 + Math.floor(random.fraction() ** 1.5 * workflow.audience);
    const recipients = pickSubscribers(Math.min(reach, left));
    const isOfProject = workflow.variables.includes("projectName");
    const topics = isOfProject && (recipients.length > 1 || random.chance(0.25)) ? [random.pick(TOPICS)] : [];
    const projectName = topics[0]?.projectName;
    const payload = { ...toPayload(workflow, recipients, random), ...(projectName && { projectName }) };
    const transactionId = nameTransaction(workflow, start);
    let at = start;
    return recipients.map((recipient) => {
      const spec = { at: Math.min(at, until), transactionId, recipient, workflow, payload, topics };
      at += random.between(2, 15);
      return spec;
    });
  }

  /** Several triggers for one subscriber; the first one's digest contains the others. */
  function planBurst(workflow: ProductWorkflow, at: number, left: number): NotificationSpec[] {
    const recipient = pickSubscriber();
    const closesAt = Math.min(workflow.jobShapes[0]?.until?.(at) ?? at, until);
    const first: NotificationSpec = toDigested(at);
    const followers: NotificationSpec[] = [];
    let last = at;
    for (let more = Math.min(random.between(0, 3), left - 1); more > 0; more--) {
      last += random.between(1, Math.max(1, Math.floor((closesAt - last) / 2)));
      // Too close to the end for this digest.
      if (last > closesAt - MINUTE) break;
      followers.push({ ...toDigested(last), digestedInto: first });
    }
    if (followers.length > 0) first.digestedPayloads = followers.map(({ payload }) => payload);
    return [first, ...followers];

    function toDigested(instant: number): NotificationSpec {
      const transactionId = nameTransaction(workflow, instant);
      return {
        at: instant,
        transactionId,
        recipient,
        workflow,
        payload: toPayload(workflow, [recipient], random),
        topics: [],
      };
    }
  }

  function nameTransaction({ transactionPrefix }: ProductWorkflow, instant: number): string {
    if (!transactionPrefix) return nextTransactionId(instant);
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

  function pickSubscribers(count: number): Subscriber[] {
    const picked = new Set<Subscriber>();
    while (picked.size < Math.min(count, subscribers.length)) picked.add(pickSubscriber());
    return [...picked];
  }
}
