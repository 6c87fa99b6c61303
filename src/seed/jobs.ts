// The jobs of a notification: the result of each step of its workflow, up to the seed's `asOf`.
import type { Random } from "../domain/random.js";
import type { Subscriber } from "../domain/state.js";
import type { Job, JobShape, ProductWorkflow } from "./catalogue/workflow-definition.js";
import type { ChannelLookup } from "./channel-lookup.js";
import { type JobEvent, toChannelEvents, toDelayEvents } from "./job-events.js";
import type { NotificationSpec } from "./notification-spec.js";

export interface JobContext {
  /** Milliseconds. Later events have not happened. */
  asOf: number;
  findChannels: ChannelLookup;
  random: Random;
  nextId: (instant: number) => string;
}

/** One job for each active step, in order; each starts when the previous one is done. */
export function toJobs(spec: NotificationSpec, workflow: ProductWorkflow, context: JobContext): Job[] {
  const jobs: Job[] = [];
  let startAt: number | undefined = spec.at + context.random.between(30, 90);
  let pendingStatus = "pending";
  for (const [position, shape] of workflow.jobShapes.entries()) {
    const created: JobEvent = {
      at: spec.at + 4 + position * 2,
      status: "Pending",
      detail: "Step created",
      jobStatus: pendingStatus,
    };
    const planned: JobEvent[] = startAt === undefined ? [] : toEvents(spec, workflow, shape, startAt, context);
    const past = planned.filter(({ at }) => at <= context.asOf);
    // Most records omit the first event, which keeps them small.
    const events = past.length > 0 && context.random.chance(0.75) ? past : [created, ...past];
    const last = events.at(-1) ?? created;
    jobs.push(toJob(spec, shape, events, last, context));

    startAt = events.find(({ jobStatus }) => ["completed", "failed", "skipped"].includes(jobStatus))?.at;
    if (["canceled", "merged"].includes(last.jobStatus)) pendingStatus = last.jobStatus;
  }
  return jobs;
}

function toEvents(
  spec: NotificationSpec,
  { workflow }: ProductWorkflow,
  shape: JobShape,
  startAt: number,
  { findChannels, random }: JobContext,
): JobEvent[] {
  if (spec.digestedInto && shape.digest) {
    return [{ at: startAt, status: "Success", detail: "Taken in by an earlier digest", jobStatus: "merged" }];
  }
  if (shape.until) return toDelayEvents(shape, startAt, shape.until(spec.at));
  const { recipient, payload, details = {} } = spec;
  const channels: Record<string, boolean> = findChannels(recipient.subscriberId, workflow);
  return toChannelEvents({
    shape,
    startAt,
    isEnabled: channels[shape.type] ?? true,
    meetsConditions: meetsConditions(shape, payload),
    isReachable: isReachable(shape.type, recipient),
    random,
    details,
  });
}

/** The catalogue has one kind of condition: a member of the payload does not have a certain value. */
function meetsConditions({ step }: JobShape, payload: Record<string, unknown>): boolean {
  return step.filters.every(({ children }) => children.every(({ field, value }) => payload[field] !== value));
}

function isReachable(type: Job["type"], { email, phone }: Subscriber): boolean {
  return !(type === "email" && email === undefined) && !(type === "sms" && phone === undefined);
}

function toJob(spec: NotificationSpec, shape: JobShape, events: JobEvent[], last: JobEvent, context: JobContext): Job {
  const { payload, digestedInto, digestedPayloads = [], details = {} } = spec;
  const isPostponed = details.extensions !== undefined && events.some(({ jobStatus }) => jobStatus === "delayed");
  return {
    _id: context.nextId(spec.at),
    type: shape.type,
    executionDetails: events.map(({ at, status, detail, source = "Internal", isRetry = false, raw }) => ({
      _id: context.nextId(at),
      createdAt: new Date(at).toISOString(),
      ...{ status, detail, source, isRetry, isTest: details.isTest ?? false },
      providerId: shape.providerId, // old clients require it (D-75)
      ...(raw !== undefined && { raw }),
    })),
    step: shape.step,
    providerId: shape.providerId,
    status: last.jobStatus,
    ...(shape.digest && { digest: { ...shape.digest, events: digestedInto ? [] : [payload, ...digestedPayloads] } }),
    ...(details.overrides && { overrides: details.overrides }),
    // Delayed steps need the payload later.
    ...(shape.until && { payload }),
    updatedAt: new Date(last.at).toISOString(),
    ...(isPostponed && { scheduleExtensionsCount: details.extensions }),
  };
}
