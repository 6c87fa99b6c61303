// A table whose rows open in a pane beside it, with a row between days where they differ. The page's address names the
// open one, so that a reload keeps it and Back closes it. The table is one stop of Tab, and arrows move in it.
import { button, element, keyed } from "../script/dom.js";
import { type AddressChange, readPageAddress, writePageAddress } from "./navigation.js";

export interface RowTableOptions<Item> {
  /** The accessible name of the table, and of the pane. */
  names: readonly [table: string, pane: string];
  /** The parameter of the page's address that has the id of the open item. */
  parameter: string;
  idOf(item: Item): string;
  /** An item with another key gets a new row. */
  keyOf(item: Item): string;
  /** An RFC 3339 time in UTC. */
  timeOf(item: Item): string;
  toCells(item: Item): HTMLTableCellElement[];
  /** Of one item, or of two that are compared. */
  toDetail(items: readonly Item[]): (Node | string)[] | Promise<(Node | string)[]>;
  /** One that the address names, but that is not listed. Undefined if it no longer exists. */
  findUnlisted(id: string): Promise<Item | undefined>;
  /** Why there is none. */
  missing: string;
}

/** A row of an item, or of the day that begins below it. */
type Row<Item> = { item: Item } | { day: string; key: string };

/** How many rows a key moves on; Enter opens the row. */
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, Enter: 0 };

export function createRowTable<Item>(options: RowTableOptions<Item>) {
  const { idOf, keyOf, timeOf, parameter, names } = options;
  const body = element("tbody");
  const table = element("table", { className: "rows", role: "grid", ariaLabel: names[0] }, body);
  const detail = element("section", { className: "detail", ariaLabel: names[1], tabIndex: -1, hidden: true });
  let shown: readonly Item[] = [];
  let openIds: readonly string[] = [];
  const keyOfRow = (row: Row<Item>) => ("day" in row ? row.key : keyOf(row.item));
  const build = (row: Row<Item>) => ("day" in row ? buildDay(row.day) : buildRow(row.item, options));
  const place = keyed(body, keyOfRow, build);

  const rowsOf = () => [...body.querySelectorAll<HTMLTableRowElement>("tr[data-id]")];
  const rowOf = (id: string | undefined) => rowsOf().find((row) => row.dataset.id === id);

  /** Opens an item, or two to compare; without ids, closes what is open. */
  function go(ids: readonly string[], how: AddressChange = "pushState"): void {
    if (ids.length > 0 && ids.join() === openIds.join()) detail.focus();
    else writePageAddress({ [parameter]: ids }, how);
    void followAddress(how === "pushState");
  }

  /** Opens the items that the address names, or closes the open ones. */
  async function followAddress(takesFocus = detail.contains(document.activeElement)): Promise<void> {
    const ids = readPageAddress().getAll(parameter);
    if (ids.join() === openIds.join()) return;
    if (ids.length === 0) return close();
    openIds = ids;
    markOpen();
    const found = await Promise.all(
      ids.map((id) => shown.find((item) => idOf(item) === id) ?? options.findUnlisted(id)),
    );
    const items = found.filter((item) => item !== undefined);
    const isWhole = items.length === ids.length;
    const content = isWhole ? await options.toDetail(items) : describeMissing(ids, options.missing);
    if (openIds !== ids) return; // another one was opened meanwhile
    detail.replaceChildren(
      buildCloser(() => go([])),
      ...content,
    );
    detail.hidden = false;
    detail.scrollTop = 0;
    if (takesFocus) (detail.querySelector<HTMLElement>("[autofocus]") ?? detail).focus({ preventScroll: true });
    rowOf(ids[0])?.scrollIntoView({ block: "nearest" });
  }

  function close(): void {
    const row = rowOf(openIds[0]);
    const hadFocus = detail.contains(document.activeElement);
    openIds = [];
    detail.hidden = true;
    markOpen();
    if (hadFocus) (row ?? rowsOf()[0])?.focus();
  }

  /** The open rows are marked. Tab enters the table at the first of them, or else at its first row. */
  function markOpen(): void {
    const rows = rowsOf();
    const open = rows.filter(({ dataset }) => openIds.includes(dataset.id ?? ""));
    const entry = rows.find((row) => row.contains(document.activeElement)) ?? open[0] ?? rows[0];
    for (const row of rows) {
      row.ariaCurrent = open.includes(row) ? "true" : null;
      row.tabIndex = row === entry ? 0 : -1;
    }
  }

  function show(items: readonly Item[]): void {
    shown = items;
    place(withDays(items, timeOf));
    markOpen();
    void followAddress();
  }

  body.addEventListener("click", ({ target }) => {
    const { id } = (target as Element).closest("tr")?.dataset ?? {};
    if (id && !(target as Element).closest("label")) go([id]);
  });
  body.addEventListener("keydown", (event) => {
    const row = (event.target as Element).closest("tr");
    const step = STEPS[event.key];
    if (!row || step === undefined) return;
    event.preventDefault();
    const rows = rowsOf();
    const next = rows[rows.indexOf(row) + step];
    next?.focus();
    markOpen();
    const isOpening = event.key === "Enter"; // while a row is open, the next one opens in its place
    if (next && (isOpening || !detail.hidden)) go([next.dataset.id ?? ""], isOpening ? "pushState" : "replaceState");
  });
  return { table, detail, show, followAddress: () => followAddress(), go, rowOf };
}

function buildRow<Item>(item: Item, { idOf, toCells }: RowTableOptions<Item>): HTMLTableRowElement {
  const row = element("tr", { tabIndex: -1 }, ...toCells(item));
  row.dataset.id = idOf(item);
  return row;
}

/** What Escape presses. */
export function buildCloser(close: () => void): HTMLButtonElement {
  const closer = button("Close", close, { ariaKeyShortcuts: "Escape" });
  closer.dataset.close = "";
  return closer;
}

/** Days stand between the rows unless all are of the latest one. A clock may go back, so a day may come twice. */
function withDays<Item>(items: readonly Item[], timeOf: (item: Item) => string): Row<Item>[] {
  const days = items.map((item) => timeOf(item).slice(0, 10));
  if (new Set(days).size < 2) return items.map((item) => ({ item }));
  return items.flatMap((item, index) => {
    const day = days[index] ?? "";
    const isFirst = day !== days[index - 1];
    return [...(isFirst ? [{ day, key: `${day} ${index}` }] : []), { item }];
  });
}

const DAYS = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" });

function buildDay(date: string): HTMLTableRowElement {
  const day = element("th", { colSpan: 5, scope: "rowgroup" }, DAYS.format(new Date(date)));
  return element("tr", { className: "day" }, day);
}

function describeMissing(ids: readonly string[], why: string): HTMLElement[] {
  return [element("h3", {}, "Not found: ", element("code", {}, ids.join(", "))), element("p", {}, why)];
}
