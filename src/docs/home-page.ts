// The page at `/` for people: what runs here, where to go, and requests to copy. It loads nothing and runs nothing.
import { html } from "./html.js";
import { type ProtectedPage, renderPage, STYLE, toPolicy } from "./page.js";

export interface HomeOptions {
  title: string;
  version: string;
  /** As in `http://127.0.0.1:4010`. */
  address: string;
  hasConsole: boolean;
  /** The built-in key. A key of one's own stays secret. */
  shownKey: string | undefined;
  /** Subscribers to try, if the key is shown. */
  subscriberIds: readonly string[];
}

export function createHomePage(options: HomeOptions): ProtectedPage {
  const { title, version, address, hasConsole, shownKey, subscriberIds } = options;
  const server = hasConsole ? "reference server" : "server";
  const key = shownKey ?? "$NC_API_KEY";
  const header = html`<h1>notifications-contract</h1>
<p>A ${server} for <strong>${title} ${version}</strong>, at <code>${address}</code>.</p>`;
  const main = html`<h2>Pages</h2><ul>
${hasConsole && html`<li><a href="/console">Console</a>: preferences, the feed, requests, faults and the clock</li>`}
<li><a href="/docs">Docs</a>: the contract, with forms to try it</li>
<li><a href="/openapi.yaml">openapi.yaml</a> and <a href="/openapi.json">openapi.json</a>: the contract as a file</li>
<li><a href="/health">Health</a>: whether the server is up, and which contract it serves</li></ul>
<h2>First requests</h2>
<p>API key: ${shownKey === undefined ? html`as configured, here as <code>$NC_API_KEY</code>` : html`<code>${shownKey}</code>`}</p>
${toCurlLines(address, key, subscriberIds[0] ?? "<subscriberId>").map(
  ([name, line]) => html`<h3>${name}</h3><pre tabindex="0"><code>${line}</code></pre>`,
)}
${subscriberIds.length > 0 && html`<p>Subscribers to try: ${subscriberIds.map((id) => html`<code>${id}</code> `)}</p>`}`;
  return {
    text: renderPage({ title: `${title}: ${server}`, skipText: "To the pages", header, main }),
    policy: toPolicy({ style: STYLE }),
  };
}

function toCurlLines(address: string, key: string, subscriberId: string): [name: string, line: string][] {
  const authorization = `-H "Authorization: ApiKey ${key}"`; // double quotes: the key may be a variable
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
