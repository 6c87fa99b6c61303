// A request of the log as a row: method, path, what it changed or why it was rejected, and when the server received it.
import type { LoggedRequest } from "../../browser/client/control.js";
import { parseJson } from "../../contract/json.js";
import { splitTarget } from "../../contract/target.js";
import { buildFaultMark, buildStatus, formatReason } from "../script/dashboard.js";
import { buildTime, element, inlineCode, span } from "../script/dom.js";
import { selected } from "./panel.js";
import { isFailed, isRejected } from "./request-log.js";
import { isMasked, MASK } from "./request-sender.js";

/** @param mark called when the user marks the request, or takes the mark away. */
export function buildRequestCells(request: LoggedRequest, mark: () => void): HTMLTableCellElement[] {
  const { method, target } = request;
  const box = element("input", { type: "checkbox", tabIndex: -1, ariaLabel: "Compare", title: "Compare two: x" });
  box.addEventListener("change", mark);
  const { path, query } = splitTarget(target);
  const shownQuery = query === undefined ? "" : span("soft", `?${decode(query)}`);
  const title = `${method} ${decode(target)}${isMasked(request) ? `\n${MASK}` : ""}`;
  return [
    element("td", {}, element("label", {}, box), buildStatus(request)),
    element(
      "td",
      { className: "cut", title },
      element("code", {}, span("soft", method), ` ${cutPath(path)}`, shownQuery),
    ),
    buildNote(request),
    element("td", { className: "soft number" }, buildTime(request.at)),
  ];
}

/** Why it was rejected, or else what it changed. */
function buildNote(request: LoggedRequest): HTMLTableCellElement {
  const { environment, injected, replayed, body = "" } = request;
  const isWrong = isRejected(request) || isFailed(request);
  const text = isWrong ? formatReason(request) : summarize(body);
  const place = environment === selected().environment.name ? "" : (environment ?? describeKeyProblem(request));
  return element(
    "td",
    { className: `cut ${isWrong ? "bad" : "soft"}`, title: text },
    place !== "" && span("tag soft", place),
    injected && buildFaultMark(request),
    replayed && span("tag", "replay"),
    ...inlineCode(text),
  );
}

const MAX_PART = 28;

/** `…/注文が発送され…しました/preferences`: decoded, and each long part is cut in its middle. */
function cutPath(path: string): string {
  const parts = path.split("/").map((part) => cutMiddle(decode(part)));
  return parts.length > 3 ? `…/${parts.slice(-2).join("/")}` : parts.join("/");
}

function cutMiddle(text: string): string {
  const characters = [...text];
  if (characters.length <= MAX_PART) return text;
  return [...characters.slice(0, MAX_PART / 2), "…", ...characters.slice(1 - MAX_PART / 2)].join("");
}

/** A text that is not percent-encoded as it should be stays as it is. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const MAX_SUMMARY = 4;

/** `email off · comment-mention`: the values of a body, which tell updates apart. */
export function summarize(body: string): string {
  const values = listValues("", parseJson(body));
  return values.slice(0, MAX_SUMMARY).join(" · ") + (values.length > MAX_SUMMARY ? " …" : "");
}

function listValues(name: string, value: unknown): string[] {
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, member]) => listValues(key, member));
  if (value === undefined) return []; // not JSON
  if (typeof value === "string") return [value];
  return [`${name} ${typeof value === "boolean" ? (value ? "on" : "off") : value}`];
}

export function describeKeyProblem({ headers: { authorization } }: LoggedRequest): string {
  if (authorization === undefined) return "missing key";
  return authorization.startsWith("ApiKey ") ? "unknown key" : "wrong scheme";
}
