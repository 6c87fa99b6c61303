// A fault as a sentence: `listNotifications → 503, from its 2nd request, once`.
import type { Fault, NewFault } from "../../browser/client/control.js";

/** The requests that a fault matches, then its effect, then how often it applies. */
export function formatFault(fault: NewFault): string {
  const { skip, count, share = 1 } = fault;
  const details = [
    skip !== undefined && `from its ${formatOrdinal(skip + 1)} request`,
    share < 1 && `${Math.round(share * 1000) / 10} % of the time`,
    count !== undefined && formatTimes(count),
  ];
  return [`${formatSubject(fault)} → ${formatEffect(fault)}`, ...details].filter(Boolean).join(", ");
}

/** `used 1 of 2`. */
export function formatUse({ hits, count }: Fault): string {
  if (hits === 0) return "not used yet";
  return count === undefined ? `used ${formatTimes(hits)}` : `used ${hits} of ${count}`;
}

export function isUsedUp({ hits, count }: Fault): boolean {
  return count !== undefined && hits >= count;
}

function formatSubject({ operation, isUpdate, when = {} }: NewFault): string {
  const requests = operation ?? "every request";
  const { subscriberId, workflowId } = when;
  const parts = [
    isUpdate ? (operation === undefined ? "updates" : `updates of ${operation}`) : requests,
    subscriberId !== undefined && `of subscriber ${subscriberId}`,
    workflowId !== undefined && `for workflow ${workflowId}`,
  ];
  return parts.filter(Boolean).join(" ");
}

function formatEffect({ status, example, disconnect, delayMs, maxDelayMs }: NewFault): string {
  const response = disconnect ? "no response" : [status, example].filter((part) => part !== undefined).join(" ");
  if (delayMs === undefined && maxDelayMs === undefined) return response;
  const range =
    maxDelayMs === undefined ? formatMs(delayMs) : `${(delayMs ?? 0).toLocaleString("en")} to ${formatMs(maxDelayMs)}`;
  return response === "" ? `${range} late` : `${response} after ${range}`;
}

const formatMs = (milliseconds = 0) => `${milliseconds.toLocaleString("en")} ms`;

function formatTimes(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

const ORDINALS = new Intl.PluralRules("en", { type: "ordinal" });
const SUFFIXES: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd" };

function formatOrdinal(number: number): string {
  return `${number}${SUFFIXES[ORDINALS.select(number)] ?? "th"}`;
}
