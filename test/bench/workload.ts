// The requests of a comparison, for a reference server with its data: each filter with values that its records have.
import type { LoadRequest } from "./load.js";

/** What a reference server responds to its workload, for the others to respond with. */
export interface RecordedResponses {
  /** By path and query. */
  pages: Record<string, unknown>;
  /** Of every update. */
  preferences: unknown;
}

export interface Workload {
  /** By the name of the list, which says what it filters by. */
  lists: ReadonlyMap<string, LoadRequest>;
  updates: readonly LoadRequest[];
}

/** The list that all servers are compared by; the others compare reference servers with bare Express. */
export const MAIN_LIST = "channels";

/** The list that growth is measured by: whatever is stored, its page is a slice. */
export const UNFILTERED = "nothing";

export const DEEP_PAGE = "a deep page";

export const AUTHORIZATION = { Authorization: "ApiKey demo-key" };

const VALUES = 12; // so that there is a whole page of ten
const TEMPLATES = 4;
const RECENT_PAGES = 4;
// Both texts are as long as each other, so that every response has the same length.
const UPDATES = ['{"channels":{"email":true,"sms":false}}', '{"channels":{"email":false,"sms":true}}'];

/** A notification as far as the filters go. */
interface Listed {
  createdAt: string;
  /** Absent when the template has been deleted. */
  _templateId?: string;
  /** Absent when the subscriber has been deleted. */
  subscriber?: { subscriberId: string; email?: string };
  topics: { topicKey: string }[];
}

/** Asks the server for its newest records, and makes requests that find some of them. */
export async function createWorkload(url: string, size: number): Promise<Workload> {
  const recent: Listed[] = [];
  for (let page = 0; page < RECENT_PAGES; page++) recent.push(...(await listRecent(url, page)));
  const lists = Object.entries(toQueries(recent, size)).map(
    ([name, query]) => [name, toListRequest(toQueryString(query))] as const,
  );
  const subscriberIds = distinct(recent.map(({ subscriber }) => subscriber?.subscriberId));
  const updates = UPDATES.flatMap((body) => subscriberIds.map((subscriberId) => toUpdateRequest(subscriberId, body)));
  return { lists: new Map(lists), updates };
}

export async function recordResponses(url: string, { lists, updates }: Workload): Promise<RecordedResponses> {
  const pages: Record<string, unknown> = {};
  for (const request of lists.values()) pages[request.path] = await execute(url, request);
  const [update] = updates;
  return { pages, preferences: update && (await execute(url, update)) };
}

/** Sends a request as it will be sent under load. */
export async function execute(url: string, { path, ...request }: LoadRequest): Promise<unknown> {
  const response = await fetch(url + path, request);
  if (!response.ok) throw new Error(`${request.method} ${path} got ${response.status}: ${await response.text()}`);
  return response.json();
}

export function toListRequest(query: string): LoadRequest {
  return { method: "GET", path: `/v1/notifications?${query}`, headers: AUTHORIZATION };
}

async function listRecent(url: string, page: number): Promise<Listed[]> {
  const { data } = (await execute(url, toListRequest(`limit=50&page=${page}`))) as { data: Listed[] };
  return data;
}

function toQueries(recent: readonly Listed[], size: number): Record<string, Record<string, string[]>> {
  const subscriberIds = distinct(recent.map(({ subscriber }) => subscriber?.subscriberId)).slice(0, VALUES);
  const templates = distinct(recent.map(({ _templateId }) => _templateId)).slice(0, TEMPLATES);
  const emails = distinct(recent.map(({ subscriber }) => subscriber?.email)).slice(0, VALUES);
  const topicKey = distinct(recent.flatMap(({ topics }) => topics.map((topic) => topic.topicKey))).slice(0, 1);
  const [after, before] = [45, 5].map((index) => [recent[index]?.createdAt ?? ""]) as [string[], string[]];
  return {
    [UNFILTERED]: { limit: ["10"] },
    [MAIN_LIST]: { channels: ["in_app"] },
    templates: { templates },
    emails: { emails },
    subscriberIds: { subscriberIds },
    topicKey: { topicKey },
    "after, before": { after, before },
    "channels, templates, after": { channels: ["in_app"], templates, after },
    [DEEP_PAGE]: { channels: ["in_app"], page: [String(Math.floor(size / 40))] },
  };
}

function toQueryString(parameters: Record<string, string[]>): string {
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries(parameters)) for (const value of values) query.append(name, value);
  return String(query);
}

function toUpdateRequest(subscriberId: string, body: string): LoadRequest {
  const path = `/v2/subscribers/${encodeURIComponent(subscriberId)}/preferences`;
  return { method: "PATCH", path, headers: { ...AUTHORIZATION, "Content-Type": "application/json" }, body };
}

function distinct(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values)].filter((value) => value !== undefined);
}
