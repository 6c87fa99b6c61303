// The script of docs and reports: it shows the example that was picked, schemas and decisions beside the places that refer to them,
// opens folded parts that a link leads into, and filters lists by facets and a search.
import { element } from "./dom.js";
import { showJson } from "./json.js";

/** Called last: it scrolls to where the address leads. */
export function startContent(): void {
  for (const panel of document.querySelectorAll("[data-samples]")) startSamples(panel);
  for (const list of document.querySelectorAll<HTMLElement>("[data-filterable]")) startFilter(list);
  document.addEventListener("toggle", showParts, true); // it does not bubble
  startPrint();
  addEventListener("hashchange", openTarget);
  openTarget();
}

/** On paper nothing can be opened. What would fill dozens of pages stays folded: of the docs, responses, schemas and reasons. */
const OPENED_FOR_PRINT = ":is(.report main details, .docs main .plain):not([open])";

function startPrint(): void {
  let opened: HTMLDetailsElement[] = [];
  const setOpen = (isOpen: boolean) => {
    for (const details of opened) details.open = isOpen;
  };
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll<HTMLDetailsElement>(OPENED_FOR_PRINT)];
    setOpen(true);
  });
  addEventListener("afterprint", () => setOpen(false));
}

/** Shows the example that is picked, its JSON coloured. */
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

/** Opening a part shows the schemas and decisions that it refers to. The page has each once; a copy goes beneath its title. */
function showParts({ target }: Event): void {
  if (!(target instanceof HTMLDetailsElement) || !target.open) return;
  for (const place of target.querySelectorAll<HTMLElement>(":scope > [data-from]")) {
    const summary = document.getElementById(place.dataset.from ?? "");
    if (!summary?.matches("summary")) continue; // a report has its decisions in another form
    const link = element("a", { href: `#${summary.id}` }, summary.textContent ?? "");
    const copies = [...(summary.parentElement?.children ?? [])].slice(1).map((part) => part.cloneNode(true) as Element);
    for (const part of copies.flatMap((copy) => [copy, ...copy.querySelectorAll("[id], [open]")])) {
      for (const own of ["id", "open"]) part.removeAttribute(own);
    }
    place.replaceChildren(element("p", {}, link), ...copies);
    delete place.dataset.from;
  }
}

/** A search and a choice for each facet, above the list. What is chosen is remembered by nothing but the page. */
function startFilter(list: HTMLElement): void {
  const items = [...list.querySelectorAll<HTMLElement>("[data-facets]")].map((item) => ({
    item,
    facets: JSON.parse(item.dataset.facets ?? "{}") as Record<string, string>,
    text: (item.textContent ?? "").toLowerCase(),
  }));
  const label = list.dataset.filterable ?? "";
  const count = element("span", { className: "soft", role: "status" });
  const search = element("input", { type: "search", placeholder: "Search", ariaLabel: `Search in: ${label}` });
  const choices = [...new Set(items.flatMap(({ facets }) => Object.keys(facets)))].map((name) => {
    const values = [...new Set(items.flatMap(({ facets }) => facets[name] ?? []))];
    const options = [
      element("option", { value: "" }, `any ${name}`),
      ...values.map((value) => element("option", { value }, value)),
    ];
    return { name, select: element("select", { ariaLabel: `${name} of: ${label}` }, ...options) };
  });
  const bar = element("div", { className: "filter" }, search, ...choices.map(({ select }) => select), count);
  bar.addEventListener("input", () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { item, facets, text } of items) {
      const isChosen = choices.every(({ name, select }) => select.value === "" || facets[name] === select.value);
      item.hidden = !isChosen || !words.every((word) => text.includes(word));
      if (!item.hidden) shown += 1;
    }
    count.textContent = `${shown} of ${items.length}`;
  });
  list.prepend(bar);
}
