// Records and clocks that a client of the control plane changes: complete records from the few fields that it sends. The
// server awaits the transactions; the fetch handler's return at once.
import { isClockTime, parseInstant } from "../domain/clock.js";
import { isCritical } from "../domain/preferences.js";
import { randomHex } from "../domain/random.js";
import type {
  Change,
  EnvironmentState,
  StoredNotification,
  StoredPreferences,
  Subscriber,
  Workflow,
} from "../domain/state.js";
import { parseWorkflowId } from "../domain/workflow-slug.js";
import type { Environment, Transaction } from "../state/environment.js";
import { ControlRejection, invalidRequest } from "./errors.js";
import type { ControlSchemas } from "./schemas.js";

type Clocked = Pick<Environment, "clock">;

/** @throws ControlRejection if there is one of that name */
export function addWorkflow(
  workflow: ControlSchemas["NewWorkflow"],
  { clock }: Clocked,
): Transaction<ControlSchemas["Workflow"]> {
  const { identifier } = workflow;
  return (state) => {
    const id = parseWorkflowId(identifier) ?? ""; // updates would address the workflow of that id (D-16)
    if (state.workflowByIdentifier(identifier) ?? state.workflowById(id))
      throw alreadyExists("Workflow", identifier, "identifier");
    const added = createWorkflow(workflow, clock.now());
    return { result: showWorkflow(added), changes: [{ type: "workflowAdded", workflow: added }] };
  };
}

/** @throws ControlRejection if there is one of that id */
export function addSubscriber(
  subscriber: ControlSchemas["NewSubscriber"],
  { clock }: Clocked,
): Transaction<ControlSchemas["Subscriber"]> {
  return (state) => {
    const { subscriberId } = subscriber;
    if (state.subscriberBySubscriberId(subscriberId)) throw alreadyExists("Subscriber", subscriberId, "subscriberId");
    const added = createSubscriber(subscriber, clock.now());
    const changes: Change[] = [{ type: "subscriberAdded", subscriber: added }];
    const preferences = createStoredPreferences(subscriber, state);
    if (preferences) changes.push({ type: "preferencesSet", preferences });
    return { result: added, changes };
  };
}

/** @throws ControlRejection for an unknown subscriber or workflow */
export function addNotifications(
  added: ControlSchemas["NewNotifications"],
  { clock }: Clocked,
): Transaction<ControlSchemas["AddedNotifications"]["notifications"]> {
  if (added.createdAt !== undefined) parseClockTime(parseInstant(added.createdAt), "body.createdAt");
  return (state) => {
    const subscriber = state.subscriberBySubscriberId(added.subscriberId);
    if (!subscriber) {
      const message = `There is no subscriber ${added.subscriberId}. Add it with addSubscriber first.`;
      throw invalidRequest(message, "body.subscriberId");
    }
    const now = clock.now();
    const { workflow, isNew } = findTemplate(state, added, now) ?? { workflow: findTriggered(state, added.workflow) };
    const notifications = createNotifications(added, { subscriber, workflow, now });
    const changes: Change[] = [{ type: "notificationsAdded", notifications }];
    if (isNew) changes.unshift({ type: "workflowAdded", workflow });
    return {
      result: notifications.map(({ _id, transactionId, createdAt }) => ({ _id, transactionId, createdAt })),
      changes,
    };
  };
}

export function setClock({ mode, now }: ControlSchemas["ClockSetting"], { clock }: Clocked): ControlSchemas["Clock"] {
  const at = now === undefined ? clock.now() : parseClockTime(parseInstant(now), "body.now");
  if (mode === "frozen") clock.freeze(at);
  else clock.runFrom(at);
  return showClock({ clock });
}

export function advanceClock({ milliseconds }: ControlSchemas["ClockAdvance"], { clock }: Clocked) {
  parseClockTime(clock.now().getTime() + milliseconds, "body.milliseconds");
  clock.advance(milliseconds);
  return showClock({ clock });
}

export function showClock({ clock }: Clocked): ControlSchemas["Clock"] {
  return { mode: clock.isFrozen ? "frozen" : "running", now: clock.now().toISOString() };
}

export function showWorkflow(workflow: Workflow): ControlSchemas["Workflow"] {
  const { _id, identifier, name, active, tags, steps } = workflow;
  return { _id, identifier, name, active, tags, critical: isCritical(workflow), steps };
}

function alreadyExists(what: string, name: string, member: string): ControlRejection {
  const message = `${what} ${name} already exists in this environment. Remove it first, or choose another ${member}.`;
  return new ControlRejection("conflict", message);
}

type NewNotifications = ControlSchemas["NewNotifications"];
type Step = Workflow["steps"][number];
type Job = NonNullable<StoredNotification["jobs"]>[number];

const STEPS: Readonly<Record<string, { name: string; providerId: Job["providerId"] }>> = {
  in_app: { name: "In-App Step", providerId: "novu" },
  email: { name: "Email Step", providerId: "sendgrid" },
  sms: { name: "SMS Step", providerId: "twilio" },
  chat: { name: "Chat Step", providerId: "slack" },
  push: { name: "Push Step", providerId: "fcm" },
};

function createWorkflow(
  { identifier, name, channels, tags, critical }: ControlSchemas["NewWorkflow"],
  now: Date,
): Workflow {
  const at = now.toISOString();
  return {
    _id: createId(now),
    identifier,
    name: name ?? toWords(identifier),
    active: true,
    origin: "external",
    tags: tags ?? [],
    variables: [],
    steps: (channels ?? []).map((type) => createStep(type, now)),
    ...(critical ? { defaults: { dashboard: { readOnly: true } } } : {}),
    createdAt: at,
    updatedAt: at,
  };
}

/** Derives missing members from the id; omits members that are null. */
function createSubscriber(
  { subscriberId, preferences: _stored, ...fields }: ControlSchemas["NewSubscriber"],
  now: Date,
): Subscriber {
  const [firstName, ...rest] = toWords(subscriberId).split(" ");
  const mailbox = subscriberId.toLowerCase().replaceAll(/[^a-z0-9]+/g, ".");
  const derived = { firstName, lastName: rest.join(" ") || undefined, email: `${mailbox}@example.com` };
  const entries = Object.entries({ ...derived, ...fields }).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  return { _id: createId(now), subscriberId, ...Object.fromEntries(entries) };
}

/** Creates the notifications of one transaction, newest first, a second apart. */
function createNotifications(
  { transactionId, payload, topics, outcome, count, createdAt, jobs }: NewNotifications,
  { subscriber, workflow, now }: { subscriber: Subscriber; workflow: Workflow; now: Date },
): StoredNotification[] {
  const newest = createdAt === undefined ? now.getTime() - 1 : parseInstant(createdAt); // lists exclude now (D-40)
  const transaction = transactionId ?? `txn_${createId(now)}`;
  return Array.from({ length: count ?? 1 }, (_, index) => {
    const at = new Date(newest - index * 1000);
    const steps = jobs ? jobs.map(({ type }) => createStep(type, at)) : decideSteps(workflow, outcome, at);
    return {
      _id: createId(at),
      _subscriberId: subscriber._id,
      transactionId: transaction,
      _templateId: workflow._id,
      createdAt: at.toISOString(),
      updatedAt: at.toISOString(),
      channels: [...new Set(steps.map(({ type }) => type))],
      jobs: steps.map((step, position) => {
        const parent = steps[position - 1]?._id ?? null;
        return createJob(step, parent, { outcome: outcome ?? "completed", ...jobs?.[position] }, at);
      }),
      payload: payload ?? {},
      to: { subscriberId: subscriber.subscriberId },
      tags: workflow.tags,
      ...(topics && topics.length > 0
        ? { topics: topics.map((topicKey) => ({ _topicId: createId(at), topicKey })) }
        : {}),
      severity: "none" as const,
      critical: isCritical(workflow),
    };
  });
}

/** Returns the active steps; adds a digest step for an open digest if the workflow has none. */
function decideSteps({ steps }: Workflow, outcome: NewNotifications["outcome"], at: Date): Step[] {
  const active = steps.filter((step) => step.active);
  if (outcome !== "digest" || active.some(({ type }) => type === "digest")) return active;
  return [{ _id: createId(at), type: "digest", name: "Digest Step", active: true }, ...active];
}

function createStep(type: Step["type"], at: Date): Step {
  return { _id: createId(at), type, name: STEPS[type]?.name ?? type, active: true };
}

const CREATED = { status: "Pending", detail: "Step created" } as const;

/** The events of a step, a millisecond apart. */
const EVENTS = {
  completed: [CREATED, { status: "Success", detail: "Message sent" }],
  failed: [CREATED, { status: "Failed", detail: "The provider rejected the message" }],
  pending: [CREATED],
  digest: [CREATED],
} as const;

/** How a job went: as the notification's outcome says, or with a status of its own. */
interface Course {
  outcome: keyof typeof EVENTS;
  status?: string | undefined;
  detail?: string | undefined;
}

function createJob(
  { _id, type, name }: Step,
  parent: string | null,
  { outcome, status, detail }: Course,
  at: Date,
): Job {
  const providerId = STEPS[type]?.providerId ?? "novu";
  const events = createEvents(status ?? outcome, detail);
  const statusOfOutcome = outcome === "digest" ? (type === "digest" ? "delayed" : "pending") : outcome;
  return {
    _id: createId(at),
    type,
    executionDetails: events.map((event, index) => ({
      _id: createId(at),
      createdAt: new Date(at.getTime() + index).toISOString(),
      ...event,
      source: "Internal",
      isRetry: false,
      isTest: false,
      providerId, // required by old clients (D-75)
    })),
    step: { _id, active: true, filters: [], _templateId: "", _parentId: parent, name },
    providerId,
    status: status ?? statusOfOutcome,
    updatedAt: at.toISOString(),
  };
}

/** A job that has neither succeeded nor failed was only created. `detail` replaces the words of the last event. */
function createEvents(outcome: string, detail: string | undefined) {
  const events: readonly { status: "Pending" | "Success" | "Failed"; detail: string }[] =
    outcome in EVENTS ? EVENTS[outcome as keyof typeof EVENTS] : EVENTS.pending;
  return events.map((event, index) => ({ ...event, detail: (index === events.length - 1 && detail) || event.detail }));
}

/** Creates an id like the live service's ObjectIds: 24 hexadecimal digits that begin with the time. */
function createId(at: Date): string {
  const seconds = Math.max(0, Math.floor(at.getTime() / 1000)) % 2 ** 32;
  return seconds.toString(16).padStart(8, "0") + randomHex(8);
}

/** Turns `weekly-digest` into `Weekly Digest`. */
function toWords(identifier: string): string {
  const words = identifier.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ");
}

/** @throws ControlRejection for a time that clocks and records cannot have. */
export function parseClockTime(at: number, location: string): Date {
  if (isClockTime(at)) return new Date(at);
  throw invalidRequest("It must be in the years 1000 to 8999.", location);
}

export function lookUpWorkflow(state: EnvironmentState, name: string): Workflow | undefined {
  return state.workflowByIdentifier(name) ?? state.workflowById(name);
}

/** The workflow of new notifications, by default the oldest active one. @throws ControlRejection */
function findTriggered(state: EnvironmentState, name: string | undefined): Workflow {
  if (name !== undefined) return getWorkflow(state, name, "body.workflow");
  const oldest = state.workflows.find(({ active }) => active);
  if (oldest) return oldest;
  throw invalidRequest("The environment has no active workflow. Add one.", "body.workflow");
}

function getWorkflow(state: EnvironmentState, name: string, location: string): Workflow {
  const workflow = lookUpWorkflow(state, name);
  if (workflow) return workflow;
  throw invalidRequest(`There is no workflow ${name}. Add it with addWorkflow first.`, location);
}

/** What a new subscriber has set. @throws ControlRejection for a workflow that does not exist */
function createStoredPreferences(
  { subscriberId, preferences }: ControlSchemas["NewSubscriber"],
  state: EnvironmentState,
): StoredPreferences | undefined {
  if (preferences === undefined) return undefined;
  const workflows = (preferences.workflows ?? []).map(({ workflow: name, channels }, index) => {
    const { _id } = getWorkflow(state, name, `body.preferences.workflows.${index}.workflow`);
    return { workflowId: _id, channels };
  });
  return { subscriberId, global: preferences.channels ?? {}, workflows };
}

/** The workflow that `template` names. One for `null` is not added, so that the notification has none. */
function findTemplate(
  state: EnvironmentState,
  { template, workflow, jobs }: ControlSchemas["NewNotifications"],
  now: Date,
) {
  if (template === undefined) return undefined;
  if (workflow !== undefined) throw invalidRequest("Give either workflow or template, not both.", "body.template");
  const name = template?.name ?? "removed";
  const existing = template && state.workflows.find((candidate) => candidate.name === name);
  if (existing) return { workflow: existing, isNew: false };
  const channels = [...new Set(jobs?.map(({ type }) => type) ?? DEFAULT_CHANNELS)];
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? ["workflow"];
  const identifier = [...words, randomHex(3)].join("-");
  const added = createWorkflow({ identifier, name, channels, tags: [], critical: false }, now);
  return { workflow: added, isNew: template !== null };
}

const DEFAULT_CHANNELS = ["in_app", "email"] as const;
