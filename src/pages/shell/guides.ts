// What takes more than one request, as code to copy: pages of a list, errors, the typed client.
import type { Operation } from "../../contract/model.js";
import { formatClientStart, KEY_VARIABLE, readKey } from "../../contract/request-code.js";
import { quote } from "../../contract/request-spec.js";
import { type Html, heading, html, prose, snippet, tabs } from "./html.js";
import { type Access, LABELS } from "./request-snippets.js";

/** Their titles by anchor; none for an API without the operations that they show, such as the control plane. */
export function findGuides(operations: readonly Operation[]): Record<string, string> {
  return findOperations(operations) ? Object.fromEntries(GUIDES.map(({ anchor, title }) => [anchor, title])) : {};
}

export function renderGuides(operations: readonly Operation[], { address, apiKey }: Access): Html[] | undefined {
  const found = findOperations(operations);
  const parts: Parts = {
    url: `${address}${found?.list.path}`,
    updateUrl: `${address}${found?.update.path.replace(/{.+}/, "ines-moreau")}`,
    key: JSON.stringify(`ApiKey ${apiKey}`),
    header: quote(`authorization: ApiKey ${apiKey}`, { [KEY_VARIABLE]: KEY_VARIABLE }),
    client: (options) => formatClientStart("client", { baseUrl: address, apiKey, ...options }),
  };
  return found && GUIDES.map((guide) => renderGuide(guide, parts));
}

function findOperations(operations: readonly Operation[]): { list: Operation; update: Operation } | undefined {
  const find = (id: string, method: string, names: readonly string[]) =>
    operations.find((one) => {
      const isOwn = one.id === id && one.method === method;
      return isOwn && names.every((name) => one.parameters.some((parameter) => parameter.name === name));
    });
  const list = find("listNotifications", "get", ["limit", "page", "before"]);
  const update = find("updatePreferences", "patch", ["subscriberId", "idempotency-key"]);
  return list && update && { list, update };
}

/** What the codes have in common. */
type Parts = Record<"url" | "updateUrl" | "key" | "header", string> & { client(options?: object): string };

interface Guide {
  anchor: string;
  title: string;
  text: string;
  more?: Html;
  /** By language. A shell and another language are steps, which all show. */
  codes(parts: Parts): Record<string, string>;
}

const GUIDES: readonly Guide[] = [
  {
    anchor: "guide-client",
    title: "Use the TypeScript client",
    text: `No registry has \`notifications-contract\`: pack it in a clone of its repository, and install the file.

Calls never reject. \`result.ok\` tells a success from an error, and both are typed.

Options of the client, or of a call: \`retry\` repeats what may pass, \`timeoutMs\` limits an attempt (30 s). A call also takes a \`signal\` that aborts it, and an update an \`idempotencyKey\`, to send it again yourself. \`client.pages\` iterates over a list.`,
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
    title: "Retry and handle failures",
    text: `Send an update again after a lost connection, a timeout, 409, 429 or 503, once \`Retry-After\` seconds have passed. One \`Idempotency-Key\` for all attempts makes that safe: for 24 hours, the server replays its first response.

The client's \`retry\` does all of it. It makes the key itself, doubles its delay of 250 ms each time, and gives up if \`Retry-After\` is beyond \`maxDelayMs\`, 10 s.

A 422 is to be corrected: \`errors\` lists each violation, keyed by its place in the request.`,
    more: html`<p><a href="#updatePreferences-header-idempotency-key" data-example="globalUpdate" data-fill="idempotency-key">Try it: send one key twice</a></p>`,
    codes: ({ updateUrl, key, header, client }) => ({
      curl: `# one key for all attempts
key=$(openssl rand -hex 16) wait=0
for attempt in 1 2 3; do
  sleep "$wait"
  response=$(curl -sS -m 30 -X PATCH "${updateUrl}" \\
    -w '\\n%{http_code} %header{retry-after}' \\
    -H ${header} \\
    -H "idempotency-key: $key" \\
    --json '{"channels":{"sms":false}}')
  last=$(tail -n 1 <<< "$response")
  read -r status wait <<< "$last"
  case $status in
    000 | 409 | 429 | 503) ;;
    *) break ;;
  esac
  wait=\${wait:-$attempt}
done
sed '$d' <<< "$response" |
  jq '.errors // .global.channels // .'`,
      TypeScript: `${client({ retry: { attempts: 3 } })}
const result = await client.updatePreferences("ines-moreau", { channels: { sms: false } });
if (result.ok) console.log(result.data.global.channels, result.idempotencyKey);
else console.error(result.status, result.error.message);
if (result.status === 422) {
  for (const [place, error] of Object.entries(result.error.errors)) {
    console.error(place, error.messages.join(", "));
  }
}`,
      fetch: `const update = {
  method: "PATCH",
  headers: {
    authorization: ${key},
    "content-type": "application/json",
    "idempotency-key": crypto.randomUUID(), // one for all attempts
  },
  body: JSON.stringify({ channels: { sms: false } }),
};

async function send(url, init, attempts = 3) {
  for (let attempt = 1; ; attempt += 1) {
    const signal = AbortSignal.timeout(30_000);
    const response = await fetch(url, { ...init, signal }).catch((error) => {
      if (attempt === attempts) throw error; // no response
    });
    const isOver = response && ![409, 429, 503].includes(response.status);
    if (isOver || attempt === attempts) return response;
    const seconds = response?.headers.get("retry-after") ?? attempt;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

const response = await send("${updateUrl}", update);
const body = await response.json();
if (response.ok) console.log(body.global.channels);
else console.error(response.status, body.message);
for (const [place, error] of Object.entries(body.errors ?? {})) {
  console.error(place, error.messages.join(", "));
}`,
      Python: `import time
import uuid
import requests

url = "${updateUrl}"
update = {"channels": {"sms": False}}
headers = {
    "authorization": ${key},
    "idempotency-key": str(uuid.uuid4()),  # one for all attempts
}
for attempt in 1, 2, 3:
    wait = attempt
    try:
        response = requests.patch(url, json=update, headers=headers, timeout=30)
        if attempt == 3 or response.status_code not in (409, 429, 503):
            break
        wait = int(response.headers.get("Retry-After", attempt))
    except requests.RequestException:
        if attempt == 3:
            raise  # no response
    time.sleep(wait)
body = response.json()
print(response.status_code, body["global"]["channels"] if response.ok else body["message"])
for place, error in body.get("errors", {}).items():
    print(place, ", ".join(error["messages"]))`,
    }),
  },
];

function renderGuide({ anchor, title, text, more, codes }: Guide, parts: Parts): Html {
  const codesByLanguage = Object.entries(codes(parts));
  const isChoice = codesByLanguage.every(([language]) => language in LABELS);
  const snippets = codesByLanguage.map(([language, code]) => {
    const label = isChoice ? `${title} ${LABELS[language]}` : language;
    return [language, snippet(label, readKey(language, code))] as const;
  });
  return html`<section class="columns"><div>${heading(2, anchor, title)}<div class="description">${prose(text)}${more}</div></div>
<aside class="samples" aria-label="Code: ${title}">${isChoice ? tabs("code", `${title} as code`, snippets, anchor) : snippets.map(([, code]) => code)}</aside></section>`;
}
