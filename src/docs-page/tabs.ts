// Tabs, by pointer and by arrow keys.

/** @param select is called with each tab that is selected. */
export function startTabs(root: HTMLElement, select: (tab: HTMLElement) => void): void {
  const tabs = [...root.querySelectorAll<HTMLElement>("[role=tab]")];
  const choose = (tab: HTMLElement) => {
    for (const other of tabs) {
      other.ariaSelected = String(other === tab);
      other.tabIndex = other === tab ? 0 : -1;
    }
    select(tab);
  };
  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener("click", () => choose(tab));
    tab.addEventListener("keydown", ({ key }) => {
      const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
      const next = tabs[(index + step + tabs.length) % tabs.length];
      if (step === 0 || !next) return;
      choose(next);
      next.focus();
    });
  }
}
