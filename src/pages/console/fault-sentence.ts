// A fault as the sentence that adds it: `the next 2 lists get 503`.
import type { Fault, NewFault } from "../../browser/client/control.js";

/** The requests that a fault matches, then its effect, then which of them it spares. */
export function formatFault(fault: NewFault): string {
  const { skip, count, share = 1, when = {} } = fault;
  const noun = nounOf(fault);
  const requests =
    count === undefined ? `every ${noun}` : count === 1 ? `the next ${noun}` : `the next ${count} ${noun}s`;
  const { subscriberId, workflowId } = when;
  const parts = [
    requests,
    subscriberId !== undefined && `of ${subscriberId}`,
    workflowId !== undefined && `for ${workflowId}`,
    count === undefined || count === 1 ? "gets" : "get",
    formatEffect(fault),
    skip !== undefined && `from its ${formatOrdinal(skip + 1)} request on`,
    share < 1 && `${Math.round(share * 1000) / 10} % of the time`,
  ];
  return parts.filter(Boolean).join(" ");
}

const NOUNS: Readonly<Record<string, string>> = { listNotifications: "list", updatePreferences: "preferences request" };

/** What a fault matches, in the singular. */
export function nounOf({ operation, isUpdate }: Pick<NewFault, "operation" | "isUpdate">): string {
  if (isUpdate) return operation === undefined ? "update" : `update by ${operation}`;
  return operation === undefined ? "request" : (NOUNS[operation] ?? `${operation} request`);
}

/** `used 1 of 2`. */
export function formatUse({ hits, count }: Fault): string {
  if (hits === 0) return "not used yet";
  return count === undefined ? `used ${formatTimes(hits)}` : `used ${hits} of ${count}`;
}

export function isUsedUp({ hits, count }: Fault): boolean {
  return count !== undefined && hits >= count;
}

function formatEffect({ status, example, disconnect, delayMs, maxDelayMs }: NewFault): string {
  const response = disconnect ? "no response" : [status, example].filter((part) => part !== undefined).join(" ");
  if (delayMs === undefined && maxDelayMs === undefined) return response;
  const range =
    maxDelayMs === undefined ? formatMs(delayMs) : `${(delayMs ?? 0).toLocaleString("en")} to ${formatMs(maxDelayMs)}`;
  return response === "" ? `its response ${range} late` : `${response} after ${range}`;
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
