// One request of the log: a line, what was wrong with it, and all of it when it is opened.
import type { LoggedRequest, Violation } from "../client/control.js";
import { element } from "./dom.js";

export function toLogItem(request: LoggedRequest): HTMLLIElement {
  const { at, method, target, status, fault, environment } = request;
  const isRefused = status !== undefined && status >= 400;
  const details = element(
    "details",
    {},
    element(
      "summary",
      {},
      element("time", { dateTime: at, className: "soft" }, at.slice(11, 19)),
      " ",
      element(
        "span",
        { className: isRefused || status === undefined ? "status bad" : "status good" },
        toStatus(status),
      ),
      ` ${method} ${target} `,
      element("span", { className: "soft" }, environment ?? "unknown key"),
      fault !== undefined && element("span", { className: "tag warn" }, "fault"),
      ...(isRefused ? toReasons(request) : []).map((text) => element("span", { className: "violation" }, text)),
    ),
  );
  details.addEventListener("toggle", () => details.append(...toParts(request)), { once: true });
  const item = element("li", {}, details);
  if (isRefused) item.dataset.refused = "";
  return item;
}

/** What was wrong, and what would have been right. */
function toReasons({ violations, message, suggestion }: LoggedRequest): string[] {
  const faults = violations.length > 0 ? violations.map(toViolationText) : [message];
  return [...faults, suggestion].filter((text) => text !== undefined);
}

function toStatus(status: number | undefined): string {
  return status === undefined ? "no answer" : String(status);
}

function toViolationText({ location, messages, clause, decision, suggestion }: Violation): string {
  const basis = clause ?? decision;
  return `${location} ${messages.join(", ")}${basis ? ` (${basis})` : ""}${suggestion ? `. ${suggestion}` : ""}`;
}

function toParts({ headers, body, answer, milliseconds, id }: LoggedRequest): HTMLElement[] {
  const sent = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [
    element("p", { className: "soft" }, `${milliseconds ?? "?"} ms, X-Request-Id ${id}`),
    part("What was sent", [...sent, ...(body === undefined ? [] : ["", toPretty(body)])].join("\n")),
    ...(answer === undefined ? [] : [part("What was answered", toPretty(answer))]),
  ];
}

function part(label: string, text: string): HTMLElement {
  return element("pre", { tabIndex: 0, role: "group", ariaLabel: label }, element("code", {}, text));
}

/** JSON with line breaks; what is none, or only the beginning of one, as it is. */
function toPretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
