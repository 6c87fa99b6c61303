// A dialog to find one of many things by typing: groups, one line each, the matching words bold; ↑ ↓ Enter Escape.
import { groupBy } from "../../contract/lists.js";
import { element, span, storage } from "./dom.js";
import { createSearch, type Found, type Match, type Searchable } from "./rank.js";
import { fold } from "./words.js";

export interface PaletteItem extends Searchable {
  group: string;
  badge?: Element | undefined;
  /** At the end of its line. */
  mark?: string | undefined;
  /** Shown before anything is typed, alone. */
  isFirst?: boolean;
  run(): void;
}

interface Shown {
  item: PaletteItem;
  /** Under which it is shown. */
  group: string;
  option: HTMLLIElement;
}

/** An item has so many lines at most; a more precise word finds the rest. */
const LIMIT = 50;

type Items = readonly PaletteItem[];

/**
 * Returns a function that opens the palette, with a text. @param itemsOf is called with the text at each opening and
 * change.
 */
export function createPalette(
  label: string,
  itemsOf: (text: string) => Items | Promise<Items>,
): (text?: string) => void {
  const list = element("ul", { id: `${toId(label)}-options`, role: "listbox", ariaLabel: label });
  const field = element("input", { type: "text", role: "combobox", ariaLabel: label, placeholder: `${label} …` });
  field.autocomplete = "off";
  field.setAttribute("aria-controls", list.id);
  field.ariaExpanded = "true";
  const count = element("p", { role: "status", className: "soft small" });
  const keys = span("soft", ...["↑", "↓", "Enter", "Esc"].map((key) => element("kbd", {}, key)));
  const foot = element("div", { className: "panel-bar" }, count, keys);
  const dialog = element("dialog", { className: "palette", ariaLabel: label }, field, list, foot);
  document.body.append(dialog);
  const search = createSearch<PaletteItem>();
  let items: Items = [];
  let loading = Promise.resolve();
  let shown: Shown[] = [];
  let current = 0;

  function select(index: number): void {
    current = Math.min(index, shown.length - 1);
    for (const [place, { option }] of shown.entries()) option.ariaSelected = String(place === current);
    const option = shown[current]?.option;
    field.setAttribute("aria-activedescendant", option?.id ?? "");
    option?.scrollIntoView({ block: "nearest" });
  }

  async function load(): Promise<void> {
    const { value } = field;
    let problem: unknown;
    try {
      const found = await itemsOf(value.trim());
      if (field.value !== value) return; // something else was typed meanwhile
      items = found;
    } catch (error) {
      items = [];
      problem = error;
    }
    show();
    if (problem !== undefined) count.textContent = String(problem);
  }

  function reload(): void {
    loading = load();
  }

  function show(): void {
    const { value } = field;
    const { listed, words, note } = value.trim() === "" ? listFirst(label, items) : listFound(search(items, value));
    const groups = groupBy((listed.length > 0 ? listed : listStart(items)).slice(0, LIMIT), ({ group }) => group);
    shown = groups.flat().map((one, index) => ({ ...one, option: buildOption(one, index, words) }));
    list.replaceChildren(...groups.map(([{ group }]) => buildGroup(group, shown)));
    count.textContent = note;
    select(listed.length > 0 ? 0 : -1); // Enter does not open what was not searched for
  }

  function buildOption({ item, isMention, sentence }: Listed, index: number, words: readonly string[]): HTMLLIElement {
    const { badge, name, place, mark } = item;
    const note = (isMention && place) || item.note;
    const title = [badge, badge && " ", ...markWords(name, words)];
    const option = element(
      "li",
      { role: "option", id: `${list.id}-${index}` },
      element("p", {}, ...title, note !== undefined && span("soft", " ", ...markWords(note, words))),
      mark !== undefined && span("soft small", mark),
      sentence !== undefined && element("p", { className: "soft small" }, ...markWords(sentence, words)),
    );
    option.addEventListener("click", () => run(item));
    return option;
  }

  function run(item: PaletteItem | undefined): void {
    if (!item) return;
    dialog.close();
    writeRecent(label, item);
    item.run();
  }

  field.addEventListener("input", reload);
  field.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) select(Math.max(0, current + step));
    else if (event.key === "Enter") void loading.then(() => run(shown[current]?.item));
    else return;
    event.preventDefault();
  });
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close()); // its backdrop
  return (text = "") => {
    if (dialog.open) return;
    field.value = text;
    count.textContent = "Loading …";
    dialog.showModal();
    reload();
  };
}

type Listed = Match<PaletteItem> & { group: string };

function listFound({ matches, ...found }: Found<PaletteItem>) {
  const listed = matches.map((match) => ({ ...match, group: match.isMention ? MENTIONS : match.item.group }));
  return { ...found, listed };
}

/** Before anything is typed, what was opened last and what comes first. */
function listFirst(label: string, items: Items) {
  const first = items.filter(({ isFirst }) => isFirst);
  const list = (item: PaletteItem, group = item.group): Listed => ({
    item,
    group,
    sentence: undefined,
    isMention: group !== item.group, // then its own group does not say where it is
  });
  if (first.length === 0) return { listed: items.map((item) => list(item)), words: [], note: `${items.length} found` };
  const keys = readRecent(label);
  const recent = keys.flatMap((key) => items.find((item) => keyOf(item) === key) ?? []);
  const others = first.filter((item) => !recent.includes(item));
  const listed = [...recent.map((item) => list(item, "Recent")), ...others.map((item) => list(item))];
  return { listed, words: [], note: `Type to search ${items.length} places` };
}

/** Where to begin if nothing was found. */
const listStart = (items: Items) =>
  listFirst(
    "",
    items.filter(({ isFirst }) => isFirst),
  ).listed;

const MENTIONS = "Mentioned in";
const RECENT = 4;

const keyOf = ({ group, badge, name, place }: PaletteItem) => [group, badge?.textContent, name, place].join();
const readRecent = (label: string) => storage?.getItem(`recent ${label}`)?.split("\n") ?? [];

function writeRecent(label: string, item: PaletteItem): void {
  const keys = [...new Set([keyOf(item), ...readRecent(label)])].slice(0, RECENT);
  storage?.setItem(`recent ${label}`, keys.join("\n"));
}

function buildGroup(name: string, shown: readonly Shown[]): HTMLElement {
  const title = element("span", { className: "soft small", ariaHidden: "true" }, name);
  const options = shown.filter(({ group }) => group === name).map(({ option }) => option);
  return element("ul", { role: "group", ariaLabel: name }, title, ...options);
}

/** Marks each word, or part of a name such as `pageSize`, that begins with one of the searched ones. */
function markWords(text: string, words: readonly string[]): (Node | string)[] {
  const starts = words.flatMap((word) => word.split(BETWEEN_WORDS)).filter(Boolean);
  return text
    .split(/([\p{L}\p{M}\p{N}]+)/u)
    .flatMap((part) => part.split(/(?<=\p{Ll})(?=\p{Lu})/u))
    .map((part) => (starts.some((start) => fold(part).startsWith(start)) ? element("b", {}, part) : part));
}

const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+/u;

const toId = (label: string) => label.toLowerCase().replaceAll(/\W+/g, "-");
