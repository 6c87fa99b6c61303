// A notification as the environment stores it.
import type { StoredNotification } from "../domain/state.js";
import { type JobContext, toJobs } from "./jobs.js";
import type { NotificationSpec } from "./notification-spec.js";

/** `idOf` returns the id of this notification, and of the one whose digest contains it. */
export function toNotification(
  spec: NotificationSpec,
  idOf: (other: NotificationSpec) => string,
  context: JobContext,
): StoredNotification {
  const { at, transactionId, recipient, workflow: product, payload, topics, digestedInto, details } = spec;
  const createdAt = new Date(at).toISOString();
  const ids = { _id: idOf(spec), _subscriberId: recipient._id, transactionId };
  if (!product) return { ...ids, createdAt, channels: [], topics: [] };

  const { workflow, jobShapes, severity, critical } = product;
  const jobs = toJobs(spec, product, context);
  return {
    ...ids,
    _templateId: workflow._id,
    ...(digestedInto && { _digestedNotificationId: idOf(digestedInto) }),
    createdAt,
    updatedAt: jobs.reduce((latest, { updatedAt = "" }) => (updatedAt > latest ? updatedAt : latest), createdAt),
    channels: [...new Set(jobShapes.map(({ type }) => type))],
    jobs,
    payload,
    ...(details?.controls && { controls: details.controls }),
    to: { subscriberId: recipient.subscriberId, ...(recipient.email !== undefined && { email: recipient.email }) },
    tags: workflow.tags,
    topics: topics.map(({ _topicId, topicKey }) => ({ _topicId, topicKey })),
    severity,
    critical,
    ...(details?.contextKeys && { contextKeys: details.contextKeys }),
  };
}

/** Only the members that lists are filtered and sorted by. */
export function toBrief({ jobs, payload, controls, to, tags, ...brief }: StoredNotification): StoredNotification {
  return brief;
}
