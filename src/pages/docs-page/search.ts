// The search over all places of the docs: by name, description and synonym.
import { element, find, span } from "./dom.js";

/** People's other words for the contract's names, by the end of their ids. */
const SYNONYMS: Readonly<Record<string, string>> = {
  updatePreferences:
    "read get preferences unsubscribe subscribe opt out opt-out opt in mute channel settings toggle switch patch",
  listNotifications: "read get notifications feed inbox activity history messages pagination paging filter search",
  page: "pagination paging offset cursor next previous",
  limit: "pagination paging page size per page count",
  hasMore: "pagination paging next page last total",
  401: "unauthorized unauthenticated authentication auth key login token",
  404: "not found missing unknown",
  409: "conflict idempotency concurrent retry",
  413: "too large size payload",
  422: "invalid validation unprocessable",
  429: "rate limit throttle too many requests quota",
  503: "unavailable down outage retry",
};

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
  let focusedBefore: HTMLElement | undefined;
  const isOutside = (target: EventTarget | null) => !side.contains(target as Node | null);
  field.addEventListener("focus", ({ relatedTarget }) => {
    if (isOutside(relatedTarget)) focusedBefore = (relatedTarget as HTMLElement | null) ?? undefined;
    setOpen(true);
  });
  contents.addEventListener("click", () => setOpen(!side.classList.contains("open")));
  side.addEventListener("focusout", ({ relatedTarget }) => isOutside(relatedTarget) && setOpen(false));
  field.addEventListener("input", showMatches);
  side.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      field.value = "";
      showMatches();
      (document.activeElement as HTMLElement | null)?.blur();
      (focusedBefore ?? contents).focus();
      focusedBefore = undefined;
    }
    if (event.key === "Enter" && event.target === field) visibleLinks()[0]?.click();
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    const stops = [field, ...visibleLinks()];
    const index = stops.indexOf(document.activeElement as HTMLInputElement) + (event.key === "ArrowDown" ? 1 : -1);
    stops[Math.max(0, Math.min(index, stops.length - 1))]?.focus();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || (event.target as Element).closest("input, textarea, select")) return;
    event.preventDefault();
    field.focus();
  });
  side.addEventListener("click", ({ target }) => {
    if ((target as Element).closest("a")?.hash) setOpen(false);
  });

  /** On a narrow screen, where the contents cover the page. */
  function setOpen(isOpen: boolean): void {
    side.classList.toggle("open", isOpen);
    contents.ariaExpanded = String(isOpen);
  }

  function visibleLinks(): HTMLElement[] {
    return [...side.querySelectorAll("a")].filter((link) => link.checkVisibility());
  }

  /** Matches of names come before those of descriptions, each in the order of the page: Enter opens the first one. */
  function showMatches(): void {
    places ??= [...document.querySelectorAll<HTMLElement>(PLACES)].map(toPlace);
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const isIn = (text: string) => words.every((word) => text.includes(word));
    const rankOf = ({ name }: Place) => (name === words.join(" ") ? 0 : isIn(name) ? 1 : 2);
    const matches = words.length === 0 ? [] : places.filter((place) => isIn(place.words));
    list.replaceChildren(...matches.toSorted((a, b) => rankOf(a) - rankOf(b)).map(({ link }) => link));
    for (const section of side.querySelectorAll("section"))
      section.hidden = section.contains(list) === (words.length === 0);
    const none =
      "Nothing matches. Try a parameter (limit), a status (422), a decision (D-29) or a word of a description.";
    const count = matches.length;
    const text = count === 0 ? none : count === 1 ? "1 match" : `${count} matches`;
    find("p", "#matches").textContent = words.length === 0 ? "" : text;
  }
}

const PLACES = "main :is(h2, summary, .member, .clauses > div)[id]";

/** A member or a clause has its name in it, beneath a title; the title of an operation is named by itself, beneath nothing. */
function toPlace(place: HTMLElement): Place {
  const section = place.closest("section");
  const [details, heading] = [place.closest("details"), section?.querySelector("h2")];
  const isMember = place.matches("div");
  const name = (isMember ? place.querySelector("code, dt") : place)?.textContent ?? "";
  const around = (isMember && details?.querySelector("summary")) || heading;
  const content = isMember ? place : (details ?? section?.querySelector(".description"));
  const words = [name, SYNONYMS[place.id.split("-").at(-1) ?? ""], content?.textContent].join(" ");
  const context = around && around !== place && span("soft", ` ${around.textContent}`);
  const link = element("li", {}, element("a", { href: `#${place.id}` }, name.replace(/\. .*/s, "."), context ?? false));
  return { link, name: name.toLowerCase(), words: words.toLowerCase() };
}
