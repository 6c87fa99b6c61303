// Real traffic becomes a seed: the records of all responses that keep the contract, the newest of each, with pseudonyms in the
// place of personal data. Nothing else of them is ever written.
import { createHash, randomBytes } from "node:crypto";
import { renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { ConfigError } from "../config.js";
import type { Contract } from "../contract/contract.js";
import type { Notification, NotificationPage, Preferences } from "../contract/schemas.js";
import type {
  Seed,
  StoredNotification,
  StoredPreferences,
  Subscriber,
  Workflow,
  WorkflowStep,
} from "../domain/state.js";
import { toIdInSlug } from "../oracle/preferences.js";
import { toEnvironmentText } from "../store/format/environment-text.js";
import { toSeed } from "../store/seeds/seed.js";
import type { Exchange } from "./exchange.js";
import { createPseudonyms, type PersonalKind } from "./pseudonyms.js";
import { createReplaceRecord } from "./replace-record.js";

export interface RecorderOptions {
  contract: Contract;
  /** Members that stay as they are: `payload.title`, `email`. */
  keep?: readonly string[];
  /** Of the pseudonyms. Default: a random one that is never written. */
  key?: string | undefined;
}

export type Recorder = ReturnType<typeof createRecorder>;

const OBJECT_ID = /^[0-9a-f]{24}$/;
const CHANNELS = ["email", "sms", "in_app", "chat", "push"];
const MAX_LISTED_WORKFLOWS = 200; // D-10
const MIN_KEY_LENGTH = 16;

export function createRecorder({ contract, keep = [], key }: RecorderOptions) {
  if (key !== undefined && key.length < MIN_KEY_LENGTH)
    throw new ConfigError(`NC_RECORD_KEY must have at least ${MIN_KEY_LENGTH} characters: it protects personal data.`);
  const secret = key ?? randomBytes(32);
  const notifications = new Map<string, Notification>();
  const subscribers = new Map<string, Subscriber>(); // by subscriberId
  const listings = new Map<string, Preferences>(); // by subscriberId
  const skipped = new Map<string, number>();
  let recordedAt = 0;
  let apiKey: string | undefined;

  return {
    /** Takes the records of a response. `violations` are those of the response. */
    add(exchange: Exchange, violations: number): void {
      const { operation, status, headers, responseBody, requestBody } = exchange;
      const isList = operation?.id === "listNotifications";
      if (status !== 200 || !(isList || operation?.id === "updatePreferences") || exchange.method === "HEAD") return;
      const own = createHash("sha256").update(String(headers.authorization)).digest("hex");
      const why =
        (headers.prefer !== undefined && "requested by Prefer") ||
        (violations > 0 && "outside the contract") ||
        (responseBody === undefined && "not checked in full") ||
        (apiKey !== undefined && apiKey !== own && "of another API key");
      if (why) return void skipped.set(why, (skipped.get(why) ?? 0) + 1);
      apiKey = own;
      recordedAt = Math.max(recordedAt, Date.parse(exchange.responseHeaders.date?.[0] ?? "") || Date.now());
      if (isList) for (const notification of (responseBody as NotificationPage).data) addNotification(notification);
      else if (requestBody !== undefined) addPreferences(exchange);
    },

    /** What is said at the end. */
    toText(path: string): string {
      const counts = [...skipped].map(([why, count]) => `${count} ${why}`);
      const not = counts.length === 0 ? "" : `Not recorded: ${counts.join(", ")} (responses).\n`;
      if (apiKey === undefined) return `Nothing was recorded, so ${path} was not written.\n${not}`;
      const what = `${notifications.size} notifications, ${subscribers.size} subscribers, preferences of ${listings.size}`;
      return `Recorded in ${path}: ${what}.\n${not}`;
    },

    /** undefined where nothing was recorded. */
    toSeed(): Seed | undefined {
      return apiKey === undefined ? undefined : buildSeed();
    },
  };

  function addNotification(notification: Notification): void {
    const { _id, subscriber, createdAt, channels } = notification;
    if (subscriber) subscribers.set(subscriber.subscriberId, subscriber);
    if (_id !== undefined && createdAt !== undefined && channels !== undefined) notifications.set(_id, notification);
  }

  function addPreferences({ target, responseBody }: Exchange): void {
    const subscriberId = decodeURIComponent(/\/subscribers\/([^/]+)\//.exec(target)?.[1] ?? "");
    listings.set(subscriberId, responseBody as Preferences);
    if (!subscribers.has(subscriberId)) subscribers.set(subscriberId, { _id: "", subscriberId }); // until a list has its _id
  }

  function buildSeed(): Seed {
    const pseudonyms = createPseudonyms(secret, new Set(keep as PersonalKind[]));
    const { learnTexts, replaceRecord } = createReplaceRecord(contract, pseudonyms, keep);
    const people = [
      ...new Map(
        [...subscribers.values()].map((subscriber) => [subscriber._id || subscriber.subscriberId, subscriber]),
      ).values(),
    ];
    for (const { _id, subscriberId, firstName, lastName, email, phone } of people) {
      for (const name of [firstName, lastName]) pseudonyms.learn("name", name);
      if (firstName && lastName) pseudonyms.learn("name", `${firstName} ${lastName}`);
      pseudonyms.learn("phone", phone);
      pseudonyms.learn("subscriberId", subscriberId);
      pseudonyms.learn("email", email);
      if (_id !== "") pseudonyms.learn("objectId", _id);
    }
    const all = [...notifications.values()];
    const newest = all.reduce((latest, { createdAt = "" }) => Math.max(latest, Date.parse(createdAt)), 0);
    const [first] = all;
    const stored = all.map(toStored);
    for (const notification of stored) learnTexts(notification);
    return {
      format: "notifications-contract/environment",
      version: 2,
      name: "recorded",
      asOf: new Date(Math.max(recordedAt, newest + 1)).toISOString(), // a list ends before the present
      environmentId: first?._environmentId ?? pseudonyms.of("objectId", "environment"),
      organizationId: first?._organizationId ?? pseudonyms.of("objectId", "organization"),
      workflows: buildWorkflows().map((workflow) => replaceRecord(workflow)),
      subscribers: people.map((subscriber) =>
        replaceRecord({ ...subscriber, _id: subscriber._id || pseudonyms.of("objectId", subscriber.subscriberId) }, [
          "subscriber",
        ]),
      ),
      preferences: [...listings].map(([subscriberId, listing]) =>
        replaceRecord(toStoredPreferences(subscriberId, listing)),
      ),
      notifications: stored.map((notification) => replaceRecord(notification)),
      recordedResponses: [],
    };
  }

  function buildWorkflows(): Workflow[] {
    const workflows = new Map<string, Workflow>();
    for (const { _templateId: id, template, tags = [], jobs = [] } of notifications.values()) {
      if (id === undefined || !template) continue;
      const before = workflows.get(id) ?? toWorkflow(id);
      const { name, origin = before.origin, triggers } = template;
      const [{ identifier = id, variables = [] } = {}] = triggers;
      const steps = [...new Map([...before.steps, ...jobs.flatMap(toStep)].map((step) => [step._id, step])).values()];
      workflows.set(id, {
        ...before,
        identifier,
        name,
        origin,
        tags,
        variables: variables.map(({ name }) => name),
        steps,
      });
    }
    const listing = [...listings.values()].at(-1);
    if (!listing) return [...workflows.values()];
    let createdAt = -1;
    const listed = listing.workflows.map(({ channels, workflow }): Workflow => {
      const { slug, identifier, name } = workflow;
      const id = toIdInSlug(slug);
      const before = workflows.get(id) ?? toWorkflow(id);
      workflows.delete(id);
      createdAt = Math.max(Date.parse(before.createdAt), createdAt + 1); // listed oldest first
      const steps = before.steps.map((step) => ({
        ...step,
        active: !CHANNELS.includes(step.type) || step.type in channels,
      }));
      const missing = Object.keys(channels).filter((channel) => !steps.some(({ type }) => type === channel));
      const added = missing.map((type, index) => ({
        _id: `${id.slice(0, 22)}${16 + index}`,
        type,
        name: type,
        active: true,
      }));
      const { updatedAt = before.updatedAt } = workflow;
      const times = { createdAt: new Date(createdAt).toISOString(), updatedAt };
      return { ...before, identifier, name, ...times, steps: [...steps, ...(added as WorkflowStep[])] };
    });
    // Subscribers have no say in a workflow that is not listed.
    const defaults = listed.length < MAX_LISTED_WORKFLOWS ? { defaults: { dashboard: { readOnly: true } } } : {};
    return [...listed, ...[...workflows.values()].map((other) => ({ ...other, ...defaults }))];
  }
}

function toWorkflow(id: string): Workflow {
  const createdAt = new Date(Number.parseInt(id.slice(0, 8), 16) * 1000).toISOString(); // an ObjectId begins with a time
  const about = { identifier: id, name: id, active: true, origin: "novu-cloud" as const };
  return { _id: id, ...about, tags: [], variables: [], steps: [], createdAt, updatedAt: createdAt };
}

type Job = NonNullable<Notification["jobs"]>[number];

function toStep({ type, step: { _id, name = type, active } }: Job): WorkflowStep[] {
  return OBJECT_ID.test(_id) ? [{ _id, type, name, active }] : [];
}

/** Without what is joined to it when it is read. */
function toStored(notification: Notification): StoredNotification {
  const { _environmentId, _organizationId, subscriber: _subscriber, template: _template, ...stored } = notification;
  return stored as StoredNotification;
}

/** What differs from the default, which is on, and from the level above. */
function toStoredPreferences(subscriberId: string, { global, workflows }: Preferences): StoredPreferences {
  const pick = (channels: Preferences["global"]["channels"], base: typeof channels) =>
    Object.fromEntries(Object.entries(channels).filter(([name, value]) => value !== (base[name as "email"] ?? true)));
  const own = workflows.map(({ channels, workflow }) => ({
    workflowId: toIdInSlug(workflow.slug),
    channels: pick(channels, global.channels),
  }));
  return {
    subscriberId,
    global: pick(global.channels, {}),
    workflows: own.filter(({ channels }) => Object.keys(channels).length > 0),
  };
}

/** Tries it: at the end it would be too late. @throws ConfigError where the file could not be written. */
export function assertRecordable(path: string): void {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`${path} is a folder`);
    const temporary = temporaryOf(path);
    writeFileSync(temporary, "");
    rmSync(temporary);
  } catch (error) {
    throw new ConfigError(
      `The recording cannot be written: ${(error as Error).message}. Use another file for --record.`,
    );
  }
}

const temporaryOf = (path: string) => `${path}.${process.pid}.tmp`;

/** Writes the file as a whole or not at all, at once: a process that ends has written it. @throws Error where it is no seed. */
export function writeSeed(path: string, seed: Seed, contract: Contract): void {
  const text = toEnvironmentText(seed);
  toSeed(Buffer.from(text), path, contract); // what `serve` would say of it
  const temporary = temporaryOf(path);
  try {
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
