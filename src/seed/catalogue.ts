// The product of the seeds, as the files in catalogue/ describe it. Its workflows are in workflows.ts.
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { ChannelPreferences, StoredNotification, Subscriber } from "../domain/state.js";

export type Job = NonNullable<StoredNotification["jobs"]>[number];
type Detail = Job["executionDetails"][number];

export interface Topic {
  _topicId: string;
  topicKey: string;
  projectName: string;
}

interface Product {
  asOf: string;
  environmentId: string;
  organizationId: string;
  topics: Topic[];
  payloadValues: Record<string, (string | number)[]>;
  failures: Partial<Record<Job["providerId"], { source: Detail["source"]; detail: string; response: object }[]>>;
}

interface Person extends Subscriber {
  preferences?: { global: ChannelPreferences; workflows: Record<string, ChannelPreferences> };
}

interface People {
  subscribers: Person[];
  deletedSubscribers: Subscriber[];
  firstNames: string[];
  lastNames: string[];
  areaCodes: string[];
}

export type JobOutcome = "completed" | "failed" | "canceled" | "queued" | "running";

export interface Scenario extends Pick<StoredNotification, "controls" | "contextKeys">, Pick<Job, "overrides"> {
  ago: [days: number, hours: number, minutes: number];
  workflow?: string;
  to: string[];
  transactionId?: string;
  topics?: string[];
  payload?: Record<string, unknown>;
  sameInstant?: boolean;
  followedAfter?: number[];
  outcomes?: Partial<Record<Job["type"], JobOutcome>>;
  extensions?: number;
  isTest?: boolean;
}

export const PRODUCT: Product = loadCatalogue("product");
export const PEOPLE: People = loadCatalogue("subscribers");
export const SCENARIOS: Scenario[] = loadCatalogue("scenarios");

/** A file of the catalogue, as the type that the caller expects: a test compares the seed made of it with the demo seed. */
export function loadCatalogue<T>(name: string): T {
  // The same relative path holds in `src` and in `dist`.
  return parse(readFileSync(new URL(`../../src/seed/catalogue/${name}.yaml`, import.meta.url), "utf8")) as T;
}
