// What a person sees when a server is up.

export interface Welcomed {
  url: string;
  apiKey: string;
}

/** The start message: what runs where, with which key, a line to paste for each operation, and what else to know. */
export function toWelcome(what: string, { url, apiKey }: Welcomed, facts: readonly [string, string][]): string {
  const header = `-H 'Authorization: ApiKey ${apiKey.replaceAll("'", "'\\''")}'`;
  const all = [
    ["URL", url],
    ["API key", apiKey],
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
