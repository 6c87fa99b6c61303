// The jobs of a notification: what each step of its workflow came to, up to the seed's `asOf`.

import type { Random } from "../domain/random.js";
import type { Subscriber } from "../domain/state.js";
import type { Job, JobShape, ProductWorkflow } from "./catalogue/workflow-definition.js";
import { type JobEvent, toChannelEvents, toWaitingEvents } from "./job-events.js";
import type { PlannedNotification } from "./planned-notification.js";
import type { WantedChannels } from "./wanted-channels.js";

export interface JobWorld {
  /** Milliseconds. What would happen later has not happened. */
  asOf: number;
  wantedChannels: WantedChannels;
  random: Random;
  nextId: (instant: number) => string;
}

/** One job for each active step, in their order; each begins when the one before it is done. */
export function toJobs(planned: PlannedNotification, workflow: ProductWorkflow, world: JobWorld): Job[] {
  const jobs: Job[] = [];
  let startAt: number | undefined = planned.at + world.random.between(30, 90);
  let statusOfUnreached = "pending";
  for (const [position, shape] of workflow.jobShapes.entries()) {
    const created: JobEvent = {
      at: planned.at + 4 + position * 2,
      status: "Pending",
      detail: "Step created",
      jobStatus: statusOfUnreached,
    };
    const later: JobEvent[] = startAt === undefined ? [] : toEvents(planned, workflow, shape, startAt, world);
    const happened = later.filter(({ at }) => at <= world.asOf);
    // Most records leave out the beginning of what went on, which keeps them small.
    const events = happened.length > 0 && world.random.chance(0.75) ? happened : [created, ...happened];
    const last = events.at(-1) ?? created;
    jobs.push(toJob(planned, shape, events, last, world));

    startAt = events.find(({ jobStatus }) => ["completed", "failed", "skipped"].includes(jobStatus))?.at;
    if (["canceled", "merged"].includes(last.jobStatus)) statusOfUnreached = last.jobStatus;
  }
  return jobs;
}

function toEvents(
  planned: PlannedNotification,
  { workflow }: ProductWorkflow,
  shape: JobShape,
  startAt: number,
  { wantedChannels, random }: JobWorld,
): JobEvent[] {
  if (planned.digestedInto && shape.digest) {
    return [{ at: startAt, status: "Success", detail: "Taken in by an earlier digest", jobStatus: "merged" }];
  }
  if (shape.until) return toWaitingEvents(shape, startAt, shape.until(planned.at));
  const { recipient, story = {} } = planned;
  const channels: Record<string, boolean> = wantedChannels(recipient.subscriberId, workflow);
  return toChannelEvents({
    shape,
    startAt,
    isWanted: channels[shape.type] ?? true,
    isDue: areConditionsMet(shape, planned.payload),
    isReachable: canReach(shape.type, recipient),
    random,
    story,
  });
}

/** The catalogue's steps have conditions of one kind only: a member of the payload is not some text. */
function areConditionsMet({ step }: JobShape, payload: Record<string, unknown>): boolean {
  return step.filters.every(({ children }) => children.every(({ field, value }) => payload[field] !== value));
}

function canReach(type: Job["type"], { email, phone }: Subscriber): boolean {
  return !(type === "email" && email === undefined) && !(type === "sms" && phone === undefined);
}

function toJob(
  planned: PlannedNotification,
  shape: JobShape,
  events: JobEvent[],
  last: JobEvent,
  world: JobWorld,
): Job {
  const { payload, gathered = [], story = {} } = planned;
  const isPutOff = story.extensions !== undefined && events.some(({ jobStatus }) => jobStatus === "delayed");
  return {
    _id: world.nextId(planned.at),
    type: shape.type,
    executionDetails: events.map(({ at, status, detail, source = "Internal", isRetry = false, providerId, raw }) => ({
      _id: world.nextId(at),
      createdAt: new Date(at).toISOString(),
      status,
      detail,
      source,
      isRetry,
      isTest: story.isTest ?? false,
      ...(providerId && { providerId }),
      ...(raw !== undefined && { raw }),
    })),
    step: shape.step,
    providerId: shape.providerId,
    status: last.jobStatus,
    ...(shape.digest && { digest: { ...shape.digest, events: planned.digestedInto ? [] : [payload, ...gathered] } }),
    ...(story.overrides && { overrides: story.overrides }),
    // Steps that wait need the payload later.
    ...(shape.until && { payload }),
    updatedAt: new Date(last.at).toISOString(),
    ...(isPutOff && { scheduleExtensionsCount: story.extensions }),
  };
}
