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
type Parts = Record<"url" | "updateUrl" | "header", string> & { client(options?: object): string };

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
    codes: ({ url, header, client }) => ({
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
    }),
  },
  {
    anchor: "guide-errors",
    title: "Retry and handle failures",
    text: `Send an update again after a lost connection, a timeout, 409, 429 or 503, once \`Retry-After\` seconds have passed. One \`Idempotency-Key\` for all attempts makes that safe: for 24 hours, the server replays its first response.

The client's \`retry\` does all of it. It makes the key itself, doubles its delay of 250 ms each time, and gives up if \`Retry-After\` is beyond \`maxDelayMs\`, 10 s.

A 422 is to be corrected: \`errors\` lists each violation, keyed by its place in the request.`,
    more: html`<p><a href="#updatePreferences-header-idempotency-key" data-example="globalUpdate" data-fill="idempotency-key">Try it: send one key twice</a></p>`,
    codes: ({ updateUrl, header, client }) => ({
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
    }),
  },
];

function renderGuide({ anchor, title, text, more, codes }: Guide, parts: Parts): Html {
  const codesByLanguage = Object.entries(codes(parts));
  const isChoice = codesByLanguage.every(([language]) => language in LABELS);
  const snippets = codesByLanguage.map(([language, code]) => {
    const label = isChoice ? `${title} ${LABELS[language]}` : language;
    return [language, snippet(label, language === "TypeScript" ? readKey(code) : code)] as const;
  });
  return html`<section class="columns"><div>${heading(2, anchor, title)}<div class="description">${prose(text)}${more}</div></div>
<aside class="samples" aria-label="Code: ${title}">${isChoice ? tabs("code", `${title} as code`, snippets, anchor) : snippets.map(([, code]) => code)}</aside></section>`;
}
