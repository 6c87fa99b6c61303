// The search of all pages: a palette of the pages, and of every operation, parameter, member, response, decision and
// clause of both APIs. A page reads the docs that it lacks from the server.
import type { SubscriberPage } from "../../browser/client/control.js";
import { loadControl } from "./dashboard.js";
import { isTyping, span, titleOf } from "./dom.js";
import { createPalette, type PaletteItem } from "./palette.js";
import { createSearch } from "./rank.js";
import { buildSubscriberItem } from "./subscriber-item.js";

export const VIEWS = ["preferences", "feed", "requests", "faults", "environment"] as const;

/** What each is for, in the words of who looks for it. */
const TASKS: Readonly<Record<(typeof VIEWS)[number], string[]>> = {
  preferences: ["Switch a subscriber's channels on and off."],
  feed: ["See the notifications of a subscriber.", "Send a notification."],
  requests: ["See the request log, and why a request was rejected.", "Edit a request and send it again."],
  faults: ["Inject a fault: an error, a rate limit, a delay as of a slow network, a timeout, no response."],
  environment: [
    "Freeze or advance the clock.",
    "Reset or load data.",
    "Create or delete an environment, copy its API key.",
  ],
};

/** What others call a task of the docs. */
const OTHER_WORDS: Readonly<Record<string, string[]>> = {
  "Authenticate with the API key": [
    "Send Authorization: ApiKey <key>. The key is at the top of the docs.",
    "Getting started: send a first request.",
  ],
  "Filter by channels and dates": [
    "Send several values: repeat the parameter, instead of comma-separated values.",
    "Give a date range.",
  ],
  "Page through a list": ["Load all pages, to the last page."],
  "Switch a channel off": ["Turn off emails or SMS, mute, unsubscribe, opt out, cancel, stop, no more."],
  "Use the TypeScript client": ["Install the SDK, import the package."],
  "Retry an update safely": ["Error handling: catch, retry, back off, backoff, timeout, rate limits, 429."],
};

const DOCS: Readonly<Record<string, string>> = { "/docs": "API", "/_control": "Control plane" };

/** Opens by its button or by Ctrl-K; by `/`, too, unless the page has a filter. @param findMore finds further items. */
export function startSearch(
  findMore: (text: string) => PaletteItem[] | Promise<PaletteItem[]> = createSubscriberSearch(),
): void {
  let items: Promise<PaletteItem[]> | undefined;
  const open = createPalette("Search", async (text) => {
    items ??= findItems();
    const own = (await findMore(text)).map((item) => ({ weight: 2, ...item })); // of what is shown
    return [...own, ...(await items)];
  });
  for (const opener of document.querySelectorAll<HTMLElement>("[data-palette]")) {
    opener.addEventListener("click", () => open(opener.dataset.palette));
    if (opener.dataset.palette) void offer(opener, opener.dataset.palette);
  }

  /** A search for a word is offered if it finds something. */
  async function offer(opener: HTMLElement, word: string): Promise<void> {
    items ??= findItems();
    const { isExact, note } = createSearch()(await items, word);
    opener.append(`: ${note}`);
    opener.hidden = !isExact;
  }

  document.addEventListener("keydown", (event) => {
    const isPalette = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
    const isSlash = event.key === "/" && !isTyping(event) && !document.querySelector("[data-search]");
    if (!isPalette && !isSlash) return;
    event.preventDefault();
    open();
  });
}

const isShown = (path: string) => path === location.pathname;

const FEWEST_LETTERS = 3;
const MOST_SUBSCRIBERS = 5;

/** Finds subscribers of the environment whose key the pages show. Once the server has not said any, it is not asked again. */
function createSubscriberSearch(): (text: string) => Promise<PaletteItem[]> {
  let canAsk = hasConsole();
  const open = (id: string) => location.assign(`/console?subscriber=${encodeURIComponent(id)}#preferences`);
  return async (text) => {
    if (!canAsk || text.length < FEWEST_LETTERS) return [];
    const query = new URLSearchParams({ search: text, limit: String(MOST_SUBSCRIBERS) });
    const page = await loadControl<SubscriberPage>(`environments/default/subscribers?${query}`);
    canAsk = page !== undefined;
    return (page?.subscribers ?? []).map((subscriber) => ({ ...buildSubscriberItem(subscriber, open), weight: 1 }));
  };
}

/** The control plane is there, too. */
const hasConsole = () => document.querySelector("header a[href='/console']") !== null;

async function findItems(): Promise<PaletteItem[]> {
  const docs = Object.entries(DOCS).filter(([path]) => path === "/docs" || hasConsole());
  const pages = [
    buildPage("/", "Home"),
    ...(hasConsole() ? VIEWS : []).map((view) => buildPage(`/console#${view}`, `Console: ${view}`, TASKS[view])),
    ...docs.map(([path, name]) => buildPage(path, `Docs: ${name}`)),
  ];
  const own = docs.filter(([path]) => isShown(path)).flatMap(([path]) => buildItems(document, path));
  const others = docs.filter(([path]) => !isShown(path)).map(([path]) => fetchItems(path));
  return [...own, ...pages, ...(await Promise.all(others)).flat()];
}

function buildPage(path: string, name: string, sentences: string[] = []): PaletteItem {
  return { group: "Pages", isFirst: true, name, sentences, weight: 2, run: () => location.assign(path) };
}

async function fetchItems(path: string): Promise<PaletteItem[]> {
  try {
    const response = await fetch(path, { headers: { accept: "text/html" } });
    const [main = ""] = /<main.*<\/main>/s.exec(await response.text()) ?? []; // the policy forbids another page's style
    return buildItems(new DOMParser().parseFromString(main, "text/html"), path);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const note = "not searched: the server does not respond";
    return [{ group: "Pages", isFirst: true, name: `Docs: ${DOCS[path]}`, note, run: () => location.reload() }];
  }
}

function buildItems(page: Document, path: string): PaletteItem[] {
  const tasks = [...page.querySelectorAll<HTMLAnchorElement>(".tasks a")].map((link) =>
    buildTask(link.textContent ?? "", () => (isShown(path) ? link.click() : location.assign(path + link.hash))),
  );
  if (page.querySelector("#access")) tasks.push(buildTask("Authenticate with the API key", () => goTo(path, "access")));
  return [...tasks, ...[...page.querySelectorAll<HTMLElement>(PLACES)].map((place) => buildItem(place, path))];
}

function goTo(path: string, id: string): void {
  location.assign(`${path}#${id}`);
  if (isShown(path)) document.getElementById(id)?.scrollIntoView();
}

function buildTask(name: string, run: () => void): PaletteItem {
  return { group: "How to", name, sentences: OTHER_WORDS[name] ?? [], isAnswer: true, weight: 3, run };
}

const PLACES = "main :is(h2, summary, .member, .clauses > div)[id]";
const TEXTS = ":is(p:not(.soft), dd, li, .note):not(.basis *)";

/**
 * A `div` is a member or a clause, which contains its name; any other place is the title of a folded part or a section.
 */
function buildItem(place: HTMLElement, path: string): PaletteItem {
  const isMember = place.matches("div");
  const [part, section] = [place.closest("details:not(.plain)"), place.closest("section")];
  const heading = section?.querySelector("h2");
  const content = isMember ? place : (part ?? section?.querySelector(".description"));
  const summary = isMember && part?.querySelector("summary");
  const endpoint = place.id.startsWith("operation-") ? section?.querySelector(".endpoint") : undefined;
  const isTitle = place === heading;
  const badge = findBadge(place, endpoint ?? undefined);
  const title = isMember ? place.querySelector("code, dt") : (place.querySelector(".name") ?? place);
  const name =
    title?.textContent
      ?.replace(/\. .*/s, ".")
      .replace(badge?.textContent ?? "", "")
      .trim() ?? "";
  const count = isTitle && !endpoint ? section?.querySelectorAll("[data-facet], .clauses > div").length : 0;
  const note = endpoint ? endpoint.querySelector("code")?.textContent : summary ? titleOf(summary) : count;
  const titles = endpoint ? "Operations" : "Sections";
  return {
    group: isTitle ? (isShown(path) ? titles : `Docs: ${DOCS[path]}`) : (heading?.textContent ?? ""),
    mark: markOf(path),
    isFirst: isTitle && (isShown(path) || (endpoint !== undefined && path === "/docs")),
    badge,
    name,
    place: isTitle && !endpoint ? "" : (heading?.id.replace("operation-", "") ?? ""),
    ...(note ? { note: String(note) } : {}),
    weight: weightOf(
      endpoint ? "endpoint" : isTitle ? "section" : place.id.startsWith("header-") ? "headers" : (heading?.id ?? ""),
      path,
    ),
    sentences: content ? readSentences(content, place) : [],
    run: () => goTo(path, place.id),
  };
}

/** Of what the page is not about: the other API, or beside both of them the control plane. */
function markOf(path: string): string | undefined {
  const isOther = path === "/_control" || isShown("/_control");
  return isOther && !isShown(path) ? DOCS[path] : undefined;
}

/** The API is looked for more often than the control plane, except on the control plane's own page. */
function weightOf(heading: string, path: string): number {
  const isApi = path === "/docs";
  if (heading === "endpoint") return isApi || isShown(path) ? 2 : 1.05;
  if (heading === "section") return isApi ? 1.2 : 1;
  if (heading === "headers") return 0.6; // the response that has them says when
  return isApi && heading.startsWith("operation-") ? 1.7 : isApi || isShown(path) ? 1 : 0.7;
}

/** What is said at a place itself, not at those within it; of a response also what its examples show. */
function readSentences(content: Element, place: HTMLElement): string[] {
  const isOwn = (text: Element) => (text.closest(".member[id]") ?? place) === place;
  const texts = [...content.querySelectorAll(TEXTS)].filter(isOwn).map((text) => {
    const [typed] = text.matches(".member[id] > p:first-child") ? text.querySelectorAll(".soft") : [];
    return (typed ?? text).textContent?.replace(/^(query|path|header|cookie), /, "") ?? ""; // the badge says it
  });
  if (place.matches(".member")) texts.push(texts.shift() ?? ""); // its type, after what is said
  const [status = ""] = /(?<=-response-).+/.exec(place.id) ?? [];
  texts.push(place.querySelector<HTMLElement>(":scope > .status")?.title ?? "");
  const examples = status && place.closest("section")?.querySelectorAll(`optgroup[label="${status}"] option`);
  for (const example of examples || []) texts.push(`Example: ${example.textContent}`);
  return texts
    .flatMap((text) =>
      text
        .replaceAll(/\s+/g, " ")
        .trim()
        .split(/(?<=[.?])\s+(?=\p{Lu})/u),
    )
    .filter(Boolean);
}

/** The method, the status, the id of a decision, or the part of a request that has a parameter. */
function findBadge(place: HTMLElement, endpoint: Element | undefined): Element | undefined {
  const shown = (endpoint ?? place).querySelector(endpoint ? ".method" : ":scope > .status");
  if (shown) return shown.cloneNode(true) as Element;
  const [, location] = /^[^-]+-(query|path|header|cookie)-/.exec(place.id) ?? /^decision-(.+)/.exec(place.id) ?? [];
  return location === undefined ? undefined : span("tag soft", location);
}
