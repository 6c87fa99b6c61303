// The search of the docs: a palette of every operation, parameter, member, response, decision and clause.
import { mapDefined } from "../../contract/lists.js";
import { find, span, titleOf } from "./dom.js";
import { createPalette, type PaletteItem } from "./palette.js";

export function startSearch(): void {
  const side = find("nav", ".side");
  const contents = find("button", "[data-contents]", side);
  let items: PaletteItem[] | undefined;
  const open = createPalette("Search", () => {
    items ??= [...document.querySelectorAll<HTMLElement>(PLACES)].map(buildItem);
    return items;
  });
  find("button", "[data-search]", side).addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    const isTyping = (event.target as Element).closest("input, textarea, select") !== null;
    const isPalette = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
    if (!isPalette && (event.key !== "/" || isTyping)) return;
    event.preventDefault();
    open();
  });
  contents.addEventListener("click", () => setOpen(!side.classList.contains("open")));
  side.addEventListener("click", ({ target }) => {
    if ((target as Element).closest("a")?.hash) setOpen(false);
  });
  side.addEventListener("keydown", ({ key }) => key === "Escape" && setOpen(false));
  followPlace(side);

  /** On narrow screens only, where the contents cover the page. */
  function setOpen(isOpen: boolean): void {
    side.classList.toggle("open", isOpen);
    contents.ariaExpanded = String(isOpen);
  }
}

const PLACES = "main :is(h2, summary, .member, .clauses > div)[id]";

/** A `div` is a member or a clause, which contains its name; any other place is the title of a folded part or a section. */
function buildItem(place: HTMLElement): PaletteItem {
  const isMember = place.matches("div");
  const [part, section] = [place.closest("details:not(.plain)"), place.closest("section")];
  const heading = section?.querySelector("h2");
  const content = isMember ? place : (part ?? section?.querySelector(".description"));
  const summary = isMember && part?.querySelector("summary");
  const endpoint = place.id.startsWith("operation-") ? section?.querySelector(".endpoint") : undefined;
  const isTitle = place === heading;
  const badge = findBadge(place, endpoint ?? undefined);
  const title = isMember ? place.querySelector("code, dt") : (place.querySelector(".name") ?? place);
  const name =
    title?.textContent
      ?.replace(/\. .*/s, ".")
      .replace(badge?.textContent ?? "", "")
      .trim() ?? "";
  const count = isTitle && !endpoint ? section?.querySelectorAll("[data-facet], .clauses > div").length : 0;
  const note = endpoint ? endpoint.querySelector("code")?.textContent : summary ? titleOf(summary) : count;
  return {
    group: isTitle ? (endpoint ? "Operations" : "Sections") : (heading?.textContent ?? ""),
    isFirst: isTitle,
    badge,
    name,
    place: heading?.id.replace("operation-", "") ?? "",
    ...(note ? { note: String(note) } : {}),
    text: content?.textContent ?? "",
    run() {
      location.hash = place.id;
      place.scrollIntoView();
    },
  };
}

/** The method, the status, the id of a decision, or the part of a request that has a parameter. */
function findBadge(place: HTMLElement, endpoint: Element | undefined): Element | undefined {
  const shown = (endpoint ?? place).querySelector(endpoint ? ".method" : ":scope > .status");
  if (shown) return shown.cloneNode(true) as Element;
  const [, location] = /^[^-]+-(query|path|header|cookie)-/.exec(place.id) ?? /^decision-(.+)/.exec(place.id) ?? [];
  return location === undefined ? undefined : span("tag soft", location);
}

const LINE_PX = 96;

/** Marks the link of the part that is read: the last one whose title is where a link scrolls it to, or above. */
function followPlace(side: HTMLElement): void {
  const links = [...side.querySelectorAll<HTMLAnchorElement>("a[href^='#']")];
  const targets = mapDefined(links, (link) => {
    const target = document.getElementById(link.hash.slice(1));
    return target ? { link, target } : undefined;
  });
  const mark = () => {
    const isAtEnd = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
    const padding = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop);
    const line = isAtEnd ? innerHeight : padding + LINE_PX;
    const above = targets.filter(({ target }) => target.getBoundingClientRect().top < line);
    const current = (above.at(-1) ?? targets[0])?.link;
    for (const { link } of targets) link.ariaCurrent = link === current ? "location" : null;
  };
  addEventListener("scroll", mark, { passive: true });
  mark();
}
