// The client for TanStack Query in any framework: plain options of queries, infinite queries and mutations. A failed
// result is thrown as a FailureError. The client retries (`retry`), since it honours `Retry-After` and keeps the
// idempotency key.
import type { Preferences } from "../../contract/contract-types.js";
import { parseWorkflowId } from "../../core/domain/workflow-slug.js";
import type { Client, NotificationFilter, PagePosition, PageResult, PreferencesUpdate } from "./client.js";
import { FailureError, type Result, type Success } from "./result.js";

export type { Preferences } from "../../contract/contract-types.js";

/** `cacheKey` stands for both. */
type Namespace = ["notifications-contract", baseUrl: string, environment: string];
export type PreferencesKey = [...Namespace, "preferences", subscriberId: string];
export type NotificationsKey = [...Namespace, "notifications", filter: PageFilter];

export type NotificationPage = Success<"listNotifications">["data"] & { next: PagePosition | undefined };
export type PageFilter = Omit<NotificationFilter, "page">;

/** The part of TanStack's `QueryClient` that the options call. */
export interface QueryCache {
  getQueryData(queryKey: readonly unknown[]): unknown;
  setQueryData(queryKey: readonly unknown[], data: unknown): unknown;
  cancelQueries(filters: { queryKey: readonly unknown[] }): Promise<void>;
  invalidateQueries(filters: { queryKey: readonly unknown[] }): Promise<void>;
}

/** Always false. TanStack infers the type of errors from the function type. */
export type Retry = false | ((failureCount: number, error: FailureError) => boolean);

const NO_RETRY: Retry = false;

/** A subscriber's preferences, by the update that changes nothing (D-04). */
export function preferencesQuery(client: Client, subscriberId: string) {
  const queryKey: PreferencesKey = [...createNamespace("preferencesQuery", client), "preferences", subscriberId];
  return {
    queryKey,
    async queryFn({ signal, client: queries }: { signal: AbortSignal; client: QueryCache }): Promise<Preferences> {
      const preferences = toPreferences(await client.readPreferences(subscriberId, { signal }));
      signal.throwIfAborted(); // a cancelled read may have missed an update
      return pendingUpdates(queries, queryKey).read(preferences);
    },
    retry: NO_RETRY,
  };
}

/** The pages of a filter. New notifications do not shift the pages that follow. */
export function notificationsInfiniteQuery(client: Client, filter: PageFilter = {}) {
  const queryKey: NotificationsKey = [
    ...createNamespace("notificationsInfiniteQuery", client),
    "notifications",
    filter,
  ];
  const initialPageParam: PagePosition = { page: 0 };
  return {
    queryKey,
    async queryFn({ pageParam, signal }: { signal: AbortSignal; pageParam: PagePosition }): Promise<NotificationPage> {
      const { value: page }: { value: PageResult } = await client.pages(filter, { from: pageParam, signal }).next();
      if (!page.ok) throw new FailureError(page);
      return { ...page.data, next: page.next };
    },
    initialPageParam,
    getNextPageParam: ({ next }: NotificationPage) => next,
    retry: NO_RETRY,
  };
}

/**
 * An update of a subscriber's preferences, which `preferencesQuery` shows at once: it shows the server's latest state
 * with all pending updates on top, so that a failed one reverts only itself. After a failure the preferences are read
 * again, since the update may have taken effect. Updates of one subscriber are sent one after the other.
 */
export function updatePreferencesMutation(client: Client, subscriberId: string) {
  const { queryKey } = preferencesQuery(client, subscriberId);
  return {
    mutationKey: queryKey,
    scope: { id: JSON.stringify(queryKey) },
    onMutate: (update: PreferencesUpdate, context: { client: QueryCache }) =>
      pendingUpdates(context?.client, queryKey).add(update),
    // Not in onSuccess and onError: a component may have its own.
    async mutationFn(update: PreferencesUpdate, context: { client: QueryCache }): Promise<Preferences> {
      const updates = pendingUpdates(context?.client, queryKey); // none before 5.89
      if (!updates.has(update)) await updates.add(update); // a retry by TanStack does not run onMutate
      const result = await client.updatePreferences(subscriberId, update);
      await updates.settle(update, result);
      return toPreferences(result);
    },
    retry: NO_RETRY,
  };
}

/** @throws TypeError for anything but a client. */
function createNamespace(name: string, client: Client): Namespace {
  if (typeof client?.listNotifications !== "function")
    throw new TypeError(`${name}: the first argument must be a client of \`createClient\`.`);
  const { baseUrl, environment, cacheKey } = client;
  return ["notifications-contract", ...(cacheKey === undefined ? [baseUrl, environment] : [cacheKey, ""])] as Namespace;
}

type PendingUpdates = ReturnType<typeof createPendingUpdates>;

const pendingOf = new WeakMap<QueryCache, Map<string, PendingUpdates>>();

/** The updates of one subscriber that have no response yet. */
function pendingUpdates(queries: QueryCache | undefined, queryKey: PreferencesKey): PendingUpdates {
  if (!queries) throw new TypeError("notifications-contract/query needs TanStack Query 5.89 or later: update it.");
  const ofClient = pendingOf.get(queries) ?? new Map<string, PendingUpdates>();
  pendingOf.set(queries, ofClient);
  const id = JSON.stringify(queryKey);
  const updates = ofClient.get(id) ?? createPendingUpdates(queries, queryKey);
  ofClient.set(id, updates);
  return updates;
}

function createPendingUpdates(queries: QueryCache, queryKey: PreferencesKey) {
  let pending: PreferencesUpdate[] = [];
  /** The latest state of the server; in the cache while nothing is pending. */
  let server: Preferences | undefined;
  const show = () => queries.setQueryData(queryKey, server && pending.reduce(applyUpdate, server));
  // A read that overlaps the start or the end of an update may have missed it on the server.
  const cancelReads = () => queries.cancelQueries({ queryKey });
  return {
    has: (update: PreferencesUpdate) => pending.includes(update),
    /** Shows an update before its response. */
    async add(update: PreferencesUpdate): Promise<void> {
      await cancelReads();
      if (pending.length === 0) server = queries.getQueryData(queryKey) as Preferences | undefined;
      pending = [...pending, update];
      show();
    },
    /** Replaces the update by its response. */
    async settle(update: PreferencesUpdate, result: Result<"updatePreferences">): Promise<void> {
      await cancelReads();
      pending = pending.filter((_, index) => index !== pending.indexOf(update)); // one object may be sent twice
      if (result.ok) server = result.data;
      show();
      if (!result.ok && pending.length === 0) void queries.invalidateQueries({ queryKey });
    },
    /** Adds the pending updates to a state that was read. */
    read(preferences: Preferences): Preferences {
      server = preferences;
      return pending.reduce(applyUpdate, server);
    },
  };
}

/** The preferences that a successful update results in. A global value replaces those of the workflows, too (D-15). */
function applyUpdate({ global, workflows }: Preferences, { channels, workflowId }: PreferencesUpdate): Preferences {
  type Level = { channels: typeof channels };
  const change = <L extends Level>(level: L): L => {
    const entries = Object.entries(level.channels).map(([name, isOn]) => [name, channels[name as "email"] ?? isOn]);
    return { ...level, channels: Object.fromEntries(entries) };
  };
  if (workflowId === undefined) return { global: change(global), workflows: workflows.map(change) };
  const id = parseWorkflowId(workflowId); // an `_id` or a slug comes before an identifier (D-16)
  const meant =
    workflows.find(({ workflow: { slug } }) => slug === workflowId || (id && parseWorkflowId(slug) === id)) ??
    workflows.find(({ workflow: { identifier } }) => identifier === workflowId);
  return { global, workflows: workflows.map((entry) => (entry === meant ? change(entry) : entry)) };
}

/** @throws FailureError */
function toPreferences(result: Result<"updatePreferences">): Preferences {
  if (!result.ok) throw new FailureError(result);
  return result.data;
}
