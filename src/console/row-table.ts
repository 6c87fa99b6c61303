// A table whose rows open in a pane beside it. Rows stay what they are when others come: open, focused, in place.
import { button, element, find } from "./dom.js";

export interface RowTableOptions<Item> {
  keyOf(item: Item): string;
  /** @param opener creates the button that opens the row. */
  toCells(item: Item, opener: (text: string) => HTMLButtonElement): HTMLTableCellElement[];
  toDetail(item: Item): Node[];
}

export interface RowTable<Item> {
  /** @param isUpdate marks what was not there before; otherwise nothing is marked. Returns how many are marked. */
  show(items: readonly Item[], isUpdate: boolean): number;
  close(): void;
}

export function createRowTable<Item>(panel: HTMLElement, options: RowTableOptions<Item>): RowTable<Item> {
  const body = find("tbody", "tbody", panel);
  const detail = find("section", ".detail", panel);
  let rows = new Map<string, HTMLTableRowElement>();

  function toRow(item: Item): HTMLTableRowElement {
    const row = element("tr");
    row.append(...options.toCells(item, (text) => button(text, () => open(item, row), { className: "" })));
    row.addEventListener("click", ({ target }) => {
      if (!(target as Element).closest("button")) open(item, row);
    });
    return row;
  }

  function open(item: Item, row: HTMLTableRowElement): void {
    body.querySelector(".current")?.classList.remove("current");
    row.classList.add("current");
    const closer = button("Close", close, { ariaKeyShortcuts: "Escape" });
    closer.dataset.close = "";
    detail.replaceChildren(closer, ...options.toDetail(item));
    detail.hidden = false;
    detail.focus();
  }

  function close(): void {
    detail.hidden = true;
    const row = body.querySelector(".current");
    row?.classList.remove("current");
    row?.querySelector("button")?.focus();
  }

  return {
    show(items, isUpdate) {
      const before = rows;
      rows = new Map(items.map((item) => [options.keyOf(item), before.get(options.keyOf(item)) ?? toRow(item)]));
      const wanted = [...rows.values()];
      for (const [key, row] of before) if (!rows.has(key)) row.remove();
      for (const [index, row] of wanted.entries()) {
        if (body.children[index] !== row) body.insertBefore(row, body.children[index] ?? null);
      }
      for (const [key, row] of rows) {
        if (!isUpdate) row.classList.remove("new");
        else if (!before.has(key)) row.classList.add("new");
      }
      return body.querySelectorAll(".new").length;
    },
    close,
  };
}
