// The script of the home page, the docs and reports: copies code, searches, shows the selected example, copies schemas
// and decisions to the places that refer to them, and opens the folded parts around the target of a link.
import { colourCode, showJson, startCopying } from "./code-panel.js";
import { followPlace, startContents } from "./contents.js";
import { loadControl, startDashboard } from "./dashboard.js";
import { element, titleOf } from "./dom.js";
import { startFilter, startFilterKey } from "./filter.js";
import { startSamples } from "./samples.js";
import { startSearch } from "./search.js";
import { noteServer, type Readiness } from "./start-command.js";
import { startTabs } from "./tabs.js";

startCopying();
const side = document.querySelector<HTMLElement>(".side");
if (side?.matches(":has([data-contents])")) startContents(side);
if (side) followPlace(side);
if (document.querySelector("[data-palette]")) startSearch();
else startFilterKey();
for (const code of document.querySelectorAll<HTMLElement>(".panel:not([data-samples]) code")) showCode(code);
linkCitations();
for (const body of document.querySelectorAll(".request-body ~ [data-from], [data-open] > [data-from]"))
  if (!body.closest("details")) showPart(body);
for (const part of document.querySelectorAll<HTMLDetailsElement>(
  "[data-open] > * > .members > .member > details.plain",
))
  Object.assign(part, { open: true }).dataset.few = "";
showOpen(document);
for (const box of document.querySelectorAll<HTMLElement>("[data-filtered]")) startFilter(box);
for (const box of document.querySelectorAll<HTMLElement>("[data-tabs]")) startTabs(box);
const dashboard = document.querySelector<HTMLElement>("#dashboard");
if (dashboard) void startDashboard(dashboard);
for (const samples of document.querySelectorAll<HTMLElement>(".samples:has([data-request])")) startSamples(samples);
document.addEventListener("toggle", showParts, true); // it does not bubble
if (document.body.matches(".docs")) document.addEventListener("click", noteOpened);
for (const link of document.querySelectorAll<HTMLAnchorElement>("main a[data-example]")) {
  link.addEventListener("click", () => showTask(link));
  if (link.hash === location.hash) showTask(link);
}
if (document.querySelector(".docs [data-send]") && document.querySelector("header a[href='/console']"))
  void loadControl<Readiness>("ready").then(noteServer); // what it was started with, should it stop
addEventListener("hashchange", openTarget);
for (const pre of document.querySelectorAll("pre")) showWrong(pre);
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
  if (target?.closest("[hidden]")) target.closest("[data-filtered]")?.dispatchEvent(new Event("clear"));
  for (let place: Element | null = target; place; place = place.parentElement) {
    if (place instanceof HTMLDetailsElement) place.open = true;
  }
  const own = target?.querySelector<HTMLDetailsElement>(":scope > th > details");
  if (own) own.open = true;
  target?.scrollIntoView();
  const samples = target?.closest(".columns")?.querySelector(".samples");
  if (samples && getComputedStyle(samples).position === "sticky") showHead(samples);
}

/** At the end of an operation, the target stands lower, so that the head of the example beside it is seen. */
function showHead(samples: Element): void {
  const above = Number.parseFloat(getComputedStyle(samples).top) - samples.getBoundingClientRect().top;
  if (above > 0) scrollBy(0, -above);
}

/** The address names the part that was opened last, for others to see it. */
function noteOpened({ target }: Event): void {
  const summary = (target as Element).closest("summary[id]");
  const isOpening = summary?.closest("details")?.open === false;
  if (isOpening) history.replaceState(null, "", `#${summary.id}`);
}

/** Of an opened response, the example beside the operation has the same status. */
function showSample(part: HTMLDetailsElement): void {
  const status = part.querySelector(":scope > summary > .status")?.textContent;
  if (status) selectSample(part, `optgroup[label="${status}"] option`);
}

/** Shows the example of a task, with values of its own for the parameters that it is about. */
function showTask({ hash, dataset: { example, fill } }: HTMLAnchorElement): void {
  const place = document.querySelector(hash);
  selectSample(place, `[data-name="${example}"]`);
  const samples = place?.closest("section")?.querySelector(".samples");
  if (fill !== undefined) samples?.dispatchEvent(new CustomEvent("fill", { detail: fill.split(" ") }));
}

/** @param place in the operation's section. */
function selectSample(place: Element | null, option: string): void {
  const select = place?.closest("section")?.querySelector<HTMLSelectElement>("[data-samples] select");
  const found = select?.querySelector<HTMLOptionElement>(option);
  if (!found || !select) return;
  found.selected = true;
  select.dispatchEvent(new Event("change"));
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

/**
 * When a part is opened, copies the schemas and decisions that it refers to into it. The page contains each only once.
 */
function showParts({ target }: Event): void {
  if (!(target instanceof HTMLDetailsElement) || !target.open) return;
  showSample(target);
  for (const pre of target.querySelectorAll("pre")) showWrong(pre);
  for (const place of target.querySelectorAll(":scope > [data-from], :scope > .why > [data-from]")) showPart(place);
}

/** Of the few members that are open at first. */
function showOpen(root: ParentNode): void {
  for (const target of root.querySelectorAll("details[data-few]"))
    for (const place of target.querySelectorAll(":scope > [data-from]")) showPart(place);
}

/** Scrolls a long body to the first place that is wrong. */
function showWrong(pre: HTMLPreElement): void {
  const mark = pre.querySelector(".wrong");
  if (mark) pre.scrollTop += mark.getBoundingClientRect().top - pre.getBoundingClientRect().top - pre.clientHeight / 3;
}

function showPart(place: Element): void {
  const summary = document.getElementById(place.getAttribute("data-from") ?? "");
  if (!summary?.matches("summary")) return; // reports show decisions in a table
  const isNamed = place.matches(".request-body ~ *, [data-open] > *"); // by what stands above
  const name = !isNamed && element("a", { href: `#${summary.id}` }, titleOf(summary));
  const note = summary.querySelector(".note")?.textContent ?? "";
  const copies = [...(summary.parentElement?.children ?? [])].slice(1).map((part) => part.cloneNode(true) as Element);
  for (const part of copies.flatMap((copy) => [copy, ...copy.querySelectorAll("[id], [open]")])) {
    part.removeAttribute("id");
    if (!part.matches("[data-few]")) part.removeAttribute("open");
  }
  place.replaceChildren(element("p", {}, name, " ", note), ...copies);
  place.removeAttribute("data-from");
  showOpen(place);
}
