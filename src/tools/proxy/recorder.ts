// Real traffic becomes a seed: of the newest record of each response that keeps the contract, what copy-allowed.ts lists.
import { createHash, randomBytes } from "node:crypto";
import { renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { CitedViolation } from "../../contract/citation.js";
import type { Contract } from "../../contract/contract.js";
import { keyPlacesOf, responseSchemaOf } from "../../contract/operations.js";
import type { Notification, NotificationPage, Preferences } from "../../contract/schemas.js";
import type { Seed, StoredNotification, Workflow } from "../../core/domain/state.js";
import { toWorkflowId } from "../../core/domain/workflow-id.js";
import { findKey } from "../../core/operations/check-request.js";
import { ConfigError } from "../../server/config.js";
import { toEnvironmentText } from "../../server/store/format/environment-text.js";
import { toSeed as parseSeed } from "../../server/store/seed.js";
import { isNamed, knownNameOf } from "../judge/operations.js";
import { toIdInSlug } from "../judge/preferences.js";
import { isPage, isPreferences } from "./check-behavior.js";
import { ALLOWED, CHANNELS, createCopyAllowed } from "./copy-allowed.js";
import type { Exchange } from "./exchange.js";
import { createToPseudonym } from "./pseudonyms.js";

export interface RecorderOptions {
  contract: Contract;
  /** Members that stay as they are: `payload.title`, `email`. */
  keep?: readonly string[];
  /** The key of the pseudonyms. Default: a random one that is never written. */
  key?: string | undefined;
}

export type Recorder = ReturnType<typeof createRecorder>;

const OBJECT_IDS = /(?<=")[0-9a-f]{24}(?=")/g;
const MIN_KEY_LENGTH = 16;

export function createRecorder({ contract, keep = [], key }: RecorderOptions) {
  if (key !== undefined && key.length < MIN_KEY_LENGTH)
    throw new ConfigError(`NC_RECORD_KEY must have at least ${MIN_KEY_LENGTH} characters: it protects personal data.`);
  const secret = key ?? randomBytes(32);
  const notifications = new Map<string, Notification>(); // by _id, the newest last
  const listings = new Map<string, Preferences>(); // by subscriberId, the newest last
  const criticalWorkflows = new Set<string>();
  const skipped = new Map<string, number>();
  let recordedAt = 0;
  let newestShown = 0; // by a list without `before`, which ends with the present
  let apiKey: string | undefined;

  return {
    /** Takes the records of a response. `violations` are those of the response. */
    add(exchange: Exchange, violations: readonly CitedViolation[]): void {
      const { operation, status, method, headers, responseHeaders, requestBody, responseBody } = exchange;
      const name = operation && knownNameOf(operation);
      const isCritical = status === 400 && name === "updatePreferences" && exchange.rejection === undefined; // D-20
      if (!name || !(status === 200 || isCritical) || method === "HEAD") return;
      const sentKey = findKey(keyPlacesOf(contract.document), exchange) ?? headers.authorization;
      const own = createHash("sha256").update(String(sentKey)).digest("hex");
      const why =
        (headers.prefer !== undefined && "requested by Prefer") ||
        (violations.some(({ location }) => !location.startsWith("header.")) && "outside the contract") ||
        (responseBody === undefined && "not checked in full") ||
        (!isCritical && !isPage(responseBody) && !isPreferences(responseBody) && "of another form") ||
        (apiKey !== undefined && apiKey !== own && "of another API key");
      const { workflowId = "" } = (requestBody ?? {}) as { workflowId?: string };
      if (why) skip(`responses ${why}`);
      else if (isCritical) criticalWorkflows.add(toWorkflowId(workflowId) ?? workflowId);
      else {
        apiKey = own;
        recordedAt = Math.max(recordedAt, Date.parse(responseHeaders.date?.[0] ?? "") || Date.now());
        if (name === "listNotifications") addNotifications(exchange);
        else addPreferences(exchange);
      }
    },

    /** The message at the end. */
    toText(path: string, seed = toSeed()): string {
      const counts = [...skipped].map(([what, count]) => `${count} ${what}`);
      const not = counts.length === 0 ? "" : `Not recorded: ${counts.join(", ")}.\n`;
      if (!seed) return `Nothing was recorded, so ${path} was not written.\n${not}`;
      const what = `${seed.notifications.length} notifications, ${seed.subscribers.length} subscribers`;
      return `Recorded in ${path}: ${what}, preferences of ${seed.preferences.length}.\n${not}`;
    },

    toSeed,
  };

  function skip(what: string): void {
    skipped.set(what, (skipped.get(what) ?? 0) + 1);
  }

  function addNotifications({ target, responseBody }: Exchange): void {
    const isUpToNow = new URLSearchParams(target.split("?")[1]).getAll("before").join("") === "";
    for (const notification of (responseBody as NotificationPage).data) {
      const { _id, createdAt, channels } = notification;
      if (isUpToNow && createdAt) newestShown = Math.max(newestShown, Date.parse(createdAt));
      notifications.delete(_id ?? "");
      if (_id && createdAt && channels) notifications.set(_id, notification);
      else skip("records without _id, createdAt or channels");
    }
  }

  function addPreferences({ target, responseBody }: Exchange): void {
    const subscriberId = decodeURIComponent(/\/subscribers\/([^/]+)\//.exec(target)?.[1] ?? "");
    listings.delete(subscriberId);
    listings.set(subscriberId, responseBody as Preferences);
  }

  /** undefined where nothing was recorded. */
  function toSeed(): Seed | undefined {
    if (apiKey === undefined) return undefined;
    const records = [...notifications.values()];
    const objectIds = records.flatMap((record) => JSON.stringify(record).match(OBJECT_IDS) ?? []);
    const toPseudonym = createToPseudonym(secret, objectIds);
    const copyAllowed = createCopyAllowed(contract, toPseudonym, keep);
    const copyBody = (name: keyof typeof ALLOWED, body: unknown) => {
      const operation = contract.operations.find((other) => isNamed(other, name));
      return copyAllowed(body, ALLOWED[name], operation && responseSchemaOf(contract.document, operation, 200));
    };
    const { data } = copyBody("listNotifications", { data: records }) as NotificationPage;
    const shown = [...listings].map(([subscriberId, body]) => ({
      subscriberId: copyAllowed(subscriberId, "subscriberId", {}, "subscriberId") as string,
      preferences: copyBody("updatePreferences", body) as Preferences,
    }));
    const times = data.map(({ createdAt = "" }) => Date.parse(createdAt));
    const later = times.filter((time) => time > newestShown && newestShown > 0); // in the upstream's future
    const people = [
      ...shown.map(({ subscriberId }) => ({ _id: toPseudonym("objectId", subscriberId), subscriberId })),
      ...data.flatMap(({ subscriber }) => subscriber ?? []),
    ];
    return {
      format: "notifications-contract/environment",
      version: 2,
      name: "recorded",
      asOf: new Date(Math.min(Math.max(recordedAt, newestShown + 1), ...later)).toISOString(),
      environmentId: data[0]?._environmentId ?? toPseudonym("objectId", "environment"),
      organizationId: data[0]?._organizationId ?? toPseudonym("objectId", "organization"),
      workflows: buildWorkflows(data, shown.at(-1)?.preferences, criticalWorkflows),
      subscribers: [...new Map(people.map((person) => [person.subscriberId, person])).values()],
      preferences: shown.map(({ subscriberId, preferences: { global, workflows } }) => ({
        subscriberId,
        global: global.channels,
        workflows: workflows.map(({ channels, workflow }) => ({ workflowId: toIdInSlug(workflow.slug), channels })),
      })),
      notifications: data.map(toStored),
      recordedResponses: [],
    };
  }
}

/** The workflows of notifications, and those that the newest preferences list. */
function buildWorkflows(data: readonly Notification[], listing: Preferences | undefined, critical: Set<string>) {
  const workflows = new Map<string, Workflow>();
  for (const { _templateId: id, template, channels = [] } of data) {
    if (id === undefined || !template) continue;
    const { name, triggers, origin = "novu-cloud" } = template;
    const identifier = triggers[0]?.identifier ?? id;
    const isCritical = critical.has(id) || critical.has(identifier);
    // Preferences list the active ones that are not critical: those are set again below.
    const state = isCritical ? { defaults: { dashboard: { readOnly: true } } } : { active: listing === undefined };
    workflows.set(id, { ...toWorkflow(id, channels), identifier, name, origin, ...state });
  }
  let createdAt = -1;
  for (const { channels, workflow } of listing?.workflows ?? []) {
    const id = toIdInSlug(workflow.slug);
    const { origin = "novu-cloud", steps = [] } = workflows.get(id) ?? {};
    const types = steps.map(({ type }) => type).filter((type) => type in channels || !(type in CHANNELS));
    const own = toWorkflow(id, new Set([...types, ...Object.keys(channels)]));
    createdAt = Math.max(Date.parse(own.createdAt), createdAt + 1); // listed oldest first
    const { slug: _slug, ...names } = workflow;
    workflows.set(id, { ...own, ...names, origin, createdAt: new Date(createdAt).toISOString() });
  }
  return [...workflows.values()];
}

function toWorkflow(id: string, types: Iterable<string>): Workflow {
  const createdAt = new Date(Number.parseInt(id.slice(0, 8), 16) * 1000).toISOString(); // an ObjectId begins with a time
  const steps = [...types].map((type, index) => {
    const _id = id.slice(0, 22) + (16 + index).toString(16).slice(-2);
    return { _id, type, name: type, active: true } as Workflow["steps"][number]; // the contract's check has passed the type
  });
  const about = { identifier: id, name: id, active: true, origin: "novu-cloud" as const };
  return { _id: id, ...about, tags: [], variables: [], steps, createdAt, updatedAt: createdAt };
}

/** Without what is joined to it when it is read. */
function toStored(notification: Notification): StoredNotification {
  const { _environmentId, _organizationId, subscriber: _subscriber, template: _template, ...stored } = notification;
  return stored as StoredNotification;
}

/** Tries it: at the end it would be too late. @throws ConfigError where the file could not be written. */
export function assertRecordable(path: string): void {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`${path} is a folder`);
    rmSync(writeTemporary(path, ""));
  } catch (error) {
    const reason = (error as Error).message;
    throw new ConfigError(`The recording cannot be written: ${reason}. Use another file for --record.`);
  }
}

/** Writes the file as a whole or not at all, at once: a process that ends has written it. @throws Error where it is no seed. */
export function writeSeed(path: string, seed: Seed, contract: Contract): void {
  const text = toEnvironmentText(seed);
  parseSeed(Buffer.from(text), path, contract); // what `serve` would say of it
  renameSync(writeTemporary(path, text), path);
}

function writeTemporary(path: string, text: string): string {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, text, { mode: 0o600 });
  return temporary;
}
