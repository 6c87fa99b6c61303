// Turns the catalogue's scenes into planned notifications.

import type { Random } from "../domain/random.js";
import type { Subscriber } from "../domain/state.js";
import { TOPICS, type Topic } from "./catalogue/product.js";
import { SCENES, type Scene } from "./catalogue/scenes.js";
import { DELETED_SUBSCRIBERS } from "./catalogue/subscribers.js";
import type { ProductWorkflow } from "./catalogue/workflow-definition.js";
import { DELETED_WORKFLOW, WORKFLOWS } from "./catalogue/workflows.js";
import { toPayload } from "./payload.js";
import type { PlannedNotification } from "./planned-notification.js";

const MINUTE = 60_000;

export interface ScenePlan {
  /** The most notifications that are wanted. */
  limit: number;
  /** Milliseconds. */
  asOf: number;
  subscribers: readonly Subscriber[];
  random: Random;
  nextTransactionId: (instant: number) => string;
}

/** The scenes in their order, for those subscribers that there are, until `limit` is reached. */
export function planScenes(plan: ScenePlan): PlannedNotification[] {
  const known = new Map([...plan.subscribers, ...DELETED_SUBSCRIBERS].map((one) => [one.subscriberId, one]));
  return SCENES.flatMap((scene) => planScene(scene, known, plan)).slice(0, plan.limit);
}

function planScene(
  scene: Scene,
  known: ReadonlyMap<string, Subscriber>,
  { asOf, random, nextTransactionId }: ScenePlan,
): PlannedNotification[] {
  const [days, hours, minutes] = scene.ago;
  // Some seconds earlier than the minute, so that times do not look made.
  let at = asOf - ((days * 24 + hours) * 60 + minutes) * MINUTE - random.between(1_000, 59_999);
  const workflow = scene.workflow === undefined ? undefined : toWorkflow(scene.workflow);
  // An inactive workflow has been silent since its last change.
  if (workflow?.workflow.active === false && at > Date.parse(workflow.workflow.updatedAt)) return [];

  const transactionId = scene.transactionId ?? nextTransactionId(at);
  const planned: PlannedNotification[] = [];
  for (const subscriberId of scene.to) {
    const recipient = known.get(subscriberId);
    if (!recipient) continue;
    const first = { ...toPlanned(scene, workflow, recipient, random), at, transactionId };
    const followers = (scene.followedAfter ?? []).map((wait) => {
      const followedAt = first.at + wait * MINUTE + random.between(0, 20_000);
      const follower = toPlanned(scene, workflow, recipient, random);
      return { ...follower, at: followedAt, transactionId: nextTransactionId(followedAt), digestedInto: first };
    });
    if (followers.length > 0) first.gathered = followers.map(({ payload }) => payload);
    planned.push(first, ...followers);
    if (!scene.sameInstant) at += random.between(3, 40);
  }
  return planned;
}

function toPlanned(
  { payload, topics = [], sameInstant = false, ...story }: Scene,
  workflow: ProductWorkflow | undefined,
  recipient: Subscriber,
  random: Random,
): Omit<PlannedNotification, "at" | "transactionId"> {
  return {
    recipient,
    ...(workflow && { workflow }),
    payload: { ...(workflow && toPayload(workflow, [recipient], random)), ...payload },
    topics: topics.map(toTopic),
    sameInstant,
    story,
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
