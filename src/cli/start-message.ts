// The start message, as text or as a line of JSON. Shows only the built-in key, since it may end up in a CI log.

import { styleText } from "node:util";
import { mapDefined } from "../contract/lists.js";
import type { Implementation } from "../core/request/handlers.js";
import { DEFAULT_API_KEY } from "../server/config.js";
import { isColored } from "./command.js";

const TITLES: readonly (readonly [keyof Implementation, string])[] = [
  ["implemented", "Real"],
  ["mocked", "Mocked"],
  ["reasons", "Because"],
  ["added", "Added"],
  ["removed", "Removed"],
  ["withoutEffect", "No effect"],
  ["errors", "Errors"],
  ["unchecked", "Not checked"],
  ["cannotBeShown", "Invalid"],
];

/** Creates a row for each kind of difference between a proposal and what is served, its places below each other. */
export function findProposalFacts(implementation: Partial<Implementation> | undefined): Record<string, string> {
  const rows = mapDefined(TITLES, ([kind, title]) => {
    const places = implementation?.[kind] ?? [];
    return places.length === 0 ? undefined : [title, places.join(`\n${" ".repeat(12)}`)];
  });
  return Object.fromEntries(rows);
}

export interface StartedServer {
  url: string;
  apiKey: string;
  /** True if the server has a console and a control plane. */
  hasControl: boolean;
  /** Further rows by name. */
  facts: Readonly<Record<string, string>>;
  implementation?: Implementation | undefined;
}

/** Prints the message. It is no result, so a full disk does not change the exit code. */
export function printStart(text: string): void {
  process.stdout.removeAllListeners("error").on("error", () => {});
  process.stdout.write(text);
}

/** Lists the pages, further facts, and a curl line for each of the two operations that the contract has. */
export function formatStartMessage(
  what: string,
  { url, apiKey, hasControl, facts, implementation }: StartedServer,
): string {
  const isBold = isColored(process.stdout);
  const bold = (text: string) => (isBold ? styleText("bold", text, { validateStream: false }) : text);
  const isCustom = apiKey !== DEFAULT_API_KEY;
  const authorization = isCustom ? '-H "Authorization: ApiKey $NC_API_KEY"' : `-H 'Authorization: ApiKey ${apiKey}'`;
  const rows = {
    ...(hasControl && { Console: bold(`${url}/console`) }),
    URL: hasControl ? url : bold(url),
    "API key": isCustom ? "as configured" : apiKey,
    Docs: `${url}/docs`,
    Contract: `${url}/openapi.yaml`,
    ...(hasControl && { Control: `${url}/_control` }),
    ...facts,
  };
  const list = ["List notifications", `curl '${url}/v1/notifications?limit=2'`, authorization];
  const update = [
    "Switch a subscriber's e-mail off",
    "curl -X PATCH",
    `'${url}/v2/subscribers/ines-moreau/preferences'`,
    authorization,
    "-H 'Content-Type: application/json'",
    `-d '{"channels":{"email":false}}'`,
  ];
  const served = implementation && [...implementation.implemented, ...implementation.mocked];
  const isServed = (operation: string) => served?.includes(operation) ?? true;
  const requests = [
    ...(isServed("GET /v1/notifications") ? [list] : []),
    ...(isServed("PATCH /v2/subscribers/{subscriberId}/preferences") ? [update] : []),
  ];
  return `
  The ${what} is up.

${Object.entries(rows)
  .map(([name, value]) => `  ${name.padEnd(9)} ${value}`)
  .join("\n")}

${requests.map(([title, ...parts]) => `  ${title}:\n    ${parts.join(" \\\n      ")}\n\n`).join("")}  Ctrl-C stops it.

`;
}

/** Formats the message for programs. */
export function formatStartJson({ url, apiKey, hasControl }: StartedServer, folder: string | undefined): string {
  return `${JSON.stringify({
    url,
    ...(apiKey === DEFAULT_API_KEY && { apiKey }),
    pages: {
      home: `${url}/`,
      docs: `${url}/docs`,
      contract: `${url}/openapi.yaml`,
      health: `${url}/health`,
      ...(hasControl && { console: `${url}/console`, control: `${url}/_control` }),
    },
    ...(folder !== undefined && { folder }),
  })}\n`;
}
