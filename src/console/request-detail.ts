// A request of the log: its row, and the whole exchange with what was wrong and how to repeat it.
import type { PreferencesUpdate } from "../client/client.js";
import type { LoggedRequest, Violation } from "../client/control.js";
import { toCurl } from "../client/curl.js";
import { element, span } from "./dom.js";
import { toFilter } from "./feed-filter.js";
import { relativeTime } from "./relative-time.js";
import { codeBlock, snippet } from "./request-view.js";
import { selected } from "./selection.js";
import { toListCode, toUpdateCode } from "./snippets.js";

export function toRequestCells(
  request: LoggedRequest,
  opener: (text: string) => HTMLButtonElement,
): HTMLTableCellElement[] {
  const { at, method, target, fault, environment, milliseconds } = request;
  return [
    element("td", {}, toStatus(request), fault !== undefined && span("tag warn", "fault")),
    element("td", {}, opener(`${method} ${target}`), ...toReasons(request).slice(0, 1)),
    element("td", { className: "soft" }, environment ?? toKeyProblem(request)),
    element("td", { className: "soft" }, relativeTime(at, environment)),
    element("td", { className: "soft number" }, milliseconds === undefined ? "" : `${milliseconds} ms`),
  ];
}

export function toRequestDetail(request: LoggedRequest): HTMLElement[] {
  const { environment, api } = selected();
  const { method, target, headers, body, responseBody, at, id, fault, milliseconds = "?" } = request;
  const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  // The log has no keys: that of the selected environment is known.
  const apiKey = request.environment === environment.name ? api?.apiKey : undefined;
  const authorization = apiKey === undefined ? {} : { authorization: `ApiKey ${apiKey}` };
  const repeated = {
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_CLIENT.test(name))),
    ...authorization,
  };
  const spec = { method, target, headers: repeated, ...(body === undefined ? {} : { body }) };
  const code = toClientCode(request, { baseUrl: location.origin, apiKey: apiKey ?? "<key>" });
  const where = request.environment ?? toKeyProblem(request);
  const facts = [
    where,
    at,
    `${milliseconds} ms`,
    `X-Request-Id ${id}`,
    ...(fault === undefined ? [] : [`fault ${fault}`]),
  ];
  return [
    element("h3", {}, toStatus(request), ` ${method} ${target}`),
    element("p", { className: "soft" }, facts.join(" · ")),
    ...toReasons(request),
    element("h4", {}, "Request"),
    codeBlock("Request", [...headerLines, ...(body === undefined ? [] : ["", toPretty(body)])].join("\n")),
    ...(responseBody === undefined
      ? []
      : [element("h4", {}, "Response"), codeBlock("Response", toPretty(responseBody))]),
    element("h4", {}, "Repeat"),
    snippet("As curl", toCurl(spec, location.origin)),
    ...(code === undefined ? [] : [snippet("As client code", code)]),
  ];
}

/** What a client adds by itself. */
const OF_THE_CLIENT =
  /^(host|connection|content-length|origin|referer|user-agent|accept.*|sec-.*|cache-control|pragma|x-requested-by)$/;

/** 4xx and 5xx. */
export function isRejected({ status = 0 }: LoggedRequest): boolean {
  return status >= 400;
}

function toStatus(request: LoggedRequest): HTMLSpanElement {
  const { status } = request;
  return span(isRejected(request) || status === undefined ? "status bad" : "status good", String(status ?? "none"));
}

function toKeyProblem({ headers: { authorization } }: LoggedRequest): string {
  if (authorization === undefined) return "missing key";
  return authorization.startsWith("ApiKey ") ? "unknown key" : "wrong scheme";
}

function toReasons(request: LoggedRequest): HTMLElement[] {
  if (!isRejected(request)) return [];
  const { violations, message, suggestion } = request;
  const reasons = violations.length > 0 ? violations.map(toViolationText) : [message];
  const texts = [...reasons, suggestion].filter((text) => text !== undefined);
  return texts.map((text) => span("violation", text));
}

function toViolationText({ location, messages, clause, decision, suggestion }: Violation): string {
  const citation = clause ?? decision;
  return `${location} ${messages.join(", ")}${citation ? ` (${citation})` : ""}${suggestion ? `. ${suggestion}` : ""}`;
}

/** undefined for what the client would not send: another path, or a body that is not JSON. */
function toClientCode(
  { operation, target, body }: LoggedRequest,
  call: { baseUrl: string; apiKey: string },
): string | undefined {
  const { pathname, searchParams } = new URL(target, call.baseUrl);
  if (operation === "listNotifications") return toListCode(call, toFilter(searchParams));
  if (operation === undefined) return undefined;
  try {
    const [, , , subscriberId = ""] = pathname.split("/");
    return toUpdateCode(call, decodeURIComponent(subscriberId), JSON.parse(body ?? "") as PreferencesUpdate);
  } catch {
    return undefined;
  }
}

/** JSON with line breaks; other text, such as truncated JSON, as it is. */
function toPretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
