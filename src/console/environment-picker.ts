// The rail: chooses the environment, and shows what is unusual about it.
import type { Environment } from "../client/control.js";
import { element, find } from "./dom.js";

/** @param wanted is the name in the page's address; it may be gone. */
export function showInRail(environments: readonly Environment[], shown: Environment | undefined, wanted: string): void {
  const picker = find("select", "#environment-name");
  const options = environments.map(({ name }) => ({ value: name, text: name }));
  if (!shown) options.push({ value: wanted, text: `${wanted} (gone)` });
  if (options.map(({ text }) => text).join() !== [...picker.options].map(({ text }) => text).join()) {
    picker.replaceChildren(...options.map((option) => element("option", option)));
  }
  picker.value = shown?.name ?? wanted;
  const [faults, clock] = [find("span", "[data-badge=faults]"), find("span", "[data-badge=clock]")];
  faults.textContent = String(shown?.faults ?? "");
  faults.hidden = !shown?.faults;
  clock.hidden = shown?.clock.mode !== "frozen";
}
