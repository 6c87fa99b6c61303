// The contents beside the docs: they open on a narrow screen, and mark the part that is read.
import { mapDefined } from "../../contract/lists.js";
import { find } from "./dom.js";

export function startContents(side: HTMLElement): void {
  const contents = find("button", "[data-contents]", side);
  contents.addEventListener("click", () => setOpen(!side.classList.contains("open")));
  side.addEventListener("click", ({ target }) => {
    if ((target as Element).closest("a")?.hash) setOpen(false);
  });
  side.addEventListener("keydown", ({ key }) => key === "Escape" && setOpen(false));

  /** On narrow screens only, where the contents cover the page. */
  function setOpen(isOpen: boolean): void {
    side.classList.toggle("open", isOpen);
    contents.ariaExpanded = String(isOpen);
  }
}

const LINE_PX = 96;

/**
 * Marks the link of the part that is read: the one that was opened while it is where a link scrolls it to, or else the
 * last one whose title is there or above. The end of a page does not scroll that far: there, it is the one that was
 * opened, if that is in view.
 */
export function followPlace(side: HTMLElement): void {
  const links = [...side.querySelectorAll<HTMLAnchorElement>("a[href^='#']")];
  const targets = mapDefined(links, (link) => {
    const target = document.getElementById(link.hash.slice(1));
    return target ? { link, target } : undefined;
  });
  const mark = () => {
    const isAtEnd = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
    const padding = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop);
    const topOf = ({ target }: (typeof targets)[number]) => target.getBoundingClientRect().top;
    const visible = targets.filter(({ target }) => target.checkVisibility());
    const opened = visible.find(
      (one) => one.link.hash === location.hash && topOf(one) >= 0 && topOf(one) < innerHeight,
    );
    const above = visible.filter((one) => topOf(one) < padding + LINE_PX);
    const isThere = opened && (isAtEnd || above.includes(opened));
    const current = (isThere ? opened : (above.at(-1) ?? targets[0]))?.link;
    for (const { link } of targets) link.ariaCurrent = link === current ? "location" : null;
    if (current) keepInView(side, current);
  };
  addEventListener("scroll", mark, { passive: true });
  addEventListener("hashchange", mark);
  mark();
}

/** Of contents that are longer than the window. */
function keepInView(side: HTMLElement, link: Element): void {
  const [box, { top, bottom }] = [side.getBoundingClientRect(), link.getBoundingClientRect()];
  if (top < box.top) side.scrollTop -= box.top - top + LINE_PX;
  if (bottom > box.bottom) side.scrollTop += bottom - box.bottom + LINE_PX;
}
