// The kit of all pages' scripts: elements, presses, lists that keep their elements, fields and their errors, tabs, and
// a question before something is lost.

type Names = HTMLElementTagNameMap;
type Child = Node | string | undefined | false;

/** @throws Error if the element is missing: page and script do not match. */
export function find<Name extends keyof Names>(name: Name, selector: string, root: ParentNode = document): Names[Name] {
  const match = root.querySelector(selector);
  if (match?.localName !== name) throw new Error(`The page has no <${name}> at ${selector}.`);
  return match as Names[Name];
}

/** Creates an element. Strings become text, never markup. */
export function element<Name extends keyof Names>(
  name: Name,
  properties: Partial<Names[Name]> = {},
  ...children: Child[]
): Names[Name] {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...children.filter((child) => child !== undefined && child !== false));
  return created;
}

/** The text of a title without its note. */
export const titleOf = (place: Element) => (place.querySelector(".name") ?? place).textContent ?? "";

export const capitalize = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

export function span(className: string, ...children: Child[]): HTMLSpanElement {
  return element("span", { className }, ...children);
}

/** A time of day in UTC, with the exact instant on hover. */
export function buildTime(at: string): HTMLTimeElement {
  return element("time", { dateTime: at, title: at }, at.slice(11, 19));
}

/** Creates a button that ignores further presses until its action is done. */
export function button(text: string, press: () => Promise<void> | void, properties: Partial<HTMLButtonElement> = {}) {
  const created = element("button", { type: "button", className: "quiet", ...properties }, text);
  onPress(created, press);
  return created;
}

/** The next event of the document with this name. */
export const occurrence = (name: string) =>
  new Promise((resolve) => document.addEventListener(name, resolve, { once: true }));

export function onPress(pressed: HTMLButtonElement, press: () => Promise<void> | void): void {
  pressed.addEventListener("click", async () => {
    pressed.ariaDisabled = "true"; // `disabled` would take the focus away
    if (pressed.dataset.busy) return;
    pressed.dataset.busy = "true";
    try {
      await press();
    } finally {
      delete pressed.dataset.busy;
      pressed.ariaDisabled = null;
    }
  });
}

/**
 * A list whose items keep their elements, and thus the focus, across updates. When the item with the focus goes, the
 * list gets it: a second press of the same key does nothing more. Returns a function that shows items.
 */
export function keyed<Item, Built extends Element>(
  list: HTMLElement,
  keyOf: (item: Item) => string,
  build: (item: Item) => Built,
  update: (built: Built, item: Item) => void = () => {},
): (items: readonly Item[]) => void {
  let shown = new Map<string, Built>();
  list.tabIndex = -1;
  return (items) => {
    const before = shown;
    shown = new Map(items.map((item) => [keyOf(item), before.get(keyOf(item)) ?? build(item)]));
    for (const item of items) {
      const built = shown.get(keyOf(item));
      if (built) update(built, item);
    }
    const hadFocus = list.contains(document.activeElement);
    placeChildren(list, [...shown.values()]);
    if (hadFocus && !list.contains(document.activeElement)) list.focus({ preventScroll: true });
  };
}

/** Replaces the children; those that stay are not moved. */
function placeChildren(parent: Element, children: readonly Element[]): void {
  const staying = new Set(children);
  for (const child of [...parent.children]) if (!staying.has(child)) child.remove();
  let next = parent.firstElementChild;
  for (const child of children) {
    if (child === next) next = next.nextElementSibling;
    else parent.insertBefore(child, next);
  }
}

/** A field with its label. */
export function labelled(label: string, field: HTMLElement): HTMLLabelElement {
  return element("label", {}, `${label} `, field);
}

/** A menu. @param choices each a value and its text. */
export function menu(
  choices: readonly (readonly [value: string, text: string])[],
  properties: Partial<HTMLSelectElement> = {},
): HTMLSelectElement {
  return element("select", properties, ...choices.map(([value, text]) => element("option", { value }, text)));
}

/** One of a few: radio buttons that look like one control. */
export function segments(
  label: string,
  name: string,
  choices: readonly (readonly [value: string, ...text: (Node | string)[]])[],
): HTMLFieldSetElement {
  const labels = choices.map(([value, ...text], index) => {
    const input = element("input", { type: "radio", name, value, defaultChecked: index === 0 });
    return element("label", {}, input, ...text);
  });
  return element("fieldset", { className: "segments", ariaLabel: label }, ...labels);
}

/** A text in which `code` is code. */
export function inlineCode(text: string): (Node | string)[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? element("code", {}, part) : part));
}

/** Undefined where the browser's settings forbid storage: then nothing is remembered. */
const storage = openStorage();

function openStorage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

export type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** True where a key is text or picks an option, and thus no shortcut. */
export function isTyping({ target }: Event): boolean {
  return (target as Element).closest(`${TEXT_INPUT}, textarea, select, [contenteditable]`) !== null;
}

const TEXT_INPUT = "input:not([type=checkbox], [type=radio], [type=file])";

/** Says at a field what is wrong with it, until it is changed. */
export function markField(field: Field, message: string): void {
  unmarkField(field);
  const id = [field.form?.getAttribute("id"), field.name, "error"].filter(Boolean).join("-");
  const note = element("span", { className: "bad small field-error", id }, message);
  const fold = field.closest("details");
  if (fold) fold.open = true;
  (field.closest("fieldset, :is(.row, .pick) > label") ?? field).after(note); // below the whole row
  field.setAttribute("aria-describedby", note.id);
  field.ariaInvalid = "true";
  field.focus();
}

export function unmarkField(field: Field): void {
  if (field.ariaInvalid === null) return;
  field.ariaInvalid = null;
  document.getElementById(field.getAttribute("aria-describedby") ?? "")?.remove();
  field.removeAttribute("aria-describedby");
}

/** Names are unique among the radio buttons of a page. */
let created = 0;

export function createTabs(
  kind: string,
  label: string,
  parts: readonly (readonly [name: string, part: HTMLElement])[],
) {
  created += 1;
  const choices = parts.map(([name]) =>
    element("label", {}, element("input", { type: "radio", name: `${kind}-${created}`, value: name }), name),
  );
  const bar = element("fieldset", { className: "segments", ariaLabel: label }, ...choices);
  for (const [name, part] of parts) part.dataset.tab = name;
  const box = element("div", {}, bar, ...parts.map(([, part]) => part));
  box.dataset.tabs = kind;
  startTabs(box);
  return box;
}

export function startTabs(box: HTMLElement): void {
  const { tabs: kind = "" } = box.dataset;
  show(box, storage?.getItem(toItemName(kind)));
  box.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== "radio") return;
    storage?.setItem(toItemName(kind), target.value);
    const alike = document.querySelectorAll<HTMLElement>(`[data-tabs="${kind}"]`);
    const { top } = box.getBoundingClientRect();
    for (const each of alike) show(each, target.value);
    scrollBy(0, box.getBoundingClientRect().top - top); // what is above may have another height now
  });
}

/** Shows the first part if there is none of this name. */
function show(box: HTMLElement, name: string | null | undefined): void {
  const radios = [
    ...box.querySelectorAll<HTMLInputElement>(":scope > .segments input, :scope > .panel-bar .segments input"),
  ];
  const chosen = radios.find(({ value }) => value === name) ?? radios[0];
  if (!chosen) return;
  chosen.checked = true;
  for (const part of box.querySelectorAll<HTMLElement>("[data-tab]")) part.hidden = part.dataset.tab !== chosen.value;
}

const toItemName = (kind: string) => `tab ${kind}`;

interface Answer {
  value: string;
  text: string;
  /** False for an answer that loses data. */
  isSafe?: boolean;
}

/**
 * Shows a dialog, where Enter loses no data. Returns the value of the answer; empty for Cancel and Escape.
 * @param note what is lost.
 */
export function ask(question: string, answers: readonly Answer[], note = ""): Promise<string> {
  const buttons = answers.map(({ value, text, isSafe }) =>
    element("button", { type: "submit", value, className: isSafe ? "" : "danger" }, text),
  );
  const cancel = element("button", { type: "submit", value: "", className: "quiet" }, "Cancel");
  cancel.autofocus = !answers[0]?.isSafe;
  const row = element("div", { className: "row" }, ...buttons, cancel);
  const form = element(
    "form",
    { method: "dialog" },
    element("h2", {}, question),
    note !== "" && element("p", {}, note),
    row,
  );
  const dialog = element("dialog", { ariaLabel: question }, form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
  });
}
