// What every page has: the switch of the theme, and Copy for the code beside it.

const THEMES = { "": ["◐", "Theme: system"], light: ["☀", "Theme: light"], dark: ["☾", "Theme: dark"] } as const;

export function startShell(): void {
  const { documentElement: root } = document;
  const button = document.querySelector<HTMLButtonElement>("[data-theme-switch]");
  if (button) {
    const names = Object.keys(THEMES) as (keyof typeof THEMES)[];
    const current = () => names.find((name) => name === root.dataset.theme) ?? "";
    const show = () => {
      const [symbol, label] = THEMES[current()];
      Object.assign(button, { textContent: symbol, ariaLabel: label, title: label });
    };
    button.addEventListener("click", () => {
      root.dataset.theme = names[(names.indexOf(current()) + 1) % names.length] ?? "";
      show();
      try {
        localStorage.theme = root.dataset.theme;
      } catch {
        // a page in a file may have no storage: the choice holds until it is closed
      }
    });
    show();
    button.hidden = false;
  }
  for (const copy of document.querySelectorAll<HTMLButtonElement>("[data-copy]")) {
    copy.hidden = false;
    copy.addEventListener("click", () => {
      const code = copy.closest(".panel")?.querySelector("pre:not([hidden]) code");
      void copyText(copy, code?.textContent ?? "");
    });
  }
}

/** Copies, and confirms it on the button. */
export async function copyText(pressed: HTMLButtonElement, text: string): Promise<void> {
  const before = pressed.textContent;
  await navigator.clipboard.writeText(text);
  pressed.textContent = "Copied";
  pressed.addEventListener("blur", () => pressed.replaceChildren(before ?? ""), { once: true });
}
