// The page's address keeps what is shown, for a reload, a bookmark or a shared link: the view in the hash, everything
// else in the query. Keys: `/` focuses the search, `1` to `5` open a view, arrows enter the rows, Escape closes the
// open row, `?` lists them all.
import { find, onPress } from "../script/dom.js";
import { VIEWS } from "../script/search.js";

export function readPageAddress(): URLSearchParams {
  return new URLSearchParams(location.search);
}

/** Sets these parameters and keeps the others; an empty list removes a parameter. */
export function writePageAddress(changes: Record<string, readonly string[]>): void {
  const query = readPageAddress();
  for (const [name, values] of Object.entries(changes)) {
    query.delete(name);
    for (const value of values) query.append(name, value);
  }
  const search = query.size > 0 ? `?${query}` : "";
  history.replaceState(null, "", `${location.pathname}${search}${location.hash}`);
}

export type View = (typeof VIEWS)[number];

const shortcuts = find("dialog", "#shortcuts");
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
  onPress(find("button", "[data-do=shortcuts]"), openShortcuts);
  onPress(find("button", "[data-do=close]", shortcuts), () => shortcuts.close());
  follow();
}

/** Shows the current view only. @param isHidden hides it, too. */
export function showView(isHidden: boolean): void {
  for (const view of VIEWS) find("section", `#${view}`).hidden = isHidden || view !== current;
}

function openShortcuts(): void {
  shortcuts.showModal();
}

function handleKey(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (document.querySelector("dialog[open]")) return; // Escape closes it
  const view = find("section", `#${current}`);
  const isTyping = target.closest("input:not([type=checkbox]), textarea, select") !== null;
  if (isTyping && event.key !== "Escape") return;
  if (event.key === "?") openShortcuts();
  const numbered = VIEWS[Number(event.key) - 1];
  // Keys with a modifier are the browser's.
  if (numbered && !event.ctrlKey && !event.metaKey && !event.altKey) location.hash = numbered;
  if (event.key === "ArrowDown" && target === document.body) view.querySelector<HTMLElement>("tbody button")?.focus();
  if (event.key === "/") {
    const field = view.querySelector<HTMLInputElement>("[data-search]");
    if (!field) return;
    event.preventDefault();
    for (let box = field.closest("details"); box; box = box.parentElement?.closest("details") ?? null) box.open = true;
    field.focus();
  }
  if (event.key !== "Escape" || target.matches("[type=search]")) return; // the browser clears the search
  view.querySelector<HTMLButtonElement>(".detail:not([hidden]) [data-close]")?.click();
}
