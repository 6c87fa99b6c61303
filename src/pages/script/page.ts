// The script of the home page, the docs and reports: copies code, searches, shows the selected example, copies schemas and decisions
// to the places that refer to them, and opens the folded parts around the target of a link.
import { showJson, startCopying } from "./code-panel.js";
import { startDashboard } from "./dashboard.js";
import { element } from "./dom.js";
import { startFilter } from "./filter.js";
import { startSearch } from "./search.js";
import { startTabs } from "./tabs.js";

startCopying();
if (document.querySelector("#search")) startSearch();
for (const box of document.querySelectorAll<HTMLElement>("[data-filtered]")) startFilter(box);
for (const box of document.querySelectorAll<HTMLElement>("[data-tabs]")) startTabs(box);
const dashboard = document.querySelector<HTMLElement>("#dashboard");
if (dashboard) void startDashboard(dashboard);
for (const panel of document.querySelectorAll("[data-samples]")) startSamples(panel);
document.addEventListener("toggle", showParts, true); // it does not bubble
addEventListener("hashchange", openTarget);
openTarget(); // last: it scrolls

/** Shows the selected example, its JSON coloured. */
function startSamples(panel: Element): void {
  const [select, code] = [panel.querySelector("select"), panel.querySelector("code")];
  const show = () => code && showJson(code, select?.value ?? "");
  select?.addEventListener("change", show);
  show();
}

function openTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let place: Element | null = target; place; place = place.parentElement) {
    if (place instanceof HTMLDetailsElement) place.open = true;
  }
  target?.scrollIntoView();
}

/** When a part is opened, copies the schemas and decisions that it refers to into it. The page contains each only once. */
function showParts({ target }: Event): void {
  if (!(target instanceof HTMLDetailsElement) || !target.open) return;
  for (const place of target.querySelectorAll<HTMLElement>(":scope > [data-from]")) {
    const summary = document.getElementById(place.dataset.from ?? "");
    if (!summary?.matches("summary")) continue; // reports show decisions in a table
    const link = element("a", { href: `#${summary.id}` }, summary.textContent ?? "");
    const copies = [...(summary.parentElement?.children ?? [])].slice(1).map((part) => part.cloneNode(true) as Element);
    for (const part of copies.flatMap((copy) => [copy, ...copy.querySelectorAll("[id], [open]")])) {
      for (const own of ["id", "open"]) part.removeAttribute(own);
    }
    place.replaceChildren(element("p", {}, link), ...copies);
    delete place.dataset.from;
  }
}
