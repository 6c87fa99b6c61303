// The page's address keeps what is shown, for a reload, a bookmark or a shared link: the view in the hash, everything
// else in the query. Keys: `1` to `5` open a view, `/` focuses the search, arrows enter the rows, Escape closes the open
// row or leaves the empty search, `?` lists them all.

import { VIEWS } from "../docs/console-data.js";
import { button, element, find, isTyping } from "../script/dom.js";

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

/** Undefined while the address names no view. */
export function currentView(): View | undefined {
  return VIEWS.find((name) => `#${name}` === location.hash);
}

/** Shows the view of the address whenever it changes. @param restore called when Back changes the query. */
export function followAddress(onChange: () => void, restore: () => void): void {
  addEventListener("hashchange", onChange);
  addEventListener("popstate", () => {
    if (location.search === shownQuery) return;
    shownQuery = location.search;
    restore();
    onChange();
  });
  const shortcuts = buildShortcuts();
  document.addEventListener("keydown", (event) => handleKey(event, shortcuts));
}

const KEYS = [
  ["1 … 5", "open a view"],
  ["Ctrl K", "search, and do everything"],
  ["/", "search the requests"],
  ["↑ ↓", "move through the rows; with ← →, the switches"],
  ["Enter", "open a row"],
  ["x", "mark a request; two are compared"],
  ["Ctrl Z", "take back the latest switch"],
  ["Ctrl Enter", "send an edited request"],
  ["Esc", "close it"],
] as const;

function buildShortcuts(): HTMLDialogElement {
  const pairs = KEYS.map(([keys, text]) => {
    const marks = keys.split(" ").flatMap((key) => [key === "…" ? key : element("kbd", {}, key), " "]);
    return element("div", {}, element("dt", {}, ...marks), element("dd", {}, text));
  });
  const close = button("Close", () => dialog.close());
  const dialog = element(
    "dialog",
    { ariaLabel: "Shortcuts" },
    element("h2", {}, "Shortcuts"),
    element("dl", { className: "pairs" }, ...pairs),
    close,
  );
  document.body.append(dialog);
  return dialog;
}

function handleKey(event: KeyboardEvent, shortcuts: HTMLDialogElement): void {
  if (document.querySelector("dialog[open]")) return; // Escape closes it
  if (isTyping(event) && event.key !== "Escape") return;
  if (event.ctrlKey || event.metaKey || event.altKey) return; // keys with a modifier are the browser's
  const view = find("section", "main > section:not([hidden])");
  const target = event.target as HTMLElement;
  if (event.key === "?") shortcuts.showModal();
  const numbered = VIEWS[Number(event.key) - 1];
  if (numbered) {
    location.hash = numbered;
    find("main", "#main").focus(); // Tab enters the view
  }
  const first = view.querySelector<HTMLElement>("tbody [tabindex='0'], tbody input");
  if (event.key === "ArrowDown" && target.matches("body, main")) {
    event.preventDefault();
    first?.focus();
  }
  if (event.key === "/") {
    const field = view.querySelector<HTMLInputElement>("[type=search]");
    if (field) event.preventDefault();
    field?.select();
  }
  if (event.key !== "Escape") return;
  const isSearch = target instanceof HTMLInputElement && target.type === "search";
  if (!isSearch) view.querySelector<HTMLButtonElement>(".detail:not([hidden]) [data-close]")?.click();
  else if (target.value === "") (first ?? target).focus(); // or else the browser clears it
}
