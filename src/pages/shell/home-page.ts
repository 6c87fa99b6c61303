// The page at `/`: what runs here, where to go, requests to copy, and subscribers to try.
import { mapDefined } from "../../contract/lists.js";
import type { Operation } from "../../contract/model.js";
import { KEY_VARIABLE } from "../../contract/request-code.js";
import { buildRequestSpec, type RequestTemplate } from "../../contract/request-spec.js";
import { type Html, html, responsePanel, table, toAnchor } from "./html.js";
import { type ProtectedPage, renderPage, renderVersion } from "./page-frame.js";
import { type Access, outlineOf, renderAccess, renderRequest } from "./request-snippets.js";

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
  operations: readonly Operation[];
  /** As in `http://127.0.0.1:4010`. */
  address: string;
  hasConsole: boolean;
  /** The built-in key. A configured key is secret, and thus undefined. */
  shownKey: string | undefined;
  /** Subscribers to try, if the key is shown. */
  subscribers: readonly ShownSubscriber[];
  /** The places of each kind that a proposal changes. */
  status?: Partial<Record<keyof typeof KINDS, readonly string[]>> | undefined;
}

export function createHomePage(options: HomeOptions): ProtectedPage {
  const { title, version, operations, address, hasConsole, shownKey, subscribers, status = {} } = options;
  const shown = chooseVaried(subscribers);
  const subscriberId = shown[0]?.[0].subscriberId ?? "<subscriberId>";
  const body = html`<main id="main"><div class="split-title"><h1>A server to develop against Novu's API</h1>
${hasConsole && html`<a class="button" href="/console">Open the console</a>`}</div>
<p class="lead">Unofficial mock and reference server for development and tests. ${renderOperations(operations)}</p>
${renderAccess(address, shownKey)}
${hasConsole && FACTS}
${renderStatus(status)}<div class="halves"><section aria-labelledby="try"><h2 id="try">Try it</h2>
${renderSamples(operations, { address, apiKey: shownKey ?? KEY_VARIABLE, canSend: shownKey !== undefined }, subscriberId)}</section>
${hasConsole && LAST_REQUESTS}</div>
${shown.length > 0 && html`<h2>Subscribers to try</h2>${renderSubscribers(shown, hasConsole)}`}</main>`;
  return renderPage({
    title: "Home · notifications-contract",
    kind: "home",
    hasConsole,
    aside: renderVersion({ title, version }),
    body,
  });
}

/** `It has two operations: updatePreferences and listNotifications.` A proposal may have many more. */
function renderOperations(operations: HomeOptions["operations"]): Html {
  const { length } = operations;
  if (length > MAX_NAMED) return html`It has <a href="/docs">${length} operations</a>.`;
  const links = operations.map(({ id }) => html`<a href="/docs#${toAnchor("operation", id)}">${id}</a>`);
  const list = links.map((link, index) => html`${index > 0 && (index < length - 1 ? ", " : " and ")}${link}`);
  return html`It has ${["no", "one", "two", "three"][length]} operation${length !== 1 && "s"}${length > 0 && ": "}${list}.`;
}

const MAX_NAMED = 3;

/**
 * script/dashboard.ts fills both from the control plane, since a page without a key must not. Until then, they reserve
 * the room.
 */
const TERMS = ["Running", "Data", "Clock", "Environments", "Faults"];
const FACTS = html`<section id="dashboard" aria-label="This server"><dl class="facts">${TERMS.map((term) => html`<div><dt>${term}</dt><dd>–<span class="soft small">&nbsp;</span></dd></div>`)}</dl></section>`;
const LAST_REQUESTS = html`<section id="last-requests" aria-labelledby="last-requests-title">
<div class="split-title"><h2 id="last-requests-title">Last requests</h2><a href="/console#requests">All in the console</a></div>
<p class="banner bad row" role="alert" hidden></p>
<table><tbody></tbody></table></section>`;

function renderSubscribers(shown: readonly [ShownSubscriber, note: string][], hasConsole: boolean): Html {
  const rows = shown.map(([{ subscriberId, firstName = "", lastName = "" }, note]) => {
    const id = html`<code>${subscriberId}</code>`;
    const link = html`<a href="/console?subscriber=${encodeURIComponent(subscriberId)}#preferences">${id}</a>`;
    const name = `${firstName} ${lastName}`.trim();
    return html`<tr><th scope="row">${hasConsole ? link : id}</th><td>${name}</td><td>${note}</td></tr>`;
  });
  return table({ label: "Subscribers to try", columns: ["Id", "Name", "Special case"] }, rows);
}

/** The kinds of places where a proposal is not implemented. */
const KINDS = {
  mocked: "Operations without a handler: they respond with samples of the contract",
  reasons: "Why operations with a handler are mocked",
  added: "Members of responses that no handler sets: added as samples",
  removed: "Members of responses that are not in the contract: removed",
  withoutEffect: "Parts of requests that are validated but have no effect",
  errors: "Statuses of errors that are replaced, or sent although the contract lacks them",
  cannotBeShown: "Values that are sent although the contract forbids them",
  unchecked: "Parts of the contract that these tools do not understand: removed, or not checked",
};

function renderStatus(status: NonNullable<HomeOptions["status"]>): Html | undefined {
  const rows = mapDefined(Object.entries(KINDS), ([kind, meaning]) => {
    const places = status[kind as keyof typeof KINDS] ?? [];
    const list = places.map((place) => html`<li><code>${place}</code></li>`);
    return places.length === 0 ? undefined : html`<tr><th scope="row">${meaning}</th><td><ul>${list}</ul></td></tr>`;
  });
  return rows.length === 0 ? undefined : html`<h2>Not implemented yet</h2><table><tbody>${rows}</tbody></table>`;
}

/** Subscribers that front-ends handle wrongly, the rarest kind first. */
const SPECIAL: readonly (readonly [note: string, isSo: (subscriber: ShownSubscriber) => boolean])[] = [
  ["has neither a name nor an address", ({ firstName, email, phone }) => !firstName && !email && !phone],
  ["the id has a slash and a blank: encode it in the path", ({ subscriberId }) => /[/ ]/.test(subscriberId)],
  ["the id is an e-mail address", ({ subscriberId }) => subscriberId.includes("@")],
  ["the id looks like a number", ({ subscriberId }) => /^\d+$/.test(subscriberId)],
  ["has no e-mail address", ({ email }) => !email],
  ["has a name that is written from right to left", ({ firstName = "" }) => /[\u0590-\u06ff]/.test(firstName)],
  ["has no last name", ({ lastName }) => !lastName],
  ["has an e-mail address and a phone number", ({ email, phone }) => Boolean(email && phone)],
];

/** One subscriber of each kind, the ordinary one first. */
function chooseVaried(subscribers: readonly ShownSubscriber[]): [ShownSubscriber, note: string][] {
  const noteOf = (subscriber: ShownSubscriber) => SPECIAL.find(([, isSo]) => isSo(subscriber))?.[0];
  return mapDefined(SPECIAL.toReversed(), ([note]): [ShownSubscriber, string] | undefined => {
    const first = subscribers.find((subscriber) => noteOf(subscriber) === note);
    return first ? [first, note] : undefined;
  });
}

/** One request at a time, as in the docs: script/samples.ts. */
function renderSamples(operations: readonly Operation[], access: Access, subscriberId: string): Html | undefined {
  const path = { subscriberId };
  const requests: [name: string, note: string, id: string, template: RequestTemplate][] = [
    ["List notifications", "the latest two", "listNotifications", { query: { limit: 2 } }],
    ["Break two rules", "the response lists both", "listNotifications", { query: { limit: 51, chanels: "sms" } }],
    ["Switch e-mail off", "for one subscriber", "updatePreferences", { path, body: { channels: { email: false } } }],
    ["Read preferences", "an update that changes nothing", "updatePreferences", { path, body: { channels: {} } }],
  ];
  const samples = mapDefined(requests, ([name, note, id, template]) => {
    const operation = operations.find((one) => one.id === id); // a proposal may have removed it
    return operation && { name, note, operation, request: buildRequestSpec(operation, template, access.apiKey) };
  });
  const [first] = samples;
  if (!first) return undefined;
  const choices = samples.map(({ name, note, operation, request }, index) => {
    const data = html`data-operation="${JSON.stringify(outlineOf(operation))}" data-request="${JSON.stringify(request)}"`;
    return html`<label><input type="radio" name="try" ${data}${index === 0 && " checked"}><span>${name} <span class="soft small">${note}</span></span></label>`;
  });
  return html`<div class="samples"><fieldset class="cards" data-examples aria-label="Request to try">${choices}</fieldset>
${renderRequest(first.operation, access, first.request, "Request")}
${responsePanel("Response", html`<span class="soft">Response</span>`)}</div>`;
}
