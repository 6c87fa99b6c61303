// The result of a call of the client. Every outcome is a value with `ok`, `status` and, if it failed, `error.message`:
// also a failed connection, and a response of a gateway. And the retries after failures that may pass: no response in
// time, too many requests (429), an outage (503), or an earlier attempt with the same idempotency key still in progress
// (409).
import type { IdAt, Operations, Route } from "../../contract/contract-types.js";
import { isObject, readJson } from "../../contract/json.js";
import { MAX_TIMER_MS, pause } from "../../core/domain/clock.js";

type OperationId = keyof Operations;
type BodyOf<Response> = Response extends { content: { "application/json": infer Body } } ? Body : never;
type Responses<Id extends OperationId> = Operations[Id]["responses"];
type SuccessStatus<Id extends OperationId> = Extract<keyof Responses<Id>, 200 | 201 | 202 | 203 | 204 | 205 | 206>;

interface Outcome {
  /**
   * Its body has been read. If there was no response, its status is 0 and it has no headers. Not enumerable, so that
   * the result can leave a server: as a value of a server action, of `load`, or of `structuredClone`.
   */
  readonly response: Response;
  status: unknown;
  error?: object | undefined;
  /** The key that the update was sent with. */
  idempotencyKey?: string;
}

/** An error as a value, discriminated by `status`: one of the contract's, or 0. */
export type Failure<Id extends OperationId = OperationId> = RejectedBy<Id> | UnexpectedFailure;

/** Distributes over operations. */
type RejectedBy<Id extends OperationId> = Id extends OperationId
  ? {
      [Status in Exclude<keyof Responses<Id>, SuccessStatus<Id>>]: Outcome & {
        ok: false;
        status: Status;
        data?: undefined;
        error: BodyOf<Responses<Id>[Status]>;
      };
    }[Exclude<keyof Responses<Id>, SuccessStatus<Id>>]
  : never;

/** No response, or one that is not in the contract. */
export interface UnexpectedFailure extends Outcome {
  ok: false;
  status: 0;
  data?: undefined;
  error: {
    /**
     * `network`: no complete response; `timeout`: none within `timeoutMs`; `aborted`: by the signal; `response`: one
     * that is not in the contract, such as the HTML page of a gateway, with its status in `response.status`; `invalid`:
     * an argument is, and nothing was sent.
     */
    kind: "network" | "timeout" | "aborted" | "response" | "invalid";
    message: string;
  };
  /** What `fetch` has thrown, or the body of a response outside of the contract. Not enumerable, like `response`. */
  readonly cause: unknown;
}

export interface Success<Id extends OperationId = OperationId> extends Outcome {
  ok: true;
  status: SuccessStatus<Id>;
  data: BodyOf<Responses<Id>[SuccessStatus<Id>]>;
  /** Declared, since TypeScript without `strict` does not tell both by `ok`. */
  error?: undefined;
}

export type Result<Id extends OperationId = OperationId> = Success<Id> | Failure<Id>;

/** A failure as an exception. */
export class FailureError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.error.message);
    this.name = "FailureError";
  }
}

/** The result of openapi-fetch: the text of a success, the value of an error. */
export type Sent = Promise<{ data?: unknown; error?: unknown; response: Response }>;

/** The client's own operations, by their routes. */
export const UPDATE_ROUTE = "patch /v2/subscribers/{subscriberId}/preferences";
export const LIST_ROUTE = "get /v1/notifications";

/** What the clients read; nothing of an operation that none of their own methods calls. */
const FORMS: { readonly [Place in Route]?: Form<Success<IdAt<Place>>["data"]> } = {
  [UPDATE_ROUTE]: {
    global: { enabled: true, channels: {} },
    workflows: [{ enabled: true, channels: {}, workflow: { slug: "", identifier: "" } }],
  },
  [LIST_ROUTE]: { page: 0, pageSize: 10, hasMore: false, data: [{}] },
};

interface Attempt {
  route: Route;
  timeoutMs: number;
  signal: AbortSignal | undefined;
  baseUrl: string;
}

export async function fetchResult<Id extends OperationId>(
  send: (signal: AbortSignal, announce: () => void) => Sent,
  { route, timeoutMs, signal, baseUrl }: Attempt,
): Promise<Result<Id>> {
  const timeout = new AbortController(); // React Native has neither AbortSignal.timeout nor AbortSignal.any
  const limited = new AbortController();
  const abort = () => limited.abort(signal?.reason);
  const expire = () => {
    timeout.abort();
    limited.abort(timeout.signal.reason);
  };
  let isSent = false;
  const timer = setTimeout(expire, Math.min(timeoutMs, MAX_TIMER_MS));
  try {
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort);
    const { data, error, response } = await send(limited.signal, () => (isSent = true));
    const body = response.ok ? (data ? readJson(String(data)) : undefined) : error;
    const type = response.headers.get("content-type") ?? "no content type";
    const form = FORMS[route];
    if (response.ok && (form ? response.status === 200 && hasForm(body, form) : !type.includes("html")))
      return withResponse<Result<Id>>({ ok: true, status: response.status, data: body }, response);
    if (!response.ok && isObject(body) && typeof body.message === "string")
      return withResponse<Result<Id>>({ ok: false, status: response.status, error: body }, response);
    const source = type.includes("html") ? "It is HTML, as of a page or a gateway" : "Another server may have sent it";
    const what = `The response (${response.status}, ${type}) is not one of the contract`;
    return createFailure("response", `${what}. ${source}: check baseUrl (${baseUrl}).`, { cause: body, response });
  } catch (cause) {
    if (signal?.aborted) return createFailure("aborted", "The request was aborted.", { cause });
    if (!isSent) return createFailure("invalid", `The request cannot be sent: ${(cause as Error).message}`, { cause });
    if (!timeout.signal.aborted) return createFailure("network", describeNetworkError(cause, baseUrl), { cause });
    return createFailure("timeout", describeNetworkError(`not within ${timeoutMs} ms`, baseUrl), { cause });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

/** Creates the result of a call that leads to no response of the contract. */
export function createFailure(
  kind: UnexpectedFailure["error"]["kind"],
  message: string,
  { cause, response = Response.error() }: { cause?: unknown; response?: Response } = {},
): UnexpectedFailure {
  const failure = Object.defineProperty({ ok: false, status: 0, error: { kind, message } }, "cause", { value: cause });
  return withResponse<UnexpectedFailure>(failure, response);
}

function withResponse<R>(outcome: object, response: Response): R {
  return Object.defineProperty(outcome, "response", { value: response }) as R;
}

const LOOPBACK = /^https?:..(localhost|127\.|\[::1)/;

/**
 * What to do about an error of `fetch`, by a part of its text: Node's and Bun's codes, and the messages of Deno and of
 * browsers.
 */
const HINTS: readonly (readonly [error: RegExp, hint: (url: string) => string])[] = [
  [
    /ECONNREFUSED|ConnectionRefused|Connection refused/,
    (url) => (LOOPBACK.test(url) ? "Is `notifications-contract serve` running there?" : "Is a server running there?"),
  ],
  [/ENOTFOUND|EAI_AGAIN|dns error|FailedToOpenSocket/, () => "Check the host of the URL."],
  [
    /WRONG_VERSION_NUMBER|EPROTO|InvalidContentType|corrupt message/,
    (url) => `Does it speak HTTP? Try ${url.replace("https:", "http:")}`,
  ],
  [
    /^TypeError: (Failed to fetch|NetworkError|Load failed)/,
    () => "The browser's console says why: no server, no CORS, `credentials`, or http from a page of https.",
  ],
];

/** Names the URL, the cause and a remedy. @param url without its query, which may have secrets. */
export function describeNetworkError(cause: unknown, url: string): string {
  // Node says "fetch failed", and has the reason in the cause.
  const { cause: inner = cause } = (cause ?? {}) as { cause?: unknown };
  const { code } = (inner ?? {}) as { code?: unknown };
  const reason = typeof code === "string" ? code : String(inner);
  const hint = HINTS.find(([error]) => error.test(reason))?.[1](url);
  return `There is no response from ${url}: ${reason}.${hint === undefined ? "" : ` ${hint}`}`;
}

/**
 * A sample of a type, of any of its members, which the compiler compares with the contract: what the clients read of a
 * response, and so what has to be there. `verify` holds a server to the whole contract; a client only has to notice that
 * a response is from something else, such as a gateway's page with status 200.
 */
export type Form<Value> = Value extends readonly (infer Item)[]
  ? readonly [Form<Item>]
  : Value extends object
    ? { readonly [Member in keyof Value]?: Form<Value[Member]> }
    : Value;

/** True if a value has every member of the sample, each of the same type. */
export function hasForm(value: unknown, form: unknown): boolean {
  if (Array.isArray(form)) return Array.isArray(value) && value.every((item) => hasForm(item, form[0]));
  if (!isObject(form)) return typeof value === typeof form;
  return isObject(value) && Object.entries(form).every(([name, member]) => hasForm(value[name], member));
}

export interface RetryOptions {
  /** Maximum number of attempts, including the first. */
  attempts: number;
  /** Delay before the second attempt, less up to a half at random; doubled before each further one. Default: 250. */
  delayMs?: number;
  /** The longest wait. A `Retry-After` beyond it ends the attempts. Default: 10,000. */
  maxDelayMs?: number;
}

const STATUSES = new Set([409, 429, 503]);

/** Resolves to the first result that is not worth a retry, or to the last one. */
export async function withRetries<R extends Outcome>(
  send: () => Promise<R>,
  { attempts, delayMs = 250, maxDelayMs = 10_000 }: RetryOptions = { attempts: 1 },
  signal?: AbortSignal,
): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    const result = await send();
    if (!(attempt < attempts && isPassing(result))) return result; // also for NaN
    const backoffMs = delayMs * 2 ** (attempt - 1) * (1 - Math.random() / 2);
    const waitMs = Math.max(
      Math.min(backoffMs, maxDelayMs),
      parseRetryAfterMs(result.response.headers.get("retry-after") ?? "0") || 0,
    );
    if (waitMs > maxDelayMs) return result;
    await pause(waitMs, signal); // if the signal aborts, the next attempt results in `aborted`
  }
}

function isPassing({ status, error, response }: Outcome): boolean {
  if (status === 0) return /network|timeout/.test((error as UnexpectedFailure["error"]).kind);
  return STATUSES.has(response.status);
}

/** The wait that a `Retry-After` requests, in seconds or as a date (RFC 9110 §10.2.3); NaN for any other text. */
export function parseRetryAfterMs(text: string): number {
  return /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
}
