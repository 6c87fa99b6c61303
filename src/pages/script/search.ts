// The search of all pages: pages, and the places of the docs, from the index that each page of the docs contains.

import { VIEWS } from "../docs/console-data.js";
import type { Place } from "../docs/place.js";
import { isTyping } from "./dom.js";
import { createPalette, type PaletteItem } from "./palette.js";

const DOCS: Readonly<Record<string, string>> = { "/docs": "Docs", "/_control": "Control plane" };

/** Opens by its button or by Ctrl-K; by `/`, too, unless the page has a filter. @param findMore finds further items. */
export function startSearch(findMore: (text: string) => PaletteItem[] | Promise<PaletteItem[]> = () => []): void {
  let items: Promise<PaletteItem[]> | undefined;
  const open = createPalette("Search", async (text) => {
    items ??= findItems();
    return [...(await findMore(text)), ...(await items)];
  });
  for (const opener of document.querySelectorAll("[data-palette]")) opener.addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    const isPalette = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
    const isSlash = event.key === "/" && !isTyping(event) && !document.querySelector("[data-search]");
    if (!isPalette && !isSlash) return;
    event.preventDefault();
    open();
  });
}

async function findItems(): Promise<PaletteItem[]> {
  const hasConsole = document.querySelector("header a[href='/console']") !== null;
  const docs = Object.keys(DOCS).filter((path) => path === "/docs" || hasConsole);
  const views = (hasConsole ? VIEWS : []).map((view) => buildPage(`/console#${view}`, `Console: ${view}`));
  const pages = [buildPage("/", "Home"), ...views, ...docs.map((path) => buildPage(path, DOCS[path] ?? ""))];
  return [...pages, ...(await Promise.all(docs.map(loadItems))).flat()];
}

function buildPage(path: string, name: string, note?: string): PaletteItem {
  return { group: "Pages", isFirst: true, name, ...(note ? { note } : {}), run: () => location.assign(path) };
}

async function loadItems(path: string): Promise<PaletteItem[]> {
  try {
    const text = document.querySelector(`#places[data-of="${path}"]`)?.textContent ?? (await fetchIndex(path));
    return (JSON.parse(text) as Place[]).map((place) => buildItem(place, path));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // how fetch reports that there is no response
    return [buildPage(path, DOCS[path] ?? "", "not searched: the server does not respond")];
  }
}

async function fetchIndex(path: string): Promise<string> {
  const response = await fetch(path, { headers: { accept: "text/html" } });
  const [, text = "[]"] = /<script[^>]*"places"[^>]*>(.*?)<\/script>/s.exec(await response.text()) ?? [];
  return text;
}

function buildItem({ href, group, ...place }: Place, path: string): PaletteItem {
  const isShown = path === location.pathname;
  const isOperation = group === "Operations";
  return {
    ...place,
    group: path === "/docs" ? group : `${DOCS[path]}: ${group.toLowerCase()}`,
    isTop: group === "Guides",
    isFirst: isShown && isOperation,
    run() {
      location.assign(href.startsWith("#") ? path + href : href);
      if (isShown) document.getElementById(href.slice(1))?.scrollIntoView();
    },
  };
}
