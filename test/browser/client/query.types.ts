// The adapters of TanStack Query accept the options of `/query`, with the types of data and errors. Compiled, never
// run.
import * as react from "@tanstack/react-query";
import * as solid from "@tanstack/solid-query";
import * as svelte from "@tanstack/svelte-query";
import * as vue from "@tanstack/vue-query";
import { computed } from "vue";
import { createClient, type FailureError, type PreferencesUpdate } from "../../../src/browser/client/client.js";
import {
  type NotificationPage,
  notificationsInfiniteQuery,
  preferencesQuery,
  updatePreferencesMutation,
} from "../../../src/browser/client/query.js";
import type { Preferences } from "../../../src/contract/contract-types.js";

const client = createClient({ baseUrl: "https://api.example.com", apiKey: "demo-key" });
const toQuery = () => preferencesQuery(client, "ines-moreau");
const toFeed = () => notificationsInfiniteQuery(client, { limit: 20 });
const toMutation = () => updatePreferencesMutation(client, "ines-moreau");

interface Read<Data> {
  data: Data | undefined;
  error: FailureError | null;
}
interface Mutation extends Read<Preferences> {
  mutate(update: PreferencesUpdate): unknown;
}
type Feed = Read<{ pages: NotificationPage[] }>;

// A call is no operand of `satisfies`: its type arguments would be inferred from there.
export function inReact() {
  const query = react.useQuery(toQuery());
  const feed = react.useInfiniteQuery(toFeed());
  const mutation = react.useMutation(toMutation());
  return [query, feed, mutation] satisfies [Read<Preferences>, Feed, Mutation];
}

export function inSolid() {
  const query = solid.useQuery(toQuery);
  const feed = solid.useInfiniteQuery(toFeed);
  const mutation = solid.useMutation(toMutation);
  return [query, feed, mutation] satisfies [Read<Preferences>, Feed, Mutation];
}

export function inSvelte() {
  const query = svelte.createQuery(toQuery);
  const feed = svelte.createInfiniteQuery(toFeed);
  const mutation = svelte.createMutation(toMutation);
  return [query, feed, mutation] satisfies [Read<Preferences>, Feed, Mutation];
}

/** Vue has refs. */
type Refs<T> = { [Member in Exclude<keyof T, "mutate">]: { value: T[Member] } } & Pick<T, keyof T & "mutate">;

export function inVue() {
  const query = vue.useQuery(computed(toQuery));
  const feed = vue.useInfiniteQuery(computed(toFeed));
  const mutation = vue.useMutation(computed(toMutation));
  return [query, feed, mutation] satisfies [Refs<Read<Preferences>>, Refs<Feed>, Refs<Mutation>];
}
