// A typed client of the contract for browsers and Node: openapi-fetch on the generated types. It imports no other part
// of this package, so that a bundle contains little more than fetch.
import createFetch from "openapi-fetch";
import type { IdAt, Operations, Paths, PreferencesUpdate, RequestOf, Route } from "../../contract/contract-types.js";
import { isObject } from "../../contract/json.js";
import { randomHex } from "../../core/domain/random.js";
import {
  assertOptions,
  FUNCTION,
  NUMBER,
  OBJECT,
  type OptionRule,
  relativeMessage,
  resolveAddress,
  TEXT,
} from "../../core/options.js";
import { explainPrefer } from "../../core/request/prefer-hint.js";
import { createPages, type NotificationFilter, type PagePosition, type PageResult } from "./pages.js";
import {
  createFailure,
  fetchResult,
  LIST_ROUTE,
  type Result,
  type RetryOptions,
  type Sent,
  type UnexpectedFailure,
  UPDATE_ROUTE,
  withRetries,
} from "./result.js";

export type { Channel, Notification, Preferences, PreferencesUpdate } from "../../contract/contract-types.js";
export type { NotificationFilter, PagePosition, PageResult } from "./pages.js";
export type { RetryOptions } from "./result.js";
export { type Failure, FailureError, type Result, type Success, type UnexpectedFailure } from "./result.js";

export interface ClientOptions {
  /** As in `http://127.0.0.1:4010`; may have a path prefix. In a page, `/api` is at the page's origin. */
  baseUrl: string;
  /** Empty if your own server adds the key. */
  apiKey: string;
  /** Names for subscriber ids: with `{ me: "ines-moreau" }`, a request for `me` is one for `ines-moreau`. */
  subscriberAliases?: Readonly<Record<string, string>>;
  /**
   * Stands for `baseUrl` and `apiKey` in the keys of `notifications-contract/query`, so that the cache of a server,
   * whose address and key are others, continues in the browser.
   */
  cacheKey?: string;
  /** For requests without their own `retry`. Default: no request is retried. */
  retry?: RetryOptions;
  /** For requests without their own `timeoutMs`. Default: 30,000. */
  timeoutMs?: number;
  /** Default: the global `fetch` at the time of each request. */
  fetch?: (request: Request) => Promise<Response>;
}

export interface RequestOptions {
  /** Also ends the wait between two attempts. */
  signal?: AbortSignal;
  /** Further headers, such as `Prefer`. */
  headers?: Record<string, string>;
  retry?: RetryOptions;
  /** Limits an attempt, including its response; `Infinity` for no limit. */
  timeoutMs?: number;
}

export interface UpdateOptions extends RequestOptions {
  /**
   * Makes the update safe to retry: all attempts send this key. `true` generates one, as `retry` does unless `headers`
   * has one; the result contains it. An empty text counts as none. To resend an update yourself, create the key first
   * (`createIdempotencyKey`).
   */
  idempotencyKey?: string | true;
}

/** What a request sends. Its own headers belong to the options. */
export type RequestInput<Place extends Route> = Partial<RequestOf<Operations[IdAt<Place>]>>;

export interface PagesOptions extends RequestOptions {
  /** The page to start from: the `next` of an earlier page. Default: the first page. */
  from?: PagePosition | undefined;
}

/** No method rejects: each outcome is a value. */
export interface Client {
  readonly baseUrl: string;
  /** Distinguishes API keys, in the keys of a cache for example, without revealing them. */
  readonly environment: string;
  readonly cacheKey?: string | undefined;
  /**
   * Document §4.1. The preferences do not show which workflows are critical and cannot be switched off: an update of
   * one results in a 400 whose `error.ctx.code` is `workflowCritical`.
   */
  updatePreferences(
    subscriberId: string,
    update: PreferencesUpdate,
    options?: UpdateOptions,
  ): Promise<Result<"updatePreferences">>;
  /** Reads the preferences by an update that changes nothing (D-04): the document has no operation for it. */
  readPreferences(subscriberId: string, options?: RequestOptions): Promise<Result<"updatePreferences">>;
  /** Document §4.2, one page. */
  listNotifications(filter?: NotificationFilter, options?: RequestOptions): Promise<Result<"listNotifications">>;
  /**
   * Iterates over the pages, which new notifications do not shift. After a failure, `next()` requests the same page.
   */
  pages(filter?: NotificationFilter, options?: PagesOptions): AsyncIterableIterator<PageResult>;
  /** Any operation of the contract, by method and path: `request("get /v1/notifications", { query: { limit: 5 } })`. */
  request<Place extends Route>(
    route: Place,
    input?: RequestInput<Place>,
    options?: RequestOptions,
  ): Promise<Result<IdAt<Place>>>;
}

const RETRY_OPTIONS = { attempts: NUMBER, delayMs: NUMBER, maxDelayMs: NUMBER };

const CLIENT_OPTIONS: Record<keyof ClientOptions, OptionRule> = {
  baseUrl: [
    "an address such as http://127.0.0.1:4010 or /api, without `?` and `#`",
    (url: unknown) => /^([a-z][a-z\d+.-]*:\/\/[^?#]+|\/[^?#]*|)$/i.test(String(url)) && typeof url === "string",
  ],
  apiKey: [
    "the key in printable ASCII, without `ApiKey ` before it",
    (key: unknown) => typeof key === "string" && /^[\x21-\x7e]*$/.test(key),
  ],
  subscriberAliases: OBJECT,
  cacheKey: TEXT,
  retry: OBJECT,
  timeoutMs: NUMBER,
  fetch: FUNCTION,
};

/**
 * Creates a client of one environment. It has no state.
 * @throws TypeError for an option that does not exist, is missing or has a wrong value.
 */
export function createClient(options: ClientOptions): Client {
  assertOptions("createClient", options, CLIENT_OPTIONS, ["baseUrl", "apiKey"]);
  assertOptions("retry", options.retry ?? {}, RETRY_OPTIONS);
  const {
    baseUrl,
    apiKey,
    cacheKey,
    retry: retryAll,
    timeoutMs: timeoutAll = 30_000,
    subscriberAliases = {},
  } = options;
  const authorization = { Authorization: `ApiKey ${apiKey}` };
  // Looked up for each request: a test may replace it later.
  const fetch = async (request: Request) => readResponse(await (options.fetch ?? globalThis.fetch)(request));
  const api = createFetch<Paths>({ headers: authorization });
  const toId = (name: string) => (Object.hasOwn(subscriberAliases, name) ? (subscriberAliases[name] ?? name) : name);

  async function request<Place extends Route>(
    route: Place,
    { path, query, body }: RequestInput<Place> = {},
    { retry = retryAll, timeoutMs = timeoutAll, signal, headers }: RequestOptions = {},
  ): Promise<Result<IdAt<Place>>> {
    const address = resolveAddress(baseUrl);
    if (address === undefined) return refuse(relativeMessage("`baseUrl`"));
    const mistake = findUnsendable({ path, query, headers, body, signal });
    if (mistake) return refuse(`${route}: ${mistake}`);
    warnOfPrefer(headers);
    const [method = "", template = ""] = route.split(" ");
    const init = { baseUrl: address, parseAs: "text", params: { path, query }, body, ...(headers && { headers }) };
    // The types of a route are its input's, which openapi-fetch cannot derive from a text.
    const send = api.request as unknown as (method: string, path: string, init: object) => Sent;
    const attempt = (limited: AbortSignal, announce: () => void) => {
      const announced = (sent: Request) => {
        announce();
        return fetch(sent);
      };
      return send(method, template, { ...init, signal: limited, fetch: announced });
    };
    return withRetries(
      () => fetchResult<IdAt<Place>>(attempt, { route, timeoutMs, signal, baseUrl: address }),
      retry,
      signal,
    );
  }

  const client: Client = {
    baseUrl,
    environment: digestOf(apiKey),
    cacheKey,
    async updatePreferences(subscriberId, body, given) {
      const { idempotencyKey, ...options } = given ?? {};
      const mistake = findMistake(subscriberId, body) ?? findUnsendable({ headers: options.headers, idempotencyKey });
      if (mistake) return refuse(`updatePreferences: ${mistake}`);
      const isRetried = options.retry ?? retryAll;
      const isUpdate = Object.keys(body.channels).length > 0; // a read needs no key
      const callHeaders = Object.fromEntries(new Headers(options.headers));
      const wanted = idempotencyKey || callHeaders["idempotency-key"] || (isRetried && isUpdate);
      const key = wanted === true ? createIdempotencyKey() : wanted || undefined;
      const headers = { ...callHeaders, ...(key && { "idempotency-key": key }) };
      const path = { subscriberId: toId(subscriberId) };
      const result = await request(UPDATE_ROUTE, { path, body }, { ...options, headers });
      return key ? Object.assign(result, { idempotencyKey: key }) : result;
    },
    readPreferences: (subscriberId, options) => client.updatePreferences(subscriberId, { channels: {} }, options),
    async listNotifications(filter, options) {
      if (!isObject(filter ?? {}))
        return refuse(`listNotifications: the filter must be an object such as { limit: 10 }, not ${typeof filter}.`);
      const { after, before, ...filters } = filter ?? {};
      const dates = Object.entries({ after, before }).filter(([, value]) => value !== undefined);
      const invalid = dates.find(([, value]) => value instanceof Date && Number.isNaN(value.getTime()));
      if (invalid)
        return refuse(
          `listNotifications: \`${invalid[0]}\` is an Invalid Date. ` +
            "Send a valid one, or a string such as 2026-11-02T09:00:00Z.",
        );
      const texts = dates.map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]);
      const { subscriberIds } = filters;
      const ids = Array.isArray(subscriberIds) ? { subscriberIds: subscriberIds.map(toId) } : {};
      const query = { ...filters, ...Object.fromEntries(texts), ...ids };
      return request(LIST_ROUTE, { query }, options);
    },
    pages(filter, given) {
      const { from = { page: filter?.page ?? 0 }, ...options } = given ?? {};
      return createPages((page) => client.listNotifications(page, options), filter ?? {}, from);
    },
    request,
  };
  return client;
}

/** Nothing is sent. */
async function refuse(message: string): Promise<UnexpectedFailure> {
  return createFailure("invalid", message);
}

/** What JavaScript may pass, whatever the types say. */
function findMistake(subscriberId: unknown, update: unknown): string | undefined {
  if (subscriberId === "") return "`subscriberId` is empty.";
  if (typeof subscriberId !== "string") return `\`subscriberId\` must be a string, not ${typeof subscriberId}.`;
  if (isObject(update) && isObject(update.channels)) return undefined;
  return `the update must have \`channels\`, as in { channels: { email: false } }.`;
}

interface Unchecked {
  headers?: RequestOptions["headers"] | undefined;
  signal?: AbortSignal | undefined;
  path?: unknown;
  query?: unknown;
  body?: unknown;
  idempotencyKey?: unknown;
}

/** Names the argument that no request can carry, and why. A message never repeats a header: it may be a key. */
function findUnsendable({ path, query, headers, body, idempotencyKey, signal }: Unchecked): string | undefined {
  const all = { ...headers, ...(typeof idempotencyKey === "string" && { idempotencyKey }) };
  for (const [name, value] of Object.entries(all))
    if (!isSendable(() => new Headers([[name, value]])))
      return `\`${name}\` is no name or no value of a header, which has Latin-1 characters and no line end.`;
  for (const [name, value] of Object.entries({ ...(path as object), ...(query as object) }))
    if (!isSendable(() => encodeURIComponent(`${value}`))) return `\`${name}\` cannot be written in an address.`;
  for (const [name, value] of Object.entries({ ...(path as object) }))
    if (/^\.\.?$/.test(String(value)))
      return `\`${name}\` must not be "${value}": it is a step in a path, encoded or not.`;
  if (signal && typeof signal.addEventListener !== "function") return "`signal` must be an AbortSignal.";
  try {
    JSON.stringify(body);
  } catch (cause) {
    return `\`body\` cannot be written as JSON: ${(cause as Error).message}`;
  }
  return undefined;
}

function isSendable(write: () => unknown): boolean {
  try {
    write();
    return true;
  } catch {
    return false;
  }
}

/** A misspelled preference has no effect, and no response says so. */
function warnOfPrefer(headers: RequestOptions["headers"]): void {
  const prefer = headers && new Headers(headers).get("prefer");
  const hint = prefer && explainPrefer(prefer);
  if (hint) console.warn(`notifications-contract: ${hint}`);
}

/**
 * Copies a response with its body read. SvelteKit throws when a header is read that its hook does not name.
 * @throws TypeError for anything but a response.
 */
async function readResponse(response: Response): Promise<Response> {
  if (typeof response?.text !== "function") throw new TypeError("`fetch` has returned no Response");
  if (response.type === "error") throw new TypeError("`fetch` has returned Response.error()");
  const { status, statusText } = response;
  return new Response((await response.text()) || null, { status, statusText, headers: new Headers(response.headers) });
}

/** 128 random bits. */
export function createIdempotencyKey(): string {
  return randomHex(16);
}

/** 32 bits: too few to reveal a secret. */
function digestOf(text: string): string {
  return String([...text].reduce((sum, char) => Math.imul(sum, 31) + char.charCodeAt(0), 7) | 0);
}
