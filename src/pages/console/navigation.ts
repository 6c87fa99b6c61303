// The page's address keeps what is shown, for a reload, a bookmark or a shared link: the view in the hash, everything
// else in the query. Keys: `/` focuses the search, `1` to `5` open a view, arrows enter the rows, Escape closes the
// open row or leaves the empty search, `?` lists them all.
import { find, isTyping, onPress } from "../script/dom.js";
import { VIEWS } from "../script/search.js";

export function readPageAddress(): URLSearchParams {
  return new URLSearchParams(location.search);
}

/** `pushState` for what Back takes back. */
export type AddressChange = "pushState" | "replaceState";

/** Sets these parameters and keeps the others; an empty list removes a parameter. */
export function writePageAddress(
  changes: Record<string, readonly string[]>,
  how: AddressChange = "replaceState",
): void {
  const query = readPageAddress();
  for (const [name, values] of Object.entries(changes)) {
    query.delete(name);
    for (const value of values) query.append(name, value);
  }
  const search = query.size > 0 ? `?${query}` : "";
  history[how](null, "", `${location.pathname}${search}${location.hash}`);
  shownQuery = location.search;
}

let shownQuery = location.search;

export type View = (typeof VIEWS)[number];

const shortcuts = find("dialog", "#shortcuts");
let current: View = "preferences";

export function currentView(): View {
  return current;
}

/** Shows the view of the address now and whenever it changes. @param restore called when Back changes the query. */
export function followAddress(onChange: () => void, restore: () => void): void {
  const follow = () => {
    const view = VIEWS.find((name) => `#${name}` === location.hash);
    if (!view && location.hash !== "") history.replaceState(null, "", `#${current}`);
    current = view ?? current;
    for (const link of document.querySelectorAll(".rail a")) {
      link.ariaCurrent = link.getAttribute("href") === `#${current}` ? "page" : null;
    }
    onChange();
  };
  addEventListener("hashchange", follow);
  addEventListener("popstate", () => {
    if (location.search === shownQuery) return;
    shownQuery = location.search;
    restore();
    follow();
  });
  document.addEventListener("keydown", handleKey);
  onPress(find("button", "[data-do=shortcuts]"), () => shortcuts.showModal());
  onPress(find("button", "[data-do=close]", shortcuts), () => shortcuts.close());
  follow();
}

/** Shows the current view only. @param isHidden hides it, too. */
export function showView(isHidden: boolean): void {
  for (const view of VIEWS) find("section", `#${view}`).hidden = isHidden || view !== current;
}

function handleKey(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (document.querySelector("dialog[open]")) return; // Escape closes it
  const view = find("section", `#${current}`);
  if (isTyping(event) && event.key !== "Escape") return;
  if (event.key === "?") shortcuts.showModal();
  const numbered = VIEWS[Number(event.key) - 1];
  // Keys with a modifier are the browser's.
  if (numbered && !event.ctrlKey && !event.metaKey && !event.altKey) location.hash = numbered;
  const firstRow = view.querySelector<HTMLElement>("tbody :is(button, input)");
  if (event.key === "ArrowDown" && target === document.body) firstRow?.focus();
  if (event.key === "/") {
    const field = view.querySelector<HTMLInputElement>("[data-search]");
    if (!field) return;
    event.preventDefault();
    for (let box = field.closest("details"); box; box = box.parentElement?.closest("details") ?? null) box.open = true;
    field.focus();
  }
  if (event.key !== "Escape") return;
  if (!(target instanceof HTMLInputElement) || target.type !== "search")
    view.querySelector<HTMLButtonElement>(".detail:not([hidden]) [data-close]")?.click();
  else if (target.value === "") {
    target.blur();
    firstRow?.focus();
  } // else the browser clears it
}
