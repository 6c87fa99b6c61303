// The page at `/` for people: what runs here, where to go, a request to copy, and subscribers to try.
import { type Html, html, snippet } from "./html.js";
import { type ProtectedPage, renderPage, renderVersion } from "./page.js";

export interface ShownSubscriber {
  subscriberId: string;
  firstName?: string | undefined;
  lastName?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
}

export interface HomeOptions {
  title: string;
  version: string;
  /** As in `http://127.0.0.1:4010`. */
  address: string;
  hasConsole: boolean;
  /** The built-in key; undefined for a configured key, which stays secret. */
  shownKey: string | undefined;
  /** Subscribers to try, if the key is shown. */
  subscribers: readonly ShownSubscriber[];
  /** The places of each kind that a proposal changes. */
  status?: Partial<Record<keyof typeof KINDS, readonly string[]>> | undefined;
}

export function createHomePage(options: HomeOptions): ProtectedPage {
  const { title, version, address, hasConsole, shownKey, subscribers, status = {} } = options;
  const server = hasConsole ? "reference server" : "server";
  const key = shownKey ?? "$NC_API_KEY";
  const shown = toVaried(subscribers);
  const cards = [
    ...(hasConsole
      ? [["/console", "Console", "Switch preferences, watch requests as they come, inject faults, set the clock."]]
      : []),
    ["/docs", "Docs", "The contract: each rule, why it is so, and examples."],
    [
      "/openapi.yaml",
      "openapi.yaml",
      "The contract as a file. Programs read it as /openapi.json, and /health tells what is served.",
    ],
  ];
  const examples = toCurlLines(address, key, shown[0]?.[0].subscriberId ?? "<subscriberId>").map(([name, line]) =>
    snippet(name, line),
  );
  const rows = shown.map(([subscriber, note]) => {
    const { subscriberId, firstName = "", lastName = "" } = subscriber;
    const id = html`<code>${subscriberId}</code>`;
    const link = hasConsole
      ? html`<a href="/console?subscriber=${encodeURIComponent(subscriberId)}#preferences">${id}</a>`
      : id;
    return html`<tr><th scope="row">${link}</th><td>${`${firstName} ${lastName}`.trim()}</td><td>${note}</td></tr>`;
  });
  const body = html`<main id="main"><h1>${title} <span class="soft">${version}</span></h1>
<p>This ${server} at <code>${address}</code> keeps the contract and its state: what you update stays, and what breaks the contract is
rejected with reasons.</p>
<div class="cards">${cards.map(([href, name, text]) => html`<a class="card" href="${href}"><b>${name}</b><span>${text}</span></a>`)}</div>
${renderStatus(status)}<h2>First requests</h2>
<p>API key: ${shownKey === undefined ? html`as configured, here as <code>$NC_API_KEY</code>` : html`<code>${shownKey}</code>`}</p>
${examples}
${rows.length > 0 && html`<h2>Subscribers to try</h2><table><thead><tr><th scope="col">Id</th><th scope="col">Name</th><th scope="col">What is special</th></tr></thead><tbody>${rows}</tbody></table>`}</main>`;
  return renderPage({
    title: `${title}: ${server}`,
    skipText: "To the pages",
    site: { current: "home", hasConsole },
    aside: renderVersion({ title, version }),
    body,
    kind: "home",
  });
}

/** The kinds of places where a proposal is not implemented. */
const KINDS = {
  mocked: "Operations without a handler: they respond with samples of the contract",
  added: "Members of responses that no handler knows: samples",
  removed: "Members of responses that the contract does not have: removed",
  withoutEffect: "Parts of requests that are validated, and then ignored",
  unchecked: "Parts of the contract that the tools of this project do not understand: left out, or not checked",
};

/** Undefined if the whole contract is implemented. */
function renderStatus(status: NonNullable<HomeOptions["status"]>): Html | undefined {
  const rows = Object.entries(KINDS).flatMap(([kind, meaning]) => {
    const places = status[kind as keyof typeof KINDS] ?? [];
    const list = places.map((place) => html`<li><code>${place}</code></li>`);
    return places.length === 0 ? [] : [html`<tr><th scope="row">${meaning}</th><td><ul>${list}</ul></td></tr>`];
  });
  return rows.length === 0 ? undefined : html`<h2>What is not real yet</h2><table><tbody>${rows}</tbody></table>`;
}

/** Subscribers that front-ends get wrong, the rarest kind first. */
const SPECIAL: readonly (readonly [note: string, isSo: (subscriber: ShownSubscriber) => boolean])[] = [
  ["has neither a name nor an address", ({ firstName, email, phone }) => !firstName && !email && !phone],
  ["the id has a slash and a blank: encode it in the path", ({ subscriberId }) => /[/ ]/.test(subscriberId)],
  ["the id is an e-mail address", ({ subscriberId }) => subscriberId.includes("@")],
  ["the id looks like a number", ({ subscriberId }) => /^\d+$/.test(subscriberId)],
  ["has no e-mail address", ({ email }) => !email],
  ["is written from right to left", ({ firstName = "" }) => /[\u0590-\u06ff]/.test(firstName)],
  ["has no last name", ({ lastName }) => !lastName],
  ["has every address", ({ email, phone }) => Boolean(email && phone)],
];

/** One subscriber of each kind, the ordinary one first. */
function toVaried(subscribers: readonly ShownSubscriber[]): [ShownSubscriber, note: string][] {
  const noted = subscribers.map((subscriber): [ShownSubscriber, string] => [
    subscriber,
    SPECIAL.find(([, isSo]) => isSo(subscriber))?.[0] ?? "",
  ]);
  return SPECIAL.toReversed().flatMap(([note]) => {
    const first = noted.find(([, other]) => other === note);
    return first ? [first] : [];
  });
}

function toCurlLines(address: string, key: string, subscriberId: string): [name: string, line: string][] {
  const quote = key.startsWith("$") ? '"' : "'"; // a shell reads a variable between double quotes alone
  const authorization = `-H ${quote}Authorization: ApiKey ${key}${quote}`;
  const preferences = `${address}/v2/subscribers/${encodeURIComponent(subscriberId)}/preferences`;
  const update = (body: string) =>
    [`curl -X PATCH '${preferences}'`, authorization, "-H 'Content-Type: application/json'", `-d '${body}'`].join(
      " \\\n  ",
    );
  return [
    ["List notifications", `curl '${address}/v1/notifications?limit=2' ${authorization}`],
    ["Switch a subscriber's e-mail off", update('{"channels":{"email":false}}')],
    ["Read a subscriber's preferences: an update that changes nothing", update('{"channels":{}}')],
  ];
}
