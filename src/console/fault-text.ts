// A fault in words.
import type { Fault } from "../client/control.js";

/** `responds with 503: both operations, 10 % of requests, applied 3 times` */
export function toFaultText(fault: Fault): string {
  const { preset, operation = "both operations", share, skip, count, hits } = fault;
  const parts = [
    `${preset === undefined ? "" : `${preset}: `}${toEffectText(fault)}: ${operation}`,
    share !== undefined && share < 1 && `${Math.round(share * 100)} % of requests`,
    skip !== undefined && `not the first${skip === 1 ? "" : ` ${skip}`}`,
    count !== undefined && `at most ${toTimes(count)}`,
    `applied ${toTimes(hits)}${count !== undefined && hits >= count ? ": used up" : ""}`,
  ];
  return parts.filter((part) => part !== false).join(", ");
}

export function toEffectText({ delayMs, maxDelayMs, status, example, sequence, disconnect, malformed }: Fault): string {
  const [least = maxDelayMs && 0, most] = [delayMs, maxDelayMs].map((ms) => ms?.toLocaleString("en"));
  const parts = [
    sequence && `responds in turn with ${sequence.join(", ")}`,
    status !== undefined && `responds with ${status}`,
    example !== undefined && `responds with the example ${example}`,
    disconnect && "closes the connection",
    malformed && "truncates the response",
    least !== undefined && `delays by ${most === undefined ? least : `${least} to ${most}`} ms`,
  ];
  return parts.filter((part) => part).join(", ");
}

function toTimes(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
