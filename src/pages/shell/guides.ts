// What takes more than one request, as code to copy: pages of a list, errors, the typed client.
import type { Operation } from "../../contract/model.js";
import { formatClientStart, KEY_VARIABLE, readKey } from "../../contract/request-code.js";
import { quote } from "../../contract/request-spec.js";
import { type Html, heading, html, prose, snippet, tabs } from "./html.js";
import { type Access, LABELS } from "./request-snippets.js";

/** Their titles by anchor; none for an API without the list that they show, such as the control plane. */
export function findGuides(operations: readonly Operation[]): Record<string, string> {
  return findList(operations) ? Object.fromEntries(GUIDES.map(({ anchor, title }) => [anchor, title])) : {};
}

export function renderGuides(operations: readonly Operation[], { address, apiKey }: Access): Html[] | undefined {
  const list = findList(operations);
  const parts: Parts = {
    url: `${address}${list?.path}`,
    key: JSON.stringify(`ApiKey ${apiKey}`),
    header: quote(`authorization: ApiKey ${apiKey}`, { [KEY_VARIABLE]: KEY_VARIABLE }),
    client: (options) => formatClientStart("client", { baseUrl: address, apiKey, ...options }),
  };
  return list && GUIDES.map((guide) => renderGuide(guide, parts));
}

function findList(operations: readonly Operation[]): Operation | undefined {
  const list = operations.find(({ id, method }) => id === "listNotifications" && method === "get");
  const names = list?.parameters.map(({ name }) => name) ?? [];
  return ["limit", "page", "before"].every((name) => names.includes(name)) ? list : undefined;
}

/** What the codes have in common. */
type Parts = Record<"url" | "key" | "header", string> & { client(options?: object): string };

interface Guide {
  anchor: string;
  title: string;
  text: string;
  /** By language. A shell and another language are steps, which all show. */
  codes(parts: Parts): Record<string, string>;
}

const GUIDES: readonly Guide[] = [
  {
    anchor: "guide-client",
    title: "Use the TypeScript client",
    text: `No registry has \`notifications-contract\`: pack it in a clone of its repository, and install the file.

Calls never reject. \`result.ok\` tells a success from an error, and both are typed.`,
    codes: ({ client }) => ({
      Shell: `npm ci && npm pack # in the clone
cp notifications-contract-*.tgz ../my-app && cd ../my-app
npm i -D ./notifications-contract-*.tgz`,
      TypeScript: `${client()}
const result = await client.updatePreferences("ines-moreau", { channels: { sms: false } });
if (result.ok) console.log(result.data.global.channels.sms);
else console.error(result.status, result.error.message);`,
    }),
  },
  {
    anchor: "guide-pages",
    title: "Page through a list",
    text: `Request \`page\` 0, 1, 2 … until \`hasMore\` is false. \`limit\` is at most 50.

Pages count from the newest notification. \`before\` keeps those that arrive meanwhile from moving others to the next page; \`client.pages\` sends it itself.`,
    codes: ({ url, key, header, client }) => ({
      curl: `before=$(date -u +%Y-%m-%dT%H:%M:%SZ)
page=0 more=true
while [ "$more" = true ]; do
  body=$(curl -sS "${url}?limit=50&before=$before&page=$page" \\
    -H ${header})
  echo "$body" |
    jq -r '.data[]?._id // .message'
  more=$(echo "$body" | jq .hasMore)
  page=$((page + 1))
done`,
      TypeScript: `${client()}
const notifications = [];
for await (const page of client.pages({ limit: 50 })) {
  if (!page.ok) throw new Error(page.error.message);
  notifications.push(...page.data.data);
}
console.log(notifications.length);`,
      fetch: `const url = ${JSON.stringify(url)};
const headers = { authorization: ${key} };
const notifications = [];
const before = new Date().toISOString();
for (let page = 0, hasMore = true; hasMore; page += 1) {
  const query = new URLSearchParams({ limit: 50, before, page });
  const response = await fetch(\`\${url}?\${query}\`, { headers });
  const body = await response.json();
  if (!response.ok) throw new Error(body.message);
  notifications.push(...body.data);
  hasMore = body.hasMore;
}
console.log(notifications.length);`,
      Python: `from datetime import datetime, timezone
import requests

headers = {"authorization": ${key}}
notifications, page, has_more = [], 0, True
before = datetime.now(timezone.utc).isoformat()
while has_more:
    query = {"limit": 50, "before": before, "page": page}
    response = requests.get("${url}", query, headers=headers)
    response.raise_for_status()
    body = response.json()
    notifications += body["data"]
    page, has_more = page + 1, body["hasMore"]
print(len(notifications))`,
    }),
  },
  {
    anchor: "guide-errors",
    title: "Handle failures in code",
    text: `After a 429, wait as many seconds as \`Retry-After\` says, then send the request again.

A 422 lists every violation in \`errors\`, keyed by its place in the request. This request has one: its \`limit\` is too large.`,
    codes: ({ url, key, header, client }) => ({
      curl: `# --retry waits as Retry-After says
curl -sS --retry 3 "${url}?limit=51" \\
  -H ${header} |
  jq '.errors // .'`,
      TypeScript: `${client({ retry: { attempts: 3 } })}
const result = await client.listNotifications({ limit: 51 });
if (!result.ok) console.error(result.status, result.error.message);
if (result.status === 422) {
  for (const [place, error] of Object.entries(result.error.errors)) {
    console.error(place, error.messages.join(", "));
  }
}`,
      fetch: `async function send(url, init, attempts = 3) {
  const response = await fetch(url, init);
  if (response.status !== 429 || attempts === 1) return response;
  const ms = response.headers.get("retry-after") * 1000;
  await new Promise((resolve) => setTimeout(resolve, ms));
  return send(url, init, attempts - 1);
}

const headers = { authorization: ${key} };
const response = await send("${url}?limit=51", { headers });
const body = await response.json();
if (!response.ok) console.error(response.status, body.message);
for (const [place, error] of Object.entries(body.errors ?? {})) {
  console.error(place, error.messages.join(", "));
}`,
      Python: `import time
import requests

headers = {"authorization": ${key}}
for attempt in range(3):
    response = requests.get("${url}", {"limit": 51}, headers=headers)
    if response.status_code != 429:
        break
    time.sleep(int(response.headers["Retry-After"]))
for place, error in response.json().get("errors", {}).items():
    print(place, ", ".join(error["messages"]))`,
    }),
  },
];

function renderGuide({ anchor, title, text, codes }: Guide, parts: Parts): Html {
  const codesByLanguage = Object.entries(codes(parts));
  const isChoice = codesByLanguage.every(([language]) => language in LABELS);
  const snippets = codesByLanguage.map(([language, code]) => {
    const label = isChoice ? `${title} ${LABELS[language]}` : language;
    return [language, snippet(label, readKey(language, code))] as const;
  });
  return html`<section class="columns"><div>${heading(2, anchor, title)}<div class="description">${prose(text)}</div></div>
<aside class="samples" aria-label="Code: ${title}">${isChoice ? tabs("code", `${title} as code`, snippets, anchor) : snippets.map(([, code]) => code)}</aside></section>`;
}
