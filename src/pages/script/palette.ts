// A dialog to find one of many things by typing: groups, one line each, the matching words bold; ↑ ↓ Enter Escape.
import { escapePattern } from "../../contract/escape-pattern.js";
import { groupBy } from "../../contract/lists.js";
import { findNearestName } from "../../contract/nearest-name.js";
import { element, span } from "./dom.js";

export interface PaletteItem {
  group: string;
  /** Its kind, before the name: a method, a status, `query`. It is found by it as well. */
  badge?: Element | undefined;
  name: string;
  /** Beside the name. */
  note?: string;
  /** In short where it is: shown if its text alone has what was typed. */
  place?: string;
  /** Shown before anything is typed, alone. */
  isFirst?: boolean;
  /** What it is found by, beside name and note. */
  text?: string;
  run(): void;
}

interface Shown {
  item: PaletteItem;
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
  let items: Items = [];
  let loading = Promise.resolve();
  let shown: Shown[] = [];
  let current = 0;

  function select(index: number): void {
    current = Math.max(0, Math.min(index, shown.length - 1));
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
    const { matches, words, note } = search(items, field.value);
    const groups = groupBy(matches.slice(0, LIMIT), ({ group }) => group);
    shown = groups.flat().map((item, index) => ({ item, option: buildOption(item, index, words) }));
    list.replaceChildren(...groups.map(([{ group }]) => buildGroup(group, shown)));
    count.textContent = note;
    select(0);
  }

  function buildOption(item: PaletteItem, index: number, words: readonly string[]): HTMLLIElement {
    const note = item.note === undefined ? undefined : span("soft", " ", ...markWords(item.note, words));
    const name = markWords(item.name, words);
    const option = element(
      "li",
      { role: "option", id: `${list.id}-${index}` },
      item.badge,
      item.badge && " ",
      ...name,
      note,
    );
    option.addEventListener("click", () => run(item));
    return option;
  }

  function run(item: PaletteItem | undefined): void {
    if (!item) return;
    dialog.close();
    item.run();
  }

  field.addEventListener("input", reload);
  field.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) select(current + step);
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

interface Found {
  matches: Items;
  words: readonly string[];
  note: string;
}

function search(items: Items, text: string): Found {
  const words = fold(text).split(/\s+/).filter(Boolean);
  const first = items.filter(({ isFirst }) => isFirst);
  if (words.length === 0 && first.length > 0) {
    const matches = groupBy(first, ({ group }) => group).flat();
    return { matches, words, note: `Type to search ${items.length} places` };
  }
  const matches = findMatches(items, words);
  if (matches.length > 0) return { matches, words, note: `${matches.length} found` };
  const meant = correct(words, items);
  const others = findMatches(items, meant);
  if (others.length === 0) return { matches, words, note: "Nothing found: try fewer letters" };
  return { matches: others, words: meant, note: `Did you mean ${meant.join(" ")}? ${others.length} found` };
}

/** In the place of each word that no item has, the nearest word of a name. */
function correct(words: readonly string[], items: Items): string[] {
  const known = [
    ...new Set(items.flatMap(({ name, place = "" }) => fold(`${name} ${place}`).split(/[^\p{L}\p{N}]+/u))),
  ];
  return words.map((word) => (findMatches(items, [word]).length > 0 ? word : (findNearestName(word, known) ?? word)));
}

/**
 * An equal name first, then starts of words in names, then a name that is one of the words, then names, notes, and what
 * is mentioned in a text alone.
 */
function findMatches(items: Items, words: readonly string[]): PaletteItem[] {
  const includesAll = (text: string) => words.every((word) => text.includes(word));
  const starts = words.map((word) => new RegExp(`(?<![\\p{L}\\p{N}])${escapePattern(word)}`, "iu"));
  const rankOf = ({ badge, name, note = "", place = "", text = "" }: PaletteItem) => {
    const isEqual = fold(name) === words.join(" ");
    const own = fold(`${badge?.textContent ?? ""} ${name}`);
    const withNote = fold(`${own} ${note} ${place}`);
    const isStart = starts.every((start) => start.test(own));
    const [isOwn, isNoted, isMentioned] = [own, withNote, `${withNote} ${fold(text)}`].map(includesAll);
    const isWord = isMentioned && words.includes(fold(name));
    return [isEqual, isStart, isWord, isOwn, isNoted, isMentioned].indexOf(true);
  };
  const ranks = items.map(rankOf);
  const ofRank = (rank: number) => items.filter((_item, index) => ranks[index] === rank);
  const cite = (item: PaletteItem) => {
    const note = [item.place, item.note, cutAround(item.text ?? "", words)].filter(Boolean).join(" · ");
    return { ...item, note };
  };
  const mentions = ofRank(5).map((item) => ({ ...cite(item), group: "Mentioned in" }));
  return [...[0, 1].flatMap(ofRank), ...ofRank(2).map(cite), ...[3, 4].flatMap(ofRank), ...mentions];
}

const BEFORE = 24; // characters, so that the word is seen in a line that is cut

/** The part of a text with a word that was typed. */
function cutAround(text: string, words: readonly string[]): string {
  const plain = text.replaceAll(/\s+/g, " ").trim();
  const at = Math.max(...words.map((word) => plain.toLowerCase().indexOf(word)));
  const start = at < BEFORE ? 0 : plain.indexOf(" ", at - BEFORE) + 1;
  return `${start > 0 ? "… " : ""}${plain.slice(start, start + 80)}`;
}

/** Without capitals and accents: `ines` finds Inès. */
const fold = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

function buildGroup(name: string, shown: readonly Shown[]): HTMLElement {
  const title = element("span", { className: "soft small", ariaHidden: "true" }, name);
  const options = shown.filter(({ item }) => item.group === name).map(({ option }) => option);
  return element("ul", { role: "group", ariaLabel: name }, title, ...options);
}

function markWords(text: string, words: readonly string[]): (Node | string)[] {
  if (words.length === 0) return [text];
  const pattern = words.map(escapePattern).join("|");
  return text
    .split(new RegExp(`(${pattern})`, "i"))
    .map((part, index) => (index % 2 === 1 ? element("b", {}, part) : part));
}

const toId = (label: string) => label.toLowerCase().replaceAll(/\W+/g, "-");
