// A transport that keeps to the target's rate limit: it waits for what a 429 says, with all requests, and sends again.
import { setTimeout } from "node:timers/promises";
import type { RequestSpec } from "../client/request-spec.js";
import { openTransport, type RawResponse, type Transport } from "./http-transport.js";
import type { Target } from "./target.js";

const MAX_WAIT_MS = 60_000;
const MAX_TOTAL_WAIT_MS = 180_000; // of one request
const LEAST_WAIT_MS = 50; // "Retry-After: 0" is less than a second

export type OnWait = (milliseconds: number) => void;

export function openPacedTransport({ url, connection = {} }: Target, onWait?: OnWait): Transport {
  const { headers = {}, ratePerSecond, timeoutMs, ca } = connection;
  const transport = openTransport(url, { timeoutMs, ca });
  let opensAt = 0; // when the target accepts requests again
  let nextAt = 0;

  async function waitForTurn(signal?: AbortSignal): Promise<void> {
    const now = Date.now();
    if (ratePerSecond !== undefined) nextAt = Math.max(nextAt, now) + 1000 / ratePerSecond;
    const at = Math.max(opensAt, ratePerSecond === undefined ? 0 : nextAt - 1000 / ratePerSecond);
    if (at > now) await setTimeout(at - now, undefined, signal ? { signal } : {});
  }

  /** @param signal ends the waiting; a request that is under way goes on. */
  async function send(spec: RequestSpec<Buffer>, signal?: AbortSignal): Promise<RawResponse> {
    const request = { ...spec, headers: { ...headers, ...spec.headers } };
    const lastAt = Date.now() + MAX_TOTAL_WAIT_MS;
    for (;;) {
      await waitForTurn(signal);
      const response = await transport.send(request);
      const waitMs = toWaitMs(response);
      if (waitMs === undefined || request.headers.prefer || Date.now() + waitMs > lastAt) return response;
      opensAt = Math.max(opensAt, Date.now() + waitMs);
      onWait?.(waitMs);
    }
  }

  return { send, close: transport.close };
}

/** What a 429 asks for, in seconds or as a date; undefined for what is none, or asks for too much. */
function toWaitMs({ status, headers }: RawResponse): number | undefined {
  const text = headers["retry-after"];
  if (status !== 429 || text === undefined) return undefined;
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return waitMs <= MAX_WAIT_MS ? Math.max(waitMs, LEAST_WAIT_MS) : undefined;
}
