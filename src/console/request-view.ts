// The latest request of a panel as curl and as client code, each with a copy button.
import { toCurl } from "../client/curl.js";
import { button, element, span } from "../docs-page/dom.js";
import { type JsonOptions, showJson } from "../docs-page/json.js";
import { copyText } from "../docs-page/shell.js";
import type { RecordingClient } from "./recording-client.js";

/** Shows the latest request in the panel's `<details data-request>`. */
export async function showRequest(
  details: HTMLDetailsElement,
  api: RecordingClient,
  clientCode: string,
): Promise<void> {
  const curl = toCurl(await api.latestRequest(), new URL(api.baseUrl).origin);
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
