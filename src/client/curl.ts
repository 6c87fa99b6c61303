// A request as a command line for a POSIX shell.
import type { RequestSpec } from "./request-spec.js";

export function toCurl({ method, target, headers, body }: RequestSpec, origin: string): string {
  const parts = [
    `curl -i${METHOD_OPTIONS[method] ?? ` -X ${method}`} ${quote(origin + target)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quote(body)}`]),
  ];
  return parts.join(" \\\n  ");
}

const METHOD_OPTIONS: Readonly<Record<string, string>> = { GET: "", HEAD: " -I" }; // with -X HEAD, curl waits for a body

export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
