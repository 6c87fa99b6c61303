// Elements found and made.

type Names = HTMLElementTagNameMap;
type Child = Node | string | undefined | false;

/** The element that the page has there. Its absence is a mistake in console.html. */
export function find<Name extends keyof Names>(name: Name, selector: string, root: ParentNode = document): Names[Name] {
  const found = root.querySelector(selector);
  if (found?.localName !== name) throw new Error(`The page has no <${name}> at ${selector}.`);
  return found as Names[Name];
}

/** Makes an element. Properties are set as they are; texts are texts, never markup. */
export function element<Name extends keyof Names>(
  name: Name,
  properties: Partial<Names[Name]> = {},
  ...children: Child[]
): Names[Name] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children.filter((child) => child !== undefined && child !== false));
  return made;
}

/** A button that does something, and cannot be pressed again before it is done. */
export function button(text: string, press: () => Promise<void> | void, properties: Partial<HTMLButtonElement> = {}) {
  const made = element("button", { type: "button", className: "quiet", ...properties }, text);
  onPress(made, press);
  return made;
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

export function onSubmit(form: HTMLFormElement, submit: (data: FormData) => Promise<void> | void): void {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void submit(new FormData(form));
  });
}

/** What was typed into a field; undefined where nothing was. */
export function textOf(data: FormData, name: string): string | undefined {
  const text = String(data.get(name) ?? "").trim();
  return text === "" ? undefined : text;
}

export function numberOf(data: FormData, name: string): number | undefined {
  const text = textOf(data, name);
  return text === undefined ? undefined : Number(text);
}
