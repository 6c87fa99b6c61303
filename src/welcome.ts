// What a person sees when the server is up.
import type { RunningServer } from "./server.js";

/** The start message: where, with which key, a line to paste for each operation, and where the state is. */
export function toWelcome({ url, apiKey }: RunningServer, dataFolder: string | undefined): string {
  const header = `-H 'Authorization: ApiKey ${apiKey}'`;
  return `
  The reference server is up.

  URL       ${url}
  API key   ${apiKey}
  Contract  ${url}/openapi.yaml
  State     ${dataFolder === undefined ? "in memory only" : dataFolder}

  List notifications:
    curl '${url}/v1/notifications?limit=2' ${header}

  Switch a subscriber's e-mail off:
    curl -X PATCH '${url}/v2/subscribers/ines-moreau/preferences' ${header} -H 'Content-Type: application/json' -d '{"channels":{"email":false}}'

  Ctrl-C stops it.

`;
}
