// What the docs and reports have in common: examples of which one is picked, decisions that are explained where they apply, and folded
// parts that open when a link leads into them.
import { showJson } from "./json.js";

/** Called last: it scrolls to where the address leads. */
export function startContent(): void {
  for (const panel of document.querySelectorAll<HTMLElement>("[data-samples]")) startSamples(panel);
  explainDecisions();
  addEventListener("hashchange", openTarget);
  openTarget();
}

/** Shows the example that is picked, its JSON coloured. */
function startSamples(panel: HTMLElement): void {
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

function openTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let place: Element | null = target; place; place = place.parentElement) {
    if (place instanceof HTMLDetailsElement) place.open = true;
  }
  target?.scrollIntoView();
}

/** Each decision behind a place, with question and answer, once it is asked for. */
function explainDecisions(): void {
  document.addEventListener(
    "toggle",
    ({ target }) => {
      if (!(target instanceof HTMLDetailsElement) || !target.open) return;
      for (const place of target.querySelectorAll<HTMLElement>(":scope > [data-decision]")) {
        const heading = document.getElementById(place.dataset.decision ?? "");
        const answer = heading?.closest("details")?.querySelector("[data-answer]");
        if (!heading || !answer || place.dataset.explained) continue;
        place.dataset.explained = "true";
        place.append(` ${(heading.textContent ?? "").replace(/^\S+ /, "")} ${answer.textContent}`);
      }
    },
    true, // it does not bubble
  );
}
