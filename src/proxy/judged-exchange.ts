// An exchange as its behavior is judged, and the form of what is wrong with it.
import type { IncomingMessage } from "node:http";
import type { SuccessBody } from "../contract/operations.js";
import type { CitedViolation } from "./report-entry.js";
import type { RequestVerdict } from "./request-verdict.js";

export type Page = SuccessBody<"listNotifications">;
export type Preferences = SuccessBody<"updatePreferences">;

/** An exchange that was forwarded in full. */
export interface Exchange {
  method: string;
  target: string;
  headers: IncomingMessage["headers"];
  /** The body, parsed; undefined where it is no JSON. */
  sent: unknown;
  verdict: RequestVerdict;
  status: number;
  responseHeaders: Readonly<Record<string, readonly string[] | undefined>>;
  /** The response's body, parsed; undefined when its shape is wrong. */
  received: unknown;
  /** Whether an update at the same time may have changed this channel of the same subscriber. */
  isContested(channel: string): boolean;
  /** Reports what only a later exchange proves. */
  report(violation: CitedViolation): void;
}

export type BehaviorCheck = (exchange: Exchange) => CitedViolation[];

export const at = (location: string, message: string, decision: string): CitedViolation => ({
  location,
  message,
  decision,
});
