// The requests of a comparison, for a reference server with its data: each filter with values that its records have.
import type { LoadRequest } from "./load.js";

/** What a reference server responds to its workload, for the others to respond with. */
export interface RecordedResponses {
  /** By `toPageKey`. */
  pages: Record<string, unknown>;
  /** Of every update. */
  preferences: unknown;
}

export interface Workload {
  /** By the name of the list, which says what it filters by: requests that take turns. */
  lists: ReadonlyMap<string, readonly LoadRequest[]>;
  updates: readonly LoadRequest[];
}

/** The list that all servers are compared by; the others compare reference servers with bare Express. */
export const MAIN_LIST = "channels";

/** The list that growth is measured by: whatever is stored, its page is a slice. */
export const UNFILTERED = "nothing";

export const AUTHORIZATION = { Authorization: "ApiKey demo-key" };

/** Makes a query another each time it is sent (see load.ts), and finds nothing more. */
const NEW_SUBSCRIBER = "&subscriberIds=new-[<id>]";

/** Path and query, without that. */
export function toPageKey(url: string): string {
  return url.replace(/&subscriberIds=new-.*/, "");
}

/** Like the list by subscribers, but no query is asked twice: what the server remembers of queries does not help. */
export const NEW_QUERIES = "subscriberIds, ever new";

/** Lists that read all records: they have bars of their own. */
export const SCANS = ["no match", "search"];

/** Lists of fewer than ten records. */
export const SHORT_PAGES = ["transactionId"];

const VALUES = 12; // so that there is a whole page of ten
const MAX_VALUES = 20; // D-26: more are rejected
const TEMPLATES = 4;
const RECENT_PAGES = 4;
// Both texts are as long as each other, so that every response has the same length.
const UPDATES = ['{"channels":{"email":true,"sms":false}}', '{"channels":{"email":false,"sms":true}}'];

/** A notification as far as the filters go. */
interface Listed {
  transactionId: string;
  createdAt: string;
  channels: string[];
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
  const lists = new Map(
    Object.entries(toQueries(recent, size)).map(([name, query]) => [name, [toListRequest(toListPath(query))]]),
  );
  const [bySubscribers] = lists.get("subscriberIds") ?? [];
  if (bySubscribers) lists.set(NEW_QUERIES, [{ ...bySubscribers, path: bySubscribers.path + NEW_SUBSCRIBER }]);
  const subscriberIds = distinct(recent.map(({ subscriber }) => subscriber?.subscriberId));
  const updates = UPDATES.flatMap((body) => subscriberIds.map((subscriberId) => toUpdateRequest(subscriberId, body)));
  return { lists, updates };
}

export async function recordResponses(url: string, { lists, updates }: Workload): Promise<RecordedResponses> {
  const pages: Record<string, unknown> = {};
  for (const [request] of lists.values()) if (request) pages[toPageKey(request.path)] ??= await execute(url, request);
  const [update] = updates;
  return { pages, preferences: update && (await execute(url, update)) };
}

/** Sends a request as it will be sent under load. */
export async function execute(url: string, { path, ...request }: LoadRequest): Promise<unknown> {
  const response = await fetch(url + path, request);
  if (!response.ok) throw new Error(`${request.method} ${path} got ${response.status}: ${await response.text()}`);
  return response.json();
}

async function listRecent(url: string, page: number): Promise<Listed[]> {
  const { data } = (await execute(url, toListRequest(`/v1/notifications?limit=50&page=${page}`))) as { data: Listed[] };
  return data;
}

function toQueries(recent: readonly Listed[], size: number): Record<string, URLSearchParams> {
  const subscriberIds = distinct(recent.map(({ subscriber }) => subscriber?.subscriberId));
  const allTemplates = distinct(recent.map(({ _templateId }) => _templateId));
  const templates = allTemplates.slice(0, TEMPLATES);
  const emails = distinct(recent.map(({ subscriber }) => subscriber?.email)).slice(0, VALUES);
  const topics = recent.flatMap((record) => record.topics);
  const newest = at(recent, 0);
  const range = { after: at(recent, 45).createdAt, before: at(recent, 5).createdAt };
  const mailed = recent.filter(({ channels }) => channels.includes("email") && !channels.includes("sms"));
  return {
    [UNFILTERED]: toQuery({}),
    [MAIN_LIST]: toQuery({ channels: ["in_app"] }),
    templates: toQuery({ templates }),
    emails: toQuery({ emails }),
    search: toQuery({ search: "moreau" }),
    subscriberIds: toQuery({ subscriberIds: subscriberIds.slice(0, VALUES) }),
    transactionId: toQuery({ transactionId: newest.transactionId }),
    topicKey: toQuery({ topicKey: at(topics, 0).topicKey }),
    "after, before": toQuery(range),
    "channels, templates, after": toQuery({ channels: ["in_app"], templates, after: range.after }),
    "many values": toQuery({ templates: allTemplates, subscriberIds: subscriberIds.slice(0, MAX_VALUES) }),
    "a deep page": toQuery({ channels: ["in_app"], page: String(Math.floor(size / 40)) }),
    "no match": toQuery({
      channels: ["sms"],
      templates: distinct(mailed.map(({ _templateId }) => _templateId)).slice(0, 1),
    }),
  };
}

function toQuery(parameters: Record<string, string | string[]>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries(parameters)) {
    for (const value of [values].flat()) query.append(name, value);
  }
  return query;
}

function toListPath(query: URLSearchParams): string {
  return `/v1/notifications${query.size === 0 ? "" : `?${query}`}`;
}

function toListRequest(path: string): LoadRequest {
  return { method: "GET", path, headers: AUTHORIZATION };
}

function toUpdateRequest(subscriberId: string, body: string): LoadRequest {
  const path = `/v2/subscribers/${encodeURIComponent(subscriberId)}/preferences`;
  return { method: "PATCH", path, headers: { ...AUTHORIZATION, "Content-Type": "application/json" }, body };
}

function distinct(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values)].filter((value) => value !== undefined);
}

function at<T>(list: readonly T[], index: number): T {
  const item = list[Math.min(index, list.length - 1)];
  if (item === undefined) throw new Error("the seed is too small for the workload");
  return item;
}
