// A notification as the environment stores it.
import type { StoredNotification } from "../domain/state.js";
import { toJobs } from "./jobs.js";
import type { NotificationPlan, SeedContext } from "./notification-plan.js";

/** `idOf` returns the id of this notification, and of the one whose digest contains it. */
export function toNotification(
  plan: NotificationPlan,
  idOf: (plan: NotificationPlan) => string,
  context: SeedContext,
): StoredNotification {
  const { at, transactionId, recipient, workflow: product, payload, topics, digestedInto, scenario } = plan;
  const createdAt = new Date(at).toISOString();
  const own = { _id: idOf(plan), _subscriberId: recipient._id, transactionId };
  if (!product) return { ...own, createdAt, channels: [], topics: [] };

  const { workflow, jobTemplates, severity } = product;
  const jobs = toJobs(plan, product, context);
  return {
    ...own,
    _templateId: workflow._id,
    ...(digestedInto && { _digestedNotificationId: idOf(digestedInto) }),
    createdAt,
    updatedAt: jobs.reduce((latest, { updatedAt = "" }) => (updatedAt > latest ? updatedAt : latest), createdAt),
    channels: [...new Set(jobTemplates.map(({ type }) => type))],
    jobs,
    payload,
    ...(scenario?.controls && { controls: scenario.controls }),
    to: { subscriberId: recipient.subscriberId, ...(recipient.email !== undefined && { email: recipient.email }) },
    tags: workflow.tags,
    topics: topics.map(({ _topicId, topicKey }) => ({ _topicId, topicKey })),
    severity,
    critical: workflow.defaults?.dashboard?.readOnly === true,
    ...(scenario?.contextKeys && { contextKeys: scenario.contextKeys }),
  };
}

/** Only the members that lists are filtered and sorted by. */
export function toBrief({ jobs, payload, controls, to, tags, ...brief }: StoredNotification): StoredNotification {
  return brief;
}
