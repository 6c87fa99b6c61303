// A response that is delayed on purpose: `Prefer: delay`, and faults.
import type { Response } from "express";
import { onAbort } from "./on-abort.js";

/** Settles after that time, or when the client disconnects or the server stops. */
export function delayResponse(ms: number, response: Response, stopping: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, response.destroyed ? 0 : ms);
    response.once("close", end);
    const forget = onAbort(stopping, end);

    function end() {
      clearTimeout(timer);
      response.off("close", end);
      forget();
      resolve();
    }
  });
}
