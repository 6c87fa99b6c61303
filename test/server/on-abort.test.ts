import { EventEmitter, getEventListeners } from "node:events";
import type { Response } from "express";
import { expect, test } from "vitest";
import { delayResponse, onAbort } from "../../src/server/http/delay-response.js";

const LONG_MS = 600_000;
const toResponse = () => Object.assign(new EventEmitter(), { destroyed: false }) as unknown as Response;

test("however many responses wait, a stop has one listener, and ends them all", async () => {
  const stop = new AbortController();
  const delays = Array.from({ length: 1000 }, () => delayResponse(LONG_MS, toResponse(), stop.signal));
  expect(getEventListeners(stop.signal, "abort")).toHaveLength(1);
  stop.abort();
  await Promise.all(delays);
  await delayResponse(LONG_MS, toResponse(), stop.signal); // one that begins after it
});

test("a response that is sent or whose client has gone waits no more", async () => {
  const stop = new AbortController();
  const [gone, other] = [toResponse(), toResponse()];
  const delays = [delayResponse(1, other, stop.signal), delayResponse(LONG_MS, gone, stop.signal)];
  gone.emit("close");
  await Promise.all(delays);
  expect([gone.listenerCount("close"), other.listenerCount("close")]).toEqual([0, 0]);
  let ends = 0;
  const forget = onAbort(stop.signal, () => (ends += 1));
  onAbort(stop.signal, () => (ends += 10));
  forget();
  stop.abort();
  expect(ends).toBe(10);
});
