// What a request that was sent again changes.
import type { LoggedRequest } from "../../browser/client/control.js";
import { parseJson } from "../../contract/json.js";
import { pairsOf, splitTarget } from "../../contract/target.js";
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
