// Which view is visible, by the address's hash; and the keys: `/` searches, Escape closes.
import { find } from "../docs-page/dom.js";

export const VIEWS = ["preferences", "feed", "requests", "faults", "coverage", "clock", "environment"] as const;
export type View = (typeof VIEWS)[number];

let current: View = "preferences";

export function currentView(): View {
  return current;
}

/** Shows the view of the address now and whenever it changes. */
export function followHash(onChange: () => void): void {
  const follow = () => {
    current = VIEWS.find((view) => `#${view}` === location.hash) ?? current;
    for (const link of document.querySelectorAll(".rail a")) {
      link.ariaCurrent = link.getAttribute("href") === `#${current}` ? "page" : null;
    }
    onChange();
  };
  addEventListener("hashchange", follow);
  document.addEventListener("keydown", handleKey);
  follow();
}

/** @param isHidden hides them all. */
export function showView(isHidden = false): void {
  for (const view of VIEWS) find("section", `#${view}`).hidden = isHidden || view !== current;
}

function handleKey(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (document.querySelector("dialog[open]")) return; // Escape closes it
  const view = find("section", `#${current}`);
  if (event.key === "/" && !target.closest("input:not([type=checkbox]), textarea, select")) {
    const field = view.querySelector<HTMLInputElement>("[data-search]");
    if (!field) return;
    event.preventDefault();
    const box = field.closest("details");
    if (box) box.open = true;
    field.focus();
  }
  if (event.key !== "Escape") return;
  if (target.matches("[type=search]"))
    target.blur(); // the browser has cleared it
  else view.querySelector<HTMLButtonElement>(".detail:not([hidden]) [data-close]")?.click();
}
