// A table whose rows open in a pane beside it, with a row between days. The page's address names the open one, so that
// a reload keeps it and Back closes it. A row keeps its element, and thus the focus, across updates.
import { button, element, find, placeChildren } from "../script/dom.js";
import { type AddressChange, readPageAddress, writePageAddress } from "./navigation.js";

export interface RowTableOptions<Item> {
  /** The parameter of the page's address that has the id of the open item. */
  parameter: string;
  idOf(item: Item): string;
  /** An item with another key gets a new row. */
  keyOf(item: Item): string;
  /** An RFC 3339 time in UTC. */
  timeOf(item: Item): string;
  /** @param opener creates the button that opens the row. */
  toCells(item: Item, opener: (text: string) => HTMLButtonElement): HTMLTableCellElement[];
  toDetail(item: Item): (Node | string)[] | Promise<(Node | string)[]>;
}

export function createRowTable<Item>(panel: HTMLElement, options: RowTableOptions<Item>) {
  const body = find("tbody", "tbody", panel);
  const detail = find("section", ".detail", panel);
  let rows = new Map<string, HTMLTableRowElement>();
  let shown: readonly Item[] = [];
  let currentRow: HTMLTableRowElement | undefined;

  function buildRow(item: Item): HTMLTableRowElement {
    const row = element("tr");
    row.dataset.id = options.idOf(item);
    const open = () => go(row.dataset.id);
    row.append(...options.toCells(item, (text) => button(text, open, { className: "" })));
    row.addEventListener("click", ({ target }) => {
      if (!(target as Element).closest("button, a")) open();
    });
    return row;
  }

  /** Opens an item; without an id, closes the open one. */
  function go(id: string | undefined, how: AddressChange = "pushState"): void {
    if (id === currentRow?.dataset.id) detail.focus();
    else writePageAddress({ [options.parameter]: id === undefined ? [] : [id] }, how);
    followAddress();
  }

  /** Opens the item that the address names, if it is listed, or closes the open one. */
  function followAddress(): void {
    const id = readPageAddress().get(options.parameter);
    if (id === null) close();
    const item = shown.find((one) => options.idOf(one) === id);
    const row = item && rows.get(options.keyOf(item));
    if (item && row && row !== currentRow) void open(item, row);
  }

  async function open(item: Item, row: HTMLTableRowElement): Promise<void> {
    const takesFocus = currentRow?.dataset.id !== row.dataset.id || detail.contains(document.activeElement);
    currentRow?.classList.remove("current");
    currentRow = row;
    row.classList.add("current");
    const content = await options.toDetail(item);
    if (currentRow !== row) return; // another row was opened meanwhile
    const closer = button("Close", () => go(undefined), { ariaKeyShortcuts: "Escape" });
    closer.dataset.close = "";
    detail.replaceChildren(closer, ...content);
    detail.hidden = false;
    if (takesFocus) detail.focus();
  }

  function close(): void {
    currentRow?.classList.remove("current");
    if (detail.contains(document.activeElement)) currentRow?.querySelector("button")?.focus();
    detail.hidden = true;
    currentRow = undefined;
  }

  function show(items: readonly Item[]): void {
    const before = rows;
    shown = items;
    rows = new Map();
    let day = "";
    for (const item of items) {
      const date = options.timeOf(item).slice(0, 10);
      if (date !== day) rows.set(date, before.get(date) ?? buildSeparator(date));
      day = date;
      const key = options.keyOf(item);
      rows.set(key, before.get(key) ?? buildRow(item));
    }
    placeChildren(body, [...rows.values()]);
    followAddress();
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
    if (!detail.hidden) go(next.closest("tr")?.dataset.id, "replaceState");
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
  return { show, followAddress, markNew };
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
