// Counts a recorded exchange for the coverage. To look at a page means to parse it, so that under load most are not.
import type { Contract } from "../contract/contract.js";
import type { CoverageCounter } from "../coverage/coverage.js";
import { type Exchange, parseJson } from "../coverage/exchange.js";
import { JsonText } from "../domain/notifications.js";
import { toJsonBytes } from "../http/response.js";

export interface RecordedExchange extends Pick<Exchange, "headers" | "status" | "responseHeaders" | "milliseconds"> {
  method: string;
  target: string;
  sentBody: Buffer | undefined;
  responseBody: unknown;
}

// What is left to read, by counter. Tests stay far below, a benchmark loses a few percent of a processor.
const BURST_BYTES = 16_000_000;
const BYTES_A_SECOND = 500_000;
const EXCHANGE_BYTES = 4_096;
const budgets = new WeakMap<CoverageCounter, { bytes: number; at: number }>();

export function coverExchange(coverage: CoverageCounter, contract: Contract, recorded: RecordedExchange): void {
  const { method, target, sentBody, responseBody, ...others } = recorded;
  const parts = responseBody instanceof JsonText ? responseBody.parts : [];
  if (!isAffordable(coverage, EXCHANGE_BYTES + parts.reduce((sum, { length }) => sum + length, 0))) {
    coverage.skip();
    return;
  }
  coverage.add(
    contract,
    { method, target },
    {
      ...others,
      query: new URLSearchParams(target.split("?")[1]),
      sent: sentBody && parseJson(sentBody.toString("utf8")),
      received: parts.length > 0 ? parseJson(toJsonBytes(responseBody).toString("utf8")) : responseBody,
    },
  );
}

function isAffordable(coverage: CoverageCounter, bytes: number): boolean {
  const at = performance.now();
  const last = budgets.get(coverage) ?? { bytes: BURST_BYTES, at };
  const left = Math.min(BURST_BYTES, last.bytes + ((at - last.at) / 1_000) * BYTES_A_SECOND);
  const isEnough = left >= bytes;
  budgets.set(coverage, { bytes: isEnough ? left - bytes : left, at });
  return isEnough;
}
