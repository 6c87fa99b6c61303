// The script of all pages but the console: copies code, searches, sends requests, shows what is behind a rule, marks
// the part of the docs that is read, and opens the folded parts around the target of a link. The home page shows the
// running server, if it has access to the control plane.

import type { Environment, LoggedRequest } from "../../browser/client/control.js";
import { mapDefined } from "../../contract/lists.js";
import { colourCode, showJson, startCopying } from "./code-panel.js";
import {
  buildFaultMark,
  buildStatus,
  describeClock,
  formatAge,
  formatReason,
  formatStart,
  isNavigation,
  linkToLogged,
  loadControl,
  noteServer,
  type Readiness,
} from "./dashboard.js";
import { buildTime, element, find, occurrence, span, startTabs } from "./dom.js";
import { startSearch } from "./palette.js";
import { startSamples } from "./samples.js";

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

function startContents(side: HTMLElement): void {
  const contents = find("button", "[data-contents]", side);
  contents.addEventListener("click", () => setOpen(!side.classList.contains("open")));
  side.addEventListener("click", ({ target }) => {
    if ((target as Element).closest("a")?.hash) setOpen(false);
  });
  side.addEventListener("keydown", ({ key }) => key === "Escape" && setOpen(false));

  /** On narrow screens only, where the contents cover the page. */
  function setOpen(isOpen: boolean): void {
    side.classList.toggle("open", isOpen);
    contents.ariaExpanded = String(isOpen);
  }
}

const LINE_PX = 96;

/**
 * Marks the link of the part that is read: the one that was opened while it is where a link scrolls it to, or else the
 * last one whose title is there or above. The end of a page does not scroll that far: there, it is the one that was
 * opened, if that is in view.
 */
function followPlace(side: HTMLElement): void {
  const links = [...side.querySelectorAll<HTMLAnchorElement>("a[href^='#']")];
  const targets = mapDefined(links, (link) => {
    const target = document.getElementById(link.hash.slice(1));
    return target ? { link, target } : undefined;
  });
  const mark = () => {
    const isAtEnd = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
    const padding = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop);
    const topOf = ({ target }: (typeof targets)[number]) => target.getBoundingClientRect().top;
    const visible = targets.filter(({ target }) => target.checkVisibility());
    const opened = visible.find(
      (one) => one.link.hash === location.hash && topOf(one) >= 0 && topOf(one) < innerHeight,
    );
    const above = visible.filter((one) => topOf(one) < padding + LINE_PX);
    const isThere = opened && (isAtEnd || above.includes(opened));
    const current = (isThere ? opened : (above.at(-1) ?? targets[0]))?.link;
    for (const { link } of targets) link.ariaCurrent = link === current ? "location" : null;
    if (current) keepInView(side, current);
  };
  addEventListener("scroll", mark, { passive: true });
  addEventListener("hashchange", mark);
  mark();
}

/** Of contents that are longer than the window. */
function keepInView(side: HTMLElement, link: Element): void {
  const [box, { top, bottom }] = [side.getBoundingClientRect(), link.getBoundingClientRect()];
  if (top < box.top) side.scrollTop -= box.top - top + LINE_PX;
  if (bottom > box.bottom) side.scrollTop += bottom - box.bottom + LINE_PX;
}

const REFRESH_MS = 5_000;
const SHOWN = 5;
const LOADED = 50; // navigations are left out of these

async function startDashboard(section: HTMLElement): Promise<void> {
  const line = find("p", "[role=status]", section);
  const body = find("tbody", "tbody", section);
  let isFilled = false;
  for (;;) {
    const [ready, list, latest] = await Promise.all([
      loadControl<Readiness>("ready"),
      loadControl<{ environments: Environment[] }>("environments"),
      loadControl<{ requests: LoggedRequest[] }>(`requests?limit=${LOADED}&console=false&responseBodies=false`),
    ]);
    noteServer(ready);
    if (ready && list && latest) {
      const shown = latest.requests.filter((request) => !isNavigation(request)).slice(-SHOWN);
      say("soft", describeServer(ready, list.environments));
      body.replaceChildren(...shown.toReversed().map(buildRow));
      isFilled = true;
    } else if (isFilled) say("bad", `The server does not respond. Start it again: ${formatStart()}`);
    section.hidden = !isFilled;
    await new Promise((resolve) => setTimeout(resolve, REFRESH_MS));
    if (document.hidden) await occurrence("visibilitychange");
  }

  /** Once, or a screen reader would repeat it. */
  function say(className: string, text: string): void {
    if (line.textContent !== text) Object.assign(line, { className, textContent: text });
  }
}

/** `Running for 5 min · demo seed, in memory · clock frozen in default · 2 environments · 1 fault` */
function describeServer({ startedAt, seed, dataFolder }: Readiness, environments: readonly Environment[]): string {
  const clocks = environments.map(({ name, clock }) => ({ name, text: describeClock(clock, Date.now()) }));
  const unusual = clocks.find(({ text }) => text !== "running");
  const faults = environments.reduce((sum, environment) => sum + environment.faults, 0);
  return [
    `Running for ${formatAge(startedAt)}`,
    `${seed} seed, ${dataFolder === undefined ? "in memory" : "in a folder"}`,
    unusual && `clock ${unusual.text} in ${unusual.name}`,
    environments.length > 1 && `${environments.length} environments`,
    faults > 0 && `${faults} fault${faults === 1 ? "" : "s"}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

function buildRow(request: LoggedRequest): HTMLTableRowElement {
  const { status, method, target, at, injected } = request;
  const reason = status !== undefined && status >= 400 && formatReason(request);
  const name = `${method} ${target}`;
  return element(
    "tr",
    {},
    element("td", {}, buildStatus(request)),
    element(
      "td",
      {},
      element("a", { href: linkToLogged(request), title: name, className: "cut" }, element("code", {}, name)),
    ),
    element("td", { className: "soft number" }, buildTime(at)),
    (injected || reason) &&
      element(
        "td",
        { className: "cut small", title: reason || "" },
        injected && buildFaultMark(request),
        " ",
        reason && span("bad", reason),
      ),
  );
}
