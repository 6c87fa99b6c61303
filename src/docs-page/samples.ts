// Panels of examples: the one that is picked is shown, its JSON coloured.
import { showJson } from "./json.js";

export function startSamples(): void {
  for (const panel of document.querySelectorAll<HTMLElement>("[data-samples]")) {
    const select = panel.querySelector("select");
    const samples = [...panel.querySelectorAll("pre")];
    const show = () => {
      for (const [index, sample] of samples.entries()) {
        sample.hidden = index !== select?.selectedIndex;
        const code = sample.querySelector<HTMLElement>("code[data-json]");
        if (sample.hidden || !code) continue;
        showJson(code, code.textContent ?? "", { lines: 300 });
        delete code.dataset.json; // once
      }
    };
    select?.addEventListener("change", show);
    show();
  }
}
