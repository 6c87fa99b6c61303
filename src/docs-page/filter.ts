// Lists that are filtered by facets and a search: in reports.
import { element } from "./dom.js";

/** A search and a choice for each facet, above the list. What is chosen is remembered by nothing but the page. */
export function startFilter(list: HTMLElement): void {
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
