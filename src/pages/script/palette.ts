// A dialog to find one of many things by typing: groups, one line each, the matching words bold; ↑ ↓ Enter Escape. And
// the search of all pages with it.
import { groupBy } from "../../contract/lists.js";
import { VIEWS } from "../docs/console-data.js";
import { findMatches, findSentence, fold, MENTIONS, type Place, type Searchable, wordsOf } from "../docs/place.js";
import { button, element, isTyping, span } from "./dom.js";

export interface PaletteItem extends Searchable {
  /** Shown before anything is typed. */
  isFirst?: boolean;
  run(): void;
  /** What the button at the foot does while it is selected. */
  remove?: () => Promise<void>;
}

/** An item has so many lines at most; a more precise word finds the rest. */
const LIMIT = 50;

type Items = readonly PaletteItem[];

/** Returns a function that opens the palette. @param itemsOf is called with the text at each opening and change. */
export function createPalette(label: string, itemsOf: (text: string) => Items | Promise<Items>): () => void {
  const list = element("ul", { id: `${label.toLowerCase()}-options`, role: "listbox", ariaLabel: label });
  const field = element("input", { type: "text", role: "combobox", ariaLabel: label, placeholder: `${label} …` });
  field.autocomplete = "off";
  field.setAttribute("aria-controls", list.id);
  field.ariaExpanded = "true";
  const count = element("p", { role: "status", className: "soft small" });
  const remove = () => shown[current]?.item.remove?.().then(() => load());
  const remover = button("Remove", remove, { className: "quiet danger", hidden: true });
  const foot = element("div", { className: "panel-bar" }, count, remover, buildKeys());
  const dialog = element("dialog", { className: "palette", ariaLabel: label }, field, list, foot);
  document.body.append(dialog);
  let loading = Promise.resolve();
  let shown: { item: PaletteItem; option: HTMLLIElement }[] = [];
  let current = 0;

  function select(index: number): void {
    current = Math.min(index, shown.length - 1);
    for (const [place, { option }] of shown.entries()) option.ariaSelected = String(place === current);
    const option = shown[current]?.option;
    field.setAttribute("aria-activedescendant", option?.id ?? "");
    option?.scrollIntoView({ block: "nearest" });
    remover.hidden = shown[current]?.item.remove === undefined;
  }

  async function load(): Promise<void> {
    const { value } = field;
    try {
      const items = await itemsOf(value.trim());
      if (field.value === value) show(items); // or else something was typed meanwhile
    } catch (error) {
      show([]);
      count.textContent = String(error);
    }
  }

  function show(items: Items): void {
    const typed = field.value.trim();
    const first = items.filter(({ isFirst }) => isFirst);
    const listed = typed !== "" ? findMatches(items, typed) : first.length > 0 ? first : items;
    const groups = groupBy(listed.slice(0, LIMIT), ({ group }) => group);
    shown = groups.flat().map((item, index) => ({ item, option: buildOption(item, index, wordsOf(typed)) }));
    list.replaceChildren(
      ...groups.map(([{ group }]) => {
        const title = element("span", { className: "soft small", ariaHidden: "true" }, group);
        const options = shown.filter(({ item }) => item.group === group).map(({ option }) => option);
        return element("ul", { role: "group", ariaLabel: group }, title, ...options);
      }),
    );
    count.textContent = listed.length > 0 ? `${listed.length} found` : "Nothing has all these words";
    select(0);
  }

  function buildOption(item: PaletteItem, index: number, words: readonly string[]): HTMLLIElement {
    const { badge, name, note, group, text = "" } = item;
    const option = element(
      "li",
      { role: "option", id: `${list.id}-${index}` },
      element(
        "p",
        {},
        ...(badge === undefined ? [] : [span(badgeClassOf(badge), badge), " "]),
        ...markWords(name, words),
        note !== undefined && span("soft", " ", ...markWords(note, words)),
      ),
      group === MENTIONS && element("p", { className: "soft small" }, ...markWords(findSentence(text, words), words)),
    );
    option.addEventListener("click", () => run(item));
    return option;
  }

  function run(item: PaletteItem | undefined): void {
    if (!item) return;
    dialog.close();
    item.run();
  }

  field.addEventListener("input", () => (loading = load()));
  field.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) select(Math.max(0, current + step));
    else if (event.key === "Enter") void loading.then(() => run(shown[current]?.item));
    else return;
    event.preventDefault();
  });
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close()); // its backdrop
  return () => {
    if (dialog.open) return;
    field.value = "";
    count.textContent = "Loading …";
    dialog.showModal();
    loading = load();
  };
}

const buildKeys = () => span("soft", ...["↑", "↓", "Enter", "Esc"].map((key) => element("kbd", {}, key)));

/** Marks each word, or part of a name such as `pageSize`, that begins with one of the searched ones. */
function markWords(text: string, words: readonly string[]): (Node | string)[] {
  return text
    .split(/([\p{L}\p{M}\p{N}]+)/u)
    .flatMap((part) => (words.includes(fold(part)) ? [part] : part.split(/(?<=\p{Ll})(?=\p{Lu})/u)))
    .map((part) => (words.some((word) => fold(part).startsWith(word)) ? element("b", {}, part) : part));
}

function badgeClassOf(badge: string): string {
  if (/^[A-Z]+$/.test(badge)) return `method ${badge.toLowerCase()}`;
  return /^\d/.test(badge) ? `status s${badge[0]}` : "tag soft";
}

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
