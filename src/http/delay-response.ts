// A response that is delayed on purpose: `Prefer: delay`, and faults.
import type { Response } from "express";

/** Settles after that time, or when the client disconnects or the server stops. */
export function delayResponse(ms: number, response: Response, stopping: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, response.destroyed || stopping?.aborted ? 0 : ms);
    response.once("close", end);
    stopping?.addEventListener("abort", end);

    function end() {
      clearTimeout(timer);
      response.off("close", end);
      stopping?.removeEventListener("abort", end);
      resolve();
    }
  });
}
