// A table whose rows open in a pane beside it. A row keeps its element, and thus the focus, across updates.
import { button, element, find } from "../script/dom.js";

export interface RowTableOptions<Item> {
  keyOf(item: Item): string;
  /** @param opener creates the button that opens the row. */
  toCells(item: Item, opener: (text: string) => HTMLButtonElement): HTMLTableCellElement[];
  toDetail(item: Item): Node[] | Promise<Node[]>;
}

export function createRowTable<Item>(panel: HTMLElement, options: RowTableOptions<Item>) {
  const body = find("tbody", "tbody", panel);
  const detail = find("section", ".detail", panel);
  let rows = new Map<string, HTMLTableRowElement>();
  let currentRow: HTMLTableRowElement | undefined;

  function toRow(item: Item): HTMLTableRowElement {
    const row = element("tr");
    row.append(...options.toCells(item, (text) => button(text, () => open(item, row), { className: "" })));
    row.addEventListener("click", ({ target }) => {
      if (!(target as Element).closest("button")) void open(item, row);
    });
    return row;
  }

  async function open(item: Item, row: HTMLTableRowElement): Promise<void> {
    currentRow?.classList.remove("current");
    currentRow = row;
    row.classList.add("current");
    const content = await options.toDetail(item);
    if (currentRow !== row) return; // another row was opened meanwhile
    const closer = button("Close", close, { ariaKeyShortcuts: "Escape" });
    closer.dataset.close = "";
    detail.replaceChildren(closer, ...content);
    detail.hidden = false;
    detail.focus();
  }

  function close(): void {
    currentRow?.classList.remove("current");
    if (detail.contains(document.activeElement)) currentRow?.querySelector("button")?.focus();
    detail.hidden = true;
    currentRow = undefined;
  }

  function show(items: readonly Item[]): void {
    const before = rows;
    rows = new Map(items.map((item) => [options.keyOf(item), before.get(options.keyOf(item)) ?? toRow(item)]));
    for (const [key, row] of before) if (!rows.has(key)) row.remove();
    let next = body.firstElementChild;
    for (const row of rows.values()) {
      if (row === next) next = next.nextElementSibling;
      else body.insertBefore(row, next);
    }
  }
  return { show, close };
}

/** A time in UTC, with the exact instant on hover. */
export function toTime(at: string): HTMLTimeElement {
  return element("time", { dateTime: at, title: at }, at.slice(0, 19).replace("T", " "));
}
