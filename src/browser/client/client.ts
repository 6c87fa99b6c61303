// A typed client of the contract for browsers and Node: openapi-fetch on the generated types. It imports no other part of
// this package, so that a bundle contains little more than fetch.
import createFetch from "openapi-fetch";
import type { Operations, Paths, PreferencesUpdate } from "../../contract/schemas.js";
import { assertOptions, FUNCTION, NUMBER, OBJECT, TEXT } from "../../core/domain/options.js";
import { randomHex } from "../../core/domain/random.js";
import { createPages, type NotificationFilter, type PagePosition, type PageResult } from "./pages.js";
import { type Result, type Sent, toResult } from "./result.js";
import { type RetryOptions, withRetries } from "./retry.js";

export type { Channel, Notification, Preferences, PreferencesUpdate } from "../../contract/schemas.js";
export type { NotificationFilter, PagePosition, PageResult } from "./pages.js";
export { type Failure, FailureError, type Result, type Success, type UnexpectedFailure } from "./result.js";
export type { RetryOptions } from "./retry.js";

export interface ClientOptions {
  /** As in `http://127.0.0.1:4010`; may have a path prefix. */
  baseUrl: string;
  apiKey: string;
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
   * Makes the update safe to retry: all attempts send this key. `true` generates one, as `retry` does unless `headers` has
   * one; the result contains it. An empty text counts as none.
   * To resend an update yourself, create the key first (`createIdempotencyKey`).
   */
  idempotencyKey?: string | true;
}

export interface PagesOptions extends RequestOptions {
  /** The page to start from: the `next` of an earlier page. Default: the first page. */
  from?: PagePosition | undefined;
}

/** No method rejects: each outcome is a value. */
export interface Client {
  readonly baseUrl: string;
  /** Distinguishes API keys, in the keys of a cache for example, without revealing them. */
  readonly environment: string;
  /**
   * Document §4.1. The preferences do not show which workflows are critical and cannot be switched off: an update of one
   * results in a 400 whose `error.ctx.decision` is `D-20`.
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
   * Iterates over the pages. New notifications do not shift them. After a failure, `next()` requests the same page again.
   */
  pages(filter?: NotificationFilter, options?: PagesOptions): AsyncIterableIterator<PageResult>;
}

const RETRY_OPTIONS = { attempts: NUMBER, delayMs: NUMBER, maxDelayMs: NUMBER };

/**
 * Creates a client of one environment. It has no state.
 * @throws TypeError for an option that does not exist, is missing or has a wrong type.
 */
export function createClient(options: ClientOptions): Client {
  const checks = { baseUrl: TEXT, apiKey: TEXT, retry: OBJECT, timeoutMs: NUMBER, fetch: FUNCTION };
  assertOptions("createClient", options, checks, ["baseUrl", "apiKey"]);
  assertOptions("retry", options.retry ?? {}, RETRY_OPTIONS);
  const { baseUrl, apiKey, retry: retryAll, timeoutMs: timeoutAll = 30_000 } = options;
  const authorization = { Authorization: `ApiKey ${apiKey}` };
  const fetch = options.fetch ?? ((request) => globalThis.fetch(request)); // looked up for each request: a test may replace it later
  const api = createFetch<Paths>({ baseUrl, headers: authorization, fetch });

  function send<Id extends keyof Operations>(
    toSent: (init: { signal: AbortSignal; headers?: Record<string, string>; parseAs: "text" }) => Sent,
    { retry = retryAll, timeoutMs = timeoutAll, signal, headers }: RequestOptions,
  ): Promise<Result<Id>> {
    const attempt = (limited: AbortSignal) => toSent({ signal: limited, parseAs: "text", ...(headers && { headers }) });
    return withRetries(() => toResult<Id>(attempt, { timeoutMs, signal, baseUrl }), retry, signal);
  }

  const client: Client = {
    baseUrl,
    environment: toDigest(apiKey),
    async updatePreferences(subscriberId, body, { idempotencyKey, ...options } = {}) {
      const isRetried = options.retry ?? retryAll;
      const isUpdate = Object.keys(body.channels).length > 0; // a read needs no key
      const wanted = idempotencyKey || new Headers(options.headers).get("idempotency-key") || (isRetried && isUpdate);
      const key = wanted === true ? createIdempotencyKey() : wanted || undefined;
      const params = { path: { subscriberId }, header: key ? { "idempotency-key": key } : {} };
      const result = await send<"updatePreferences">(
        (init) => api.PATCH("/v2/subscribers/{subscriberId}/preferences", { params, body, ...init }),
        options,
      );
      return key ? { ...result, idempotencyKey: key } : result;
    },
    readPreferences: (subscriberId, options) => client.updatePreferences(subscriberId, { channels: {} }, options),
    listNotifications: (query = {}, options = {}) =>
      send<"listNotifications">((init) => api.GET("/v1/notifications", { params: { query }, ...init }), options),
    pages: (filter = {}, { from = { page: filter.page ?? 0 }, ...options } = {}) =>
      createPages((page) => client.listNotifications(page, options), filter, from),
  };
  return client;
}

/** 128 random bits. */
export function createIdempotencyKey(): string {
  return randomHex(16);
}

/** 32 bits: too few to reveal a secret. */
function toDigest(text: string): string {
  return String([...text].reduce((sum, char) => Math.imul(sum, 31) + char.charCodeAt(0), 7) | 0);
}
