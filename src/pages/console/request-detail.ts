// A request of the log: as a row, and in full: what was wrong at its line, what fixes it, and the code that repeats it.
import type { LoggedRequest } from "../../browser/client/control.js";
import { parseJson } from "../../contract/json.js";
import { formatCodes, type RequestSpec } from "../../contract/request.js";
import { joinTarget, splitTarget } from "../../contract/target.js";
import { copyButton, type JsonOptions, jsonPanel, snippet } from "../script/code-panel.js";
import { buildFaultMark, buildStatus, describeInjection, formatDuration, formatReason } from "../script/dashboard.js";
import { buildTime, capitalize, createTabs, element, find, inlineCode, span } from "../script/dom.js";
import { formatFault } from "./fault-panel.js";
import { pageData, selected } from "./panel.js";
import { closeJson, describeCut, findCauses, findCitations, isFailed, isRejected } from "./request-log.js";
import { buildRepeated, findOutline, isMasked, MASK } from "./request-sender.js";

/** @param sender sends it again: see buildSender. */
export function buildRequestDetail(request: LoggedRequest, sender: Node | string): (Node | string)[] {
  const { target, headers, body, responseHeaders, responseBody = "", violations } = request;
  const query = formatQueryMembers(target);
  const causes = Object.entries(findCauses(request));
  const withoutAdvice = (message: string) =>
    violations.length > 0 ? message : message.replace(/(?<=\.) [A-Z/].*/s, "");
  const wrong = new Map(causes.map(([location, message]) => [placeShown(location, target), withoutAdvice(message)]));
  const wrongHeaders = causes.flatMap(([location]) => /^header\.(.+)/.exec(location)?.[1] ?? []);
  const sentHeaders = Object.fromEntries(Object.entries(headers).filter(([name]) => wrongHeaders.includes(name)));
  const sent = [
    wrongHeaders.length > 0 && jsonPanel("Headers", JSON.stringify(sentHeaders), { path: "header", wrong }),
    query !== undefined && jsonPanel("Query", query, { path: "query", wrong }),
    body !== undefined && buildBodyPanel("Request", body, describeCut(request, "request"), { path: "body", wrong }),
  ];
  const cut = describeCut(request, "response");
  const parts = [
    element("div", { className: "sent" }, ...sent), // hidden while the form shows it
    responseBody !== "" && buildBodyPanel("Response", responseBody, cut, { foldsLists: true }),
  ];
  return [
    element("h3", {}, buildStatus(request), " ", element("code", {}, ...buildTarget(request))),
    buildFacts(request),
    buildInjection(request),
    buildMessage(request),
    sender,
    createTabs("request", "Shown as", [
      ["Exchange", element("div", {}, ...parts)],
      ["Headers", element("div", {}, buildHeaders("Request", headers), buildHeaders("Response", responseHeaders))],
      ...buildCodeTabs(buildRepeated(request)),
    ]),
  ];
}

/** Method and target, in which a part is marked that the contract or the environment lacks. */
function buildTarget(request: LoggedRequest): (Node | string)[] {
  const { method, target, message = "" } = request;
  const causes = findCauses(request);
  const { path, query } = splitTarget(target);
  const [, nearest] = /Did you mean \S+ (\S+)\?/.exec(message) ?? [];
  const template = ((causes.path ? nearest : findOutline(request).path) ?? "").split("/");
  const parts = path.split("/");
  const isLike = template.length === parts.length;
  const isWrong = (part: string, index: number) => {
    const [, name] = /^{(.+)}$/.exec(template[index] ?? "") ?? [];
    if (name !== undefined && isLike) return causes[`path.${name}`] !== undefined;
    return causes.path !== undefined && !(isLike && part === template[index]);
  };
  const mark = (text: string, isMarked: boolean) => (isMarked && text !== "" ? element("mark", {}, text) : text);
  const shownPath = parts.flatMap((part, index) => [index > 0 ? "/" : "", mark(decode(part), isWrong(part, index))]);
  return [mark(method, causes.method !== undefined), " ", ...shownPath, joinTarget("", query)];
}

/** What is left of a JSON text is shown as one. */
function buildBodyPanel(label: string, body: string, cut: string, options: JsonOptions): HTMLElement {
  return jsonPanel([label, cut].filter(Boolean).join(", "), cut === "" ? body : closeJson(body), options);
}

function buildHeaders(part: string, headers: Readonly<Record<string, string>> = {}): HTMLElement {
  const panel = snippet(`${part} headers`, "");
  const lines = Object.entries(headers).flatMap(([name, value]) => [span("k", name), `: ${value}\n`]);
  find("code", "code", find("pre", "pre", panel)).append(...lines);
  return panel;
}

/** The request in each language. The page's origin is the server's. */
export function buildCodeTabs(spec: RequestSpec): (readonly [name: string, part: HTMLElement])[] {
  return formatCodes(spec, location.origin, findOutline(spec)).map(([name, code]) => [
    name,
    snippet(`As ${name}`, code),
  ]);
}

/** `Injected by a fault: every request → 503, once`, with a link to the faults. */
function buildInjection(request: LoggedRequest): Node | string {
  const { injected, environment = "" } = request;
  if (injected === undefined) return "";
  const text = capitalize(`${describeInjection(request)}: ${formatFault(injected)} `);
  const link = element("a", { href: `?environment=${encodeURIComponent(environment)}#faults` }, "Open Faults");
  return element("p", { className: "soft small" }, text, link);
}

/** Where, when, how long, by which rules, and its id, in a line. */
function buildFacts(request: LoggedRequest): HTMLElement {
  const { at, environmentTime, id, mocked, environment, headers, replayed } = request;
  const key = headers["idempotency-key"];
  const facts = [
    environment === selected().environment.name ? "" : (environment ?? describeKeyProblem(request)),
    at.slice(11, 23),
    environmentTime && `${environmentTime.slice(0, 19).replace("T", " ")} by the environment's clock`,
    formatDuration(request),
    mocked && "mocked: nothing implements the operation",
    key !== undefined && `Idempotency-Key ${key}${replayed ? ", replayed" : ""}`,
  ].filter(Boolean);
  const text = span("", facts.join(" · "));
  text.title = at;
  const shownId = element("code", { title: `X-Request-Id: ${id}` }, id);
  const citations = isRejected(request) ? findCitations(request).map(buildCitationLink) : [];
  return element(
    "div",
    { className: "row meta soft small" },
    text,
    ...citations,
    shownId,
    copyButton("X-Request-Id", "Copy", "link"),
  );
}

/** What no line of the request says. */
function buildMessage(request: LoggedRequest): Node | string {
  const { status, violations, message, suggestion } = request;
  if ((!isRejected(request) && !isFailed(request)) || violations.length > 0) return "";
  const text = status === undefined ? formatReason(request) : [message, suggestion].filter(Boolean).join(" ");
  return element("p", { className: "bad" }, ...inlineCode(text));
}

/** The query as JSON, so that its members can be marked as those of a body. A repeated parameter is a list. */
function formatQueryMembers(target: string): string | undefined {
  const { searchParams } = new URL(target, location.origin);
  if (searchParams.size === 0) return undefined;
  const members = [...new Set(searchParams.keys())].map((name) => {
    const values = searchParams.getAll(name);
    return [name, values.length > 1 ? values : values[0]];
  });
  return JSON.stringify(Object.fromEntries(members));
}

/** A list of one item is shown as that item: `query.templates.0` is `query.templates`. */
function placeShown(location: string, target: string): string {
  const [, list, name = ""] = /^(query\.(.+))\.\d+$/.exec(location) ?? [];
  return list !== undefined && new URL(target, globalThis.location.origin).searchParams.getAll(name).length === 1
    ? list
    : location;
}

/** @param citation a decision, a clause, or a row of a clause: `D-28`, `§4.2`, `§4.2 limit`. */
function buildCitationLink(citation: string): HTMLElement {
  const [id = ""] = citation.split(" ");
  const place = id.startsWith("§") ? `clause-${id.slice(1)}` : `decision-${id}`;
  return element("a", { href: `/docs#${place}`, title: pageData.titles[id] ?? "" }, citation);
}

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

function describeKeyProblem({ headers: { authorization } }: LoggedRequest): string {
  if (authorization === undefined) return "missing key";
  return authorization.startsWith("ApiKey ") ? "unknown key" : "wrong scheme";
}
