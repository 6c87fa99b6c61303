// Filters the rows and folded parts of a report by text and facet, which the address keeps.
import { find, isTyping } from "./dom.js";

const ITEMS = ":is(details, tr)[data-facet]";

export function startFilter(box: HTMLElement): void {
  const field = find("input", "[type=search]", box);
  const status = find("p", "[role=status]", box);
  const none = find("p", "[data-none]", box);
  const expand = box.querySelector<HTMLButtonElement>("[data-expand]");
  const items = [...box.querySelectorAll<HTMLElement>(ITEMS)];
  const texts = items.map(searchedTextOf);
  const groups = box.querySelectorAll<HTMLDetailsElement>("details:has([data-facet])");
  const opened = new Set([...groups].filter(({ open }) => open));
  const facets = items.map(({ dataset }) => dataset.facet?.split("|") ?? []);
  const name = box.dataset.filtered?.split(" ").at(-1) ?? ""; // `case` of `Find a case`

  function apply(): FilterValues {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const facet = box.querySelector<HTMLInputElement>("[type=radio]:checked")?.value ?? "";
    for (const [index, item] of items.entries()) {
      const hasWords = words.every((word) =>
        isFacet(word) ? facets[index]?.includes(word) : texts[index]?.includes(word),
      );
      const hasFacet = facet === "" || facets[index]?.includes(facet);
      item.hidden = !hasWords || !hasFacet;
    }
    for (const group of groups) {
      group.hidden = !group.querySelector("[data-facet]:not([hidden])");
      group.open = !group.hidden && (words.length > 0 || facet !== "" || opened.has(group));
      showCount(group);
    }
    for (const heading of box.querySelectorAll<HTMLElement>(HEADINGS)) showBelow(heading);
    const shown = items.filter(({ hidden }) => !hidden).length;
    box.classList.toggle("some", shown < items.length);
    status.textContent = shown === items.length ? "" : `${shown} of ${items.length}`;
    none.hidden = shown > 0;
    return { [name]: field.value, [`${name}-is`]: facet };
  }
  box.addEventListener("input", ({ target }) => store(apply(), target === field));
  for (const chooser of document.querySelectorAll<HTMLAnchorElement>(`a[data-choose="${box.dataset.filtered}"]`)) {
    chooser.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      store(choose(chooser.dataset));
      location.replace(chooser.hash); // of the same entry of the history
    });
  }
  box.addEventListener("clear", () => store(choose({}))); // a link leads to what is filtered out
  find("button", "button", none).addEventListener("click", () => {
    store(choose({}));
    field.focus();
  });

  /** An entry of a legend is a link to the rows that it counts, and so is a number of cases. */
  function choose({ facet = "", text = "" }: DOMStringMap): FilterValues {
    field.value = text;
    for (const input of box.querySelectorAll<HTMLInputElement>("[type=radio]")) input.checked = input.value === facet;
    return apply();
  }

  function restore(): void {
    const [text = "", facet = ""] = [name, `${name}-is`].map((key) => readAddress().get(key) ?? "");
    const shown = box.querySelector<HTMLInputElement>("[type=radio]:checked")?.value ?? "";
    if (text === field.value && facet === shown) return;
    choose({ facet, text });
  }
  restore();
  addEventListener("popstate", restore);

  if (expand) expand.hidden = !box.querySelector("details");
  expand?.addEventListener("click", () => {
    const isOpen = expand.ariaExpanded !== "true";
    expand.ariaExpanded = String(isOpen);
    expand.textContent = isOpen ? "Collapse all" : "Expand all";
    for (const folded of box.querySelectorAll<HTMLDetailsElement>("details:not(.basis, .plain)")) folded.open = isOpen;
  });
}

/** `/` leads to the filter of what is read: the first one that ends in the lower half or below. */
export function startFilterKey(): void {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || isTyping(event)) return;
    const boxes = [...document.querySelectorAll<HTMLElement>("[data-filtered]")];
    const read = boxes.find((box) => box.getBoundingClientRect().bottom > innerHeight / 2) ?? boxes.at(-1);
    if (!read) return;
    event.preventDefault();
    find("input", "[type=search]", read).focus();
  });
}

/** `cause:2`, `rule:d-47` or `part:keys`, which a link to rows finds; a reader can type it, too. */
const isFacet = (word: string) => /^(cause|rule|part):./.test(word);

/** By the parameters of the address. */
type FilterValues = Readonly<Record<string, string>>;

const readAddress = () => new URLSearchParams(location.search);

/** Back takes a choice back, and a text as a whole: what is typed on replaces its beginning. */
function store(values: FilterValues, isTyped = false): void {
  const url = new URL(location.href);
  const isContinued = isTyped && Object.keys(values).some((key) => url.searchParams.has(key));
  for (const [key, value] of Object.entries(values)) {
    if (value === "") url.searchParams.delete(key);
    else url.searchParams.set(key, value);
  }
  if (url.href !== location.href) history[isContinued ? "replaceState" : "pushState"](null, "", url);
}

/** `8 of 27 rules hold` for `27 rules hold`. */
function showCount(group: Element): void {
  const count = group.querySelector<HTMLElement>(":scope > summary > .count");
  if (!count) return;
  writeCount(count, [...group.querySelectorAll<HTMLElement>(ITEMS)]);
}

function writeCount(count: Element, items: readonly HTMLElement[]): void {
  const shown = items.filter(({ hidden }) => !hidden).length;
  const whole = count.textContent?.replace(/^\d+ of /, "") ?? "";
  count.textContent = shown < items.length ? `${shown} of ${whole}` : whole;
}

/** Its text, without what a row opens to, and the titles of its group and of the parts around it. */
function searchedTextOf(item: Element): string {
  let group: Element | null = item;
  while (group?.matches("tr:not(.group)")) group = group.previousElementSibling;
  const shown = item.matches("tr") ? [...item.children].map((cell) => cell.querySelector("summary") ?? cell) : [item];
  const texts = [...shown, group].map((part) => part?.textContent);
  for (let outer = item.parentElement?.closest("details"); outer; outer = outer.parentElement?.closest("details"))
    texts.push(outer.querySelector("summary")?.textContent ?? "");
  return texts.join(" ").toLowerCase();
}

const HEADINGS = ":is(h2, h3):not(summary > *), tr.group";

/** Hides the heading of a group whose parts are all hidden; its count is of those that are shown. */
function showBelow(heading: HTMLElement): void {
  const parts: HTMLElement[] = [];
  for (let next = heading.nextElementSibling; next && !next.matches(HEADINGS); next = next.nextElementSibling)
    parts.push(next as HTMLElement);
  heading.hidden = parts.every(({ hidden }) => hidden);
  const count = heading.querySelector("[data-count]");
  if (count) writeCount(count, parts);
}
