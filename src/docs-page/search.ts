// The search over the navigation's entries. docs/docs-navigation.ts writes them.
import { find } from "../console/dom.js";

export function startSearch(): void {
  const field = find("input", "#search");
  const side = find("nav", ".side");
  field.addEventListener("input", showMatches);
  field.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    field.value = "";
    showMatches();
    field.blur();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || (event.target as Element).closest("input, textarea, select")) return;
    event.preventDefault();
    field.focus();
  });
  side.addEventListener("click", ({ target }) => {
    const link = (target as Element).closest("a");
    if (link?.hash) link.blur(); // on a narrow screen the list closes
  });

  function showMatches(): void {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const entries = [...side.querySelectorAll("li")];
    for (const entry of entries) {
      const text = (entry.textContent ?? "").toLowerCase();
      entry.hidden = words.length === 0 ? "deep" in entry.dataset : !words.every((word) => text.includes(word));
    }
    for (const section of side.querySelectorAll("section")) {
      section.hidden = section.querySelector("li:not([hidden])") === null;
    }
    const count = entries.filter((entry) => !entry.hidden).length;
    find("p", "#matches").textContent = words.length === 0 ? "" : count === 1 ? "1 match" : `${count} matches`;
  }
}
