// The latest request of a panel as curl and as client code, each with a copy button.
import { toCurl } from "../client/curl.js";
import { button, element } from "./dom.js";
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
  return element("div", { className: "snippet" }, codeBlock(label, text), copy);
}

/** Text that scrolls, by keyboard too. */
export function codeBlock(label: string, text: string): HTMLElement {
  return element("pre", { tabIndex: 0, role: "group", ariaLabel: label }, element("code", {}, text));
}

/** Copies, and confirms it on the button. */
export async function copyText(pressed: HTMLButtonElement, text: string): Promise<void> {
  const before = pressed.textContent;
  await navigator.clipboard.writeText(text);
  pressed.textContent = "Copied";
  pressed.addEventListener("blur", () => pressed.replaceChildren(before ?? ""), { once: true });
}
