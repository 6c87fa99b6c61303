// Finds and creates elements.

type Names = HTMLElementTagNameMap;
type Child = Node | string | undefined | false;

/** @throws Error where the element is missing: then the page and its script do not fit. */
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

export function span(className: string, ...children: Child[]): HTMLSpanElement {
  return element("span", { className }, ...children);
}

/** A button that cannot be pressed again before its action is done. */
export function button(text: string, press: () => Promise<void> | void, properties: Partial<HTMLButtonElement> = {}) {
  const created = element("button", { type: "button", className: "quiet", ...properties }, text);
  onPress(created, press);
  return created;
}

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

/** A centred message where there is nothing to show, with what to do about it. Without a text, nothing. */
export function showEmpty(panel: HTMLElement, text?: string, ...actions: HTMLElement[]): void {
  const place = find("div", "[data-empty]", panel);
  place.replaceChildren(...(text === undefined ? [] : [element("p", {}, text), ...actions]));
}
