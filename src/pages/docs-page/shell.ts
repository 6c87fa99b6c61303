// On every page: the switch of the theme, and Copy for the code beside it.

import { find } from "./dom.js";

const THEMES = { "": ["◐", "Theme: system"], light: ["☀", "Theme: light"], dark: ["☾", "Theme: dark"] } as const;

export function startShell(): void {
  const { documentElement: root } = document;
  const button = find("button", "[data-theme-switch]");
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
  document.addEventListener("click", ({ target }) => {
    const pressed = (target as Element).closest<HTMLButtonElement>("[data-copy]");
    if (pressed) void copyCode(pressed);
  });
}

/** Copies the code beside the button, and confirms it there. */
async function copyCode(pressed: HTMLButtonElement): Promise<void> {
  const code = pressed.closest(".panel, tr, .row")?.querySelector("code");
  await navigator.clipboard.writeText(code?.textContent ?? "");
  pressed.textContent = "Copied";
  pressed.addEventListener("blur", () => pressed.replaceChildren("Copy"), { once: true });
}
