// The latest request of a panel as curl and as client code, each with a copy button.
import { toCurl } from "../client/curl.js";
import type { RequestSpec } from "../client/request-spec.js";
import { button, element, span } from "../docs-page/dom.js";
import { type JsonOptions, showJson } from "../docs-page/json.js";
import { copyText } from "../docs-page/shell.js";

/** Shows a request in the panel's `<details data-request>`. */
export function showRequest(details: HTMLDetailsElement, request: RequestSpec, clientCode: string): void {
  const curl = toCurl(request, location.origin);
  const [summary] = details.children;
  if (!summary) throw new Error("The page has no summary for requests.");
  details.replaceChildren(summary, snippet("As curl", curl), snippet("As client code", clientCode));
  details.hidden = false;
}

export function snippet(label: string, text: string): HTMLElement {
  const copy = button("Copy", () => copyText(copy, text), { ariaLabel: `Copy: ${label}` });
  return element(
    "div",
    { className: "panel" },
    element("div", { className: "panel-bar" }, span("soft", label), copy),
    codeBlock(label, text),
  );
}

/** A panel of JSON that can be collapsed, with Copy. */
export function jsonPanel(label: string, text: string, options?: JsonOptions): HTMLElement {
  const panel = snippet(label, text);
  const code = panel.querySelector("code");
  if (code) showJson(code, text, options);
  return panel;
}

/** Text that scrolls, by keyboard too. */
export function codeBlock(label: string, text: string): HTMLElement {
  return element("pre", { tabIndex: 0, role: "group", ariaLabel: label }, element("code", {}, text));
}
