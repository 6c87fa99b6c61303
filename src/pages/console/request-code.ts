// A request as code to copy: as a curl command, or with fetch.
import { formatCurl, type RequestSpec } from "../../contract/request-spec.js";
import { snippet } from "../script/code-panel.js";

/** Two tabs. The page's origin is the server's. */
export function buildCodeTabs(spec: RequestSpec): (readonly [name: string, part: HTMLElement])[] {
  return [
    ["curl", snippet("As curl", formatCurl(spec, location.origin))],
    ["fetch", snippet("As fetch", `const response = ${formatFetch(spec)};`)],
  ];
}

export function formatFetch({ method, target, headers, body }: RequestSpec): string {
  const options = { method, headers, ...(body === undefined ? {} : { body }) };
  return `await fetch(${JSON.stringify(location.origin + target)}, ${JSON.stringify(options, null, 2)})`;
}
