// Turns the catalogue's scenarios into notifications.
import type { Subscriber } from "../domain/state.js";
import { PEOPLE, PRODUCT, SCENARIOS, type Scenario, type Topic } from "./catalogue.js";
import { type PlannedNotification, toDigest, toPayload } from "./planned-notification.js";
import type { SeedContext } from "./seed-context.js";
import { findWorkflow } from "./workflows.js";

const MINUTE = 60_000;

/** The scenarios in order, for the subscribers of the seed, up to `limit` notifications. */
export function planScenarios(limit: number, context: SeedContext): PlannedNotification[] {
  const subscribers = [...context.subscribers.slice(0, PEOPLE.subscribers.length), ...PEOPLE.deletedSubscribers];
  return SCENARIOS.flatMap((scenario) => planScenario(scenario, subscribers, context)).slice(0, limit);
}

function planScenario(
  scenario: Scenario,
  subscribers: readonly Subscriber[],
  { asOf, random, nextId }: SeedContext,
): PlannedNotification[] {
  const [days, hours, minutes] = scenario.ago;
  // Some seconds before the minute, so that times look real.
  let at = asOf - ((days * 24 + hours) * 60 + minutes) * MINUTE - random.between(1_000, 59_999);
  const workflow = scenario.workflow === undefined ? undefined : findWorkflow(scenario.workflow);
  // An inactive workflow has sent nothing since its last change.
  if (workflow?.workflow.active === false && at > Date.parse(workflow.workflow.updatedAt)) return [];

  const transactionId = scenario.transactionId ?? `txn_${nextId("transaction", at)}`;
  const topics = (scenario.topics ?? []).map(findTopic);
  return scenario.to.flatMap((subscriberId) => {
    const recipient = subscribers.find((subscriber) => subscriber.subscriberId === subscriberId);
    if (!recipient) return [];
    const plan = (instant: number, id: string): PlannedNotification => {
      const payload = { ...(workflow && toPayload(workflow, [recipient], random)), ...scenario.payload };
      return { at: instant, transactionId: id, recipient, workflow, payload, topics, scenario };
    };
    const first = plan(at, transactionId);
    const others = (scenario.followedAfter ?? []).map((wait) => {
      const followedAt = first.at + wait * MINUTE + random.between(0, 20_000);
      return plan(followedAt, `txn_${nextId("transaction", followedAt)}`);
    });
    if (!scenario.sameInstant) at += random.between(3, 40);
    return toDigest(first, others);
  });
}

function findTopic(key: string): Topic {
  const topic = PRODUCT.topics.find(({ topicKey }) => topicKey === key);
  if (!topic) throw new Error(`The catalogue has no topic ${key}.`);
  return topic;
}
