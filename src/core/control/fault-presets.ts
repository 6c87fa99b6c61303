// The faults with a name: those of the control plane, and the buttons of the console.
import type { ControlSchemas } from "./schemas.js";

interface FaultPreset {
  /** On the console's button, with what it does. */
  title: string;
  effect: string;
  rule: ControlSchemas["NewFault"];
}

export const FAULT_PRESETS: Readonly<Record<ControlSchemas["FaultPreset"], FaultPreset>> = {
  "updates-fail": {
    title: "Updates fail",
    effect: "503 for updates, reads work",
    rule: { isUpdate: true, status: 503 },
  },
  "second-page-fails": {
    title: "Second page fails",
    effect: "503 for page 2, once",
    rule: { operation: "listNotifications", status: 503, skip: 1, count: 1 },
  },
  "slow-3g": { title: "Slow 3G", effect: "400 to 2,000 ms late", rule: { delayMs: 400, maxDelayMs: 2_000 } },
  "flaky-10-percent": { title: "Flaky: 10 %", effect: "503 for 1 request in 10", rule: { status: 503, share: 0.1 } },
  "rate-limited": { title: "Rate limited", effect: "429 with Retry-After", rule: { status: 429 } },
  "no-response": { title: "No response", effect: "closes every connection", rule: { disconnect: true } },
};
