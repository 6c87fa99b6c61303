// The client for TanStack Query: options of `useQuery`, `useInfiniteQuery` and `useMutation`. A result that is not ok is thrown,
// as a FailureError. Retries are left to the client (`retry`), which honours `Retry-After` and keeps the idempotency key.
import {
  type DataTag,
  type InfiniteData,
  infiniteQueryOptions,
  mutationOptions,
  type QueryClient,
  queryOptions,
  type UnusedSkipTokenInfiniteOptions,
  type UnusedSkipTokenOptions,
  type UseMutationOptions,
} from "@tanstack/react-query";
import type { Client, NotificationFilter, PagePosition, PageResult, PreferencesUpdate } from "./client.js";
import { FailureError, type Result, type Success } from "./result.js";

export type Preferences = Success<"updatePreferences">["data"];
export type PreferencesError = FailureError<"updatePreferences">;
type PreferencesKey = [...Namespace, "preferences", subscriberId: string];

export type NotificationPage = Success<"listNotifications">["data"] & { next: PagePosition | undefined };
export type NotificationsError = FailureError<"listNotifications">;
type PageFilter = Omit<NotificationFilter, "page">;
type NotificationsKey = [...Namespace, "notifications", filter: PageFilter];

type Namespace = ["notifications-contract"];

// Spelled out: what is inferred names types that not every 5.x has.
type PreferencesQuery = UnusedSkipTokenOptions<Preferences, PreferencesError, Preferences, PreferencesKey> & {
  queryKey: DataTag<PreferencesKey, Preferences, PreferencesError>;
};
type NotificationsInfiniteQuery = UnusedSkipTokenInfiniteOptions<
  NotificationPage,
  NotificationsError,
  InfiniteData<NotificationPage, PagePosition>,
  NotificationsKey,
  PagePosition
> & { queryKey: DataTag<NotificationsKey, InfiniteData<NotificationPage>, NotificationsError> };
type UpdatePreferencesMutation = UseMutationOptions<
  Preferences,
  PreferencesError,
  PreferencesUpdate,
  Preferences | undefined
>;

/** For `useQuery`: a subscriber's preferences, by the update that changes nothing (D-04). */
export function preferencesQuery(client: Client, subscriberId: string): PreferencesQuery {
  return queryOptions({
    queryKey: ["notifications-contract", "preferences", subscriberId],
    queryFn: async ({ signal }) => toPreferences(await client.readPreferences(subscriberId, { signal })),
    retry: false,
  });
}

/** For `useInfiniteQuery`: the pages of a filter. Notifications triggered meanwhile do not move the pages that follow. */
export function notificationsInfiniteQuery(client: Client, filter: PageFilter = {}): NotificationsInfiniteQuery {
  return infiniteQueryOptions({
    queryKey: ["notifications-contract", "notifications", filter],
    async queryFn({ pageParam, signal }): Promise<NotificationPage> {
      const { value: page }: { value: PageResult } = await client.pages(filter, { from: pageParam, signal }).next();
      if (!page.ok) throw new FailureError(page);
      return { ...page.data, next: page.next };
    },
    initialPageParam: { page: 0 },
    getNextPageParam: ({ next }) => next,
    retry: false,
  });
}

/**
 * For `useMutation`: an update of a subscriber's preferences, shown at once by `preferencesQuery`. After a failure the values
 * from before are shown again, and the preferences are read anew: the update may have taken effect all the same. Updates of one
 * subscriber are sent one after the other, and only the last response is shown, so that no switch flickers.
 */
export function updatePreferencesMutation(client: Client, subscriberId: string): UpdatePreferencesMutation {
  const { queryKey } = preferencesQuery(client, subscriberId);
  const isLast = (queries: QueryClient) => queries.isMutating({ mutationKey: queryKey }) === 1;
  return mutationOptions({
    mutationKey: queryKey,
    scope: { id: queryKey.join() },
    mutationFn: async (update) => toPreferences(await client.updatePreferences(subscriberId, update)),
    async onMutate(update, { client: queries }) {
      await queries.cancelQueries({ queryKey }); // a response from before the update would undo it
      const before = queries.getQueryData(queryKey);
      if (before) queries.setQueryData(queryKey, toExpected(before, update));
      return before;
    },
    onSuccess(preferences, _update, _before, { client: queries }) {
      if (isLast(queries)) queries.setQueryData(queryKey, preferences);
    },
    onError(_error, _update, before, { client: queries }) {
      queries.setQueryData(queryKey, before);
      if (isLast(queries)) void queries.invalidateQueries({ queryKey });
    },
  });
}

/** The preferences that a successful update results in. A global value replaces those of the workflows, too (D-15). */
function toExpected({ global, workflows }: Preferences, { channels, workflowId }: PreferencesUpdate): Preferences {
  type Level = { channels: typeof channels };
  const change = <L extends Level>(level: L): L => {
    const entries = Object.entries(level.channels).map(([name, isOn]) => [name, channels[name as "email"] ?? isOn]);
    return { ...level, channels: Object.fromEntries(entries) };
  };
  if (workflowId === undefined) return { global: change(global), workflows: workflows.map(change) };
  const isMeant = ({ workflow }: (typeof workflows)[number]) =>
    [workflow.identifier, workflow.slug].includes(workflowId);
  return { global, workflows: workflows.map((entry) => (isMeant(entry) ? change(entry) : entry)) };
}

/** @throws FailureError */
function toPreferences(result: Result<"updatePreferences">): Preferences {
  if (!result.ok) throw new FailureError(result);
  return result.data;
}
