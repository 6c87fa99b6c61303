// A request of the log: a line with its violations, and the whole exchange when it is opened.
import type { LoggedRequest, Violation } from "../client/control.js";
import { element, span } from "./dom.js";
import { codeBlock } from "./request-view.js";

export function toLogItem(request: LoggedRequest): HTMLLIElement {
  const { at, method, target, status, fault, environment } = request;
  const isRejected = status !== undefined && status >= 400;
  const summary = element(
    "summary",
    {},
    element("time", { dateTime: at, className: "soft" }, at.slice(11, 19)),
    " ",
    span(isRejected || status === undefined ? "status bad" : "status good", String(status ?? "no response")),
    ` ${method} ${target} `,
    span("soft", environment ?? "unknown key"),
    fault !== undefined && span("tag warn", "fault"),
    ...(isRejected ? toReasons(request) : []).map((text) => span("violation", text)),
  );
  const details = element("details", {}, summary);
  details.addEventListener("toggle", () => details.append(...toExchange(request)), { once: true });
  const item = element("li", {}, details);
  if (isRejected) item.dataset.rejected = "";
  return item;
}

function toReasons({ violations, message, suggestion }: LoggedRequest): string[] {
  const reasons = violations.length > 0 ? violations.map(toViolationText) : [message];
  return [...reasons, suggestion].filter((text) => text !== undefined);
}

function toViolationText({ location, messages, clause, decision, suggestion }: Violation): string {
  const citation = clause ?? decision;
  return `${location} ${messages.join(", ")}${citation ? ` (${citation})` : ""}${suggestion ? `. ${suggestion}` : ""}`;
}

function toExchange({ headers, body, responseBody: response, milliseconds, id }: LoggedRequest): HTMLElement[] {
  const sent = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [
    element("p", { className: "soft" }, `${milliseconds ?? "?"} ms, X-Request-Id ${id}`),
    codeBlock("Request", [...sent, ...(body === undefined ? [] : ["", toPretty(body)])].join("\n")),
    ...(response === undefined ? [] : [codeBlock("Response", toPretty(response))]),
  ];
}

/** JSON with line breaks; other text, such as truncated JSON, as it is. */
function toPretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
