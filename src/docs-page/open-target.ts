// For pages with folded parts: opens the part that a link leads into, and shows the example that is picked.

export function openTargets(): void {
  addEventListener("hashchange", openTarget);
  openTarget();
}

function openTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let place: Element | null = target; place; place = place.parentElement) {
    if (place instanceof HTMLDetailsElement) place.open = true;
  }
  target?.scrollIntoView();
}

/** Each decision behind a place, with question and answer, once it is asked for. */
export function explainDecisions(): void {
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
