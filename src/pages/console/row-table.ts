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
  toDetail(item: Item, isListed: boolean): (Node | string)[] | Promise<(Node | string)[]>;
  /** One that the address names, but that is not listed. Undefined if it no longer exists. */
  findUnlisted(id: string): Promise<Item | undefined>;
  /** Why there is none. */
  missing: string;
}

export function createRowTable<Item>(panel: HTMLElement, options: RowTableOptions<Item>) {
  const body = find("tbody", "tbody", panel);
  const detail = find("section", ".detail", panel);
  let rows = new Map<string, HTMLTableRowElement>();
  let shown: readonly Item[] = [];
  let openId: string | undefined;
  /** Undefined while what is open is not listed. */
  let currentRow: HTMLTableRowElement | undefined;
  const arrivals = createArrivals(find("table", "table", panel));

  /** Opens an item; without an id, closes the open one. */
  function go(id: string | undefined, how: AddressChange = "pushState"): void {
    if (id !== undefined && id === openId) detail.focus();
    else writePageAddress({ [options.parameter]: id === undefined ? [] : [id] }, how);
    followAddress();
  }

  /** Opens the item that the address names, if it is listed, or closes the open one. */
  function followAddress(): void {
    const id = readPageAddress().get(options.parameter);
    if (id === null) close();
    const item = shown.find((one) => options.idOf(one) === id);
    const row = item && rows.get(options.keyOf(item));
    if (id !== null && item && row && row !== currentRow) void open(id, item, row);
  }

  async function open(id: string, item?: Item, row?: HTMLTableRowElement): Promise<void> {
    const takesFocus = openId !== id || detail.contains(document.activeElement);
    currentRow?.classList.remove("current");
    openId = id;
    currentRow = row;
    row?.classList.add("current");
    arrivals.reveal(row);
    const found = item ?? (await options.findUnlisted(id));
    const content = found ? await options.toDetail(found, row !== undefined) : describeMissing(id, options.missing);
    if (openId !== id || currentRow !== row) return; // another one was opened meanwhile
    const closer = buildCloser(() => go(undefined));
    arrivals.keep(row, () => {
      detail.replaceChildren(closer, ...content);
      detail.hidden = false;
    });
    if (takesFocus) (detail.querySelector<HTMLElement>("[autofocus]") ?? detail).focus();
  }

  function close(): void {
    currentRow?.classList.remove("current");
    const opener = (currentRow ?? body).querySelector("button");
    if (detail.contains(document.activeElement)) opener?.focus();
    arrivals.keep(currentRow, () => detail.setAttribute("hidden", ""));
    openId = undefined;
    currentRow = undefined;
  }

  /** @param isByTime false for items in another order, which no days divide. */
  function show(items: readonly Item[], isByTime = true): void {
    place(items, isByTime);
    const id = readPageAddress().get(options.parameter);
    if (id !== null && id !== openId) void open(id);
  }

  function place(items: readonly Item[], isByTime = true): void {
    const before = rows;
    shown = items;
    rows = new Map();
    let day = "";
    for (const item of items) {
      const date = options.timeOf(item).slice(0, 10);
      if (isByTime && date !== day) rows.set(date, before.get(date) ?? buildSeparator(date));
      day = date;
      const key = options.keyOf(item);
      rows.set(key, before.get(key) ?? buildRow(item, options, go));
    }
    arrivals.hold(currentRow, () => placeChildren(body, [...rows.values()]));
    followAddress();
  }

  /** Moves through the rows. While one is open, the next one opens in its place. */
  function move(step: 1 | -1): void {
    const buttons = [...panel.querySelectorAll<HTMLButtonElement>(":is(tbody, tfoot:not([hidden])) > tr > td button")];
    const focused = document.activeElement?.closest("tr") ?? currentRow;
    const place = buttons.findIndex((one) => one.closest("tr") === focused);
    const next = buttons[place === -1 ? 0 : place + step];
    if (!next) return;
    next.focus();
    next.scrollIntoView({ block: "nearest" });
    if (!detail.hidden && next.closest("tbody")) go(next.closest("tr")?.dataset.id, "replaceState");
  }
  const markNew = (key: string) => rows.get(key)?.classList.add("new");
  startArrows(panel, move);
  return { show, clear: () => place([]), followAddress, markNew };
}

/**
 * At its top, a list shows what arrives. Further down, the open row stays where it is when rows arrive above it, and a
 * button says how many did.
 */
function createArrivals(table: HTMLTableElement) {
  const scroller = table.parentElement as HTMLElement;
  const chip = button("", () => scroller.scrollTo({ top: 0 }), { className: "small" });
  const place = element("div", { className: "arrived", hidden: true }, chip);
  table.before(place);
  let latest: Element | undefined;

  function count(): void {
    const rows = [...table.querySelectorAll("tbody tr[data-id]")];
    if (scroller.scrollTop < 1 || !latest?.isConnected) [latest] = rows;
    const newer = rows.slice(0, latest && rows.indexOf(latest));
    const { top } = scroller.getBoundingClientRect();
    const { length: arrived } = newer.filter((row) => row.getBoundingClientRect().bottom <= top);
    place.hidden = arrived === 0;
    chip.textContent = `↑ ${arrived} new`;
  }

  /** A row stays under the pointer, although those above it get more or fewer lines. On a phone, the pane hides it. */
  function keep(row: Element | undefined, change: () => void): void {
    const [before] = row?.getClientRects() ?? [];
    change();
    const [after] = row?.getClientRects() ?? [];
    if (before && after) scroller.scrollTop += after.top - before.top;
  }

  scroller.addEventListener("scroll", count);
  return {
    /** A request that was just sent is above the others. */
    reveal(row: Element | undefined): void {
      const isFirst = row !== undefined && row === table.querySelector("tbody tr[data-id]");
      if (isFirst) scroller.scrollTop = 0;
      else row?.scrollIntoView({ block: "nearest" });
      count();
    },
    hold(row: Element | undefined, change: () => void): void {
      if (scroller.scrollTop < 1) change();
      else keep(row, change);
      count();
    },
    keep,
  };
}

function buildCloser(close: () => void): HTMLButtonElement {
  const closer = button("Close", close, { ariaKeyShortcuts: "Escape" });
  closer.dataset.close = "";
  return closer;
}

/** @param go opens the item with an id. */
function buildRow<Item>(
  item: Item,
  { idOf, toCells }: RowTableOptions<Item>,
  go: (id: string) => void,
): HTMLTableRowElement {
  const id = idOf(item);
  const row = element("tr");
  row.dataset.id = id;
  row.append(...toCells(item, (text) => button(text, () => go(id), { className: "" })));
  row.addEventListener("click", ({ target }) => {
    if (!(target as Element).closest("button, a")) go(id);
  });
  return row;
}

function describeMissing(id: string, why: string): HTMLElement[] {
  return [element("h3", {}, "Not found: ", element("code", {}, id)), element("p", {}, why)];
}

/** Arrows move through the rows, and from the search into them. */
function startArrows(panel: HTMLElement, move: (step: 1 | -1) => void): void {
  panel.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1 as const, ArrowUp: -1 as const }[event.key];
    const target = event.target as Element;
    const isBusy = target.matches("[data-search]") ? step === -1 : target.closest("form, dialog, pre");
    if (step === undefined || isBusy) return;
    event.preventDefault();
    move(step);
  });
}

const DAYS = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" });

function buildSeparator(date: string): HTMLTableRowElement {
  const day = element("th", { colSpan: 5, scope: "rowgroup" }, DAYS.format(new Date(date)));
  return element("tr", { className: "day" }, day);
}
