// The script of all pages but the console: copies code, searches, sends requests, shows what is behind a rule, and opens
// the folded parts around the target of a link.
import { colourCode, showJson, startCopying } from "./code-panel.js";
import { followPlace, startContents } from "./contents.js";
import { loadControl } from "./dashboard.js";
import { element } from "./dom.js";
import { startDashboard } from "./home.js";
import { startSamples } from "./samples.js";
import { startSearch } from "./search.js";
import { noteServer, type Readiness } from "./start-command.js";
import { startTabs } from "./tabs.js";

startCopying();
const side = document.querySelector<HTMLElement>(".side");
if (side) {
  startContents(side);
  followPlace(side);
}
if (document.querySelector("[data-palette]")) startSearch();
for (const code of document.querySelectorAll<HTMLElement>(".panel:not([data-samples]) code")) showCode(code);
linkCitations();
for (const box of document.querySelectorAll<HTMLElement>("[data-tabs]")) startTabs(box);
const dashboard = document.querySelector<HTMLElement>("#dashboard");
if (dashboard) void startDashboard(dashboard);
for (const samples of document.querySelectorAll<HTMLElement>(".samples")) startSamples(samples);
document.addEventListener("click", showWhy);
document.addEventListener(
  "toggle",
  ({ target }) => (target as Element).querySelectorAll("pre").forEach(showWrong),
  true,
); // it does not bubble
if (document.querySelector(".docs [data-send]") && document.querySelector("header a[href='/console']"))
  void loadControl<Readiness>("ready").then(noteServer); // what it was started with, should it stop
addEventListener("hashchange", openTarget);
document.querySelectorAll("pre").forEach(showWrong);
openTarget(); // last: it scrolls

function showCode(code: HTMLElement): void {
  const { json } = code.dataset;
  if (json === undefined) colourCode(code);
  else showJson(code, code.textContent ?? "", { path: "body", wrong: new Map(Object.entries(JSON.parse(json))) });
}

/** `#listNotifications` leads to the operation of that name. */
function openTarget(): void {
  const id = decodeURIComponent(location.hash.slice(1));
  const target = document.getElementById(id) ?? document.getElementById(`operation-${id}`);
  for (let place: Element | null = target; place; place = place.parentElement) {
    if (place instanceof HTMLDetailsElement) place.open = true;
  }
  target?.scrollIntoView();
}

/** Shows the clauses and decisions behind a rule below it. The page contains each only once. */
function showWhy(event: MouseEvent): void {
  const mark = (event.target as Element).closest<HTMLAnchorElement>(".why");
  if (!mark || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const rule = mark.closest("p");
  const isOpen = mark.ariaExpanded === "true";
  mark.ariaExpanded = String(!isOpen);
  if (isOpen) {
    rule?.nextElementSibling?.remove();
    return;
  }
  const reasons = (mark.dataset.why ?? "").split(" ").flatMap((id) => {
    const copy = document.getElementById(id)?.cloneNode(true) as Element | undefined;
    copy?.removeAttribute("id");
    return copy ?? [];
  });
  rule?.after(element("dl", { className: "clauses reasons" }, ...reasons));
}

/** Scrolls a long body to the first place that is wrong. */
function showWrong(pre: HTMLPreElement): void {
  const mark = pre.querySelector(".wrong");
  if (mark) pre.scrollTop += mark.getBoundingClientRect().top - pre.getBoundingClientRect().top - pre.clientHeight / 3;
}

/** Makes `D-71` and `§4.2` in texts lead to the decision or clause, if the page has it. */
function linkCitations(): void {
  for (const text of document.querySelectorAll("main :is(p, dd, li):not(.label)")) {
    for (const node of [...text.childNodes]) {
      if (!(node instanceof Text)) continue;
      const parts = node.data.split(/(\bD-\d+\b|§\d+(?:\.\d+)*)/);
      if (parts.length > 1)
        node.replaceWith(...parts.map((part, index) => (index % 2 === 1 ? buildCitation(part) : part)));
    }
  }
}

function buildCitation(text: string): HTMLElement | string {
  const id = text.startsWith("§") ? `clause-${text.slice(1)}` : `decision-${text}`;
  return document.getElementById(id) ? element("a", { href: `#${id}` }, text) : text;
}
