// The search over the contents, by name, description and synonym. docs/docs-page.ts writes the contents.
import { find } from "./dom.js";

export function startSearch(): void {
  const field = find("input", "#search");
  const side = find("nav", ".side");
  const entries = [...side.querySelectorAll("li")].map((entry) => ({
    entry,
    name: (entry.textContent ?? "").toLowerCase(),
    words: `${entry.textContent} ${entry.dataset.words ?? ""}`.toLowerCase(),
    parent: entry.parentElement,
  }));
  const order = new Map(entries.map(({ entry }, index) => [entry, index]));
  field.addEventListener("input", showMatches);
  side.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      field.value = "";
      showMatches();
      (document.activeElement as HTMLElement | null)?.blur();
    }
    if (event.key === "Enter" && event.target === field) visibleLinks()[0]?.click();
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    const stops = [field, ...visibleLinks()];
    const index = stops.indexOf(document.activeElement as HTMLInputElement) + (event.key === "ArrowDown" ? 1 : -1);
    stops[Math.max(0, Math.min(index, stops.length - 1))]?.focus();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || (event.target as Element).closest("input, textarea, select")) return;
    event.preventDefault();
    field.focus();
  });
  side.addEventListener("click", ({ target }) => {
    const link = (target as Element).closest("a");
    if (link?.hash) (document.activeElement as HTMLElement | null)?.blur(); // on a narrow screen the list closes
  });

  function visibleLinks(): HTMLElement[] {
    return [...side.querySelectorAll<HTMLElement>("section:not([hidden]) li:not([hidden]) a")];
  }

  /** Matches of names come before those of descriptions, and their group before the others: Enter opens the first one. */
  function showMatches(): void {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const isIn = (text: string) => words.every((word) => text.includes(word));
    const rankOf = (name: string) => (name === words.join(" ") ? 0 : isIn(name) ? 1 : 2);
    const sorted = entries.toSorted((a, b) => {
      const rank = words.length === 0 ? 0 : rankOf(a.name) - rankOf(b.name);
      return rank || (order.get(a.entry) ?? 0) - (order.get(b.entry) ?? 0);
    });
    for (const { entry, words: text, parent } of sorted) {
      entry.hidden = words.length === 0 ? "deep" in entry.dataset : !isIn(text);
      parent?.append(entry);
    }
    side.append(...new Set(sorted.flatMap(({ entry }) => (entry.hidden ? [] : (entry.closest("section") ?? [])))));
    for (const section of side.querySelectorAll("section")) {
      section.hidden = section.querySelector("li:not([hidden])") === null;
    }
    const count = visibleLinks().length;
    const none =
      "Nothing matches. Try a parameter (limit), a status (422), a decision (D-29) or a word of a description.";
    const text = count === 0 ? none : count === 1 ? "1 match" : `${count} matches`;
    find("p", "#matches").textContent = words.length === 0 ? "" : text;
  }
}
