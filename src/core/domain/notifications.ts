// listNotifications: the matching notifications, their order, and what is joined to each. Document §4.2.

import type { Notification, NotificationPage } from "../../contract/contract-types.js";
import { memoize } from "../../contract/memoize.js";
import { parseInstant } from "./clock.js";
import { DomainError } from "./errors.js";
import { findNotifications, findSubscribers, type NotificationFilter } from "./query.js";
import type { EnvironmentState, SerializedNotification, StoredNotification, Subscriber, Workflow } from "./state.js";

/** The number of days for which each subscription plan keeps notifications (D-42). */
export const RETENTION_DAYS = { free: 1, pro: 7, business: 90, enterprise: 9999 } as const;

export type Plan = keyof typeof RETENTION_DAYS;

/**
 * Returns a page of the matching notifications.
 * @throws DomainError outsidePlan or dateRangeInverted, checked in this order (D-47).
 */
export function listNotifications(
  filter: NotificationFilter,
  state: EnvironmentState,
  { now, plan }: { now: number; plan: Plan },
): JsonText<NotificationPage> {
  const range = decideRange(filter, plan, now);
  const subscribers = findSubscribers(filter, state);
  if (subscribers?.size === 0) return joinPage(formatPageHead(0, filter.limit, false), [], state); // D-35

  const limits = { skip: filter.page * filter.limit, count: filter.limit + 1 }; // one more, for `hasMore`
  const matches = findNotifications({ ...filter, ...range, subscribers }, state, limits);
  const head = formatPageHead(filter.page, filter.limit, matches.length > filter.limit); // D-24
  return joinPage(head, matches.slice(0, filter.limit), state);
}

/** Writes the JSON of a page up to its first record. */
function formatPageHead(page: number, pageSize: number, hasMore: boolean): string {
  return `{"page":${page},"pageSize":${pageSize},"hasMore":${hasMore},"data":[`;
}

function joinPage(
  head: string,
  notifications: readonly SerializedNotification[],
  state: EnvironmentState,
): JsonText<NotificationPage> {
  const { environmentId, organizationId } = state;
  const ids = `,"_environmentId":"${environmentId}","_organizationId":"${organizationId}"`; // hexadecimal: safe
  const parts: (string | Uint8Array)[] = [head];
  for (const [index, notification] of notifications.entries()) {
    const { subscriber, workflow } = findJoined(notification, state);
    parts.push(index > 0 ? "," : "", notification.json.subarray(0, -1), ids); // without the closing brace
    if (subscriber) parts.push(formatSubscriber(subscriber));
    if (workflow) parts.push(formatTemplate(workflow));
    parts.push("}");
  }
  parts.push("]}");
  return new JsonText(parts);
}

/** Joins a notification with its environment, subscriber and workflow, as the contract shows it. */
export function joinNotification(stored: StoredNotification, state: EnvironmentState): Notification {
  const { environmentId: _environmentId, organizationId: _organizationId } = state;
  const { subscriber, workflow } = findJoined(stored, state);
  const template = workflow && templateOf(workflow);
  return {
    ...stored,
    _environmentId,
    _organizationId,
    ...(subscriber && { subscriber }),
    ...(template && { template }),
  };
}

// Memoized, since the request history keeps many pages.
const formatSubscriber = memoize((subscriber: Subscriber) => `,"subscriber":${JSON.stringify(subscriber)}`);
const formatTemplate = memoize((workflow: Workflow) => `,"template":${JSON.stringify(templateOf(workflow))}`);

function findJoined(
  { _subscriberId, _templateId }: Pick<StoredNotification, "_subscriberId"> & { _templateId?: string | undefined },
  state: EnvironmentState,
) {
  return {
    subscriber: state.subscriberById(_subscriberId),
    workflow: _templateId === undefined ? undefined : state.workflowById(_templateId),
  };
}

function templateOf({ _id, name, identifier, variables, origin }: Workflow): Notification["template"] {
  const trigger = { type: "event" as const, identifier, variables: variables.map((variable) => ({ name: variable })) };
  return { _id, name, triggers: [trigger], origin };
}

/** Both ends are exclusive (D-40). Defaults: the earliest instant that the plan keeps (D-42), and now (§4.2). */
function decideRange({ after, before }: NotificationFilter, plan: Plan, now: number) {
  const [from, to] = [after, before].map((text) => (text === undefined ? undefined : parseInstant(text)));
  for (const instant of [from, to]) {
    if (instant !== undefined && instant < earliestKept(plan, now) - GRACE_MS) throw outsidePlan(plan, now);
  }
  assertRange({ after, before });
  return { after: from ?? earliestKept(plan, now), before: to ?? now };
}

const HOUR_MS = 3_600_000;
const GRACE_MS = HOUR_MS; // queries may go back this much further than the plan keeps

/** Returns the earliest instant that the plan keeps, in milliseconds since 1970. */
function earliestKept(plan: Plan, now: number): number {
  return now - RETENTION_DAYS[plan] * 24 * HOUR_MS;
}

/**
 * Checks the order of both dates (D-41). The mock uses it, too, since it needs neither plan nor clock.
 * @throws DomainError dateRangeInverted
 */
export function assertRange({ after, before }: { after: string | undefined; before: string | undefined }): void {
  if (after === undefined || before === undefined || parseInstant(after) <= parseInstant(before)) return;
  throw new DomainError(
    "dateRangeInverted",
    "Invalid date range: start date (after) must be earlier than end date (before)",
  );
}

function outsidePlan(plan: Plan, now: number): DomainError {
  const earliest = new Date(earliestKept(plan, now)).toISOString().slice(0, 10);
  const days = RETENTION_DAYS[plan];
  return new DomainError(
    "outsidePlan",
    `The ${plan} plan keeps notifications for ${days === 1 ? "1 day" : `${days} days`}. ` +
      `Request dates from ${earliest} on, or upgrade the plan.`,
    { earliest, plan },
  );
}

/** The JSON of a `T` in consecutive parts, each a text or its UTF-8 bytes. */
export class JsonText<T> {
  /** Never set: makes the JSON of one type differ from that of another. */
  declare readonly value: T;

  constructor(readonly parts: readonly (string | Uint8Array)[]) {}

  /** The parts as one text. */
  toString(): string {
    const decoder = new TextDecoder();
    return this.parts.map((part) => (typeof part === "string" ? part : decoder.decode(part))).join("");
  }
}

/** The JSON of a response's body. */
export function bodyTextOf(body: unknown): string {
  return body instanceof JsonText ? String(body) : JSON.stringify(body);
}
