// Turns the catalogue's scenarios into notifications.
import type { Random } from "../domain/random.js";
import type { Subscriber } from "../domain/state.js";
import { TOPICS, type Topic } from "./catalogue/product.js";
import { SCENARIOS, type Scenario } from "./catalogue/scenarios.js";
import { DELETED_SUBSCRIBERS } from "./catalogue/subscribers.js";
import type { ProductWorkflow } from "./catalogue/workflow-definition.js";
import { DELETED_WORKFLOW, WORKFLOWS } from "./catalogue/workflows.js";
import type { NotificationSpec } from "./notification-spec.js";
import { toPayload } from "./payload.js";

const MINUTE = 60_000;

export interface ScenarioPlan {
  /** The maximum number of notifications. */
  limit: number;
  /** Milliseconds. */
  asOf: number;
  subscribers: readonly Subscriber[];
  random: Random;
  nextTransactionId: (instant: number) => string;
}

/** The scenarios in order, for the subscribers of the seed, up to `limit`. */
export function planScenarios(plan: ScenarioPlan): NotificationSpec[] {
  const byId = new Map(
    [...plan.subscribers, ...DELETED_SUBSCRIBERS].map((subscriber) => [subscriber.subscriberId, subscriber]),
  );
  return SCENARIOS.flatMap((scenario) => planScenario(scenario, byId, plan)).slice(0, plan.limit);
}

function planScenario(
  scenario: Scenario,
  byId: ReadonlyMap<string, Subscriber>,
  { asOf, random, nextTransactionId }: ScenarioPlan,
): NotificationSpec[] {
  const [days, hours, minutes] = scenario.ago;
  // Some seconds before the minute, so that times look real.
  let at = asOf - ((days * 24 + hours) * 60 + minutes) * MINUTE - random.between(1_000, 59_999);
  const workflow = scenario.workflow === undefined ? undefined : toWorkflow(scenario.workflow);
  // An inactive workflow has sent nothing since its last change.
  if (workflow?.workflow.active === false && at > Date.parse(workflow.workflow.updatedAt)) return [];

  const transactionId = scenario.transactionId ?? nextTransactionId(at);
  const specs: NotificationSpec[] = [];
  for (const subscriberId of scenario.to) {
    const recipient = byId.get(subscriberId);
    if (!recipient) continue;
    const first = { ...toSpec(scenario, workflow, recipient, random), at, transactionId };
    const followers = (scenario.followedAfter ?? []).map((wait) => {
      const followedAt = first.at + wait * MINUTE + random.between(0, 20_000);
      const follower = toSpec(scenario, workflow, recipient, random);
      return { ...follower, at: followedAt, transactionId: nextTransactionId(followedAt), digestedInto: first };
    });
    if (followers.length > 0) first.digestedPayloads = followers.map(({ payload }) => payload);
    specs.push(first, ...followers);
    if (!scenario.sameInstant) at += random.between(3, 40);
  }
  return specs;
}

function toSpec(
  { payload, topics = [], sameInstant = false, ...details }: Scenario,
  workflow: ProductWorkflow | undefined,
  recipient: Subscriber,
  random: Random,
): Omit<NotificationSpec, "at" | "transactionId"> {
  return {
    recipient,
    ...(workflow && { workflow }),
    payload: { ...(workflow && toPayload(workflow, [recipient], random)), ...payload },
    topics: topics.map(toTopic),
    sameInstant,
    details,
  };
}

function toWorkflow(identifier: string): ProductWorkflow {
  const found = [...WORKFLOWS, DELETED_WORKFLOW].find(({ workflow }) => workflow.identifier === identifier);
  if (!found) throw new Error(`The catalogue has no workflow ${identifier}.`);
  return found;
}

function toTopic(key: string): Topic {
  const topic = TOPICS.find(({ topicKey }) => topicKey === key);
  if (!topic) throw new Error(`The catalogue has no topic ${key}.`);
  return topic;
}
