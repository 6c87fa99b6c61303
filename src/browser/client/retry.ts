// Retries after failures that may pass: no response in time, too many requests (429), an outage (503), or an earlier
// attempt with the same idempotency key still in progress (409).
import { pause } from "../../core/domain/clock.js";
import type { Outcome, UnexpectedFailure } from "./result.js";

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
