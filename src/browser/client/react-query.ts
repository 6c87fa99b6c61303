// The options of `/query` with the types of TanStack Query for React: keys carry the type of their data.
import {
  type DataTag,
  type InfiniteData,
  infiniteQueryOptions,
  mutationOptions,
  queryOptions,
  type UnusedSkipTokenInfiniteOptions,
  type UnusedSkipTokenOptions,
  type UseMutationOptions,
} from "@tanstack/react-query";
import type { Preferences } from "../../contract/schemas.js";
import type { Client, PagePosition, PreferencesUpdate } from "./client.js";
import * as query from "./query.js";
import type { FailureError } from "./result.js";

export type { Preferences } from "../../contract/schemas.js";
export type { NotificationPage } from "./query.js";

// Spelled out: what is inferred names types that not every 5.x has.
type PreferencesQuery = UnusedSkipTokenOptions<Preferences, FailureError, Preferences, query.PreferencesKey> & {
  queryKey: DataTag<query.PreferencesKey, Preferences, FailureError>;
};
type NotificationsInfiniteQuery = UnusedSkipTokenInfiniteOptions<
  query.NotificationPage,
  FailureError,
  InfiniteData<query.NotificationPage, PagePosition>,
  query.NotificationsKey,
  PagePosition
> & { queryKey: DataTag<query.NotificationsKey, InfiniteData<query.NotificationPage>, FailureError> };
type UpdatePreferencesMutation = UseMutationOptions<Preferences, FailureError, PreferencesUpdate, void>;

/** For `useQuery`. */
export function preferencesQuery(client: Client, subscriberId: string): PreferencesQuery {
  return queryOptions(query.preferencesQuery(client, subscriberId));
}

/** For `useInfiniteQuery`. */
export function notificationsInfiniteQuery(client: Client, filter: query.PageFilter = {}): NotificationsInfiniteQuery {
  return infiniteQueryOptions(query.notificationsInfiniteQuery(client, filter));
}

/** For `useMutation`. */
export function updatePreferencesMutation(client: Client, subscriberId: string): UpdatePreferencesMutation {
  return mutationOptions(query.updatePreferencesMutation(client, subscriberId));
}
