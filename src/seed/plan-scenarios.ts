// Turns the catalogue's scenarios into notifications.
import type { Subscriber } from "../domain/state.js";
import { PEOPLE, PRODUCT, SCENARIOS, type Scenario } from "./catalogue.js";
import { type NotificationPlan, type SeedContext, toDigest, toPayload } from "./notification-plan.js";
import { DELETED_WORKFLOW, WORKFLOWS } from "./workflows.js";

const MINUTE = 60_000;

/** The scenarios in order, for the subscribers of the seed, up to `limit` notifications. */
export function planScenarios(limit: number, context: SeedContext): NotificationPlan[] {
  const subscribers = [...context.subscribers.slice(0, PEOPLE.subscribers.length), ...PEOPLE.deletedSubscribers];
  return SCENARIOS.flatMap((scenario) => planScenario(scenario, subscribers, context)).slice(0, limit);
}

function planScenario(
  scenario: Scenario,
  subscribers: readonly Subscriber[],
  { asOf, random, nextId }: SeedContext,
): NotificationPlan[] {
  const [days, hours, minutes] = scenario.ago;
  // Some seconds before the minute, so that times look real.
  let at = asOf - ((days * 24 + hours) * 60 + minutes) * MINUTE - random.between(1_000, 59_999);
  const workflow = [...WORKFLOWS, DELETED_WORKFLOW].find(({ workflow }) => workflow.identifier === scenario.workflow);
  const transactionId = scenario.transactionId ?? `txn_${nextId("transaction", at)}`;
  const topics = PRODUCT.topics.filter(({ topicKey }) => scenario.topics?.includes(topicKey));
  return scenario.to.flatMap((subscriberId) => {
    const recipient = subscribers.find((subscriber) => subscriber.subscriberId === subscriberId);
    if (!recipient) return [];
    const toPlan = (instant: number, id: string): NotificationPlan => {
      const payload = { ...(workflow && toPayload(workflow, [recipient], random)), ...scenario.payload };
      return { at: instant, transactionId: id, recipient, workflow, payload, topics, scenario };
    };
    const first = toPlan(at, transactionId);
    const others = (scenario.followedAfter ?? []).map((wait) => {
      const followedAt = first.at + wait * MINUTE + random.between(0, 20_000);
      return toPlan(followedAt, `txn_${nextId("transaction", followedAt)}`);
    });
    if (!scenario.sameInstant) at += random.between(3, 40);
    return toDigest(first, others);
  });
}
