// The latest request of a panel, as curl and as client code, each with a button that copies it.
import type { Access } from "./access.js";
import { button, element } from "./dom.js";
import { toCurl } from "./snippets.js";

/** Shows what has just been sent in the panel's `<details data-request>`. */
export async function showRequest(details: HTMLDetailsElement, access: Access, code: string): Promise<void> {
  const curl = toCurl(await access.latestRequest());
  const [summary] = details.children;
  if (!summary) throw new Error("The page has no summary for requests.");
  details.replaceChildren(summary, snippet("As curl", curl), snippet("As client code", code));
  details.hidden = false;
}

function snippet(label: string, text: string): HTMLElement {
  const pre = element("pre", { tabIndex: 0, ariaLabel: label, role: "group" }, element("code", {}, text));
  return element(
    "div",
    { className: "snippet" },
    pre,
    copyButton(label, () => text),
  );
}

/** Says that it has copied: there is nothing else to see. */
export function copyButton(what: string, toText: () => string): HTMLButtonElement {
  const made = button("Copy", async () => showCopied(made, toText()), { ariaLabel: `Copy: ${what}` });
  return made;
}

export async function showCopied(pressed: HTMLButtonElement, text: string): Promise<void> {
  const before = pressed.textContent;
  await navigator.clipboard.writeText(text);
  pressed.textContent = "Copied";
  pressed.addEventListener("blur", () => pressed.replaceChildren(before ?? ""), { once: true });
}
