// listNotifications: which notifications match, in which order, and what is joined to each. Document §4.2.
import type { Schemas } from "../contract/schemas.js";
import type { EnvironmentView } from "./environment-view.js";
import { DomainError } from "./errors.js";
import { toInstant } from "./instant.js";
import { earliestKept, isWithinPlan, type Plan, RETENTION_DAYS } from "./plan.js";
import type { Notification, StoredNotification } from "./state.js";

type NotificationPage = Schemas["NotificationPage"];

/** The operation's query, after the contract has filled in `page` and `limit`. */
export interface NotificationFilter {
  channels?: readonly string[];
  templates?: readonly string[];
  emails?: readonly string[];
  search?: string;
  subscriberIds?: readonly string[];
  page: number;
  limit: number;
  transactionId?: string;
  topicKey?: string;
  after?: string;
  before?: string;
}

/**
 * One page of the notifications that match.
 * @throws DomainError outsidePlan or dateRangeInverted, checked in this order (D-47).
 */
export function listNotifications(
  filter: NotificationFilter,
  environment: EnvironmentView,
  { now, plan }: { now: number; plan: Plan },
): NotificationPage {
  const { after, before } = decideRange(filter, plan, now);
  const subscribers = findSubscribers(filter, environment);
  if (subscribers?.size === 0) return { page: 0, pageSize: filter.limit, hasMore: false, data: [] }; // D-35

  const channels = toSet(filter.channels);
  const templates = toSet(filter.templates?.map((id) => id.toLowerCase()));
  const isWanted = (notification: StoredNotification) => {
    const created = Date.parse(notification.createdAt);
    return (
      created > after &&
      created < before &&
      (!subscribers || subscribers.has(notification._subscriberId)) &&
      (!channels || notification.channels.some((channel) => channels.has(channel))) &&
      (!templates || (notification._templateId !== undefined && templates.has(notification._templateId))) &&
      (filter.transactionId === undefined || notification.transactionId === filter.transactionId) &&
      (filter.topicKey === undefined || notification.topics?.some(({ topicKey }) => topicKey === filter.topicKey))
    );
  };

  const first = filter.page * filter.limit;
  const matches = environment.notifications.filter(isWanted);
  return {
    page: filter.page,
    pageSize: filter.limit,
    hasMore: matches.length > first + filter.limit, // D-24
    data: matches.slice(first, first + filter.limit).map((match) => toNotification(match, environment)),
  };
}

/** A stored notification as the contract shows it: with its environment, subscriber and workflow as they are now. */
export function toNotification(stored: StoredNotification, environment: EnvironmentView): Notification {
  const { _id, _subscriberId, transactionId, _templateId, ...rest } = stored;
  const subscriber = environment.subscriberById(_subscriberId);
  const workflow = _templateId === undefined ? undefined : environment.workflowById(_templateId);
  return {
    _id,
    _environmentId: environment.environmentId,
    _organizationId: environment.organizationId,
    _subscriberId,
    transactionId,
    ...(_templateId === undefined ? {} : { _templateId }),
    ...(subscriber ? { subscriber } : {}),
    ...(workflow
      ? {
          template: {
            _id: workflow._id,
            name: workflow.name,
            triggers: [
              {
                type: "event" as const,
                identifier: workflow.identifier,
                variables: workflow.variables.map((name) => ({ name })),
              },
            ],
            origin: workflow.origin,
          },
        }
      : {}),
    ...rest,
  };
}

/** Both ends are excluded (D-40). Defaults: what the plan keeps (D-42) and the present (§4.2). */
function decideRange({ after, before }: NotificationFilter, plan: Plan, now: number) {
  const range = {
    after: after === undefined ? undefined : toInstant(after),
    before: before === undefined ? undefined : toInstant(before),
  };
  for (const instant of [range.after, range.before]) {
    if (instant !== undefined && !isWithinPlan(instant, plan, now)) throw outsidePlan(plan, now);
  }
  if (range.after !== undefined && range.before !== undefined && range.after > range.before) {
    throw new DomainError(
      "dateRangeInverted",
      "Invalid date range: start date (after) must be earlier than end date (before)",
    );
  }
  return { after: range.after ?? earliestKept(plan, now), before: range.before ?? now };
}

function outsidePlan(plan: Plan, now: number): DomainError {
  const earliest = new Date(earliestKept(plan, now)).toISOString().slice(0, 10);
  const days = RETENTION_DAYS[plan];
  return new DomainError(
    "outsidePlan",
    `The ${plan} plan keeps notifications for ${days === 1 ? "1 day" : `${days} days`}. ` +
      `Ask for dates from ${earliest} on, or upgrade the plan.`,
    { earliest, plan },
  );
}

/** The internal ids of the subscribers that any of the three filters names; undefined when none is given (D-35). */
function findSubscribers(filter: NotificationFilter, environment: EnvironmentView): Set<string> | undefined {
  const { emails, subscriberIds, search } = filter;
  if (!emails && !subscriberIds && search === undefined) return undefined;
  const wantedEmails = new Set(emails);
  const wantedIds = new Set(subscriberIds);
  const text = search?.toLowerCase();
  const found = new Set<string>();
  for (const { _id, subscriberId, email } of environment.subscribers) {
    const isFound =
      wantedIds.has(subscriberId) ||
      subscriberId === search ||
      (email !== undefined && (wantedEmails.has(email) || (text !== undefined && email.toLowerCase().includes(text))));
    if (isFound) found.add(_id);
  }
  return found;
}

function toSet(values: readonly string[] | undefined): ReadonlySet<string> | undefined {
  return values && new Set(values);
}
