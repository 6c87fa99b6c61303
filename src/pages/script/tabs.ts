// Parts of which one is shown at a time. The choice is remembered, and holds for all tabs of the same kind.
import { element, storage } from "./dom.js";

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
