// What a request is to earlier ones: to the one that was sent again, and to those with its idempotency key.
import type { LoggedRequest } from "../../browser/client/control.js";
import { parseJson } from "../../contract/json.js";
import { pairsOf, splitTarget } from "../../contract/target.js";
import { formatSpan } from "../script/dashboard.js";
import { button, element } from "../script/dom.js";
import { describeCut } from "./cut-body.js";
import { summarize } from "./request-detail.js";

/** `Was 422, now 200: limit=99 → limit=20`. @param open shows the earlier request. */
export function buildComparison(earlier: LoggedRequest, request: LoggedRequest, open: () => void): HTMLElement {
  const link = button(String(earlier.status ?? "without a response"), open, { className: "link" });
  const text = `, now ${request.status ?? "without a response"}${describeChanges(earlier, request)}`;
  return element("p", { className: "small" }, "Was ", link, text);
}

/** `: limit=99 → limit=20`, or an empty text. */
function describeChanges(earlier: LoggedRequest, request: LoggedRequest): string {
  const before = pairsOf(splitTarget(earlier.target).query ?? "").map(([name, value]) => `${name}=${value}`);
  const after = pairsOf(splitTarget(request.target).query ?? "").map(([name, value]) => `${name}=${value}`);
  const removed = before.filter((pair) => !after.includes(pair)).join("&");
  const added = after.filter((pair) => !before.includes(pair)).join("&");
  const changes = [
    removed !== added && `${removed || "nothing"} → ${added || "nothing"}`,
    earlier.body !== request.body && `${describeBody(earlier)} → ${describeBody(request)}`,
  ].filter(Boolean);
  return changes.length > 0 ? `: ${changes.join(", ")}` : "";
}

function describeBody(request: LoggedRequest): string {
  const { body = "" } = request;
  const cut = describeCut(request, "request");
  if (body === "" || cut !== "") return cut || "nothing";
  return parseJson(body) === undefined ? "malformed JSON" : summarize(request) || body;
}

const MAX_SAME_KEY = 6;

/**
 * `Replays the response of 200, 12 s before`, and the other requests with its idempotency key.
 * @param others oldest first. @param open shows one of them.
 */
export function buildSameKey(
  request: LoggedRequest,
  others: readonly LoggedRequest[],
  open: (id: string) => void,
): HTMLElement[] {
  const { number, at, replayed, violations } = request;
  const linkTo = (other: LoggedRequest) => {
    const gap = Date.parse(other.at) - Date.parse(at);
    const text = `${other.status ?? "none"}${other.replayed ? " replay" : ""}, ${formatGap(Math.abs(gap))}`;
    const order = other.number < number ? "before" : "after";
    return button(`${text} ${order}`, () => open(other.id), { className: "link" });
  };
  const isConflict = violations.some(({ location }) => location === "header.idempotency-key");
  const isOriginal = (other: LoggedRequest) => other.number < number && !other.replayed && (other.status ?? 500) < 400;
  const original = replayed || isConflict ? others.findLast(isOriginal) : undefined;
  const rest = others.filter((other) => other !== original).slice(-MAX_SAME_KEY);
  const line = (...parts: (Node | string)[]) => element("p", { className: "small" }, ...parts);
  return [
    ...(original && replayed ? [line("Replays the response of ", linkTo(original), ".")] : []),
    ...(original && isConflict
      ? [line("The key is that of ", linkTo(original), describeChanges(original, request))]
      : []),
    ...(rest.length > 0 ? [line("Same key: ", ...rest.flatMap((other) => [linkTo(other), " · "]).slice(0, -1))] : []),
  ];
}

/** `320 ms`, `12 s`, `2 h 5 min`. */
function formatGap(milliseconds: number): string {
  if (milliseconds < 1000) return `${milliseconds} ms`;
  return milliseconds < 60_000 ? `${Math.round(milliseconds / 1000)} s` : formatSpan(milliseconds);
}
