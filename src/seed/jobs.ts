// The jobs of a notification: the result of each step of its workflow, up to the seed's `asOf`.
import { toPreferences } from "../domain/preferences.js";
import type { ChannelPreferences } from "../domain/state.js";
import type { Job } from "./catalogue.js";
import { type JobEvent, toEvent, toJobEvents } from "./job-events.js";
import type { NotificationPlan, SeedContext } from "./notification-plan.js";
import type { JobTemplate, ProductWorkflow } from "./workflows.js";

/** One job for each active step, in order; each starts when the previous one is done. */
export function toJobs(plan: NotificationPlan, product: ProductWorkflow, context: SeedContext): Job[] {
  const { asOf, random, nextId } = context;
  const channels: Record<string, boolean> = toChannels(plan, product, context);
  const jobs: Job[] = [];
  let startAt: number | undefined = plan.at + random.between(30, 90);
  let pendingStatus = "pending";
  for (const [position, template] of product.jobTemplates.entries()) {
    const creation = { ...toEvent("created", plan.at + 4 + position * 2), jobStatus: pendingStatus };
    const isEnabled = channels[template.type] ?? true;
    const events: JobEvent[] = startAt === undefined ? [] : toJobEvents({ plan, template, startAt, isEnabled, random });
    const past = events.filter(({ at }) => at <= asOf);
    // Most records omit the first event, which keeps them small.
    const details = past.length > 0 && random.chance(0.75) ? past : [creation, ...past];
    const job = toJob(plan, { template, events: details, last: details.at(-1) ?? creation }, nextId);
    jobs.push(job);

    startAt = past.find(({ jobStatus }) => ["completed", "failed", "skipped"].includes(jobStatus))?.at;
    if (["canceled", "merged"].includes(job.status)) pendingStatus = job.status;
  }
  return jobs;
}

/** The channels that the recipient has enabled, so that notifications agree with the preferences. */
function toChannels(
  { recipient: { subscriberId } }: NotificationPlan,
  { workflow }: ProductWorkflow,
  { preferences }: SeedContext,
): ChannelPreferences {
  const record = preferences.find((entry) => entry.subscriberId === subscriberId);
  // Read-only workflows are not listed: all their channels are enabled.
  return toPreferences(record ?? { subscriberId, global: {}, workflows: [] }, [workflow]).workflows[0]?.channels ?? {};
}

function toJob(
  { at, payload, digestedPayloads = [payload], scenario }: NotificationPlan,
  { template, events, last }: { template: JobTemplate; events: JobEvent[]; last: JobEvent },
  nextId: SeedContext["nextId"],
): Job {
  const { type, providerId, step, digest, until } = template;
  const isPostponed = scenario?.extensions !== undefined && events.some(({ jobStatus }) => jobStatus === "delayed");
  return {
    _id: nextId("job", at),
    type,
    executionDetails: events.map((event) => ({
      _id: nextId("job", event.at),
      createdAt: new Date(event.at).toISOString(),
      status: event.status,
      detail: event.detail,
      source: event.source ?? "Internal",
      isRetry: event.isRetry ?? false,
      isTest: scenario?.isTest ?? false,
      providerId, // old clients require it (D-75)
      ...(event.raw !== undefined && { raw: event.raw }),
    })),
    step,
    providerId,
    status: last.jobStatus,
    ...(digest && { digest: { ...digest, events: digestedPayloads } }),
    ...(scenario?.overrides && { overrides: scenario.overrides }),
    // Delayed steps need the payload later.
    ...(until && { payload }),
    updatedAt: new Date(last.at).toISOString(),
    ...(isPostponed && { scheduleExtensionsCount: scenario.extensions }),
  };
}
