// The start message. Only the built-in key is shown: the message may end up in the log of a CI job.
import { DEFAULT_API_KEY } from "../config.js";

export interface StartedServer {
  url: string;
  apiKey: string;
}

/** The start message: URL, key, pages, further facts, and a curl line for each operation. */
export function toStartMessage(
  what: string,
  { url, apiKey }: StartedServer,
  facts: readonly [string, string][],
): string {
  const isCustom = apiKey !== DEFAULT_API_KEY;
  const header = isCustom ? '-H "Authorization: ApiKey $NC_API_KEY"' : `-H 'Authorization: ApiKey ${apiKey}'`;
  const rows = [
    ["URL", url],
    ["API key", isCustom ? "as configured" : apiKey],
    ["Docs", `${url}/docs`],
    ["Contract", `${url}/openapi.yaml`],
    ...facts,
  ];
  return `
  The ${what} is up.

${rows.map(([name = "", value]) => `  ${name.padEnd(9)} ${value}`).join("\n")}

  List notifications:
    curl '${url}/v1/notifications?limit=2' ${header}

  Switch a subscriber's e-mail off:
    curl -X PATCH '${url}/v2/subscribers/ines-moreau/preferences' ${header} -H 'Content-Type: application/json' -d '{"channels":{"email":false}}'

  Ctrl-C stops it.

`;
}
