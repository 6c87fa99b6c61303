// A request of the log: its row, and its details with what was wrong and the code that repeats it.

import type { LoggedRequest, Violation } from "../../browser/client/control.js";
import { parseJson } from "../../contract/json.js";
import { toList } from "../../contract/lists.js";
import { formatCodes } from "../../contract/request-code.js";
import type { RequestSpec } from "../../contract/request-spec.js";
import { joinTarget, splitTarget } from "../../contract/target.js";
import { copyButton, type JsonOptions, jsonPanel, snippet } from "../script/code-panel.js";
import { buildFaultMark, buildStatus, describeInjection, formatDuration, formatReason } from "../script/dashboard.js";
import { buildTime, capitalize, element, find, span } from "../script/dom.js";
import { createTabs } from "../script/tabs.js";
import { closeJson, describeCut } from "./cut-body.js";
import { formatFault } from "./fault-sentence.js";
import { selected } from "./panel.js";
import { findCauses, findCitation } from "./rejection-causes.js";
import { buildRepeated, findOutline, isMasked, MASK } from "./request-sender.js";

export function buildRequestCells(
  request: LoggedRequest,
  opener: (text: string) => HTMLButtonElement,
): HTMLTableCellElement[] {
  const { at, method, target, environment, body, replayed } = request;
  const { path, query } = splitTarget(target);
  const opened = opener("");
  opened.append(span("soft", method), ` ${shortenPath(path)}`, span("soft", joinTarget("", query)));
  if (body) opened.append(" ", summarize(request));
  if (replayed) opened.append(" ", span("tag", "replay"));
  return [
    element("td", {}, buildStatus(request)),
    element(
      "td",
      { title: `${method} ${target}${isMasked(request) ? `\n${MASK}` : ""}` },
      opened,
      buildReasonLine(request),
    ),
    element("td", { className: "soft" }, environment ?? describeKeyProblem(request)),
    element("td", { className: `${isSlow(request) ? "warn" : "soft"} number` }, formatDuration(request)),
    element("td", { className: "soft number" }, buildTime(at)),
  ];
}

/** @param sender sends it again: see buildSender. */
export function buildRequestDetail(request: LoggedRequest, sender: Node | string): (Node | string)[] {
  const { target, headers, body, responseHeaders, responseBody = "", violations } = request;
  const query = formatQueryMembers(target);
  const causes = Object.entries(findCauses(request));
  const shorten = (message: string) => (violations.length > 0 ? message : message.replace(/(?<=\.) [A-Z/].*/s, ""));
  const wrong = new Map(causes.map(([location, message]) => [placeShown(location, target), shorten(message)]));
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
  const spec = buildRepeated(request);
  return [
    element("h3", {}, buildStatus(request), " ", element("code", {}, ...buildTarget(request))),
    buildFacts(request),
    buildInjection(request),
    buildReasons(request),
    sender,
    createTabs("request", "Shown as", [
      ["Exchange", element("div", {}, ...parts)],
      ["Headers", element("div", {}, buildHeaders("Request", headers), buildHeaders("Response", responseHeaders))],
      ...buildCodeTabs(spec),
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
  const shownPath = parts.flatMap((part, index) => [index > 0 ? "/" : "", mark(part, isWrong(part, index))]);
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
  return formatCodes(spec, location.origin).map(([name, code]) => [name, snippet(`As ${name}`, code)]);
}

/** `Injected by a fault: every request → 503, once`, with a link to the faults. */
function buildInjection(request: LoggedRequest): Node | string {
  const { injected, environment = "" } = request;
  if (injected === undefined) return "";
  const isHere = environment === selected().environment.name;
  const href = isHere ? "#faults" : `?environment=${encodeURIComponent(environment)}#faults`;
  const text = capitalize(`${describeInjection(request)}: ${formatFault(injected)} `);
  return element("p", { className: "preview" }, text, element("a", { href }, "Open Faults"));
}

/** Where, when, how long, and its id, in a line. */
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
  const copy = copyButton("X-Request-Id", "Copy", "link");
  const shownId = element("code", { title: `X-Request-Id: ${id}` }, id);
  return element(
    "div",
    { className: "row meta soft small" },
    element("span", { title: at }, facts.join(" · ")),
    shownId,
    copy,
  );
}

const MAX_SUMMARY = 4;

/** `email off · comment-mention`: the values of a body, which tell updates apart. A wrong one has its name. */
export function summarize({ body = "", violations }: LoggedRequest): string {
  const wrong = new Set(violations.map(({ location }) => location));
  const values = listValues(parseJson(body), "body", wrong);
  return values.slice(0, MAX_SUMMARY).join(" · ") + (values.length > MAX_SUMMARY ? " …" : "");
}

function listValues(value: unknown, location: string, wrong: ReadonlySet<string>): string[] {
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, member]) => listValues(member, `${location}.${key}`, wrong));
  if (value === undefined) return []; // not JSON
  const name = location.slice(location.lastIndexOf(".") + 1);
  if (typeof value === "string") return [wrong.has(location) ? `${name} ${JSON.stringify(value)}` : value];
  return [`${name} ${typeof value === "boolean" ? (value ? "on" : "off") : value}`];
}

/** `…/notifications`: the last part of the path tells operations apart. */
function shortenPath(path: string): string {
  const parts = path.split("/");
  return parts.length > 2 ? `…/${parts.slice(2).join("/")}` : path;
}

/** `limit must be at most 50 · chanels → channels?`, after a mark for an injected fault. */
function buildReasonLine(request: LoggedRequest): HTMLElement | undefined {
  const isWrong = isRejected(request) || isFailed(request);
  const text = formatReason(request);
  const mark = request.injected && buildFaultMark(request);
  if (!isWrong && !mark) return undefined;
  return element("span", { className: "violation", title: text }, mark, isWrong && text);
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

/** 4xx: the client's error. */
export function isRejected({ status = 0 }: LoggedRequest): boolean {
  return status >= 400 && status < 500;
}

/** 5xx or no response: the server's error, or a fault. */
export function isFailed({ status = 599 }: LoggedRequest): boolean {
  return status >= 500;
}

/** A person notices it. */
function isSlow({ milliseconds = 0 }: LoggedRequest): boolean {
  return milliseconds >= 300;
}

function describeKeyProblem({ headers: { authorization } }: LoggedRequest): string {
  if (authorization === undefined) return "missing key";
  return authorization.startsWith("ApiKey ") ? "unknown key" : "wrong scheme";
}

function buildReasons(request: LoggedRequest): Node | string {
  if (!isRejected(request) && !isFailed(request)) return "";
  const { status, violations, suggestion } = request;
  const message = status === undefined ? formatReason(request) : request.message;
  const citation = findCitation(request);
  const reasons = violations.length > 0 ? violations.map(buildReason) : message ? [[message, ...cite(citation)]] : [];
  const lines = [...reasons, suggestion].filter(Boolean).map((reason) => span("violation", ...toList(reason)));
  return element("div", { className: "reasons" }, ...lines);
}

/** The titles of clauses and decisions, which shell/console-page.ts writes into the page. */
const titles: Record<string, string> = JSON.parse(find("script", "#citations").textContent ?? "");

/** The violation, with a link to its clause or decision. */
function buildReason({ location, messages, clause, decision }: Violation): (string | HTMLElement)[] {
  return [`${location} ${messages.join(", ")}`, ...cite(clause ?? decision)];
}

const cite = (citation: string | undefined) => (citation === undefined ? [] : [" (", buildCitationLink(citation), ")"]);

/** @param citation a decision, a clause, or a row of a clause: `D-28`, `§4.2`, `§4.2 limit`. */
function buildCitationLink(citation: string): HTMLElement {
  const [id = ""] = citation.split(" ");
  const place = id.startsWith("§") ? `clause-${id.slice(1)}` : `decision-${id}`;
  return element("a", { href: `/docs#${place}`, title: titles[id] ?? "" }, citation);
}
