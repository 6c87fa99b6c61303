// The search of the docs, by name and description.
import { element, find, span } from "./dom.js";

interface Place {
  link: HTMLLIElement;
  name: string;
  words: string;
}

export function startSearch(): void {
  const field = find("input", "#search");
  const side = find("nav", ".side");
  const list = find("ul", "ul", side);
  const contents = find("button", "[data-contents]", side);
  let places: Place[] | undefined;
  field.addEventListener("focus", () => setOpen(true));
  contents.addEventListener("click", () => setOpen(!side.classList.contains("open")));
  side.addEventListener("focusout", ({ relatedTarget }) => {
    if (!side.contains(relatedTarget as Node | null)) setOpen(false);
  });
  field.addEventListener("input", showMatches);
  side.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      field.value = "";
      showMatches();
      field.focus();
      setOpen(false);
    }
    if (event.key === "Enter" && event.target === field) list.querySelector("a")?.click();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || (event.target as Element).closest("input, textarea, select")) return;
    event.preventDefault();
    field.focus();
  });
  side.addEventListener("click", ({ target }) => {
    if ((target as Element).closest("a")?.hash) setOpen(false);
  });

  /** On narrow screens only, where the contents cover the page. */
  function setOpen(isOpen: boolean): void {
    side.classList.toggle("open", isOpen);
    contents.ariaExpanded = String(isOpen);
  }

  /** Lists matches of names before those of descriptions, each in the order of the page. Enter opens the first. */
  function showMatches(): void {
    places ??= [...document.querySelectorAll<HTMLElement>(PLACES)].map(toPlace);
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const isIn = (text: string) => words.every((word) => text.includes(word));
    const rankOf = ({ name }: Place) => (name === words.join(" ") ? 0 : isIn(name) ? 1 : 2);
    const matches = words.length === 0 ? [] : places.filter((place) => isIn(place.words));
    list.replaceChildren(...matches.toSorted((a, b) => rankOf(a) - rankOf(b)).map(({ link }) => link));
    for (const section of side.querySelectorAll("section"))
      section.hidden = section.contains(list) === (words.length === 0);
    find("p", "#matches").textContent = words.length === 0 ? "" : `${matches.length} found`;
  }
}

const PLACES = "main :is(h2, summary, .member, .clauses > div)[id]";

/** A `div` is a member or a clause, which contains its name; any other place is the title of a folded part or a section. */
function toPlace(place: HTMLElement): Place {
  const isMember = place.matches("div");
  const [part, section] = [place.closest("details"), place.closest("section")];
  const heading = section?.querySelector("h2");
  const parent = isMember ? (part?.querySelector("summary") ?? heading) : heading;
  const content = isMember ? place : (part ?? section?.querySelector(".description"));
  const name = (isMember ? place.querySelector("code, dt") : place)?.textContent ?? "";
  const context = parent && parent !== place ? span("soft", ` ${parent.textContent}`) : undefined;
  const link = element("a", { href: `#${place.id}` }, name.replace(/\. .*/s, "."), context);
  const words = `${name} ${content?.textContent}`.toLowerCase();
  return { link: element("li", {}, link), name: name.toLowerCase(), words };
}
