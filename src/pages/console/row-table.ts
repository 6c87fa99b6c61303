// A table whose rows open in a pane beside it, with a row between days. A row keeps its element, and thus the focus,
// across updates.
import { button, element, find } from "../script/dom.js";

export interface RowTableOptions<Item> {
  keyOf(item: Item): string;
  /** An RFC 3339 time in UTC. */
  timeOf(item: Item): string;
  /** @param opener creates the button that opens the row. */
  toCells(item: Item, opener: (text: string) => HTMLButtonElement): HTMLTableCellElement[];
  toDetail(item: Item): (Node | string)[] | Promise<(Node | string)[]>;
  /** Called when an item is opened, and with none when it is closed. */
  onChange?(item: Item | undefined): void;
}

export function createRowTable<Item>(panel: HTMLElement, options: RowTableOptions<Item>) {
  const body = find("tbody", "tbody", panel);
  const detail = find("section", ".detail", panel);
  let rows = new Map<string, HTMLTableRowElement>();
  let currentRow: HTMLTableRowElement | undefined;

  function buildRow(item: Item): HTMLTableRowElement {
    const row = element("tr");
    row.append(...options.toCells(item, (text) => button(text, () => open(item, row), { className: "" })));
    row.addEventListener("click", ({ target }) => {
      if (!(target as Element).closest("button, a")) void open(item, row);
    });
    return row;
  }

  async function open(item: Item, row: HTMLTableRowElement): Promise<void> {
    currentRow?.classList.remove("current");
    currentRow = row;
    row.classList.add("current");
    options.onChange?.(item);
    const content = await options.toDetail(item);
    if (currentRow !== row) return; // another row was opened meanwhile
    const closer = button("Close", close, { ariaKeyShortcuts: "Escape" });
    closer.dataset.close = "";
    detail.replaceChildren(closer, ...content);
    detail.hidden = false;
    detail.focus();
  }

  function close(): void {
    if (!currentRow) return;
    options.onChange?.(undefined);
    currentRow.classList.remove("current");
    if (detail.contains(document.activeElement)) currentRow.querySelector("button")?.focus();
    detail.hidden = true;
    currentRow = undefined;
  }

  function show(items: readonly Item[]): void {
    const before = rows;
    rows = new Map();
    let day = "";
    for (const item of items) {
      const date = options.timeOf(item).slice(0, 10);
      if (date !== day) rows.set(date, before.get(date) ?? buildSeparator(date));
      day = date;
      const key = options.keyOf(item);
      rows.set(key, before.get(key) ?? buildRow(item));
    }
    for (const [key, row] of before) if (!rows.has(key)) row.remove();
    let next = body.firstElementChild;
    for (const row of rows.values()) {
      if (row === next) next = next.nextElementSibling;
      else body.insertBefore(row, next);
    }
  }

  /** Moves through the rows. While one is open, the next one opens in its place. */
  function move(step: 1 | -1): void {
    const buttons = [...body.querySelectorAll<HTMLButtonElement>("tr > td button")];
    const focused = document.activeElement?.closest("tr") ?? currentRow;
    const place = buttons.findIndex((one) => one.closest("tr") === focused);
    const next = buttons[place === -1 ? 0 : place + step];
    if (!next) return;
    next.focus();
    next.scrollIntoView({ block: "nearest" });
    if (!detail.hidden) next.click();
  }
  function openKey(key: string): void {
    const row = rows.get(key);
    if (row !== currentRow) row?.querySelector("button")?.click();
  }
  function markNew(key: string): void {
    rows.get(key)?.classList.add("new");
  }
  panel.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1 as const, ArrowUp: -1 as const }[event.key];
    if (step === undefined || (event.target as Element).closest("form, dialog, pre")) return;
    event.preventDefault();
    move(step);
  });
  return { show, close, openKey, markNew };
}

const DAYS = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" });

function buildSeparator(date: string): HTMLTableRowElement {
  const day = element("th", { colSpan: 5, scope: "rowgroup" }, DAYS.format(new Date(date)));
  return element("tr", { className: "day" }, day);
}

/** A time of day in UTC, with the exact instant on hover. */
export function buildTime(at: string): HTMLTimeElement {
  return element("time", { dateTime: at, title: at }, at.slice(11, 19));
}
