// An answer that is late on purpose: `Prefer: delay`, and faults.
import type { Response } from "express";

/** Settles after that time, or when the client goes or the server stops. */
export function delayAnswer(ms: number, response: Response, stopping: AbortSignal | undefined): Promise<void> {
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
