// Tabs, by pointer and by arrow keys.
import { element } from "./dom.js";

let count = 0;

/** The tabs, the first of them selected, and their panels. */
export function toTabs(label: string, parts: readonly [name: string, ...content: HTMLElement[]][]): HTMLElement[] {
  const tabs = parts.map(([name, ...content], index) => {
    count += 1;
    const tab = element("button", { type: "button", role: "tab", id: `tab-${count}` }, name);
    const panel = element("div", { role: "tabpanel", id: `panel-${count}` }, ...content);
    tab.setAttribute("aria-controls", panel.id);
    panel.setAttribute("aria-labelledby", tab.id);
    tab.addEventListener("click", () => select(index));
    tab.addEventListener("keydown", ({ key }) => {
      const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
      if (step === 0) return;
      const next = (index + step + parts.length) % parts.length;
      select(next);
      tabs[next]?.tab.focus();
    });
    return { tab, panel };
  });
  function select(selected: number): void {
    for (const [index, { tab, panel }] of tabs.entries()) {
      tab.ariaSelected = String(index === selected);
      tab.tabIndex = index === selected ? 0 : -1;
      panel.hidden = index !== selected;
    }
  }
  select(0);
  const list = element("div", { role: "tablist", ariaLabel: label }, ...tabs.map(({ tab }) => tab));
  return [list, ...tabs.map(({ panel }) => panel)];
}
