// Code with Copy: shell.ts copies it.
import { element, span } from "./dom.js";
import { type JsonOptions, showJson } from "./json.js";

export function snippet(label: string, text: string): HTMLElement {
  const bar = element("div", { className: "panel-bar" }, span("soft", label), copyButton(label));
  return element("div", { className: "panel" }, bar, codeBlock(label, text));
}

function copyButton(label: string): HTMLButtonElement {
  const copy = element("button", { type: "button", className: "quiet", ariaLabel: `Copy: ${label}` }, "Copy");
  copy.dataset.copy = "";
  return copy;
}

/** A panel of JSON that can be collapsed. */
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
