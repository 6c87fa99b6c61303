// The rail: chooses the environment, and shows what is unusual about it.
import type { Environment } from "../client/control.js";
import { element, find } from "../docs-page/dom.js";

/** @param wanted is the name in the page's address; it may be gone. */
export function showInRail(
  environments: readonly Environment[],
  current: Environment | undefined,
  wanted: string,
): void {
  const picker = find("select", "#environment-name");
  const options = environments.map(({ name }) => ({ value: name, text: name }));
  if (!current) options.push({ value: wanted, text: `${wanted} (gone)` });
  if (options.map(({ text }) => text).join() !== [...picker.options].map(({ text }) => text).join()) {
    picker.replaceChildren(...options.map((option) => element("option", option)));
  }
  picker.value = current?.name ?? wanted;
  const [faults, clock] = [find("span", "[data-badge=faults]"), find("span", "[data-badge=clock]")];
  faults.textContent = String(current?.faults ?? "");
  faults.hidden = !current?.faults;
  clock.hidden = current?.clock.mode !== "frozen";
}
