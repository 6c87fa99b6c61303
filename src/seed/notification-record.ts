// A planned notification as the environment stores it.
import type { StoredNotification } from "../domain/state.js";
import { type JobWorld, toJobs } from "./jobs.js";
import type { PlannedNotification } from "./planned-notification.js";

/** `idOf` gives the id of any planned notification, this one and the one whose digest took it in. */
export function toNotification(
  planned: PlannedNotification,
  idOf: (one: PlannedNotification) => string,
  world: JobWorld,
): StoredNotification {
  const { at, transactionId, recipient, workflow: product, payload, topics, digestedInto, story } = planned;
  const createdAt = new Date(at).toISOString();
  const who = { _id: idOf(planned), _subscriberId: recipient._id, transactionId };
  if (!product) return { ...who, createdAt, channels: [], topics: [] };

  const { workflow, jobShapes, severity, critical } = product;
  const jobs = toJobs(planned, product, world);
  return {
    ...who,
    _templateId: workflow._id,
    ...(digestedInto && { _digestedNotificationId: idOf(digestedInto) }),
    createdAt,
    updatedAt: jobs.reduce((latest, { updatedAt = "" }) => (updatedAt > latest ? updatedAt : latest), createdAt),
    channels: [...new Set(jobShapes.map(({ type }) => type))],
    jobs,
    payload,
    ...(story?.controls && { controls: story.controls }),
    to: { subscriberId: recipient.subscriberId, ...(recipient.email !== undefined && { email: recipient.email }) },
    tags: workflow.tags,
    topics: topics.map(({ _topicId, topicKey }) => ({ _topicId, topicKey })),
    severity,
    critical,
    ...(story?.contextKeys && { contextKeys: story.contextKeys }),
  };
}

/** What lists are made by: who, what, when and by which channels. */
export function toBrief({ jobs, payload, controls, to, tags, ...brief }: StoredNotification): StoredNotification {
  return brief;
}
