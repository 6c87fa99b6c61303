// What a person sees when a server is up. A key of one's own is not shown: the message may end up in the log of a CI job.
import { DEFAULT_API_KEY } from "./config.js";

export interface Welcomed {
  url: string;
  apiKey: string;
}

/** The start message: what runs where, with which key, a line to paste for each operation, and what else to know. */
export function toWelcome(what: string, { url, apiKey }: Welcomed, facts: readonly [string, string][]): string {
  const isOwn = apiKey !== DEFAULT_API_KEY;
  const header = isOwn ? '-H "Authorization: ApiKey $NC_API_KEY"' : `-H 'Authorization: ApiKey ${apiKey}'`;
  const all = [
    ["URL", url],
    ["API key", isOwn ? "your own" : apiKey],
    ["Docs", `${url}/docs`],
    ["Contract", `${url}/openapi.yaml`],
    ...facts,
  ];
  return `
  The ${what} is up.

${all.map(([name = "", value]) => `  ${name.padEnd(9)} ${value}`).join("\n")}

  List notifications:
    curl '${url}/v1/notifications?limit=2' ${header}

  Switch a subscriber's e-mail off:
    curl -X PATCH '${url}/v2/subscribers/ines-moreau/preferences' ${header} -H 'Content-Type: application/json' -d '{"channels":{"email":false}}'

  Ctrl-C stops it.

`;
}
